"""The JSON-schema keywords that Kubernetes knows, one row each.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1 types_jsonschema.go.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.types import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    VALIDATIONS,
)

NUMERIC = ("integer", "number")
TEXTUAL = ("string",)
LIST = ("array",)
OBJECT = ("object",)

TIGHTENS_UP, TIGHTENS_DOWN = 1, -1  # a greater, a smaller value allows less


class Keyword(Record):
    """A keyword: the form of its value, the schema types it fits (empty: all), which way it tightens."""

    name: str
    form: str  # text, number, count, flag, json, jsons, texts, schema, schemas, schema-map, schema-or-flag, rules, docs
    fits: tuple[str, ...] = ()
    tightens: int = 0


_ROWS = (
    Keyword("$ref", "text"),
    Keyword("$schema", "text"),
    Keyword("additionalItems", "schema-or-flag"),
    Keyword("additionalProperties", "schema-or-flag"),
    Keyword("allOf", "schemas"),
    Keyword("anyOf", "schemas"),
    Keyword("default", "json"),
    Keyword("definitions", "schema-map"),
    Keyword("dependencies", "dependencies"),
    Keyword("description", "text"),
    Keyword("enum", "jsons"),
    Keyword("example", "json"),
    Keyword("exclusiveMaximum", "flag", NUMERIC),
    Keyword("exclusiveMinimum", "flag", NUMERIC),
    Keyword("externalDocs", "docs"),
    Keyword("format", "text"),
    Keyword("id", "text"),
    Keyword("items", "schema-or-schemas"),
    Keyword("maxItems", "count", LIST, TIGHTENS_DOWN),
    Keyword("maxLength", "count", TEXTUAL, TIGHTENS_DOWN),
    Keyword("maxProperties", "count", OBJECT, TIGHTENS_DOWN),
    Keyword("maximum", "number", NUMERIC, TIGHTENS_DOWN),
    Keyword("minItems", "count", LIST, TIGHTENS_UP),
    Keyword("minLength", "count", TEXTUAL, TIGHTENS_UP),
    Keyword("minProperties", "count", OBJECT, TIGHTENS_UP),
    Keyword("minimum", "number", NUMERIC, TIGHTENS_UP),
    Keyword("multipleOf", "number", NUMERIC),
    Keyword("not", "schema"),
    Keyword("nullable", "flag"),
    Keyword("oneOf", "schemas"),
    Keyword("pattern", "text", TEXTUAL),
    Keyword("patternProperties", "schema-map"),
    Keyword("properties", "schema-map"),
    Keyword("required", "texts"),
    Keyword("title", "text"),
    Keyword("type", "text"),
    Keyword("uniqueItems", "flag", LIST),
    Keyword(EMBEDDED, "flag"),
    Keyword(INT_OR_STRING, "flag"),
    Keyword(LIST_MAP_KEYS, "texts", LIST),
    Keyword(LIST_TYPE, "text", LIST),
    Keyword(MAP_TYPE, "text", OBJECT),
    Keyword(PRESERVE, "flag"),
    Keyword(VALIDATIONS, "rules"),
)

KEYWORDS = {keyword.name: keyword for keyword in _ROWS}
