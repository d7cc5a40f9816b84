"""Schemas with what servers see in embedded resources whatever these say: apiVersion, kind, and all of the metadata.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.schema.types import EMBEDDED, PRESERVE, Schema

_TEXT = Schema({"type": "string"})
_METADATA = Schema({"type": "object"})


def with_resources(schema: Schema) -> Schema:
    """The same schema where no resource is embedded in it, or none whose fields are named."""
    changes: dict[str, Any] = {}
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema) and (made := with_resources(child)) is not child:
            changes[keyword] = made
    properties = {name: with_resources(child) for name, child in schema.properties.items()}
    if schema.get(EMBEDDED) and properties:
        metadata = properties.get("metadata", _METADATA).having({PRESERVE: True})
        properties = {"apiVersion": _TEXT, "kind": _TEXT, **properties, "metadata": metadata}
    if any(child is not schema.properties.get(name) for name, child in properties.items()):
        changes["properties"] = properties
    return schema.having(changes) if changes else schema
