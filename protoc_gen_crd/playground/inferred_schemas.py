"""The schema of a value without a CRD, so that rules on it are type-checked."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.schema.schema import PRESERVE, Schema

_SCALARS = {bool: "boolean", int: "integer", float: "number", str: "string"}


def infer_schema(value: Any) -> Schema:
    """Return the schema with the types of a value; the items of a list have the schema of all of them together."""
    return _merge([value])


def _merge(values: list[Any]) -> Schema:
    """Return the schema of several values, of any type if their types differ."""
    present = [value for value in values if value is not None]
    nullable = {"nullable": True} if len(present) < len(values) else {}
    kinds = {type(value) for value in present}
    if kinds == {dict}:
        names = dict.fromkeys(name for value in present for name in value)
        members = {name: _merge([value[name] for value in present if name in value]) for name in names}
        return Schema({"type": "object", "properties": members, **nullable})
    if kinds == {list}:
        return Schema({"type": "array", "items": _merge([item for value in present for item in value]), **nullable})
    if kinds <= {int, float} and len(kinds) == 2:
        return Schema({"type": "number", **nullable})
    if len(kinds) == 1 and (kind := kinds.pop()) in _SCALARS:
        return Schema({"type": _SCALARS[kind], **nullable})
    return Schema({"type": "object", PRESERVE: True, **nullable})
