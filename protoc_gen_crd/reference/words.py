"""What a schema asks for in words: a row for each keyword, which says how its value reads or where else it is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.reference.prose import code, plain, sentence
from protoc_gen_crd.schema.choices import COUNTS, choice
from protoc_gen_crd.schema.codec import Encoded, encode
from protoc_gen_crd.schema.types import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    MAP_TYPE,
    PRESERVE,
    VALIDATIONS,
    Schema,
)

Words = Callable[[Schema, Any], Iterator[str]]

ELSEWHERE = "told elsewhere"
_LARGEST = {2**bits - 1 for bits in (31, 32, 63, 64)}  # what a type can hold is no bound of the field
_FORMATS = {
    "byte": "base64",
    "date-time": "date and time by RFC 3339",
    "double": "64 bits",
    "float": "32 bits",
    "int32": "32 bits",
    "int64": "64 bits",
}


def _sized(most: str, least: str, one: str) -> tuple[Words, Words]:
    """The words of an upper and a lower bound on a number of things."""

    def upper(schema: Schema, value: Any) -> Iterator[str]:
        known = schema.get(least)
        yield f"{value} {_things(one, value)}" if known == value else f"at most {value} {_things(one, value)}"

    def lower(schema: Schema, value: Any) -> Iterator[str]:
        if value and schema.get(most) != value:
            yield f"at least {value} {_things(one, value)}"

    return upper, lower


def _things(one: str, count: int) -> str:
    return one if count == 1 else f"{one[:-1]}ies" if one.endswith("y") else f"{one}s"


def _between(schema: Schema) -> bool:
    """Whether both bounds of a number are told together."""
    given = schema.keywords.keys()
    return {"minimum", "maximum"} <= given and not {"exclusiveMinimum", "exclusiveMaximum"} & given


def _maximum(schema: Schema, value: Any) -> Iterator[str]:
    if value in _LARGEST:
        return
    if _between(schema):
        yield f"{_number(schema.get('minimum'))} to {_number(value)}"
    else:
        yield f"{'less than' if schema.get('exclusiveMaximum') else 'at most'} {_number(value)}"


def _minimum(schema: Schema, value: Any) -> Iterator[str]:
    most = schema.get("maximum")
    if most in _LARGEST and value in (0, -most - 1):
        yield from ["not negative"] if value == 0 else []
    elif most in _LARGEST or not _between(schema):
        yield f"{'more than' if schema.get('exclusiveMinimum') else 'at least'} {_number(value)}"


def _list_type(schema: Schema, value: Any) -> Iterator[str]:
    if value == "map":
        keys = " and ".join(map(code, schema.get(LIST_MAP_KEYS) or ()))
        yield f"no two items have the same {keys}, by which server-side apply merges them"
    elif value == "set":
        yield "no item stands twice; server-side apply merges the items"
    else:
        yield "server-side apply replaces the list as a whole"


def _map_type(_: Schema, value: Any) -> Iterator[str]:
    if value == "atomic":
        yield "server-side apply replaces it as a whole"


def _choice(junctor: str) -> Words:
    """The words of a junctor; what only asks for fields is told by their names."""

    def words(schema: Schema, value: Any) -> Iterator[str]:
        if schema.get(INT_OR_STRING):
            return
        branches = [_plain(branch) for branch in value]
        yield choice(junctor, branches, code) or f"{COUNTS[junctor]} of these must hold: {code(_json(branches))}"

    return words


def _all(_: Schema, value: Any) -> Iterator[str]:
    for branch in value:
        yield from constraints(branch, nested=False)


def _not(_: Schema, value: Any) -> Iterator[str]:
    names = [_demanded(branch) for branch in value.get("anyOf") or [value]]
    if all(names) and value.keywords.keys() <= {"anyOf", "required"}:
        yield "not " + " nor ".join(" with ".join(map(code, name)) for name in names)
    else:
        yield f"not {code(_json(_plain(value)))}"


def _demanded(branch: Schema) -> Sequence[str]:
    """The fields that a branch asks for, if that is all it does."""
    return branch.get("required") or () if branch.keywords.keys() == {"required"} else ()


def _said(words: str) -> Words:
    def tell(_: Schema, value: Any) -> Iterator[str]:
        if value:
            yield words.replace("%", _number(value) if isinstance(value, int | float) else code(str(value)))

    return tell


def _shown(words: str) -> Words:
    def tell(_: Schema, value: Any) -> Iterator[str]:
        yield f"{words} {code(_json(value))}"

    return tell


def _preserved(schema: Schema, value: Any) -> Iterator[str]:
    if value and schema.properties:
        yield "fields that are not listed are kept"


def _docs(_: Schema, value: Any) -> Iterator[str]:
    yield f"see {sentence(' '.join(filter(None, (value.get('description'), value.get('url')))))}"


_MAX_LENGTH, _MIN_LENGTH = _sized("maxLength", "minLength", "character")
_MAX_ITEMS, _MIN_ITEMS = _sized("maxItems", "minItems", "item")
_MAX_PROPERTIES, _MIN_PROPERTIES = _sized("maxProperties", "minProperties", "entry")

WORDS: Mapping[str, Words | str] = {
    "title": _said("title: %"),
    "minimum": _minimum,
    "maximum": _maximum,
    "exclusiveMinimum": ELSEWHERE,
    "exclusiveMaximum": ELSEWHERE,
    "multipleOf": _said("a multiple of %"),
    "minLength": _MIN_LENGTH,
    "maxLength": _MAX_LENGTH,
    "pattern": _said("matches %"),
    "minItems": _MIN_ITEMS,
    "maxItems": _MAX_ITEMS,
    "uniqueItems": _said("no item stands twice"),
    "minProperties": _MIN_PROPERTIES,
    "maxProperties": _MAX_PROPERTIES,
    LIST_TYPE: _list_type,
    LIST_MAP_KEYS: ELSEWHERE,
    MAP_TYPE: _map_type,
    "oneOf": _choice("oneOf"),
    "anyOf": _choice("anyOf"),
    "allOf": _all,
    "not": _not,
    "nullable": _said("may be null"),
    EMBEDDED: _said("a whole object with its own `apiVersion`, `kind` and `metadata`"),
    PRESERVE: _preserved,
    "example": _shown("for example"),
    "externalDocs": _docs,
    **dict.fromkeys(
        (
            "id", "$schema", "$ref", "description", "type", "format", "default", "enum", "required", "items",
            "properties", "additionalProperties", "patternProperties", "dependencies", "additionalItems", "definitions",
            INT_OR_STRING, VALIDATIONS,
        ),
        ELSEWHERE,
    ),
}  # fmt: skip


def constraints(schema: Schema, base: Schema | None = None, *, nested: bool = True) -> list[str]:
    """What a node and what it holds ask for, less what `base`, its type with a name, says of itself."""
    made: list[str] = []
    for keyword, words in WORDS.items():
        value = schema.get(keyword)
        if value is not None and callable(words) and (base is None or base.get(keyword) != value):
            made += words(schema, value)
    for child, each in ((schema.items, "each item"), (schema.additional, "each value")):
        if nested and isinstance(child, Schema):
            own = None if child.properties else base
            made += [f"{each}: {said}" for said in constraints(child, own) if not child.properties]
    return made


def type_words(schema: Schema, name: Callable[[Schema], str]) -> str:
    """The type of a node; `name` gives the link to one that has a section, empty for others."""
    if known := name(schema):
        return known
    if isinstance(schema.items, Schema):
        what = "set" if schema.get(LIST_TYPE) == "set" else "list"
        return f"{what} of {type_words(schema.items, name)}"
    if isinstance(schema.additional, Schema):
        return f"map of {type_words(schema.additional, name)}"
    return _leaf_words(schema)


def _leaf_words(schema: Schema) -> str:
    if schema.get(INT_OR_STRING):
        return "integer or string"
    form = schema.get("format")
    if schema.properties:
        return "object"
    words = {"array": "list of anything", "object": "any object", "": "anything"}.get(schema.type, schema.type)
    return f"{words} ({plain(_FORMATS.get(form, form))})" if form else words


def default_words(schema: Schema) -> str:
    """The default as code, empty for none."""
    return code(_json(schema.get("default"))) if "default" in schema else ""


def shown(value: object) -> str:
    """A value as JSON has it."""
    return _json(value)


def _plain(schema: Schema) -> dict[str, Any]:
    return encode(schema, Encoded())


def _number(value: float) -> str:
    return dump(value).strip()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
