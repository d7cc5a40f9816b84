"""The manifest of a CRD as data, without what API servers add and with the defaults that they set."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.schema.keywords import KEYWORDS
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas

Json = dict[str, Any]
_OF_SERVERS = ("kubectl.kubernetes.io/last-applied-configuration",)
_IMPLIED = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}


def make_manifest(crd: Crd) -> Json:
    """Return the manifest of a CRD. Servers treat two CRDs with equal manifests alike.

    The defaults of names are set, root schemas have apiVersion, kind and metadata, the names of `required` are sorted,
    and keywords with the value of an absent one are omitted.
    """
    manifest = encode(crd, EncodedSchemas())
    metadata, spec = manifest["metadata"], manifest["spec"]
    annotations = {key: value for key, value in metadata.pop("annotations", {}).items() if key not in _OF_SERVERS}
    if annotations:
        metadata["annotations"] = annotations
    names = spec["names"]
    names.setdefault("singular", names["kind"].lower())
    names.setdefault("listKind", f"{names['kind']}List")
    if spec.get("conversion") == {"strategy": "None"}:
        del spec["conversion"]
    for version in spec["versions"]:
        root = (version.get("schema") or {}).get("openAPIV3Schema")
        if root is not None:
            version["schema"] = {"openAPIV3Schema": _normalize_root(root)}
        if version.get("subresources") == {}:
            del version["subresources"]
    spec["versions"] = {version["name"]: version for version in spec["versions"]}
    return manifest


def _normalize_root(root: Json) -> Json:
    normalized = _normalize(root, {})
    properties = normalized.get("properties") or {}
    required = [name for name in normalized.pop("required", ()) if name not in ("apiVersion", "kind")]
    return {**normalized, "properties": {**_IMPLIED, **properties}, **({"required": required} if required else {})}


def _normalize(schema: Json, memo: dict[int, Json]) -> Json:
    known = memo.get(id(schema))
    if known is not None:
        return known
    plain: Json = {}
    for keyword, value in schema.items():
        entry = KEYWORDS.get(keyword)
        if entry is not None and entry.zero is not None and value == entry.zero:
            continue
        if keyword == "required":
            plain[keyword] = sorted(set(value))
        elif keyword in ("properties", "patternProperties", "definitions"):
            plain[keyword] = {name: _normalize(child, memo) for name, child in value.items()}
        elif keyword in ("items", "additionalProperties", "additionalItems", "not") and isinstance(value, dict):
            plain[keyword] = _normalize(value, memo)
        elif keyword in ("allOf", "anyOf", "oneOf"):
            plain[keyword] = [_normalize(child, memo) for child in value]
        else:
            plain[keyword] = value
    memo[id(schema)] = plain
    return plain
