"""Plain data to Schema, by the server's own types; see `wire` for what is said of data that does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.types import Rule, Schema
from protoc_gen_crd.schema.wire import Builder, Decoder, Path, Places, Union, refuse

PROPS = "v1.JSONSchemaProps"

STRUCTS: dict[str, dict[str, str]] = {
    PROPS: {row.name: row.go.replace("apiextensions.", "v1.") for row in KEYWORDS.values()},
    "v1.ValidationRule": {
        "rule": "string", "message": "string", "messageExpression": "string", "reason": "*v1.FieldValueErrorReason",
        "fieldPath": "string", "optionalOldSelf": "*bool",
    },
    "v1.ExternalDocumentation": {"description": "string", "url": "string"},
}  # fmt: skip


def builders(decoder: Decoder) -> dict[str, Builder]:
    """What is made of the decoded structs of a schema."""

    def schema(made: dict[str, Any], path: Path) -> Schema:
        keywords = {key: _held(value) for key, value in made.items() if value is not None}
        keywords = {key: value for key, value in keywords.items() if value != KEYWORDS[key].zero or value is None}
        return Schema(keywords, decoder.place(path), decoder.marks(path, keywords))

    def rule(made: dict[str, Any], path: Path) -> Rule:
        return Rule(
            rule=made.get("rule") or "",
            message=made.get("message") or "",
            message_expression=made.get("messageExpression") or "",
            reason=made.get("reason"),
            field_path=made.get("fieldPath") or "",
            optional_old_self=made.get("optionalOldSelf"),
            origin=decoder.place(path),
        )

    def docs(made: dict[str, Any], _: Path) -> dict[str, Any]:
        return {key: value for key, value in made.items() if value}

    return {PROPS: schema, "v1.ValidationRule": rule, "v1.ExternalDocumentation": docs}


def _held(value: Any) -> Any:
    """A JSON value with numbers as the server holds them: what is no int64 is a float64."""
    if type(value) is int:
        return value if -(1 << 63) <= value < 1 << 63 else float(value)
    if type(value) is list:
        return [_held(each) for each in value]
    return {key: _held(each) for key, each in value.items()} if type(value) is dict else value


def _schema_or_flag(value: Any, decoder: Decoder, path: Path) -> Any:
    if isinstance(value, dict):
        return decoder.value(value, PROPS, path)
    return value if isinstance(value, bool) else refuse("boolean or JSON schema expected")


def _schema_or_list(value: Any, decoder: Decoder, path: Path) -> Any:
    if isinstance(value, dict):
        return decoder.value(value, PROPS, path)
    return decoder.value(value, f"[]{PROPS}", path) if isinstance(value, list) else ()  # neither, but there


def _schema_or_texts(value: Any, decoder: Decoder, path: Path) -> Any:
    if isinstance(value, dict):
        return decoder.value(value, PROPS, path)
    return decoder.value(value, "[]string", path) if isinstance(value, list) else None


UNIONS: dict[str, Union] = {
    "v1.JSONSchemaPropsOrBool": _schema_or_flag,
    "v1.JSONSchemaPropsOrArray": _schema_or_list,
    "v1.JSONSchemaPropsOrStringArray": _schema_or_texts,
}


def decoder(places: Places | None = None, structs: Mapping[str, Mapping[str, str]] = STRUCTS) -> Decoder:
    """A decoder that knows schemas and the further structs it is given."""
    made: dict[str, Builder] = {}
    decoding = Decoder(structs, made, UNIONS, places)
    made.update(builders(decoding))
    return decoding
