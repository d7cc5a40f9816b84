"""Decoding of plain data into Schema by the Go types of the server; `go_type_decoder` reports type mismatches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.schema.go_type_decoder import Builder, Decoder, Link, Places, Union, stop_decoding
from protoc_gen_crd.schema.keywords import KEYWORDS, ZERO_VALUES
from protoc_gen_crd.schema.schema import Schema, ValidationRule

PROPS = "v1.JSONSchemaProps"
STRUCTS: dict[str, dict[str, str]] = {
    PROPS: {row.name: row.go_type.replace("apiextensions.", "v1.") for row in KEYWORDS.values()},
    "v1.ValidationRule": {
        "rule": "string", "message": "string", "messageExpression": "string", "reason": "*v1.FieldValueErrorReason",
        "fieldPath": "string", "optionalOldSelf": "*bool",
    },
    "v1.ExternalDocumentation": {"description": "string", "url": "string"},
}  # fmt: skip


_WITH_NUMBERS = frozenset((int, list, dict))


def make_builders(decoder: Decoder) -> dict[str, Builder]:
    """Return the functions that convert the decoded structs of a schema, by type name."""

    def build_schema(members: dict[str, Any], path: Link) -> Schema:
        keywords: dict[str, Any] = {}
        for key, member in members.items():
            value = _normalize_numbers(member) if type(member) in _WITH_NUMBERS else member
            if value is not None and value != ZERO_VALUES[key]:
                keywords[key] = value
        return Schema(keywords, decoder.get_place(path), decoder.get_member_places(path, keywords))

    def build_rule(members: dict[str, Any], path: Link) -> ValidationRule:
        return ValidationRule(
            rule=members.get("rule") or "",
            message=members.get("message") or "",
            message_expression=members.get("messageExpression") or "",
            reason=members.get("reason"),
            field_path=members.get("fieldPath") or "",
            optional_old_self=members.get("optionalOldSelf"),
            origin=decoder.get_place(path),
        )

    def build_docs(members: dict[str, Any], _: Link) -> dict[str, Any]:
        return {key: value for key, value in members.items() if value}

    return {PROPS: build_schema, "v1.ValidationRule": build_rule, "v1.ExternalDocumentation": build_docs}


def copy_schema(schema: Schema, decoder: Decoder, path: Link) -> Schema:
    """Return a schema at another place. The schemas below it are shared, with the places that they have."""
    return Schema(schema.keywords, decoder.get_place(path), decoder.get_member_places(path, schema.keywords))


def _normalize_numbers(value: Any) -> Any:
    """Convert the numbers of a JSON value as the server does: integers outside int64 become float64."""
    if type(value) is int:
        return value if -(1 << 63) <= value < 1 << 63 else float(value)
    if type(value) is list:
        return [_normalize_numbers(item) for item in value]
    return {key: _normalize_numbers(item) for key, item in value.items()} if type(value) is dict else value


def _decode_schema_or_bool(value: Any, decoder: Decoder, path: Link) -> Any:
    if isinstance(value, dict):
        return decoder.decode_value(value, PROPS, path)
    return value if isinstance(value, bool) else stop_decoding("boolean or JSON schema expected")


def _decode_schema_or_list(value: Any, decoder: Decoder, path: Link) -> Any:
    if isinstance(value, dict):
        return decoder.decode_value(value, PROPS, path)
    # The server ignores other values, but `items` exists then.
    return decoder.decode_value(value, f"[]{PROPS}", path) if isinstance(value, list) else ()


def _decode_schema_or_strings(value: Any, decoder: Decoder, path: Link) -> Any:
    if isinstance(value, dict):
        return decoder.decode_value(value, PROPS, path)
    return decoder.decode_value(value, "[]string", path) if isinstance(value, list) else None


UNIONS: dict[str, Union] = {
    "v1.JSONSchemaPropsOrBool": _decode_schema_or_bool,
    "v1.JSONSchemaPropsOrArray": _decode_schema_or_list,
    "v1.JSONSchemaPropsOrStringArray": _decode_schema_or_strings,
}


def make_decoder(places: Places | None = None, structs: Mapping[str, Mapping[str, str]] = STRUCTS) -> Decoder:
    """Return a decoder for schemas, or for a table of structs that includes them."""
    builders: dict[str, Builder] = {}
    decoder = Decoder(structs, builders, UNIONS, places)
    builders.update(make_builders(decoder))
    return decoder
