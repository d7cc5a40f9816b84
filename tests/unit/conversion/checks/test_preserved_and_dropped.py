"""Preserved and dropped fields, whole and in part."""

from __future__ import annotations

import pytest

from protoc_gen_crd import Converter
from tests.support.conversion import Object, crd, fields, rules


def kept(**more: list[str]) -> tuple[Converter, Object]:
    """A kind of which only v2 has an object, with the rules that keep and drop its fields, and an object of it."""
    text = {"type": "string"}
    rule_set = rules(("v1", "v2", []), ("v2", "v1", []))
    rule_set["spec"]["conversions"][1] |= more
    known = crd(v1=fields(a=text), v2=fields(a=text, both=fields(left=text, right=text)))
    spec = {"a": "a", "both": {"left": "l", "right": "r"}}
    return Converter(known, rule_set), {"apiVersion": "acme.example/v2", "kind": "Thing", "spec": spec}


def test_an_object_that_is_kept_whole_is_not_also_kept_in_part() -> None:
    converter, obj = kept(preserve=["spec.both.left", "spec.both", "spec.both"])
    assert converter.convert(converter.convert(obj, "v1"), "v2") == obj


def test_a_part_of_a_dropped_object_can_be_kept() -> None:
    converter, obj = kept(preserve=["spec.both.left"], drop=["spec.both"])
    assert converter.convert(converter.convert(obj, "v1"), "v2")["spec"] == {"a": "a", "both": {"left": "l"}}


@pytest.mark.parametrize(("dropped", "path"), [("spec.both", "spec.both"), ("spec.both.left", "spec.both.left")])
def test_field_cannot_be_both_preserved_and_dropped(dropped: str, path: str) -> None:
    with pytest.raises(ValueError, match=f'^field "{path}" of v2 is both preserved and dropped'):
        kept(preserve=["spec.both"], drop=[dropped])


@pytest.mark.parametrize("count", [-(2**31), 2**31 - 1])
def test_the_restored_value_is_validated_instead_of_the_computed_one(count: int) -> None:
    """-2147483648 s is within 32 bits, and the same time in ms is not."""
    number = {"type": "integer", "format": "int32"}
    there = [{"field": "spec.s", "destination": "spec.ms", "transformation": "self * 1000"}]
    back = [{"field": "spec.ms", "destination": "spec.s", "transformation": "self / 1000"}]
    known = crd(v1=fields(s=number), v2=fields(ms=number))
    converter = Converter(known, rules(("v1", "v2", there), ("v2", "v1", back)))
    rich = {"apiVersion": "acme.example/v2", "kind": "Thing", "spec": {"ms": count}}
    poor = converter.convert(rich, "v1")
    assert converter.convert(poor, "v2") == rich
    poor["spec"]["s"] = -(2**31)
    with pytest.raises(
        ValueError, match=r"^spec\.ms: expected an integer between -2147483648 and 2147483647, found -2147483648000$"
    ):
        converter.convert(poor, "v2")
