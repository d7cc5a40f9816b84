"""Conversion data: what is kept, and conversion data that other programs have changed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protoc_gen_crd.conversion.converter import Converter
from protoc_gen_crd.conversion.runtime.conversion_data import bounded, witness
from protoc_gen_crd.conversion.runtime.field_tables import every
from protoc_gen_crd.conversion.runtime.runtime import TEXT, ConversionError
from tests.support.conversion import Object, crd, fields, get_case
from tests.support.yaml_data import load_yaml

WIDGET = get_case("new-field")
NAMES = get_case("one-item")
V2 = "acme.example/conversion-data.v2"


def with_conversion_data(text: Any, content: Object | None = None) -> Object:
    """Return an object of v1 with conversion data of v2."""
    converted = WIDGET.object("v1", {"spec": content or {"size": "S"}})
    return {**converted, "metadata": {"name": "x", "annotations": {V2: text, "other": "kept"}}}


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "null", "[]", "7", "\x00",
        '{"format":1}',
        '{"as":7,"data":{"spec":{"color":["","red"]}},"format":1}',
        '{"as":"v1","format":1}',
        '{"format":0,"data":{"spec":{"color":["","red"]}}}',
        '{"format":"2"}',
        '{"format":true}',
        '{"as":"v1","data":{},"format":1,"others":7}',
        '{"as":"v1","format":1,"data":[]}',
        '{"as":"v1","format":1,"data":{"spec":[]}}',
        '{"as":"v1","format":1,"data":{"spec":{"color":{}}}}',
        '{"as":"v1","format":1,"data":{"spec":{"color":[]}}}',
        '{"as":"v1","format":1,"data":{"spec":{"color":["","red","green"]}}}',
        '{"as":"v1","format":1,"data":{"spec":{"color":["",7]}}}',
        '{"as":"v1","format":1,"data":{"spec":{"color":[7,"red"]}}}',
        '{"as":"v1","format":1,"data":{"spec":{"color":["0123456789abcdef","red"]}}}',
        '{"as":"v1","format":1,"data":{"spec":{"ports":{"0":["",{}]}}}}',
        '{"as":"v1","format":true,"data":{"spec":{"color":["","red"]}}}',
        *(
            f'{{"as":"v1","format":1,"data":{{"spec":{{"color":["","red"]}}}},"more":{odd}}}'
            for odd in ("9" * 400, "1e999", "NaN", "-Infinity", r'"\ud800"', r'{"\udfff": 1}', '"\ud800"')
        ),
        "[" * 100_000, 7, None, {"a": 1},
    ],
)  # fmt: skip
def test_invalid_or_foreign_conversion_data_is_ignored_and_removed(text: Any) -> None:
    converted = WIDGET.convert(with_conversion_data(text), "v2")
    assert converted["spec"] == {"size": "S"}
    assert converted["metadata"]["annotations"] == {"other": "kept"}


def test_conversion_data_may_contain_any_character() -> None:
    text = r'{"as":"v1","format":1,"data":{"spec":{"color":["","\ud83d\ude00"]}}}'
    assert WIDGET.convert(with_conversion_data(text), "v2")["spec"] == {"size": "S", "color": "\U0001f600"}


KCP = "preserve.conversion.apis.kcp.io/v2"


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ('{"spec.color":"red"}', {"color": "red"}),
        ('{".spec.color":"red","spec.unknown":1,"spec.size":"M"}', {"color": "red"}),
        ('{"spec.ports":[{"name":"a","note":"n"}]}', {}),
        ('{"spec":{"color":"red"}}', {"color": "red"}),
        ('{"spec":{"color":"red"},"spec.color":"red","spec.color.x":7}', {"color": "red"}),
        ('{"spec.color":"red","spec.color.x":7,"spec":7}', {"color": "red"}),
        ('{"spec.color":7,"spec":[],"":1,"spec.color.x":2,".":{}}', {}),
        ("[" * 100_000, {}), ('{"spec.color":', {}), (7, {}), (None, {}),
    ],
)  # fmt: skip
def test_data_that_kcp_preserved_is_restored_if_it_has_no_counterpart(text: Any, spec: Object) -> None:
    results = {"size": "S", "ports": [{"name": "a"}]}
    obj = WIDGET.object("v1", {"spec": results})
    obj["metadata"] = {"name": "x", "annotations": {KCP: text}}
    converted = WIDGET.convert(obj, "v2")
    assert converted == WIDGET.object("v2", {"spec": results | spec})
    own = WIDGET.convert(converted, "v1")
    own["metadata"]["annotations"] = {**own["metadata"].get("annotations", {}), KCP: '{"spec.color":"blue"}'}
    assert WIDGET.convert(own, "v2")["spec"] == results | (spec or {"color": "blue"})


NESTED = """
spec:
  conversions:
  - {from: v1, to: v2, rules: []}
  - {from: v2, to: v1, rules: [], preserve: [%s]}
