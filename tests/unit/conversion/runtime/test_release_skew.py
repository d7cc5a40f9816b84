"""Modules of two releases during a rollout: data that one of them does not show is not lost."""

from __future__ import annotations

from copy import deepcopy
from itertools import product

import pytest

from protoc_gen_crd import Converter
from tests.support.conversion import Object, crd, fields, listed, rules

TEXT: Object = {"type": "string"}
V1 = fields(a=TEXT, g=TEXT, name=TEXT, items=listed(a=TEXT, n=TEXT))
V2 = fields(a=TEXT, h=TEXT, names={"type": "array", "items": TEXT}, items=listed(a=TEXT))
V3 = fields(a=TEXT, g=TEXT, h=TEXT, names={"type": "array", "items": TEXT}, items=listed(a=TEXT, n=TEXT, m=TEXT))
TO_NAMES = [{"field": "spec.name", "destination": "spec.names[0]"}]
TO_NAME = [{"field": "spec.names[0]", "destination": "spec.name"}]
KEPT = {
    ("v1", "v2"): ["spec.g", "spec.items[].n"],
    ("v2", "v1"): ["spec.h"],
    ("v3", "v1"): ["spec.h", "spec.items[].m"],
    ("v3", "v2"): ["spec.g", "spec.items[].n", "spec.items[].m"],
}


def module(hub: str, **specs: Object) -> Converter:
    """Return the conversion of a kind with these versions through a hub."""
    pairs = [pair for spoke in specs if spoke != hub for pair in ((spoke, hub), (hub, spoke))]
    conversion = rules(
        *[(*pair, TO_NAMES if pair[0] == "v1" else TO_NAME if pair[1] == "v1" else []) for pair in pairs]
    )
    for item, pair in zip(conversion["spec"]["conversions"], pairs, strict=True):
        item["preserve"] = KEPT.get(pair, [])
    return Converter(crd(**specs), conversion, hub=hub)


OLD = module("v2", v1=V1, v2=V2)
NEW = {hub: module(hub, v1=V1, v2=V2, v3=V3) for hub in ("v2", "v3")}
OBJECTS: list[Object] = [
    {"a": "x", "g": "g", "name": "p", "items": [{"a": "1", "n": "n1"}, {"a": "2"}]},
    {"a": "x", "h": "h", "names": ["p", "q"], "items": [{"a": "1"}, {"a": "2"}]},
]


@pytest.mark.parametrize("hub", NEW)
@pytest.mark.parametrize("version", ["v1", "v2"])
def test_objects_written_through_either_release_lose_nothing(hub: str, version: str) -> None:
    """Data that a module of the old release does not show, since it is kept under the new hub, is restored later."""
    original = {"apiVersion": f"acme.example/{version}", "kind": "Thing", "spec": OBJECTS[version == "v2"]}
    trips = [*product((OLD, NEW[hub]), ("v1", "v2"))]
    for path in product(trips, repeat=3):
        obj: Object = deepcopy(original)
        for step, (converter, to) in enumerate(path):
            obj = deepcopy(converter.convert(obj, to))
            obj["spec"]["a"] = str(step)
        other = "v1" if version == "v2" else "v2"
        for to in (other, version, other, version):  # after the old release is removed
            obj = NEW[hub].convert(obj, to)
        assert obj["spec"] == {**OBJECTS[version == "v2"], "a": "2"}, path
