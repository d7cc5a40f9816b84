"""What protoc and buf see to, and a request made by something else may lack: names, types, pairs of maps, editions."""

from __future__ import annotations

from collections.abc import Sequence

from google.protobuf.descriptor_pb2 import Edition, FileDescriptorProto

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.proto.locations import ElementPlace, SourceMap
from protoc_gen_crd.proto.model import Field

_EDITIONS = {Edition.EDITION_2023: "2023", Edition.EDITION_2024: "2024"}
_NO_KEYS = ("", "bytes", "double", "enum", "float", "group", "message")
_HINT = "protoc and buf never send this: look at what does"


class Checks:
    """Reports what is wrong with the parts of a request, and gives back what can be worked with."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def file(self, raw: FileDescriptorProto, source: SourceMap) -> None:
        """Report comments that are no UTF-8, and a language that this tool does not know."""
        for path in dict.fromkeys(source.garbled):
            message = "a comment must be UTF-8, found other bytes"
            self._problems.report("source-text", message, ElementPlace(source, path))
        at = ElementPlace(source, (FileDescriptorProto.SYNTAX_FIELD_NUMBER,))
        if raw.syntax not in ("", "proto2", "proto3", "editions"):
            message = f'a file must be of syntax "proto2" or "proto3", or of an edition, found "{raw.syntax}"'
            self._problems.report("request-edition", message, at)
        elif raw.syntax == "editions" and raw.edition not in _EDITIONS:
            known = " or ".join(_EDITIONS.values())
            found = "none" if not raw.edition else f'"{Edition.Name(raw.edition)}"'
            self._problems.report("request-edition", f"a file must be of edition {known}, found {found}", at)

    def name(self, name: str, full_name: str, at: Place) -> None:
        """Report a name that is no identifier."""
        self._report(f'a name must be an identifier, found "{name}"', full_name, at)

    def field(self, field: Field) -> Field:
        """The field, of type string where it has none."""
        if not field.name.isidentifier():
            self.name(field.name, field.full_name, field.at)
        if "\ufffd" in field.json_name:
            message = f'a JSON name must be UTF-8, found "{field.json_name}"'
            self._problems.report("source-text", message, field.at, path=field.full_name)
        if field.kind:
            return field
        self._report(
            f'a field must have a type that is known, found none for "{field.name}"', field.full_name, field.at
        )
        return field.replace(kind="string")

    def entry(self, fields: Sequence[Field], full_name: str, at: Place, *, nested: bool) -> bool:
        """Whether these can be the two fields of a map's entry; `nested` tells of a map of entries."""
        if len(fields) == 2 and fields[0].kind not in _NO_KEYS and not fields[1].repeated and not nested:
            return True
        found = ", ".join(f"{field.name} of type {field.kind}" for field in fields) or "no fields"
        self._report(f"the entry of a map must be a key and a value, found {found}", full_name, at)
        return False

    def _report(self, message: str, path: str, at: Place) -> None:
        self._problems.report("request-descriptor", message, at, path=path, hint=_HINT)
