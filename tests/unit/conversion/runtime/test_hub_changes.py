"""Conversion data of another hub is restored, unless a client has changed its counterparts since."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from protoc_gen_crd import Converter
from protoc_gen_crd.conversion import plan_builder
from protoc_gen_crd.conversion.codegen.module_generator import generate_module
from protoc_gen_crd.conversion.runtime import data_restore, hub_changes
from protoc_gen_crd.conversion.runtime.conversion_data import compact, witness
from tests.support.conversion import Case, Object, cases, get_case
from tests.support.hubs import Moves, Trip, broken

SOUND = [case for case in cases() if case.is_sound]
DATA_ANNOTATION = "acme.example/conversion-data.v1"
SOME = 10  # the share of objects on trips that each case tests


@cache
def moved(case: Case) -> Moves:
    """Return a kind of at least three versions; tests share it."""
    names = [version.name for version in case.plan.crd.versions]
    return Moves(case, names[:1] if len(names) < 3 else [])


@cache
def moved_through_hub(case: Case) -> Moves:
    """Return a kind of at least three versions without direct conversions between spokes."""
    return moved(case).drop_direct()


def tried(moves: Moves, count: int) -> Iterator[tuple[Trip, Object]]:
    for trip in moves.trips():
        for obj in moves.objects(trip.own, count):
            yield trip, obj


@pytest.fixture
def without_direct_conversions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restore the data of another hub through the hub, as for spokes without a direct conversion."""
    monkeypatch.setattr(plan_builder, "with_direct", lambda plan, *_, **__: plan)


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_conversion_data_is_restored_under_another_hub(case: Case) -> None:
    moves = moved(case)
    for trip, obj in islice(tried(moves, 1), 0, None, SOME):
        assert broken(moves, trip, obj) == "", trip


@pytest.mark.parametrize("case", SOUND, ids=lambda case: case.name)
def test_conversion_data_is_restored_through_the_hub(case: Case) -> None:
    moves = moved_through_hub(case)
    for trip, obj in islice(tried(moves, 1), 0, None, SOME):
        assert broken(moves, trip, obj) == "", trip


Mutant = Callable[..., Any]
WALK: dict[str, tuple[str, Mutant]] = {
    "_value": ("new-field", lambda *_: None),
    "_list": ("map-to-list", lambda *_: None),
    "_items": ("nested-items", lambda _, value, *__: value),
    "_ordered": ("map-to-list", lambda _, value, *__: value),
    "_longer": ("one-object", lambda _, value, *__: value),
}
MOVED: dict[str, tuple[str, Mutant]] = {
    "_with": ("values", lambda _, obj, *__: obj),
    "_costs": ("by-hand", lambda *_: False),
    "_missing": ("by-hand", lambda *_: 0),
}
LOOSE: dict[str, tuple[str, Mutant]] = {
    "masked": ("scalars", lambda *_: None),
    "is_back_hash": ("values", lambda *_: False),
    "witness": ("nested-items", lambda *_: ""),
    "names_of": ("new-field", lambda value, _: ["" for _ in value]),
}


@pytest.mark.usefixtures("without_direct_conversions")
def test_plans_are_built_as_without_direct_conversions() -> None:
    case = get_case("map-to-list")
    names = [version.name for version in case.plan.crd.versions]
    built = Moves(case, names[:1] if len(names) < 3 else []).plans
    stripped = moved_through_hub(case).plans
    assert {hub: generate_module(plan) for hub, plan in built.items()} == {
        hub: generate_module(plan) for hub, plan in stripped.items()
    }


@pytest.mark.parametrize(
    ("where", "name", "mutant"),
    [(where, name, mutant)
     for where, mutants in ((data_restore.Walk, WALK), (hub_changes._Moved, MOVED), (data_restore, LOOSE))
     for name, mutant in mutants.items()],
)  # fmt: skip
def test_a_weaker_mechanism_fails_the_laws(
    where: object, name: str, mutant: tuple[str, Mutant], monkeypatch: pytest.MonkeyPatch
) -> None:
    case, less = mutant
    monkeypatch.setattr(where, name, less)
    moves = moved_through_hub(get_case(case))
    assert any(broken(moves, trip, obj) for trip, obj in tried(moves, 1))


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        (" example", {"lastName": "example"}),  # as shown to the client
        ("example", {"firstName": "example"}),
        ("other", {"firstName": "other"}),
    ],
)
def test_a_value_is_restored_only_if_all_its_counterparts_are_unchanged(name: str, kept: Object) -> None:
    moves = moved(get_case("values"))
    obj = moves.case.object("v2", {"spec": {"lastName": "example"}})
    result = moves.converters["v2"](obj, "v1")
    result["spec"]["fullName"] = name
    actual = moves.converters["v2c"](result, "v2")["spec"]
    assert {part: text for part, text in actual.items() if part.endswith("Name")} == kept


