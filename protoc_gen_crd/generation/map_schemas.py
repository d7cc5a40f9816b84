"""Schemas of maps. Keys are strings in JSON, whatever their proto type is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.element_model import Field
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule

KEY_TYPE = "the type of the keys"  # the origin of the rule, as the option of other rules
_SIGNED = "key.matches('^-?[0-9]+$')"
_UNSIGNED = "key.matches('^[0-9]+$')"
_KEYS = {  # proto type of the keys -> condition on a key
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


def build_map_schema(
    field: Field, key_kind: str, values: Schema, markers: Sequence[Marker], problems: Problems
) -> Schema:  # fmt: skip
    """Build the schema of a map field. A rule on keys needs a limit of the number of entries because of its cost.

    `rejected_foreign_rules` leaves out a rule that costs too much, since the author of the API did not write it.
    """
    keywords: dict[str, Any] = {"type": "object", "additionalProperties": values}
    map_markers = [marker for marker in markers if not marker.steps]
    bounded = any(marker.option.name == "max_properties" for marker in map_markers)
    if key_kind == "bool":
        keywords["maxProperties"] = 2
        bounded = True
    condition = _KEYS.get(key_kind)
    if condition is not None and bounded:
        rule = ValidationRule(
            f"self.all(key, {condition})", f"keys must be of type {key_kind}", origin=field.at, option=KEY_TYPE
        )
        keywords[VALIDATIONS] = (rule,)
    elif condition is not None and not any(map(_has_key_rule, map_markers)):
        problems.report(
            "map-keys",
            f"{key_kind} keys of a map without max_properties are not validated",
            field.at,
            path=field.full_name,
            hint="mark the field +protoc-gen-crd:max_properties=<number>",
        )
    return Schema(keywords, field.at)


def _has_key_rule(marker: Marker) -> bool:
    """Return whether a marker is a rule on all keys."""
    return marker.option.name == "rules" and any("self.all(" in rule.get("rule", "") for rule in marker.value)