"""


@pytest.mark.parametrize("preserve", ["spec.more", "spec.more, spec.more.x, spec.more", "spec.more.x, spec.more.y"])
@pytest.mark.parametrize(
    "kept",
    [
        {"spec.more": {"x": 1, "y": 2}}, {"spec.more": {"x": 1, "y": 2}, "spec.more.x": 1},
        {"spec.more.x": 1, "spec.more.y": 2}, {"spec": {"more": {"x": 1, "y": 2}}, "spec.more.y": 2},
        {"spec.more": {"x": 1, "y": 2}, "spec.more.x.z": 3, "spec.more.other": 4},
    ],
)  # fmt: skip
def test_data_that_kcp_preserved_twice_or_in_a_parent_is_restored(preserve: str, kept: Object) -> None:
    """Like kcp keeps it for rules that preserve a field and its fields, or did so before."""
    number = {"type": "integer", "format": "int32"}
    obj = crd(v1=fields(a=number), v2=fields(a=number, more=fields(x=number, y=number)))
    convert = Converter(obj, load_yaml(NESTED % preserve) | {"metadata": {"name": obj["metadata"]["name"]}})
    rich = {"apiVersion": "acme.example/v2", "kind": "Thing", "metadata": {"name": "n"},
            "spec": {"a": 0, "more": {"x": 1, "y": 2}}}  # fmt: skip
    assert convert.convert(convert.convert(rich, "v1"), "v2") == rich
    poor = {**rich, "apiVersion": "acme.example/v1", "spec": {"a": 0}}
    poor["metadata"] = {"name": "n", "annotations": {KCP: json.dumps(kept)}}
    assert convert.convert(poor, "v2") == rich


NEWER = '{"format":2,"what":"nobody knows yet"}'


@pytest.mark.parametrize("spec", [{"size": "S"}, {"size": "S", "color": "red"}])
def test_conversion_data_of_a_newer_format_is_preserved(spec: Object) -> None:
    """While modules of both formats are in use, and after a rollback."""
    rich = WIDGET.convert(with_conversion_data(NEWER), "v2")
    assert rich["metadata"]["annotations"] == {V2: NEWER, "other": "kept"}
    rich["spec"] = spec
    poor = WIDGET.convert(rich, "v1")
    assert poor["spec"] == {"size": "S"}
    assert (poor["metadata"]["annotations"][V2] == NEWER) == ("color" not in spec)
    assert WIDGET.convert(poor, "v2") == rich


def test_large_conversion_data_of_a_newer_format_does_not_displace_our_own() -> None:
    rich = WIDGET.convert(with_conversion_data(json.dumps({"format": 2, "what": "x" * 262_000})), "v2")
    rich["spec"]["color"] = "red"
    assert WIDGET.convert(WIDGET.convert(rich, "v1"), "v2")["spec"] == rich["spec"]


def test_conversion_data_is_compact_and_sorted_and_has_a_format_number() -> None:
    spec = {"color": "rot", "limits": {"low": 1, "high": 9007199254740993}, "ports": [{"name": "a", "note": "é"}]}
    text = WIDGET.convert(WIDGET.object("v2", {"spec": spec}), "v1")["metadata"]["annotations"][V2]
    data = {"spec": {"color": ["", "rot"], "limits": {"high": ["", 9007199254740993]},
                     "ports": {"": '["name"]', '["a"]': {"note": ["", "é"]}}}}  # fmt: skip
    assert text == json.dumps(
        {"as": "v1", "data": data, "format": 1}, separators=(",", ":"), sort_keys=True, ensure_ascii=False
    )


def test_an_object_has_no_conversion_data_of_its_own_version() -> None:
    obj = with_conversion_data("{}")
    obj["metadata"]["annotations"]["acme.example/conversion-data.v1"] = "mine"
    assert list(WIDGET.convert(obj, "v2")["metadata"]["annotations"]) == ["other"]


def test_annotations_are_bounded() -> None:
    fits = WIDGET.object("v2", {"spec": {"color": "x" * 262_000}})
    assert WIDGET.convert(WIDGET.convert(fits, "v1"), "v2") == fits
    with pytest.raises(ConversionError, match=r"annotations of 262,\d+ bytes exceed the limit of 262,144 with conv"):
        WIDGET.convert(WIDGET.object("v2", {"spec": {"color": "x" * 262_130}}), "v1")


@pytest.mark.parametrize(("high", "fits"), [(2**63 - 1, True), (-(2**63), True), (2**63, False), (1e300, False)])
def test_a_number_out_of_range_is_rejected_before_it_is_kept(high: float, fits: bool) -> None:
    """Servers reject it, and no conversion restores it, so that it would be lost without a report."""
    obj = WIDGET.object("v2", {"spec": {"limits": {"low": 1, "high": high}}})
    if fits:
        assert WIDGET.convert(WIDGET.convert(obj, "v1"), "v2") == obj
    else:
        with pytest.raises(
            ConversionError, match=r"^spec\.limits\.high: expected an integer between -9223372036854775808 and "
        ):
            WIDGET.convert(obj, "v1")


def test_both_directions_may_keep_data_in_one_step() -> None:
    case = get_case("values")
    obj = case.object("v2", {"spec": {"firstName": "a b", "lastName": "c", "mode": "m", "region": "any"}})
    converted = case.convert(obj, "v1")
    converted["metadata"]["annotations"]["acme.example/conversion-data.v3"] = "of another version"
    back = case.convert(converted, "v2")
    assert back["spec"] == obj["spec"]
    assert back["metadata"]["annotations"] == {"acme.example/conversion-data.v3": "of another version"}


def test_the_argument_is_not_changed() -> None:
    spec = {"size": "S", "ports": [{"name": "a", "note": "n"}], "named": {"k": {"name": "a", "note": "n"}}}
    obj = WIDGET.object("v2", {"spec": spec})
    before = json.dumps(obj)
    WIDGET.convert(obj, "v1")
    assert json.dumps(obj) == before


def test_a_changed_value_wins_over_conversion_data() -> None:
    obj = NAMES.object("v2", {"spec": {"names": ["a", "b"]}})
    converted = NAMES.convert(obj, "v1")
    assert NAMES.convert({**converted, "spec": {"name": "c"}}, "v2")["spec"] == {"names": ["c"]}
    assert NAMES.convert({**converted, "spec": {"name": "a"}}, "v2")["spec"] == {"names": ["a", "b"]}


@pytest.mark.parametrize(("value", "kept"), [(7, True), (-1, False), (1.0, True), ("7", False), (None, False)])
def test_a_value_outside_the_bounds_of_the_schema_is_not_restored(value: Any, kept: bool) -> None:
    gadget = get_case("by-hand")
    text = json.dumps({"as": "v1", "format": 1, "data": {"spec": {"cpuMillis": [witness("much"), value]}}})
    obj = gadget.object("v1", {"spec": {"cpu": "much"}})
    obj["metadata"]["annotations"] = {V2: text}
    assert gadget.convert(obj, "v2")["spec"] == ({"cpuMillis": value} if kept else {})


def test_bounds_of_strings_lists_and_enums() -> None:
    check = bounded(every(TEXT, bounded(None, among=("a", "bb"), longest=2)), shortest=1, longest=2)
    for fits in (["a"], ["a", "bb"], None):
        assert check(fits, "") == fits
    misfits: list[list[Any]] = [[], ["a"] * 3, ["b"], ["aaa"], [1]]
    for invalid in misfits:
        with pytest.raises(ConversionError):
            check(invalid, "")


@pytest.mark.parametrize("metadata", ["text", [1], 3])
def test_metadata_that_is_not_an_object_is_an_error_if_data_is_kept(metadata: Any) -> None:
    obj = {**NAMES.object("v2", {"spec": {"names": ["a", "b"]}}), "metadata": metadata}
    with pytest.raises(ConversionError, match=r"^metadata: expected an object, found "):
        NAMES.convert(obj, "v1")
