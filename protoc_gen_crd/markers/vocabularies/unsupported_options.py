"""Options of other vocabularies that should affect a CRD but are not supported."""

from __future__ import annotations

from collections.abc import Mapping

_VISIBLE = ("every client of an API server sees the element", "")
_JSON_NAME = ("the field keeps its JSON name", "set the name with json_name")
_EMBEDDED = (
    "the fields of the message are not inlined, but below the field",
    "declare the fields in the message around",
)
_MICHELANGELO = ("it has no effect on the CRD", "use a marker of this tool")
# Option -> the consequence, and a hint. Each is reported once.
UNSUPPORTED: Mapping[str, tuple[str, str]] = {
    **{f"google.api.{element}_visibility": _VISIBLE for element in ("field", "message", "enum", "value")},
    "gogoproto.jsontag": _JSON_NAME,
    "gogoproto.embed": _EMBEDDED,
    **{
        f"michelangelo.api.{name}": _MICHELANGELO
        for name in (
            "group_info", "resource", "resource_list", "index", "no_default", "relationship", "rename_to",
            "ignore_unmapped_hub_fields", "validation", "resource_reference", "external_storage", "sensitive",
            "ignore_unmapped", "field_rename_to", "enum_rename_to", "required", "optional",
        )
    },
}  # fmt: skip
