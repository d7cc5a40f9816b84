"""Facts of the files, types, and services of a request as plain data: numbers, types, reservations, and options.

They are what protobuf clients depend on and schemas do not show. Comments, deprecation, and the options of this tool
are no part of `options`: schemas show their effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FeatureSet,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileOptions,
    MethodDescriptorProto,
    MethodOptions,
    ServiceDescriptorProto,
)

from protoc_gen_crd.base.checksums import compute_digest
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.utf8 import decode
from protoc_gen_crd.proto.element_model import KINDS
from protoc_gen_crd.proto.embedded_files import EmbeddedFiles
from protoc_gen_crd.proto.json_names import make_json_name
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.proto.source_locations import ElementPlace, SourceMap
from protoc_gen_crd.proto.wire_format import read_fields

Facts = dict[str, Any]
MESSAGE, ENUM, SERVICE = "message", "enum", "service"

_MESSAGES = FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER
_ENUMS = FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER
_SERVICES = FileDescriptorProto.SERVICE_FIELD_NUMBER
_METHODS = ServiceDescriptorProto.METHOD_FIELD_NUMBER
_OPTIONS = FileDescriptorProto.OPTIONS_FIELD_NUMBER
_NESTED = DescriptorProto.NESTED_TYPE_FIELD_NUMBER
_INNER_ENUMS = DescriptorProto.ENUM_TYPE_FIELD_NUMBER
_FIELDS = DescriptorProto.FIELD_FIELD_NUMBER
_VALUES = EnumDescriptorProto.VALUE_FIELD_NUMBER
_DEPENDENCIES = FileDescriptorProto.DEPENDENCY_FIELD_NUMBER
_EXTENSIONS, _INNER_EXTENSIONS = FileDescriptorProto.EXTENSION_FIELD_NUMBER, DescriptorProto.EXTENSION_FIELD_NUMBER
_REQUIRED, _REPEATED = FieldDescriptorProto.LABEL_REQUIRED, FieldDescriptorProto.LABEL_REPEATED
_GROUP = FieldDescriptorProto.TYPE_GROUP
_MESSAGE_TYPES = (FieldDescriptorProto.TYPE_MESSAGE, _GROUP)
_OWN_FILE = "protoc_gen_crd/v1/options.proto"
_OWN_OPTIONS = range(62411, 62414)  # of this file
_DIGEST_LENGTH = 12
# Standard options that change generated code only, or that are facts of their own.
_LANGUAGE_PREFIXES = ("go_", "java_", "csharp_", "objc_", "php_", "ruby_", "swift_", "cc_", "py_", "optimize_for")
_CODE_OPTIONS = (
    "deprecated", "ctype", "jstype", "lazy", "unverified_lazy", "weak", "debug_redact",
    "idempotency_level", "no_standard_descriptor_accessor", "deprecated_legacy_json_field_conflicts",
)  # fmt: skip


class TypeFacts(Record):
    """A message, an enum, or a service: its full name, its facts, and the facts of its members by name."""

    kind: str
    name: str
    facts: Facts
    members: Mapping[str, Facts]


class ElementFacts:
    """The facts of the target files of a request, and the places of all elements by full name."""

    def __init__(self, request: Request) -> None:
        self.files: dict[str, Facts] = {}
        self.types: list[TypeFacts] = []
        self.places: dict[str, ElementPlace] = {}
        self._presence = EmbeddedFiles(request, request.targets).find_presence()
        for name in sorted(request.targets):
            self._add_file(request.files[name], SourceMap(request.files[name], request.shown_names.get(name, "")))

    def _add_file(self, file: FileDescriptorProto, source: SourceMap) -> None:
        package = decode_name(file.package)
        self.places[file.name] = ElementPlace(source, (FileDescriptorProto.PACKAGE_FIELD_NUMBER,))
        facts = {"package": package, "syntax": file.syntax or "proto2", **_read_options(file)}
        if file.edition:
            facts["syntax"] = f"edition {file.edition}"
        languages = _read_language_options(file.options)
        for name in languages:
            number = FileOptions.DESCRIPTOR.fields_by_name[name].number
            self.places[f"{file.name}.{name}"] = ElementPlace(source, (_OPTIONS, number))
        imports = _read_imports(file)
        for index, name in enumerate(file.dependency):
            self.places[f"{file.name}.{name}"] = ElementPlace(source, (_DEPENDENCIES, index))
        named = {"languages": languages, "imports": imports}
        self.files[file.name] = {**facts, **{name: entries for name, entries in named.items() if entries}}
        prefix = f"{package}." if package else ""
        self._add_extensions(file.extension, prefix, file.name, ElementPlace(source, ()), _EXTENSIONS)
        for index, message in enumerate(file.message_type):
            self._add_message(message, prefix, file.name, ElementPlace(source, (_MESSAGES, index)))
        for index, enum in enumerate(file.enum_type):
            self._add_enum(enum, prefix, file.name, ElementPlace(source, (_ENUMS, index)))
        for index, service in enumerate(file.service):
            self._add_service(service, prefix, file.name, ElementPlace(source, (_SERVICES, index)))

    def _add(self, kind: str, name: str, facts: Facts, members: Mapping[str, Facts], at: ElementPlace) -> None:
        self.types.append(TypeFacts(kind, name, facts, members))
        self.places[name] = at

    def _add_message(self, raw: DescriptorProto, prefix: str, file: str, at: ElementPlace) -> None:
        if raw.options.map_entry:
            return
        name = prefix + decode_name(raw.name)
        entries = {f".{name}.{nested.name}": nested for nested in raw.nested_type if nested.options.map_entry}
        members = {}
        for index, field in enumerate(raw.field):
            member = decode_name(field.name)
            members[member] = self._read_field(field, f"{name}.{member}", raw, entries)
            self.places[f"{name}.{member}"] = at.append(_FIELDS, index)
        ranges = [(reserved.start, reserved.end - 1) for reserved in raw.reserved_range]
        facts = {"file": file, **_read_reservations(ranges, raw.reserved_name), **_read_options(raw)}
        if raw.extension_range:
            facts["extensions"] = [[extension.start, extension.end - 1] for extension in raw.extension_range]
        if oneofs := {
            decode_name(oneof.name): digest for oneof in raw.oneof_decl if (digest := _digest_options(oneof))
        }:
            facts["oneofs"] = oneofs
        self._add(MESSAGE, name, facts, members, at)
        self._add_extensions(raw.extension, f"{name}.", file, at, _INNER_EXTENSIONS)
        for index, nested in enumerate(raw.nested_type):
            self._add_message(nested, f"{name}.", file, at.append(_NESTED, index))
        for index, enum in enumerate(raw.enum_type):
            self._add_enum(enum, f"{name}.", file, at.append(_INNER_ENUMS, index))

    def _add_extensions(
        self, raw: Iterable[FieldDescriptorProto], prefix: str, file: str, at: ElementPlace, number: int
    ) -> None:
        for index, field in enumerate(raw):
            name = prefix + decode_name(field.name)
            self.files[file].setdefault("extensions", {})[name] = _format_extension(field)
            self.places[f"{file}.{name}"] = at.append(number, index)

    def _read_field(
        self,
        raw: FieldDescriptorProto,
        full_name: str,
        message: DescriptorProto,
        entries: Mapping[str, DescriptorProto],
    ) -> Facts:
        entry = entries.get(raw.type_name)
        facts: Facts = {"number": raw.number, "type": _format_map(entry) if entry else _format_type(raw)}
        name = decode_name(raw.name)
        json_name = decode_name(raw.json_name) or make_json_name(name)
        facts |= {"json": json_name} if json_name != name else {}
        if raw.HasField("oneof_index") and not raw.proto3_optional:
            facts["oneof"] = decode_name(message.oneof_decl[raw.oneof_index].name)
        elif full_name in self._presence and raw.type not in _MESSAGE_TYPES:
            facts["presence"] = True
        if raw.label == _REQUIRED or raw.options.features.field_presence == FeatureSet.LEGACY_REQUIRED:
            facts["required"] = True
        facts |= {"default": decode_name(raw.default_value)} if raw.HasField("default_value") else {}
        return {**facts, **_read_options(raw)}

    def _add_enum(self, raw: EnumDescriptorProto, prefix: str, file: str, at: ElementPlace) -> None:
        name = prefix + decode_name(raw.name)
        ranges = [(reserved.start, reserved.end) for reserved in raw.reserved_range]
        facts = {"file": file, **_read_reservations(ranges, raw.reserved_name), **_read_options(raw)}
        members = {}
        for index, value in enumerate(raw.value):
            members[decode_name(value.name)] = {"number": value.number, **_read_options(value)}
            self.places[f"{name}.{decode_name(value.name)}"] = at.append(_VALUES, index)
        self._add(ENUM, name, facts, members, at)

    def _add_service(self, raw: ServiceDescriptorProto, prefix: str, file: str, at: ElementPlace) -> None:
        name = prefix + decode_name(raw.name)
        members = {}
        for index, method in enumerate(raw.method):
            members[decode_name(method.name)] = _read_method(method)
            self.places[f"{name}.{decode_name(method.name)}"] = at.append(_METHODS, index)
        self._add(SERVICE, name, {"file": file, **_read_options(raw)}, members, at)


def _read_imports(file: FileDescriptorProto) -> dict[str, str]:
    """Return the imports of a file, except that of the options of this tool, as in the file."""
    public = {file.dependency[index] for index in file.public_dependency}
    names = [name for name in file.dependency if name != _OWN_FILE]
    return {name: f"{'public ' * (name in public)}{name}" for name in names}


def _format_extension(raw: FieldDescriptorProto) -> str:
    extendee = decode_name(raw.extendee).removeprefix(".")
    parts = [_format_type(raw), f"number {raw.number} of {extendee}"]
    parts += [f"default {decode_name(raw.default_value)}"] if raw.HasField("default_value") else []
    parts += [f"options {digest}"] if (digest := _digest_options(raw)) else []
    return ", ".join(parts)


def _read_method(raw: MethodDescriptorProto) -> Facts:
    types = [decode_name(name).removeprefix(".") for name in (raw.input_type, raw.output_type)]
    streams = (raw.client_streaming, raw.server_streaming)
    request, response = (f"{'stream ' * is_stream}{name}" for is_stream, name in zip(streams, types, strict=True))
    level = MethodOptions.IdempotencyLevel.Name(raw.options.idempotency_level)
    facts = {"idempotency": level} if raw.options.idempotency_level else {}
    return {"request": request, "response": response, **facts, **_read_options(raw)}


def decode_name(name: str | bytes) -> str:
    """Return a name as a string. protobuf returns bytes for invalid UTF-8, despite its type hints."""
    return name if isinstance(name, str) else decode(name)


def _format_type(raw: FieldDescriptorProto) -> str:
    """Return the type of a field as in a .proto file, with the full names of messages and enums."""
    is_delimited = raw.type == _GROUP or raw.options.features.message_encoding == FeatureSet.DELIMITED
    name = decode_name(raw.type_name).removeprefix(".") or KINDS.get(raw.type, "")
    label = "repeated " if raw.label == _REPEATED else ""
    return f"{label}{'group ' if is_delimited else ''}{name}"


def _format_map(entry: DescriptorProto) -> str:
    key, value = (_format_type(field) for field in entry.field)
    return f"map<{key}, {value}>"


def _read_reservations(ranges: list[tuple[int, int]], names: Any) -> Facts:
    """Return the reserved numbers as ranges with both ends, and the reserved names."""
    numbers = [list(number_range) for number_range in sorted(ranges)]
    reserved = sorted(map(decode_name, names))
    return {**({"reservedNumbers": numbers} if numbers else {}), **({"reservedNames": reserved} if reserved else {})}


def _read_options(raw: Any) -> Facts:
    """Return whether an element is deprecated, and the digest of its options that are not about generated code."""
    facts: Facts = {"deprecated": True} if raw.options.deprecated else {}
    return {**facts, **({"options": digest} if (digest := _digest_options(raw)) else {})}


def _digest_options(raw: Any) -> str:
    """Return the digest of the options that are not about generated code, empty for none."""
    if not raw.HasField("options"):
        return ""
    ignored = {
        field.number
        for name, field in raw.options.DESCRIPTOR.fields_by_name.items()
        if name in _CODE_OPTIONS or name.startswith(_LANGUAGE_PREFIXES)
    }
    data = raw.options.SerializePartialToString(deterministic=True)
    options = [option for option in read_fields(data) if option[0] not in ignored and option[0] not in _OWN_OPTIONS]
    return compute_digest(repr(sorted(options, key=repr)).encode())[:_DIGEST_LENGTH] if options else ""


def _read_language_options(options: FileOptions) -> dict[str, str]:
    """Return the options of a file about generated code as strings by name."""
    return {
        field.name: decode_name(value) if isinstance(value, str | bytes) else str(value)
        for field, value in options.ListFields()
        if not field.is_extension and field.name.startswith(_LANGUAGE_PREFIXES)
    }
