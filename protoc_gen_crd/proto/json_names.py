"""JSON names of fields, which protoc derives from their names."""

from __future__ import annotations


def make_json_name(proto_name: str) -> str:
    """Return protoc's JSON name of a field: each `_x` is replaced by `X` (descriptor.cc, ToJsonName)."""
    head, *rest = proto_name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)
