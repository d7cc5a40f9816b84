"""Whether a node is deprecated, as far as its schema tells: by its facts, or by how its description starts."""

from __future__ import annotations

from protoc_gen_crd.schema.types import DEPRECATED, Schema


def is_deprecated(schema: Schema) -> bool:
    """Whether a field of this schema is deprecated."""
    return bool((schema.facts or {}).get(DEPRECATED)) or says_so(schema)


def says_so(schema: Schema) -> bool:
    """Whether the description starts with the word."""
    said: str = schema.get("description") or ""
    first = said.lstrip("*_` $([").lower()
    return first.startswith("deprecated") and not first.startswith("deprecated values")
