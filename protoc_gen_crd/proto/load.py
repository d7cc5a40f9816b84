"""Request to ApiSet: pass 1 indexes every name, pass 2 makes the model of an element when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
)

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.kubenames import json_name
from protoc_gen_crd.base.utf8 import decoded
from protoc_gen_crd.proto.checks import Checks
from protoc_gen_crd.proto.locations import ElementPlace, Path, SourceMap
from protoc_gen_crd.proto.model import KINDS, Enum, EnumValue, Extension, Field, File, Message, Oneof
from protoc_gen_crd.proto.request import Request

_FILE_MESSAGE = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
_FILE_ENUM = FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER
_FILE_EXTENSION = FileDescriptorProto.EXTENSION_FIELD_NUMBER
_NESTED = DescriptorProto.NESTED_TYPE_FIELD_NUMBER
_ENUM = DescriptorProto.ENUM_TYPE_FIELD_NUMBER
_EXTENSION = DescriptorProto.EXTENSION_FIELD_NUMBER
_FIELD = DescriptorProto.FIELD_FIELD_NUMBER
_ONEOF = DescriptorProto.ONEOF_DECL_FIELD_NUMBER
_VALUE = EnumDescriptorProto.VALUE_FIELD_NUMBER
_REQUIRED, _REPEATED = FieldDescriptorProto.LABEL_REQUIRED, FieldDescriptorProto.LABEL_REPEATED
_DOUBLE = FieldDescriptorProto.TYPE_DOUBLE


class _Entry:
    """A name of the index: its descriptor and where it stands."""

    __slots__ = ("descriptor", "file", "parent", "path")

    def __init__(self, descriptor: DescriptorProto | EnumDescriptorProto, file: str, path: Path, parent: str) -> None:
        self.descriptor = descriptor
        self.file = file
        self.path = path
        self.parent = parent


class ApiSet:
    """All files of a request. Elements are made on demand and once; `None` means that there is no such name."""

    def __init__(self, request: Request, problems: Problems) -> None:
        self._request = request
        self._problems = problems
        self._targets = frozenset(request.targets)
        self._files: dict[str, File] = {}
        self._index: dict[str, _Entry] = {}
        self._messages: dict[str, Message] = {}
        self._enums: dict[str, Enum] = {}
        self._extensions: dict[tuple[str, int], Extension] = {}
        self._marked: dict[str, list[tuple[str, bytes, Path]]] = {}
        self._checks = Checks(problems)
        for file in request.files.values():
            self._index_file(file)

    def targets(self) -> Iterator[File]:
        """The files to generate, sorted by name."""
        for name in sorted(self._targets):
            yield self.file(name)

    def imports(self) -> Iterator[File]:
        """The other files, sorted by name, less those of protobuf itself."""
        for name in sorted(self._request.files.keys() - self._targets):
            if not name.startswith("google/protobuf/"):
                yield self.file(name)

    @property
    def paths(self) -> Mapping[str, str]:
        """Where files lie on disk, by name, as far as they are not called so."""
        return self._request.paths

    def file(self, name: str) -> File:
        """A file by name."""
        known = self._files.get(name)
        if known is None:
            raw = self._request.files[name]
            prefix = _prefix(raw)
            known = self._files[name] = File(
                name,
                prefix[:-1],
                raw.syntax or "proto2",
                name in self._targets,
                _options(raw),
                tuple([prefix + _text(message.name) for message in raw.message_type]),
                tuple([prefix + _text(enum.name) for enum in raw.enum_type]),
                SourceMap(raw),
                raw.options.deprecated,
            )
            self._checks.file(raw, known.source)
        return known

    def message(self, full_name: str) -> Message | None:
        """A message by full name."""
        known = self._messages.get(full_name)
        if known is None:
            entry = self._index.get(full_name)
            if entry is None or not isinstance(entry.descriptor, DescriptorProto):
                return None
            known = self._messages[full_name] = self._make_message(full_name, entry, entry.descriptor)
        return known

    def enum(self, full_name: str) -> Enum | None:
        """An enum by full name."""
        known = self._enums.get(full_name)
        if known is None:
            entry = self._index.get(full_name)
            if entry is None or not isinstance(entry.descriptor, EnumDescriptorProto):
                return None
            known = self._enums[full_name] = self._make_enum(entry, entry.descriptor)
        return known

    def extension(self, extendee: str, number: int) -> Extension | None:
        """The extension of a message, such as an option, with this number."""
        return self._extensions.get((extendee, number))

    def marked_extensions(self, file: File) -> Iterator[tuple[str, bytes, ElementPlace]]:
        """The names of the extensions that a file declares with options, those options and their places."""
        for name, options, path in self._marked.get(file.name, ()):
            yield name, options, ElementPlace(file.source, (*path, FieldDescriptorProto.OPTIONS_FIELD_NUMBER))

    def names(self) -> Iterator[str]:
        """The full names of all messages and enums."""
        return iter(self._index)

    def _index_file(self, file: FileDescriptorProto) -> None:
        prefix = _prefix(file)
        for index, message in enumerate(file.message_type):
            self._index_message(message, prefix, file.name, (_FILE_MESSAGE, index), "")
        for index, enum in enumerate(file.enum_type):
            self._add(prefix, _text(enum.name), _Entry(enum, file.name, (_FILE_ENUM, index), ""))
        self._index_extensions(file.extension, prefix, file.name, (_FILE_EXTENSION,))

    def _index_message(self, message: DescriptorProto, prefix: str, file: str, path: Path, parent: str) -> None:
        full_name = prefix + _text(message.name)
        self._add(prefix, _text(message.name), _Entry(message, file, path, parent))
        inner = f"{full_name}."
        for index, nested in enumerate(message.nested_type):
            self._index_message(nested, inner, file, (*path, _NESTED, index), full_name)
        for index, enum in enumerate(message.enum_type):
            self._add(inner, _text(enum.name), _Entry(enum, file, (*path, _ENUM, index), full_name))
        self._index_extensions(message.extension, inner, file, (*path, _EXTENSION))

    def _index_extensions(self, extensions: Iterable[FieldDescriptorProto], prefix: str, file: str, at: Path) -> None:
        for index, field in enumerate(extensions):
            type_name = _text(field.type_name).removeprefix(".")
            found = Extension(prefix + _text(field.name), KINDS.get(field.type, ""), type_name, field.label == 3)
            self._extensions[_text(field.extendee).removeprefix("."), field.number] = found
            if file in self._targets and (options := _options(field)):
                self._marked.setdefault(file, []).append((found.full_name, options, (*at, index)))

    def _add(self, prefix: str, name: str, entry: _Entry) -> None:
        full_name = prefix + name
        if not name.isidentifier():
            self._checks.name(name, full_name, ElementPlace(self.file(entry.file).source, entry.path))
        known = self._index.get(full_name)
        if known is not None:
            self._problems.report(
                "symbol-repeated",
                f'each name must be declared once, "{full_name}" is declared in {known.file} as well',
                ElementPlace(self.file(entry.file).source, entry.path),
                path=full_name,
            )
        self._index[full_name] = entry

    def _make_message(self, full_name: str, entry: _Entry, raw: DescriptorProto) -> Message:
        file = self.file(entry.file)
        source, path = file.source, entry.path
        if file.syntax == "proto2":
            _hand_over_comments(raw, source, path)
        oneofs = self._oneofs(raw)
        fields = []
        for index, field in enumerate(raw.field):
            oneof = oneofs.get(field.oneof_index, -1) if field.HasField("oneof_index") else -1
            fields.append(self._checks.field(_field(field, full_name, source, (*path, _FIELD, index), oneof)))
        members: dict[int, list[str]] = {number: [] for number in oneofs.values()}
        for made in fields:
            if made.oneof >= 0:
                members[made.oneof].append(made.name)
        return Message(
            *(element := _element(raw, entry.parent or file.package, source, path)),
            file=entry.file,
            parent=entry.parent,
            map_entry=raw.options.map_entry and self._is_entry(fields, full_name, element[4]),
            fields=tuple(fields),
            oneofs=tuple([
                Oneof(
                    *_element(raw.oneof_decl[place], full_name, source, (*path, _ONEOF, place)),
                    fields=tuple(members[number]),
                )
                for place, number in oneofs.items()
            ]),
            messages=tuple([f"{full_name}.{_text(nested.name)}" for nested in raw.nested_type]),
            enums=tuple([f"{full_name}.{_text(enum.name)}" for enum in raw.enum_type]),
        )  # fmt: skip

    def _is_entry(self, fields: Sequence[Field], full_name: str, at: ElementPlace) -> bool:
        """Whether a message that says it is the entry of a map can be one."""
        value = self._index.get(fields[1].type_name) if len(fields) == 2 else None
        nested = (
            value is not None and isinstance(value.descriptor, DescriptorProto) and value.descriptor.options.map_entry
        )
        return self._checks.entry(fields, full_name, at, nested=nested)

    @staticmethod
    def _oneofs(raw: DescriptorProto) -> dict[int, int]:
        """Descriptor index of each oneof the author wrote -> its number among those."""
        if not raw.oneof_decl:
            return {}
        synthetic = {field.oneof_index for field in raw.field if field.proto3_optional}
        written = [index for index in range(len(raw.oneof_decl)) if index not in synthetic]
        return {index: number for number, index in enumerate(written)}

    def _make_enum(self, entry: _Entry, raw: EnumDescriptorProto) -> Enum:
        source = self.file(entry.file).source
        scope = entry.parent or self.file(entry.file).package
        values = [
            EnumValue(*_element(value, scope, source, (*entry.path, _VALUE, index)), number=value.number)
            for index, value in enumerate(raw.value)
        ]
        return Enum(*_element(raw, scope, source, entry.path), values=tuple(values))


def _text(name: str | bytes) -> str:
    """A name as text. Where it is no UTF-8, protobuf hands over bytes, whatever its types say."""
    return name if type(name) is str else decoded(name)  # type: ignore[arg-type]


def _prefix(file: FileDescriptorProto) -> str:
    return f"{_text(file.package)}." if file.package else ""


def _options(raw: object) -> bytes:
    return raw.options.SerializeToString() if raw.HasField("options") else b""  # type: ignore[attr-defined]


def _element(raw: object, scope: str, source: SourceMap, path: Path) -> tuple[str, str, str, bytes, ElementPlace, bool]:
    """The members that every element has, in the order of Element."""
    name = _text(raw.name)  # type: ignore[attr-defined]
    options = _options(raw)
    deprecated = bool(options) and getattr(raw.options, "deprecated", False)  # type: ignore[attr-defined]
    full_name = f"{scope}.{name}" if scope else name
    return name, full_name, source.leading.get(path, ""), options, ElementPlace(source, path), deprecated


def _hand_over_comments(raw: DescriptorProto, source: SourceMap, path: Path) -> None:
    """Give the comment above a group to its field: protoc gives it to the message that the group declares as well."""
    nested = {_text(message.name): index for index, message in enumerate(raw.nested_type)}
    for index, field in enumerate(raw.field):
        if field.type == FieldDescriptorProto.TYPE_GROUP:
            message = nested.get(_text(field.type_name).rpartition(".")[2])
            comment = source.leading.pop((*path, _NESTED, message), "") if message is not None else ""
            if comment:
                source.leading.setdefault((*path, _FIELD, index), comment)


def _field(raw: FieldDescriptorProto, scope: str, source: SourceMap, path: Path, oneof: int) -> Field:
    required = raw.label == _REQUIRED
    element = _element(raw, scope, source, path)
    if element[3] and raw.options.features.field_presence == FeatureSet.LEGACY_REQUIRED:
        required = True
    return Field(
        *element,
        json_name=_text(raw.json_name) or json_name(element[0]),
        number=raw.number,
        kind=KINDS[raw.type] if raw.type != _DOUBLE or raw.HasField("type") else "",
        type_name=_text(raw.type_name).removeprefix("."),
        repeated=raw.label == _REPEATED,
        required=required,
        optional=raw.proto3_optional,
        oneof=oneof,
        default=_text(raw.default_value) if raw.HasField("default_value") else None,
    )
