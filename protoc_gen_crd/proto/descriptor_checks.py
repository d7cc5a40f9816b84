"""Checks that protoc and buf perform and other tools may omit: names, types, map entries, editions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from google.protobuf.descriptor_pb2 import Edition, FileDescriptorProto

from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.proto.element_model import Field
from protoc_gen_crd.proto.source_locations import ElementPlace, SourceMap

_EDITIONS = {Edition.EDITION_2023: "2023", Edition.EDITION_2024: "2024"}
_INVALID_KEY_TYPES = ("", "bytes", "double", "enum", "float", "group", "message")
_FLOAT_DEFAULT = r"-?(?:inf|nan|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
_SIGNED_DEFAULT, _UNSIGNED_DEFAULT = "-?[0-9]{1,20}", "[0-9]{1,20}"
# Defaults by the types of fields, as protoc writes them. Messages have none.
_DEFAULTS = {
    "bool": "true|false",
    "bytes": r"""(?:[ -\[\]-~]|\\(?:[0-3][0-7]{2}|x[0-9A-Fa-f]{2}|[abfnrtv"'\\]))*""",
    "string": "(?s:.*)",
    "enum": r"\w+",
    **dict.fromkeys(("double", "float"), _FLOAT_DEFAULT),
    **dict.fromkeys(("int32", "int64", "sint32", "sint64", "sfixed32", "sfixed64"), _SIGNED_DEFAULT),
    **dict.fromkeys(("uint32", "uint64", "fixed32", "fixed64"), _UNSIGNED_DEFAULT),
}
INVALID_DESCRIPTOR_HINT = "protoc and buf never send this: fix the tool that does"


class RequestChecker:
    """Reports invalid parts of a request, and returns valid replacements."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def check_file(self, raw: FileDescriptorProto, source: SourceMap) -> None:
        """Report comments that are not UTF-8, and an unsupported syntax or edition."""
        for path in dict.fromkeys(source.garbled):
            message = "comment is not UTF-8"
            self._problems.report("source-encoding", message, ElementPlace(source, path))
        at = ElementPlace(source, (FileDescriptorProto.SYNTAX_FIELD_NUMBER,))
        if raw.syntax not in ("", "proto2", "proto3", "editions"):
            message = f'unsupported syntax "{raw.syntax}" (supported: proto2, proto3, editions)'
            self._problems.report("request-edition", message, at)
        elif raw.syntax == "editions" and raw.edition not in _EDITIONS:
            problem = f'unsupported edition "{Edition.Name(raw.edition)}"' if raw.edition else "file has no edition"
            supported = ", ".join(_EDITIONS.values())
            self._problems.report("request-edition", f"{problem} (supported: {supported})", at)

    def check_name(self, name: str, full_name: str, at: Place) -> None:
        """Report a name that is not an identifier."""
        self._report(f'name "{name}" is not an identifier', full_name, at)

    def check_field(self, field: Field) -> Field:
        """Return the field with what is wrong replaced: dots in its name, an unknown type, an invalid default."""
        if not field.name.isidentifier():
            self.check_name(field.name, field.full_name, field.at)
            field = _replace_dots(field)
        if "\ufffd" in field.json_name:
            message = f'JSON name "{field.json_name}" is not UTF-8'
            self._problems.report("source-encoding", message, field.at, path=field.full_name)
        if not field.kind:
            self._report(f'field "{field.name}" has no known type', field.full_name, field.at)
            field = field.replace(kind="string")
        return field if field.default is None else self._check_default(field, field.default)

    def _check_default(self, field: Field, default: str) -> Field:
        """Return the field, without a default that is no value of its type."""
        pattern = _DEFAULTS.get(field.kind)
        if pattern is not None and re.fullmatch(pattern, default):
            return field
        message = f'default "{default}" of field "{field.name}" is not a value of type {field.kind}'
        self._report(message, field.full_name, field.at)
        return field.replace(default=None)

    def check_map_entry(self, fields: Sequence[Field], full_name: str, at: Place, *, nested: bool) -> bool:
        """Return whether these are valid fields of a map entry. With `nested`, the value is itself a map entry."""
        if len(fields) == 2 and fields[0].kind not in _INVALID_KEY_TYPES and not fields[1].repeated and not nested:
            return True
        description = ", ".join(f"{field.name} of type {field.kind}" for field in fields) or "no fields"
        self._report(f"map entry does not consist of a key and a value: {description}", full_name, at)
        return False

    def _report(self, message: str, path: str, at: Place) -> None:
        self._problems.report("request-descriptor", message, at, path=path, hint=INVALID_DESCRIPTOR_HINT)


def _replace_dots(field: Field) -> Field:
    """Return a field whose full name consists of the name of its message and one more part."""
    owner = field.full_name.removesuffix(field.name)
    name = field.name.replace(".", "_")
    return field.replace(name=name, full_name=owner + name)
