"""Implied fields of embedded resources: apiVersion, kind and all metadata.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/objectmeta.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.schema.schema import EMBEDDED, PRESERVE, Schema

_STRING_SCHEMA = Schema({"type": "string"})
_METADATA_SCHEMA = Schema({"type": "object"})


def expand_embedded_resources(schema: Schema) -> Schema:
    """Add the implied fields of embedded resources; return the same schema if there are none."""
    changes: dict[str, Any] = {}
    for keyword in ("items", "additionalProperties"):
        child = schema.get(keyword)
        if isinstance(child, Schema) and (expanded := expand_embedded_resources(child)) is not child:
            changes[keyword] = expanded
    properties = {name: expand_embedded_resources(child) for name, child in schema.properties.items()}
    if schema.get(EMBEDDED) and properties:
        metadata = properties.get("metadata", _METADATA_SCHEMA).with_keywords({PRESERVE: True})
        properties = {"apiVersion": _STRING_SCHEMA, "kind": _STRING_SCHEMA, **properties, "metadata": metadata}
    if any(child is not schema.properties.get(name) for name, child in properties.items()):
        changes["properties"] = properties
    return schema.with_keywords(changes) if changes else schema
