"""Plain data to Schema, by the server's own types; see `json_decoder` for what is said of data that does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.schema.json_decoder import Builder, Decoder, Link, Places, Union, stop_decoding
from protoc_gen_crd.schema.keywords import KEYWORDS
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


def make_builders(decoder: Decoder) -> dict[str, Builder]:
    """Convert the decoded structs of a schema."""

    def build_schema(made: dict[str, Any], path: Link) -> Schema:
        keywords = {key: _normalize_numbers(value) for key, value in made.items() if value is not None}
        keywords = {key: value for key, value in keywords.items() if value != KEYWORDS[key].zero or value is None}
        return Schema(keywords, decoder.get_place(path), decoder.get_member_places(path, keywords))

    def build_rule(made: dict[str, Any], path: Link) -> ValidationRule:
        return ValidationRule(
            rule=made.get("rule") or "",
            message=made.get("message") or "",
            message_expression=made.get("messageExpression") or "",
            reason=made.get("reason"),
            field_path=made.get("fieldPath") or "",
            optional_old_self=made.get("optionalOldSelf"),
            origin=decoder.get_place(path),
        )

    def build_docs(made: dict[str, Any], _: Link) -> dict[str, Any]:
        return {key: value for key, value in made.items() if value}

    return {PROPS: build_schema, "v1.ValidationRule": build_rule, "v1.ExternalDocumentation": build_docs}


def _normalize_numbers(value: Any) -> Any:
    """A JSON value with numbers as the server holds them: what is no int64 is a float64."""
    if type(value) is int:
        return value if -(1 << 63) <= value < 1 << 63 else float(value)
    if type(value) is list:
        return [_normalize_numbers(each) for each in value]
    return {key: _normalize_numbers(each) for key, each in value.items()} if type(value) is dict else value


def _decode_schema_or_bool(value: Any, decoder: Decoder, path: Link) -> Any:
    if isinstance(value, dict):
        return decoder.decode_value(value, PROPS, path)
    return value if isinstance(value, bool) else stop_decoding("boolean or JSON schema expected")


def _decode_schema_or_list(value: Any, decoder: Decoder, path: Link) -> Any:
    if isinstance(value, dict):
        return decoder.decode_value(value, PROPS, path)
    return decoder.decode_value(value, f"[]{PROPS}", path) if isinstance(value, list) else ()  # neither, but there


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
    """A decoder that knows schemas and the further structs it is given."""
    made: dict[str, Builder] = {}
    decoding = Decoder(structs, made, UNIONS, places)
    made.update(make_builders(decoding))
    return decoding
