"""CRDs of 1,500 nested values, and of an object with 2,000 rules: name -> the CRD in JSON.

The JSON is concatenated, since the encoder of the standard library does not nest that deep.
"""

from __future__ import annotations

import json

LEVELS, FIELDS = 1_500, 2_000
_RULE = '"x-kubernetes-validations": [{"rule": "has(self.a)"}]'
_HEAD = (
    '{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",'
    ' "metadata": {"name": "things.example.com"}, "spec": {"group": "example.com", "scope": "Cluster",'
    ' "names": {"kind": "Thing", "plural": "things"}, "versions": [{"name": "v1", "served": true, "storage": true,'
    ' "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": '
)


def _nest(keywords: str, leaf: str = '{"type": "object"}') -> str:
    """Return the CRD of a chain of objects with these keywords."""
    head = f'{{"type": "object", {keywords}, "properties": {{"a": '
    return _make_crd(head * LEVELS + leaf + "}}" * LEVELS)


def _make_crd(spec: str) -> str:
    return f"{_HEAD}{spec}}}}}}}}}]}}}}"


def _make_wide_object() -> str:
    names = [f"f{number}" for number in range(FIELDS)]
    rules = [{"rule": f"!has(self.{name}) || self.{name} > {number}"} for number, name in enumerate(names)]
    properties = {name: {"type": "integer"} for name in names}
    return json.dumps({"type": "object", "properties": properties, "x-kubernetes-validations": rules})


CRDS = {
    "optional": _nest('"nullable": false'),
    "required": _nest('"required": ["a"]', '{"type": "string"}'),
    "bounded": _nest('"minProperties": 1'),
    "logical": _nest('"allOf": [{"required": ["a"]}]'),
    "ruled": _nest(f'"required": ["a"], {_RULE}'),
    "defaulted": _nest('"default": {}'),
    "impossible": _nest('"required": ["a"]', '{"type": "string", "minLength": 2, "maxLength": 1}'),
    "lists": _make_crd(
        '{"type": "object", "properties": {"a": {"type": "array", "maxItems": 1, "items": ' * (LEVELS // 2)
        + '{"type": "object"}'
        + "}}}" * (LEVELS // 2)
    ),
    "maps": _make_crd(
        '{"type": "object", "properties": {"a": {"type": "object", "maxProperties": 1, "additionalProperties": '
        * (LEVELS // 2)
        + '{"type": "object"}'
        + "}}}" * (LEVELS // 2)
    ),
    "wide": _make_crd(_make_wide_object()),
}
