"""Data of two spokes whose direct conversion differs from the conversion through the hub: each spoke keeps its own."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from protoc_gen_crd import Converter
from tests.support.conversion import Object, bare, crd, fields, rules

TEXT: Object = {"type": "string"}
EXPRESSIONS = ("self.upperAscii()", "self.lowerAscii()", "self")
VERSIONS = ("v1alpha1", "v1beta1", "v1")
PAIRS = (("v1alpha1", "v1"), ("v1", "v1alpha1"), ("v1beta1", "v1"), ("v1", "v1beta1"))


def _trips(own: str) -> list[tuple[str, ...]]:
    others = [name for name in VERSIONS if name != own]
    return [(*trip, own) for trip in (*product(others), *product(others, VERSIONS))]


@pytest.mark.parametrize("expressions", [*product(EXPRESSIONS, repeat=4)])
def test_a_string_that_expressions_change_is_restored(expressions: tuple[str, ...]) -> None:
    directions = [
        (*ends, [{"field": "spec.x", "destination": "spec.x", "transformation": expression}])
        for ends, expression in zip(PAIRS, expressions, strict=True)
    ]
    converter = Converter(crd(**{name: fields(x=TEXT) for name in VERSIONS}), rules(*directions), hub="v1")
    for own, value in product(VERSIONS, ("A", "a", "aB")):
        obj: dict[str, Any] = {"apiVersion": f"acme.example/{own}", "kind": "Thing", "metadata": {"name": "n"}}
        obj["spec"] = {"x": value}
        for trip in _trips(own):
            result = obj
            for version in trip:
                result = converter.convert(result, version)
            assert bare(result) == obj, trip


def test_a_client_of_another_spoke_changes_what_the_hub_shows() -> None:
    upper = [{"field": "spec.x", "destination": "spec.x", "transformation": "self.upperAscii()"}]
    copy = [{"field": "spec.x", "destination": "spec.x"}]
    directions = [("v1alpha1", "v1", copy), ("v1", "v1alpha1", upper), ("v1beta1", "v1", copy), ("v1", "v1beta1", copy)]
    specs = {name: fields(x=TEXT, y=TEXT) for name in VERSIONS}
    converter = Converter(crd(**specs), rules(*directions), hub="v1")
    obj = {"apiVersion": "acme.example/v1alpha1", "kind": "Thing", "metadata": {}, "spec": {"x": "a", "y": "b"}}
    converted = converter.convert(obj, "v1beta1")
    assert converter.convert({**converted, "spec": {"x": "a", "y": "c"}}, "v1alpha1")["spec"] == {"x": "a", "y": "c"}
    assert converter.convert({**converted, "spec": {"x": "q", "y": "b"}}, "v1alpha1")["spec"] == {"x": "Q", "y": "b"}
