"""Rule files in which each value in turn is nested deeper than Python's recursion limit: a finding or a plan."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from protoc_gen_crd.conversion.converter import Converter
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.schema.schema import Schema
from tests.fuzz.limits import recursion_limit
from tests.unit.admission.crd_factory import schema

DEPTH = 3000
RULES = {
    "apiVersion": "apis.kcp.io/v1alpha1",
    "kind": "APIConversion",
    "metadata": {"name": "as.x.io", "annotations": {"x.io/conversion-drop": "{}"}},
    "spec": {
        "conversions": [
            {
                "from": "v1",
                "to": "v2",
                "rules": [
                    {"field": "spec.a", "destination": "spec.b", "transformation": "self", "default": "x"},
                    {"field": "spec.list[]", "destination": "spec.map[key]", "key": "self.name", "function": "f"},
                    {"field": "spec.map", "destination": "spec.list", "forEach": "spec.map[key]",
                     "transformation": {"name": "key"}},
                    {"field": "spec.list", "destination": "spec.list",
                     "itemRules": [{"field": "self.name", "destination": "item.name"}]},
                ],
                "preserve": ["spec.c"],
                "drop": ["spec.d"],
            }
        ]
    },
}  # fmt: skip
LIST = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}


def make_crd() -> Crd:
    """Return a CRD with two versions, without the decoder, which would raise the recursion limit."""
    specs = [schema({"type": "object", "properties": {name: {"type": "string"}, "list": LIST}}) for name in "ab"]
    return Crd("x.io", Names("A", "as"), "Namespaced", tuple(
        CrdVersion(name, Schema({"type": "object", "properties": {"spec": spec}}), storage=name == "v1")
        for name, spec in zip(("v1", "v2"), specs, strict=True)
    ))  # fmt: skip


def list_paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in entries:
        yield (*path, key)
        yield from list_paths(child, (*path, key))


@pytest.mark.parametrize("path", [*list_paths(RULES)], ids=lambda path: ".".join(map(str, path)))
def test_a_deep_value(path: tuple[str | int, ...]) -> None:
    rules: Any = copy.deepcopy(RULES)
    around = rules
    for key in path[:-1]:
        around = around[key]
    for _ in range(DEPTH):
        around[path[-1]] = [around[path[-1]]]
    with recursion_limit(1000), pytest.raises(ValueError, match=r"^.{10,100000}$"):
        Converter(make_crd(), rules)
