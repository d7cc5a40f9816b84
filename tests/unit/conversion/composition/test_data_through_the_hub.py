"""Data of two spokes whose direct conversion differs from the conversion through the hub: each spoke keeps its own."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from protoc_gen_crd import ConversionError, Converter
from tests.support.conversion import Object, bare, crd, fields, listed, rules

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


def _make_converter_of_rows(expression: str) -> Converter:
    """Only the spokes have rows[].name, and only v1alpha1 has rows[].unseen."""
    text = {"type": "string", "maxLength": 9}
    others = {"v1alpha1": {"name": text, "unseen": text}, "v1beta1": {"name": text}, "v1": {}}
    specs = {name: fields(rows={**listed(seen=text, **more), "maxItems": 9}) for name, more in others.items()}
    copy = {"field": "spec.rows[i].seen", "destination": "spec.rows[].seen"}
    ends = {"v1alpha1": copy, "v1beta1": {**copy, "transformation": expression}}
    conversions = [
        {"from": name, "to": "v1", "rules": [rule], "preserve": [f"spec.rows[].{field}" for field in others[name]]}
        for name, rule in ends.items()
    ]
    conversions += [{"from": "v1", "to": name, "rules": [copy]} for name in ends]
    conversions += [{"from": "v1alpha1", "to": "v1beta1", "rules": [], "preserve": ["spec.rows[].unseen"]}]
    return Converter(crd(**specs), {"spec": {"conversions": conversions}}, hub="v1")


def _rows(version: str, *rows: Object) -> Object:
    return {"apiVersion": f"acme.example/{version}", "kind": "Thing", "spec": {"rows": [*rows]}}


def test_a_value_in_an_item_that_the_hub_shows_otherwise_is_an_error() -> None:
    converter = _make_converter_of_rows("self.lowerAscii()")
    obj = _rows("v1beta1", {"seen": "a", "name": "b"})
    assert converter.convert(obj, "v1alpha1")["spec"] == obj["spec"]
    obj = _rows("v1beta1", {"seen": "A", "name": "b"})
    problem = "spec.rows.0.name: the value of v1beta1 cannot be converted to v1alpha1; it is kept in the annotation"
    with pytest.raises(ConversionError, match=problem):
        converter.convert(obj, "v1alpha1")


def test_an_unseen_field_is_in_no_other_item_after_a_client_of_another_spoke_moves_items() -> None:
    """The items of the hub are the same, so their conversion data alone does not show that they moved."""
    converter = _make_converter_of_rows("self")
    items = [{"seen": "a", "name": name, "unseen": f"of {name}"} for name in "bc"]
    obj = _rows("v1alpha1", *items)
    converted = converter.convert(obj, "v1beta1")
    assert converter.convert(converted, "v1alpha1") == obj
    moved = [*reversed(converted["spec"]["rows"])]
    result = converter.convert({**converted, "spec": {"rows": moved}}, "v1alpha1")
    assert result["spec"]["rows"] == [{"seen": "a", "name": name} for name in "cb"]
