"""Deprecated fields, recognized by the facts or the start of the description of their schemas."""

from __future__ import annotations

from protoc_gen_crd.schema.schema import DEPRECATED, Schema


def is_deprecated(schema: Schema) -> bool:
    """Report whether a field of this schema is deprecated."""
    return bool((schema.facts or {}).get(DEPRECATED)) or has_deprecated_description(schema)


def has_deprecated_description(schema: Schema) -> bool:
    """Report whether the description starts with "deprecated", ignoring markup and case."""
    description: str = schema.get("description") or ""
    start = description.lstrip("*_` $([").lower()
    return start.startswith("deprecated") and not start.startswith("deprecated values")