@pytest.mark.parametrize("depth", [40, 240, 5_000])
def test_deeply_nested_conversion_data_leaves_the_object_readable(depth: int) -> None:
    moves = moved(get_case("open-objects"))
    inner, kept = "", "1"
    for _ in range(depth):
        inner, kept = f'[{{"a":{inner or 1}}}]', f'{{"0":{{"a":{kept}}}}}'
    text = f'{{"as":"v2","data":{{"spec":{{"config":{{"kept":{kept}}}}}}},"format":1}}'
    obj = moves.case.object("v1", {"spec": {"config": {"kept": json.loads(inner) if depth < 500 else 1}}})
    obj["metadata"]["annotations"] = {f"{moves.crd.group}/conversion-data.v2": text}
    assert moves.converters["v2c"](obj, "v2")["spec"]["config"].keys() <= {"kept"}


@pytest.mark.parametrize("data", [{"": []}, {"0": []}, {"0": {"": []}}, {"0": {"image": []}}, []])
def test_conversion_data_of_lists_that_is_edited_by_hand_is_ignored(data: object) -> None:
    moves = moved_through_hub(get_case("first-items"))
    obj = moves.case.object("v1", {"spec": {"container": {"name": "a"}}})
    text = compact({"as": "v1", "data": {"spec": {"containers": data}}, "format": 1})
    obj["metadata"]["annotations"] = {f"{moves.crd.group}/conversion-data.v2": text}
    assert moves.converters["v2c"](obj, "v2")["spec"] == {"containers": [{"name": "a"}]}


def test_a_value_that_a_client_adds_to_an_item_is_not_lost() -> None:
    moves = moved_through_hub(get_case("looks-around-from-items"))
    layers = [{"id": "a", "target": "r/x", "note": "n"}, {"id": "b", "target": "x"}]
    trips = [trip for trip in moves.trips() if trip.own.startswith("v2") and trip.shown.startswith("v1")]
    assert len(trips) == 8
    for trip in trips:
        obj = moves.case.object(trip.own, {"spec": {"registry": "r/", "layers": layers}})
        update = moves.converters[trip.old](obj, trip.shown)
        first, second = update["spec"]["layers"]
        update["spec"]["layers"] = [{**first, "author": "o"}, second]
        end = moves.converters[trip.new](update, trip.own)
        assert moves.converters[trip.new](end, trip.shown)["spec"] == update["spec"], trip


def rivals() -> tuple[Converter, Object]:
    """Return a kind, and an object of its hub that differs from the conversion data of another version."""
    texts = {"type": "array", "items": {"type": "string"}}
    fields: Object = {"v1": {"s": {"type": "string"}}, "v2": {"l": texts}}
    rules = {"v1": ("s", "l[0]"), "v2": ("l[0]", "s")}
    item: Object = {"name": {"type": "string"}}
    keys = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}

    def version(name: str, like: str) -> Object:
        inner = {"type": "object", "required": ["name"], "properties": item | fields[like]}
        spec = {"type": "object", "properties": {"xs": {"type": "array", "items": inner, **keys}}}
        schema = {"type": "object", "properties": {"spec": spec}}
        return {"name": name, "served": True, "storage": name == "v2", "schema": {"openAPIV3Schema": schema}}

    def way(origin: str, to: str) -> Object:
        source, target = rules["v2" if origin == "v2" else "v1"]
        inner = [{"from": f"self.{source}", "to": f"item.{target}"}]
        return {"from": origin, "to": to, "rules": [{"field": "spec.xs", "destination": "spec.xs", "itemRules": inner}]}

    crd = {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.acme.example"},
        "spec": {
            "group": "acme.example", "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [version("v1", "v1"), version("v2", "v2"), version("v3", "v1")],
        },
    }  # fmt: skip
    ways = [way(*pair) for pair in (("v1", "v2"), ("v2", "v1"), ("v3", "v2"), ("v2", "v3"))]
    names = [f"n{number}" for number in range(40)]
    kept = {json.dumps([name]): {"s": [f":{witness('a')}", "z"]} for name in names}
    data = {"spec": {"xs": {"": '["name"]', **kept}}}
    text = compact({"as": "v3", "data": data, "format": 1})
    metadata = {"name": "x", "annotations": {DATA_ANNOTATION: text}}
    spec = {"xs": [{"name": name, "l": ["a", "b"]} for name in names]}
    obj = {"apiVersion": "acme.example/v2", "kind": "Widget", "metadata": metadata, "spec": spec}
    return Converter(crd, {"spec": {"conversions": ways}}), obj


@pytest.mark.usefixtures("without_direct_conversions")
@pytest.mark.parametrize(("most", "left"), [(hub_changes.MOST_TRIED, False), (20_000, True)])
def test_conversion_data_with_too_many_conflicts_is_preserved(
    most: int, left: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub_changes, "MOST_TRIED", most)
    tries: list[object] = []
    costs = hub_changes._Moved._costs

    def counted(self: Any, *arguments: Any) -> bool:
        tries.append(arguments)
        return costs(self, *arguments)

    monkeypatch.setattr(hub_changes._Moved, "_costs", counted)
    converter, obj = rivals()
    result = converter.convert(obj, "v1")
    assert result["spec"]["xs"][0] == {"name": "n0", "s": "a"}
    assert (DATA_ANNOTATION in result["metadata"].get("annotations", {})) == left
    assert (len(tries) < 20) == left
