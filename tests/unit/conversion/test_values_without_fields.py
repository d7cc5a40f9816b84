"""Objects without fields, null objects, and data of one spoke that another one shows: all of them are preserved."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from protoc_gen_crd import ConversionError, Converter
from tests.unit.conversion.test_converter import CRD, TEXT, version

Json = dict[str, Any]
BARE: Json = {"type": "object"}


def fields(**properties: Json) -> Json:
    return {"type": "object", "properties": properties}


def converter(
    specs: dict[str, Json], *moves: tuple[str, str], preserve: dict[tuple[str, str], list[str]] | None = None
) -> Converter:
    """Return a converter with the last version as the hub; moves are between the first two versions."""
    *_, hub = specs
    versions = [version(name, spec, storage=name == hub) for name, spec in specs.items()]
    plain: Json = CRD
    crd = {**plain, "spec": {**plain["spec"], "versions": versions}}
    names = [*specs]
    conversions: list[Json] = []
    for source, target in pairwise(names):
        first = source == names[0]
        there = [{"field": old, "destination": new} for old, new in moves if first]
        back = [{"field": new, "destination": old} for old, new in moves if first]
        kept = preserve or {}
        conversions += [
            {"from": source, "to": target, "rules": there, "preserve": kept.get((source, target), [])},
            {"from": target, "to": source, "rules": back, "preserve": kept.get((target, source), [])},
        ]
    return Converter(crd, {"spec": {"conversions": conversions}})


def convert(conversion: Converter, first: str, spec: Json, *versions: str) -> Json:
    obj: Json = {"apiVersion": f"acme.example/{first}", "kind": "User", "metadata": {"name": "x"}, "spec": spec}
    for name in versions:
        obj = conversion.convert(obj, name)
    return obj


@pytest.mark.parametrize("value", [{}, None])
def test_an_object_without_fields_is_kept(value: Any) -> None:
    conversion = converter(
        {"v1": {"a": TEXT, "bare": {**BARE, "nullable": True}}, "v2": {"b": TEXT}}, ("spec.a", "spec.b")
    )
    spec = {"a": "x", "bare": value}
    assert convert(conversion, "v1", spec, "v2")["spec"] == {"b": "x"}
    assert convert(conversion, "v1", spec, "v2", "v1")["spec"] == spec


@pytest.mark.parametrize("value", [{}, None])
def test_an_object_whose_fields_are_elsewhere_is_kept_without_them(value: Any) -> None:
    conversion = converter(
        {"v1": {"a": {**fields(x=TEXT), "nullable": True}}, "v2": {"b": TEXT}}, ("spec.a.x", "spec.b")
    )
    assert convert(conversion, "v1", {"a": value}, "v2", "v1")["spec"] == {"a": value}
    assert convert(conversion, "v1", {"a": {"x": "y"}}, "v2", "v1")["spec"] == {"a": {"x": "y"}}


def test_the_data_of_a_spoke_is_shown_by_another_one_in_an_object_that_the_hub_lacks() -> None:
    specs = {"v1": {"a": fields(x=TEXT)}, "v2": {"o": fields(b=fields(x=TEXT))}, "v3": {"o": BARE}}
    conversion = converter(specs, ("spec.a", "spec.o.b"), preserve={("v2", "v3"): ["spec.o.b"]})
    spec = {"a": {"x": "y"}}
    assert convert(conversion, "v1", spec, "v3", "v2")["spec"] == {"o": {"b": {"x": "y"}}}
    assert convert(conversion, "v1", spec, "v2", "v3", "v2", "v1")["spec"] == spec


@pytest.mark.parametrize(
    "node",
    [
        fields(x=TEXT),
        {"type": "object", "additionalProperties": fields(x=TEXT)},
        {"type": "array", "items": fields(x=TEXT)},
    ],
)
def test_null_is_omitted_where_the_other_version_rejects_it(node: Json) -> None:
    conversion = converter({"v1": {"a": {**node, "nullable": True}}, "v2": {"b": node}}, ("spec.a", "spec.b"))
    converted = convert(conversion, "v1", {"a": None}, "v2")
    assert converted["spec"] == {}
    assert conversion.convert(converted, "v1")["spec"] == {"a": None}


def test_a_null_item_is_an_error_where_the_other_version_rejects_it() -> None:
    items = {"type": "array", "items": {**fields(x=TEXT), "nullable": True}}
    conversion = converter({"v1": {"a": items}, "v2": {"b": {**items, "items": fields(x=TEXT)}}}, ("spec.a", "spec.b"))
    with pytest.raises(ConversionError, match=r"^spec.a\[0\]: expected an object, found null$"):
        convert(conversion, "v1", {"a": [None]}, "v2")
