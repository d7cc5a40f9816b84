"""Nested lists and maps: their conversion data is restored, also under another hub."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from protoc_gen_crd import Converter
from tests.support.conversion import Object, crd, fields, listed, rules

VERSIONS = ("v1", "v2", "v3")  # the last one has more fields than the others
TEXT: Object = {"type": "string"}


def around(kind: str, inner: Object) -> Object:
    """The schema of a list or map."""
    return {"type": "array", "items": inner} if kind == "[]" else {"type": "object", "additionalProperties": inner}


def build(kind: str, *values: Any) -> Any:
    """A list or map of values."""
    return list(values) if kind == "[]" else {f"k{index}": value for index, value in enumerate(values)}


def hubs(outer: str, inner: str, drop: str = "") -> dict[str, Converter]:
    """Modules with each version as the hub, of a kind with such containers of objects in `rows`."""
    known = {"a": TEXT, "m": TEXT} if drop else {"a": TEXT}
    specs = {name: fields(rows=around(outer, around(inner, fields(**known)))) for name in VERSIONS[:2]}
    rich = fields(rows=around(outer, around(inner, fields(**known, n=TEXT, d=TEXT))))
    definition = crd(**specs, v3=rich)
    path = f"spec.rows{outer}{inner}"
    more = {"preserve": [f"{path}.n"], "drop": [f"{path}.d"]} if drop else {"preserve": [f"{path}.n", f"{path}.d"]}

    def ways(hub: str) -> Object:
        pairs = [pair for spoke in VERSIONS if spoke != hub for pair in ((spoke, hub), (hub, spoke))]
        result = rules(*[(*pair, []) for pair in pairs])
        for conversion in result["spec"]["conversions"]:
            conversion |= more if conversion["from"] == "v3" else {}
        return result

    return {hub: Converter(definition, ways(hub), hub=hub) for hub in VERSIONS}


def rows(outer: str, inner: str, **dropped: str) -> Any:
    full = {"a": "1", "n": "x", **dropped}
    return build(outer, build(inner, full, {"a": "2"}), build(inner), build(inner, {"a": "1"}, {"n": "y", **dropped}))


BOTH = [*product(("[]", "[key]"), repeat=2)]


@pytest.mark.parametrize(("outer", "inner"), BOTH)
@pytest.mark.parametrize("drop", ["", "d"])
def test_conversion_data_in_nested_containers_is_restored(outer: str, inner: str, drop: str) -> None:
    modules = hubs(outer, inner, drop)
    dropped = {"d": "d"} if drop else {}
    obj = {"apiVersion": "acme.example/v3", "kind": "Thing", "spec": {"rows": rows(outer, inner, **dropped)}}
    expected = obj | {"spec": {"rows": rows(outer, inner)}}
    for before, after, version in product(modules, modules, VERSIONS[:2]):
        converted = modules[before].convert(obj, version)
        assert modules[after].convert(converted, "v3") == expected, (before, after, version)


@pytest.mark.parametrize(("before", "after"), [*product(VERSIONS, repeat=2)])
def test_conversion_data_of_reordered_lists_is_restored_to_the_right_item(before: str, after: str) -> None:
    modules = hubs("[]", "[]")
    spec = {"rows": [[{"a": "1", "n": "x"}, {"a": "2"}], [{"a": "1"}, {"a": "3"}]]}
    converted = modules[before].convert({"apiVersion": "acme.example/v3", "kind": "Thing", "spec": spec}, "v1")
    converted["spec"] = {"rows": converted["spec"]["rows"][::-1]}
    assert modules[after].convert(converted, "v3")["spec"] == converted["spec"]


@pytest.mark.parametrize("spec", [{"xs": []}, {"xs": [{}]}, {"xs": [], "more": {}}, {"more": {"kept": "x"}}, {}])
def test_a_moved_list_restores_no_absent_object(spec: Object) -> None:
    """Its items have no common fields, so only the list shows that its object is present."""
    known = crd(
        v1=fields(xs=listed(own=TEXT), more=fields(kept=TEXT)), v2=fields(more=fields(ys=listed(other=TEXT)))
    )  # fmt: skip
    conversion = rules(
        ("v1", "v2", [{"field": "spec.xs", "destination": "spec.more.ys", "itemRules": []}]),
        ("v2", "v1", [{"field": "spec.more.ys", "destination": "spec.xs", "itemRules": []}]),
    )
    there, back = conversion["spec"]["conversions"]
    there["preserve"], back["preserve"] = ["spec.xs[].own", "spec.more.kept"], ["spec.more.ys[].other"]
    converter = Converter(known, conversion)
    obj = {"apiVersion": "acme.example/v1", "kind": "Thing", "spec": spec}
    assert converter.convert(converter.convert(obj, "v2"), "v1") == obj
