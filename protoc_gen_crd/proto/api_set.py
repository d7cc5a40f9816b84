"""Index of the elements of a request. All names are indexed first; the model of an element is built on first use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
    ServiceDescriptorProto,
)

from protoc_gen_crd.base.utf8 import decode
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.descriptor_checks import RequestChecker
from protoc_gen_crd.proto.element_model import (
    KINDS,
    Enum,
    EnumValue,
    Extension,
    Field,
    File,
    Message,
    Method,
    Oneof,
    Service,
)
from protoc_gen_crd.proto.json_names import make_json_name
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.proto.source_locations import ElementPlace, Path, SourceMap

_FILE_MESSAGE = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
_FILE_ENUM = FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER
_FILE_EXTENSION = FileDescriptorProto.EXTENSION_FIELD_NUMBER
_NESTED = DescriptorProto.NESTED_TYPE_FIELD_NUMBER
_ENUM = DescriptorProto.ENUM_TYPE_FIELD_NUMBER
_EXTENSION = DescriptorProto.EXTENSION_FIELD_NUMBER
_FIELD = DescriptorProto.FIELD_FIELD_NUMBER
_ONEOF = DescriptorProto.ONEOF_DECL_FIELD_NUMBER
_VALUE = EnumDescriptorProto.VALUE_FIELD_NUMBER
_SERVICE = FileDescriptorProto.SERVICE_FIELD_NUMBER
_METHOD = ServiceDescriptorProto.METHOD_FIELD_NUMBER
_REQUIRED, _REPEATED = FieldDescriptorProto.LABEL_REQUIRED, FieldDescriptorProto.LABEL_REPEATED
_DOUBLE = FieldDescriptorProto.TYPE_DOUBLE


class _IndexEntry:
    """A name of the index: its descriptor, its location, and the full names of nested messages and enums."""

    __slots__ = ("descriptor", "enums", "file", "messages", "parent", "path")

    def __init__(self, descriptor: DescriptorProto | EnumDescriptorProto, file: str, path: Path, parent: str) -> None:
        self.messages: tuple[str, ...] = ()
        self.enums: tuple[str, ...] = ()
        self.descriptor = descriptor
        self.file = file
        self.path = path
        self.parent = parent


class ApiSet:
    """The files of a request. Each element is built once, on demand. Methods return None for unknown names."""

    def __init__(
        self, request: Request, problems: Problems, json_names: Mapping[str, str | None] | None = None
    ) -> None:
        """Index a request. `json_names` replace the JSON names of fields by full name; None is the default name."""
        self._json_names = json_names or {}
        self._request = request
        self._problems = problems
        self._targets = frozenset(request.targets)
        self._files: dict[str, File] = {}
        self._index: dict[str, _IndexEntry] = {}
        self._messages: dict[str, Message] = {}
        self._enums: dict[str, Enum] = {}
        self._services: dict[tuple[str, int], Service] = {}
        self._extensions: dict[tuple[str, int], Extension] = {}
        self._marked: dict[str, list[tuple[str, bytes, Path]]] = {}
        self._checks = RequestChecker(problems)
        for file in request.files.values():
            self._index_file(file)

    def list_targets(self) -> Iterator[File]:
        """Yield the files to generate, sorted by name."""
        for name in sorted(self._targets):
            yield self.get_file(name)

    def list_imports(self) -> Iterator[File]:
        """Yield the other files, sorted by name, without those of protobuf."""
        for name in sorted(self._request.files.keys() - self._targets):
            if not name.startswith("google/protobuf/"):
                yield self.get_file(name)

    @cached_property
    def target_messages(self) -> tuple[Message, ...]:
        """The messages of the targets, nested messages after their parents, without map entries."""
        return tuple([message for file in self.list_targets() for message in self.iterate_messages(file)])

    def iterate_messages(self, file: File) -> Iterator[Message]:
        """Yield the messages of a file, nested messages after their parents, without map entries."""
        stack = list(reversed(file.messages))
        while stack:
            message = self.find_message(stack.pop())
            if message is not None and not message.is_map_entry:
                yield message
                stack.extend(reversed(message.messages))

    @property
    def paths(self) -> Mapping[str, str]:
        """The paths on disk of files whose names differ from their paths, by name."""
        return self._request.paths

    def get_file(self, name: str) -> File:
        """Return a file by name."""
        file = self._files.get(name)
        if file is None:
            raw = self._request.files[name]
            prefix = _get_prefix(raw)
            file = self._files[name] = File(
                name,
                prefix[:-1],
                raw.syntax or "proto2",
                name in self._targets,
                _serialize_options(raw),
                tuple([prefix + _decode_name(message.name) for message in raw.message_type]),
                tuple([prefix + _decode_name(enum.name) for enum in raw.enum_type[:]]),
                SourceMap(raw, self._request.shown_names.get(name, "")),
                raw.options.deprecated,
                tuple([prefix + _decode_name(service.name) for service in raw.service]),
            )
            self._checks.check_file(raw, file.source)
        return file

    def find_message(self, full_name: str) -> Message | None:
        """Return a message by full name."""
        message = self._messages.get(full_name)
        if message is None:
            entry = self._index.get(full_name)
            if entry is None or not isinstance(entry.descriptor, DescriptorProto):
                return None
            message = self._messages[full_name] = self._make_message(full_name, entry, entry.descriptor)
        return message

    def find_enum(self, full_name: str) -> Enum | None:
        """Return an enum by full name."""
        enum = self._enums.get(full_name)
        if enum is None:
            entry = self._index.get(full_name)
            if entry is None or not isinstance(entry.descriptor, EnumDescriptorProto):
                return None
            enum = self._enums[full_name] = self._make_enum(entry, entry.descriptor)
        return enum

    def list_services(self, file: File) -> Iterator[Service]:
        """Yield the services of a file."""
        for index, raw in enumerate(self._request.files[file.name].service):
            service = self._services.get((file.name, index))
            if service is None:
                service = _read_service(raw, file, (_SERVICE, index))
                self._services[file.name, index] = service
            yield service

    def find_extension(self, extendee: str, number: int) -> Extension | None:
        """Return the extension of a message, such as an option, by number."""
        return self._extensions.get((extendee, number))

    def find_option(self, full_name: str) -> Extension | None:
        """Return an extension by full name."""
        return next((extension for extension in self._extensions.values() if extension.full_name == full_name), None)

    def list_marked_extensions(self, file: File) -> Iterator[tuple[str, bytes, ElementPlace]]:
        """Yield the names, options, and places of the extensions with options that a file declares."""
        for name, options, path in self._marked.get(file.name, ()):
            yield name, options, ElementPlace(file.source, (*path, FieldDescriptorProto.OPTIONS_FIELD_NUMBER))

    def list_names(self) -> Iterator[str]:
        """Yield the full names of all messages and enums."""
        return iter(self._index)

    def _index_file(self, file: FileDescriptorProto) -> None:
        prefix = _get_prefix(file)
        for index, message in enumerate(file.message_type):
            self._index_message(message, prefix, file.name, (_FILE_MESSAGE, index), "")
        for index, enum in enumerate(file.enum_type):
            self._add(prefix, _decode_name(enum.name), _IndexEntry(enum, file.name, (_FILE_ENUM, index), ""))
        self._index_extensions(file.extension, prefix, file.name, (_FILE_EXTENSION,))

    def _index_message(self, message: DescriptorProto, prefix: str, file: str, path: Path, parent: str) -> str:
        """Index a message and what it contains. Return its full name."""
        entry = _IndexEntry(message, file, path, parent)
        full_name = self._add(prefix, _decode_name(message.name), entry)
        inner = f"{full_name}."
        messages = [
            self._index_message(nested, inner, file, (*path, _NESTED, index), full_name)
            for index, nested in enumerate(message.nested_type[:])
        ]
        enums = [
            self._add(inner, _decode_name(enum.name), _IndexEntry(enum, file, (*path, _ENUM, index), full_name))
            for index, enum in enumerate(message.enum_type[:])
        ]
        entry.messages, entry.enums = tuple(messages), tuple(enums)
        self._index_extensions(message.extension, inner, file, (*path, _EXTENSION))
        return full_name

    def _index_extensions(self, extensions: Sequence[FieldDescriptorProto], prefix: str, file: str, at: Path) -> None:
        for index, field in enumerate(extensions[:]):
            type_name = _decode_name(field.type_name).removeprefix(".")
            extension = Extension(
                prefix + _decode_name(field.name), KINDS.get(field.type, ""), type_name, field.label == 3
            )
            self._extensions[_decode_name(field.extendee).removeprefix("."), field.number] = extension
            if file in self._targets and (options := _serialize_options(field)):
                self._marked.setdefault(file, []).append((extension.full_name, options, (*at, index)))

    def _add(self, prefix: str, name: str, entry: _IndexEntry) -> str:
        """Add an entry. Return its full name."""
        full_name = prefix + name
        if not name.isidentifier():
            self._checks.check_name(name, full_name, ElementPlace(self.get_file(entry.file).source, entry.path))
        declared = self._index.get(full_name)
        if declared is not None:
            self._problems.report(
                "symbol-repeated",
                f'"{full_name}" is already declared in {declared.file}',
                ElementPlace(self.get_file(entry.file).source, entry.path),
                path=full_name,
            )
        self._index[full_name] = entry
        return full_name

    def _make_message(self, full_name: str, entry: _IndexEntry, raw: DescriptorProto) -> Message:
        file = self.get_file(entry.file)
        source, path = file.source, entry.path
        if file.syntax == "proto2":
            _move_group_comments(raw, source, path)
        oneofs = self._number_oneofs(raw)
        fields = []
        for index, field in enumerate(raw.field[:]):  # slices are lists, whose iteration is faster
            oneof = oneofs.get(field.oneof_index, -1) if oneofs and field.HasField("oneof_index") else -1
            checked = self._checks.check_field(_read_field(field, full_name, source, (*path, _FIELD, index), oneof))
            fields.append(self._rename_field(checked) if checked.full_name in self._json_names else checked)
        members: dict[int, list[str]] = {number: [] for number in oneofs.values()}
        for checked in fields:
            if checked.oneof >= 0:
                members[checked.oneof].append(checked.name)
        return Message(
            *(element := _read_element(raw, entry.parent or file.package, source, path)),
            file=entry.file,
            parent=entry.parent,
            is_map_entry=bool(element[3])
            and raw.options.map_entry
            and self._is_map_entry(fields, full_name, element[4]),
            fields=tuple(fields),
            oneofs=tuple([
                Oneof(
                    *_read_element(raw.oneof_decl[place], full_name, source, (*path, _ONEOF, place)),
                    fields=tuple(members[number]),
                )
                for place, number in oneofs.items()
            ]),
            messages=entry.messages,
            enums=entry.enums,
            reserved=tuple(map(_decode_name, raw.reserved_name[:])),
        )  # fmt: skip

    def _is_map_entry(self, fields: Sequence[Field], full_name: str, at: ElementPlace) -> bool:
        """Return whether a message that is declared as a map entry is a valid one."""
        value = self._index.get(fields[1].type_name) if len(fields) == 2 else None
        nested = (
            value is not None and isinstance(value.descriptor, DescriptorProto) and value.descriptor.options.map_entry
        )
        return self._checks.check_map_entry(fields, full_name, at, nested=nested)

    def _rename_field(self, field: Field) -> Field:
        """Return a field with its JSON name in `json_names`."""
        name = self._json_names[field.full_name]
        return field.replace(json_name=make_json_name(field.name) if name is None else name)

    @staticmethod
    def _number_oneofs(raw: DescriptorProto) -> dict[int, int]:
        """Number the oneofs in the source by their index in the descriptor, which also has synthetic oneofs."""
        if not raw.oneof_decl:
            return {}
        synthetic = {field.oneof_index for field in raw.field if field.proto3_optional}
        declared = [index for index in range(len(raw.oneof_decl)) if index not in synthetic]
        return {index: number for number, index in enumerate(declared)}

    def _make_enum(self, entry: _IndexEntry, raw: EnumDescriptorProto) -> Enum:
        source = self.get_file(entry.file).source
        scope = entry.parent or self.get_file(entry.file).package
        values = [
            EnumValue(*_read_element(value, scope, source, (*entry.path, _VALUE, index)), number=value.number)
            for index, value in enumerate(raw.value)
        ]
        return Enum(*_read_element(raw, scope, source, entry.path), values=tuple(values))


def _decode_name(name: str | bytes) -> str:
    """Return a name as a string. protobuf returns bytes for invalid UTF-8, despite its type hints."""
    return name if type(name) is str else decode(name)  # type: ignore[arg-type]


def _get_prefix(file: FileDescriptorProto) -> str:
    return f"{_decode_name(file.package)}." if file.package else ""


def _serialize_options(raw: object) -> bytes:
    return raw.options.SerializePartialToString() if raw.HasField("options") else b""  # type: ignore[attr-defined]


def _read_element(
    raw: object, scope: str, source: SourceMap, path: Path
) -> tuple[str, str, str, bytes, ElementPlace, bool]:
    """Return the members that every element has, in the order of Element."""
    name = _decode_name(raw.name)  # type: ignore[attr-defined]
    options = _serialize_options(raw)
    deprecated = bool(options) and getattr(raw.options, "deprecated", False)  # type: ignore[attr-defined]
    full_name = f"{scope}.{name}" if scope else name
    return name, full_name, source.leading.get(path, ""), options, ElementPlace(source, path), deprecated


def _move_group_comments(raw: DescriptorProto, source: SourceMap, path: Path) -> None:
    """Move the comment above a group to its field: protoc also attaches it to the message of the group."""
    nested = {_decode_name(message.name): index for index, message in enumerate(raw.nested_type)}
    for index, field in enumerate(raw.field):
        if field.type == FieldDescriptorProto.TYPE_GROUP:
            message = nested.get(_decode_name(field.type_name).rpartition(".")[2])
            comment = source.leading.pop((*path, _NESTED, message), "") if message is not None else ""
            if comment:
                source.leading.setdefault((*path, _FIELD, index), comment)


def _read_service(raw: ServiceDescriptorProto, file: File, path: Path) -> Service:
    element = _read_element(raw, file.package, file.source, path)
    methods = [
        Method(
            *_read_element(method, element[1], file.source, (*path, _METHOD, index)),
            input_type=_decode_name(method.input_type).removeprefix("."),
            output_type=_decode_name(method.output_type).removeprefix("."),
            client_streaming=method.client_streaming,
            server_streaming=method.server_streaming,
        )
        for index, method in enumerate(raw.method)
    ]
    return Service(*element, file=file.name, methods=tuple(methods))


def _read_field(raw: FieldDescriptorProto, scope: str, source: SourceMap, path: Path, oneof: int) -> Field:
    element = _read_element(raw, scope, source, path)
    label, type_number, json_name, type_name = raw.label, raw.type, raw.json_name, raw.type_name
    required = label == _REQUIRED
    if element[3] and raw.options.features.field_presence == FeatureSet.LEGACY_REQUIRED:
        required = True
    return Field(
        *element,
        (json_name if type(json_name) is str else _decode_name(json_name)) or make_json_name(element[0]),
        raw.number,
        KINDS[type_number] if type_number != _DOUBLE or raw.HasField("type") else "",
        (type_name if type(type_name) is str else _decode_name(type_name)).removeprefix("."),
        label == _REPEATED,
        required,
        raw.proto3_optional,
        oneof,
        _decode_name(raw.default_value) if raw.HasField("default_value") else None,
    )
