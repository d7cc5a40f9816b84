"""The manifest of a CRD as data, without what API servers add and with the defaults that they set."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.schema.keywords import ZERO_VALUES
from protoc_gen_crd.schema.schema import BRANCH_KEYWORDS
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas

Json = dict[str, Any]
_Memo = dict[int, tuple[Json, Json]]  # schemas by identity, which are kept alive, with the result: versions share them
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
    if crd.preserve_unknown_fields:
        spec["preserveUnknownFields"] = True
    memo = _Memo()
    for version in spec["versions"]:
        root = (version.get("schema") or {}).get("openAPIV3Schema")
        if root is not None:
            version["schema"] = {"openAPIV3Schema": _normalize_root(root, memo)}
        if version.get("subresources") == {}:
            del version["subresources"]
    spec["versions"] = {version["name"]: version for version in spec["versions"]}
    return manifest


def _normalize_root(root: Json, memo: _Memo) -> Json:
    normalized = dict(_normalize(root, memo))
    properties = normalized.get("properties") or {}
    required = [name for name in normalized.pop("required", ()) if name not in ("apiVersion", "kind")]
    return {**normalized, "properties": {**_IMPLIED, **properties}, **({"required": required} if required else {})}


def _normalize(schema: Json, memo: _Memo) -> Json:
    known = memo.get(id(schema))
    if known is not None:
        return known[1]
    plain: Json = {}
    for keyword, value in schema.items():
        zero = ZERO_VALUES.get(keyword)
        if zero is not None and value == zero:
            continue
        if keyword == "required":
            plain[keyword] = sorted(set(value))
        elif keyword in ("properties", "patternProperties", "definitions"):
            plain[keyword] = {name: _normalize(child, memo) for name, child in value.items()}
        elif keyword in ("items", "additionalProperties", "additionalItems", "not") and isinstance(value, dict):
            plain[keyword] = _normalize(value, memo)
        elif keyword in BRANCH_KEYWORDS:
            plain[keyword] = [_normalize(child, memo) for child in value]
        else:
            plain[keyword] = value
    memo[id(schema)] = schema, plain
    return plain
