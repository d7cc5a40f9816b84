"""Table of scalar types with their keywords, and the keywords of integers that can also be strings.

Source: the proto JSON mapping (protobuf.dev/programming-guides/json).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.schema.schema import INT_OR_STRING, Schema
from protoc_gen_crd.settings.settings import Settings

_UINT32_MAX = 2**32 - 1

# Only bounds that API servers can represent: with a maximum of 2^64-1 or 2^63-1, they would reject every value.
SCALARS: Mapping[str, Mapping[str, Any]] = {
    "bool": {"type": "boolean"},
    "bytes": {"type": "string", "format": "byte"},
    "double": {"type": "number", "format": "double"},
    "fixed32": {"type": "integer", "minimum": 0, "maximum": _UINT32_MAX},
    "fixed64": {"type": "integer", "minimum": 0},
    "float": {"type": "number", "format": "float"},
    "int32": {"type": "integer", "format": "int32"},
    "int64": {"type": "integer", "format": "int64"},
    "sfixed32": {"type": "integer", "format": "int32"},
    "sfixed64": {"type": "integer", "format": "int64"},
    "sint32": {"type": "integer", "format": "int32"},
    "sint64": {"type": "integer", "format": "int64"},
    "string": {"type": "string"},
    "uint32": {"type": "integer", "minimum": 0, "maximum": _UINT32_MAX},
    "uint64": {"type": "integer", "minimum": 0},
}
INT64_TYPES = frozenset(["fixed64", "int64", "sfixed64", "sint64", "uint64"])  # proto JSON writes these as strings

INT_OR_STRING_KEYWORDS: Mapping[str, Any] = {
    "anyOf": [Schema({"type": "integer"}), Schema({"type": "string"})],
    INT_OR_STRING: True,
}


def get_scalar_keywords(kind: str, settings: Settings) -> Mapping[str, Any]:
    """Return the keywords of a scalar type; the settings can accept strings for 64-bit integers."""
    if kind in INT64_TYPES and settings.int64_as == "int-or-string":
        return INT_OR_STRING_KEYWORDS
    return SCALARS[kind]
