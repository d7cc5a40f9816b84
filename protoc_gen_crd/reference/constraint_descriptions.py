"""Descriptions of schema constraints: a table of formatters by keyword."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.markdown_escapes import code, plain
from protoc_gen_crd.reference.markdown_descriptions import format_sentence
from protoc_gen_crd.schema.choice_descriptions import COUNTS, describe_choice
from protoc_gen_crd.schema.schema import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    VALIDATIONS,
    Schema,
)
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode
from protoc_gen_crd.yaml.writer import dump

KeywordFormatter = Callable[[Schema, Any], Iterator[str]]

SHOWN_ELSEWHERE = "shown elsewhere"
_TYPE_MAXIMA = {
    2**bits - 1 for bits in (31, 32, 63, 64)
}  # the limits of integer types are not shown as bounds of a field
_FORMAT_NAMES = {
    "byte": "base64",
    "date-time": "RFC 3339 date-time",
    "double": "64 bits",
    "float": "32 bits",
    "int32": "32 bits",
    "int64": "64 bits",
}


def _make_size_formatters(maximum: str, minimum: str, unit: str) -> tuple[KeywordFormatter, KeywordFormatter]:
    """Return the formatters of an upper and a lower bound on a count."""

    def format_upper(schema: Schema, value: Any) -> Iterator[str]:
        lower = schema.get(minimum)
        yield (
            f"{value} {_format_count(unit, value)}"
            if lower == value
            else f"at most {value} {_format_count(unit, value)}"
        )

    def format_lower(schema: Schema, value: Any) -> Iterator[str]:
        if value and schema.get(maximum) != value:
            yield f"at least {value} {_format_count(unit, value)}"

    return format_upper, format_lower


def _format_count(unit: str, count: int) -> str:
    return unit if count == 1 else f"{unit[:-1]}ies" if unit.endswith("y") else f"{unit}s"


def _is_closed_range(schema: Schema) -> bool:
    """Check whether both bounds of a number are shown as one range."""
    keywords = schema.keywords.keys()
    return {"minimum", "maximum"} <= keywords and not {"exclusiveMinimum", "exclusiveMaximum"} & keywords


def _format_maximum(schema: Schema, value: Any) -> Iterator[str]:
    if value in _TYPE_MAXIMA:
        return
    if _is_closed_range(schema):
        yield f"{_format_number(schema.get('minimum'))} to {_format_number(value)}"
    else:
        yield f"{'less than' if schema.get('exclusiveMaximum') else 'at most'} {_format_number(value)}"


def _format_minimum(schema: Schema, value: Any) -> Iterator[str]:
    maximum = schema.get("maximum")
    if maximum in _TYPE_MAXIMA and value in (0, -maximum - 1):
        yield from ["not negative"] if value == 0 else []
    elif maximum in _TYPE_MAXIMA or not _is_closed_range(schema):
        yield f"{'more than' if schema.get('exclusiveMinimum') else 'at least'} {_format_number(value)}"


def _format_list_type(schema: Schema, value: Any) -> Iterator[str]:
    if value == "map":
        keys = " and ".join(map(code, schema.get(LIST_MAP_KEYS) or ()))
        yield f"items are unique by {keys}; server-side apply merges them by these keys"
    elif value == "set":
        yield "items are unique; server-side apply merges them"
    else:
        yield "server-side apply replaces the list as a whole"


def _format_map_type(_: Schema, value: Any) -> Iterator[str]:
    if value == "atomic":
        yield "server-side apply replaces the map as a whole"


def _make_logical_formatter(keyword: str) -> KeywordFormatter:
    """Return the formatter of a logical keyword; branches that only require fields are shown by field name."""

    def format_logical_keyword(schema: Schema, value: Any) -> Iterator[str]:
        if schema.get(INT_OR_STRING):
            return
        branches = [_encode_schema(branch) for branch in value]
        yield (
            describe_choice(keyword, branches, code)
            or f"{COUNTS[keyword]} of these schemas must match: {code(_dump_json(branches))}"
        )

    return format_logical_keyword


def _format_all_of(_: Schema, value: Any) -> Iterator[str]:
    for branch in value:
        yield from format_constraints(branch, nested=False)


def _format_not(_: Schema, value: Any) -> Iterator[str]:
    names = [_list_required_fields(branch) for branch in value.get("anyOf") or [value]]
    if all(names) and value.keywords.keys() <= {"anyOf", "required"}:
        yield "not " + " nor ".join(" with ".join(map(code, name)) for name in names)
    else:
        yield f"not {code(_dump_json(_encode_schema(value)))}"


def _list_required_fields(branch: Schema) -> Sequence[str]:
    """Return the fields that a branch requires; empty if it has other keywords, too."""
    return branch.get("required") or () if branch.keywords.keys() == {"required"} else ()


def _make_fixed_formatter(phrase: str) -> KeywordFormatter:
    """Return a formatter that yields the phrase with `%` replaced by the value, nothing for false values."""

    def format_fixed(_: Schema, value: Any) -> Iterator[str]:
        if value:
            yield phrase.replace("%", _format_number(value) if isinstance(value, int | float) else code(str(value)))

    return format_fixed


def _make_value_formatter(phrase: str) -> KeywordFormatter:
    """Return a formatter that yields the phrase and the value as JSON."""

    def format_keyword(_: Schema, value: Any) -> Iterator[str]:
        yield f"{phrase} {code(_dump_json(value))}"

    return format_keyword


def _format_preserved(schema: Schema, value: Any) -> Iterator[str]:
    if value and schema.properties:
        yield "unknown fields are preserved"


def _format_external_docs(_: Schema, value: Any) -> Iterator[str]:
    yield f"see {format_sentence(' '.join(filter(None, (value.get('description'), value.get('url')))))}"


_MAX_LENGTH, _MIN_LENGTH = _make_size_formatters("maxLength", "minLength", "character")
_MAX_ITEMS, _MIN_ITEMS = _make_size_formatters("maxItems", "minItems", "item")
_MAX_PROPERTIES, _MIN_PROPERTIES = _make_size_formatters("maxProperties", "minProperties", "entry")

KEYWORD_FORMATTERS: Mapping[str, KeywordFormatter | str] = {
    "title": _make_fixed_formatter("title: %"),
    "minimum": _format_minimum,
    "maximum": _format_maximum,
    "exclusiveMinimum": SHOWN_ELSEWHERE,
    "exclusiveMaximum": SHOWN_ELSEWHERE,
    "multipleOf": _make_fixed_formatter("a multiple of %"),
    "minLength": _MIN_LENGTH,
    "maxLength": _MAX_LENGTH,
    "pattern": _make_fixed_formatter("matches %"),
    "minItems": _MIN_ITEMS,
    "maxItems": _MAX_ITEMS,
    "uniqueItems": _make_fixed_formatter("items are unique"),
    "minProperties": _MIN_PROPERTIES,
    "maxProperties": _MAX_PROPERTIES,
    LIST_TYPE: _format_list_type,
    LIST_MAP_KEYS: SHOWN_ELSEWHERE,
    MAP_TYPE: _format_map_type,
    "oneOf": _make_logical_formatter("oneOf"),
    "anyOf": _make_logical_formatter("anyOf"),
    "allOf": _format_all_of,
    "not": _format_not,
    "nullable": _make_fixed_formatter("may be null"),
    EMBEDDED: _make_fixed_formatter("an embedded object with its own `apiVersion`, `kind` and `metadata`"),
    PRESERVE: _format_preserved,
    "example": _make_value_formatter("for example"),
    "externalDocs": _format_external_docs,
    **dict.fromkeys(
        (
            "id", "$schema", "$ref", "description", "type", "format", "default", "enum", "required", "items",
            "properties", "additionalProperties", "patternProperties", "dependencies", "additionalItems", "definitions",
            INT_OR_STRING, VALIDATIONS,
        ),
        SHOWN_ELSEWHERE,
    ),
}  # fmt: skip


def format_constraints(schema: Schema, base: Schema | None = None, *, nested: bool = True) -> list[str]:
    """Format the constraints of a node, its items and its values, except those of `base`, its named type."""
    lines: list[str] = []
    for keyword, formatter in KEYWORD_FORMATTERS.items():
        value = schema.get(keyword)
        if value is not None and callable(formatter) and (base is None or base.get(keyword) != value):
            lines += formatter(schema, value)
    for child, prefix in ((schema.items, "each item"), (schema.additional, "each value")):
        if nested and isinstance(child, Schema):
            child_base = None if child.properties else base
            lines += [f"{prefix}: {line}" for line in format_constraints(child, child_base) if not child.properties]
    return lines


def format_type(schema: Schema, name: Callable[[Schema], str]) -> str:
    """Format the type of a node. `name` returns the link to a type with a section, empty for other types."""
    if link := name(schema):
        return link
    if isinstance(schema.items, Schema):
        kind = "set" if schema.get(LIST_TYPE) == "set" else "list"
        return f"{kind} of {format_type(schema.items, name)}"
    if isinstance(schema.additional, Schema):
        return f"map of {format_type(schema.additional, name)}"
    return _format_scalar_type(schema)


def _format_scalar_type(schema: Schema) -> str:
    if schema.get(INT_OR_STRING):
        return "integer or string"
    format_name = schema.get("format")
    if schema.properties:
        return "object"
    type_name = {"array": "list of any values", "object": "any object", "": "any value"}.get(schema.type, schema.type)
    return f"{type_name} ({plain(_FORMAT_NAMES.get(format_name, format_name))})" if format_name else type_name


def format_default(schema: Schema) -> str:
    """Return the default value as code, empty if there is none."""
    return code(_dump_json(schema.get("default"))) if "default" in schema else ""


def format_json(value: object) -> str:
    """Format a value as JSON."""
    return _dump_json(value)


def _encode_schema(schema: Schema) -> dict[str, Any]:
    return encode(schema, EncodedSchemas())


def _format_number(value: float) -> str:
    return dump(value).strip()


def _dump_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
