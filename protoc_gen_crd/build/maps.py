"""Maps: objects whose keys are texts in JSON, whatever their proto type is."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.schema.types import VALIDATIONS, Rule, Schema

_SIGNED = "key.matches('^-?[0-9]+$')"
_UNSIGNED = "key.matches('^[0-9]+$')"
_KEYS = {  # proto type of the keys -> what holds of the text of each
    "bool": "key in ['true', 'false']",
    "fixed32": _UNSIGNED,
    "fixed64": _UNSIGNED,
    "int32": _SIGNED,
    "int64": _SIGNED,
    "sfixed32": _SIGNED,
    "sfixed64": _SIGNED,
    "sint32": _SIGNED,
    "sint64": _SIGNED,
    "uint32": _UNSIGNED,
    "uint64": _UNSIGNED,
}


def map_schema(field: Field, key_kind: str, values: Schema, problems: Problems, *, bounded: bool) -> Schema:
    """The schema of a map field. A rule on keys is affordable only where the number of entries is `bounded`."""
    keywords: dict[str, Any] = {"type": "object", "additionalProperties": values}
    if key_kind == "bool":
        keywords["maxProperties"] = 2
        bounded = True
    held = _KEYS.get(key_kind)
    if held is not None and bounded:
        rule = Rule(f"self.all(key, {held})", f"keys must be of type {key_kind}", origin=field.at)
        keywords[VALIDATIONS] = (rule,)
    elif held is not None:
        problems.report(
            "map-keys",
            f"a map with {key_kind} keys must be bounded for its keys to be checked, found no max_properties",
            field.at,
            path=field.full_name,
            hint="mark the field +protoc-gen-crd:max_properties=<number>",
        )
    return Schema(keywords, field.at)
