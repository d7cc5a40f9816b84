"""Objects of random kinds with declared conversions lose nothing, in trips and in updates by clients."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from protoc_gen_crd import Converter
from protoc_gen_crd.conversion.codegen import function_body, module_generator
from protoc_gen_crd.conversion.composition import field_counterparts
from protoc_gen_crd.conversion.derivation.declaration_derivation import DeclarationDerivation
from protoc_gen_crd.conversion.plan.copy_steps import Copy
from protoc_gen_crd.conversion.runtime import spoke_to_spoke
from protoc_gen_crd.conversion.runtime.hub_changes import _Moved
from protoc_gen_crd.conversion.runtime.spoke_to_spoke import Spokes
from tests.property import conversion_laws
from tests.property.conversion_laws import LAWS, find_violation, make_converters
from tests.property.declared_kinds import DECLARED, VERSIONS, DeclaredKind, Json
from tests.support.conversion import bare, fields, listed

SEEDS = range(40)
OBJECTS = 10  # of each kind and law
# Kinds that have exposed a defect in 30 objects, or are broken by one of `DEFECTS`.
EXPOSED = (
    1,
    12,
    318,
    345,
    370,
    448,
    602,
    603,
    690,
    750,
    825,
    871,
    1071,
    1315,
    3932,
    4233,
    4311,
    5638,
    5848,
    8143,
    10184,
    10391,
    15523,
    17516,
    17622,
    18467,
    18735,
    20399,
    30045,
    30248,
    30315,
    30329,
    100090,
    1864161332,
    3130833194,
)
INTEGER = {"type": "integer"}
STRING = {"type": "string"}
FEWEST_KINDS = 20  # share of the seeds: the others have declarations that are rejected


@cache
def _get_converters(seed: int) -> tuple[Converter, ...]:
    """Return the converters of a kind, which tests without a defect share."""
    return tuple(make_converters(DeclaredKind(seed)))


def _get_converter(seed: int) -> Converter:
    """Return the first converter of a kind alone."""
    kind = DeclaredKind(seed)
    return Converter(kind.crd, hub=kind.hub)


def _find_violations(
    laws: Any, seeds: range = SEEDS, objects: int = OBJECTS, get: Callable[[int], Sequence[Converter]] = _get_converters
) -> Iterator[tuple[int, str, str]]:
    """Yield the seeds that violate a law, after it checked that there are enough kinds."""
    kinds = 0
    for seed in seeds:
        kind, converters = DeclaredKind(seed), get(seed)
        kinds += bool(converters)
        for law in laws if converters else ():
            kind.random = Random(f"{seed} {law}")
            results = (find_violation(kind, converters, law) for _ in range(objects))
            yield from ((seed, law, violation) for violation in results if violation)
    assert kinds >= FEWEST_KINDS or len(seeds) < len(SEEDS)


def test_no_conversion_loses_data() -> None:
    assert not list(_find_violations(LAWS))


@pytest.mark.parametrize("seed", EXPOSED)
def test_a_kind_that_exposed_a_defect_loses_nothing(seed: int) -> None:
    assert not list(_find_violations(LAWS, range(seed, seed + 1), 30))


def test_an_object_without_fields_that_two_versions_rename_is_converted_between_all() -> None:
    """b2 of v1alpha2 is c6.b2 of v1beta1 and b8 of v1."""
    for converter in _get_converters(750):
        obj = {"apiVersion": "acme.example/v1alpha2", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"b2": {}}}
        converted = converter.convert(obj, "v1")
        assert converted["spec"]["b8"] == {}
        assert converter.convert(converted, "v1alpha2") == obj


@pytest.mark.parametrize(
    ("seed", "obj", "trip"),
    [
        pytest.param(
            3446754211,
            {"spec": {"c12": []}},
            (("v1", "v1alpha2"), ("v1beta1", "v1alpha1"), ("v1alpha1", "v1alpha2"), ("v1", "v1beta1")),
            id="empty list in an object that only v1 has",
        ),
        pytest.param(
            3820931080,
            {"labels": {"acme.example/c26": "A"}, "spec": {"c22": {"a20": "aB", "c21": True}}},
            (("v1alpha2", "v1"), ("v1alpha2", "v1alpha1"), ("v1", "v1"), ("v1alpha2", "v1beta1")),
            id="field of an object that only v1 and v1beta1 have",
        ),
    ],
)
def test_an_object_of_v1beta1_is_restored_after_changes_of_the_hub(
    seed: int, obj: Json, trip: tuple[tuple[str, str], ...]
) -> None:
    converters = {converter.plan.hub: converter for converter in _get_converters(seed)}
    metadata = {"name": "a"} | ({"labels": obj["labels"]} if "labels" in obj else {})
    before = {"apiVersion": "acme.example/v1beta1", "kind": "Thing", "metadata": metadata, "spec": obj["spec"]}
    result: Json = before
    for hub, version in trip:
        result = converters[hub].convert(result, version)
    assert result == before


def test_a_rounded_number_is_restored_with_other_data_of_an_earlier_hub() -> None:
    """b24 of v1 is twice a13 of v1alpha2, which v1alpha1 lacks. No module of v1beta1 converts between these two."""
    converters = {converter.plan.hub: converter for converter in _get_converters(100090)}
    spec = {"b17": {"b12": "S", "b24": 5}}
    obj = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    stored = converters["v1alpha2"].convert(converters["v1beta1"].convert(obj, "v1beta1"), "v1alpha1")
    assert stored["spec"] == {}
    assert converters["v1beta1"].convert(stored, "v1") == obj


def test_an_object_without_fields_is_kept_if_a_client_adds_an_item_of_other_fields() -> None:
    """b1 of both versions is an item of a8 of the hub, and b4 is not in v1alpha1."""
    converter = _get_converter(992039153)
    obj = {"apiVersion": "acme.example/v1alpha1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"b1": {}}}
    converted = converter.convert(obj, "v1beta1")
    converted["spec"]["b1"] = {"b4": False}
    result = converter.convert(converted, "v1alpha1")
    assert bare(result) == obj
    assert converter.convert(result, "v1beta1") == converted


def test_a_value_of_another_spoke_is_shown_in_an_item_with_a_field_that_the_spoke_lacks() -> None:
    """a4 of v1 is half of a4 of both spokes. v1alpha2 lacks b3[].a10[].c15, which is in b17 of the hub."""
    converter = _get_converter(183668562)
    spec = {"b3": [{"a4": 5, "a10": [{"name": "x", "c15": []}]}]}
    obj = {"apiVersion": "acme.example/v1beta1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    converted = converter.convert(obj, "v1alpha2")
    assert converted["spec"] == {"b3": [{"a4": 5, "a10": [{"name": "x"}]}]}
    assert list(converted["metadata"]["annotations"]) == ["acme.example/conversion-data.v1"]
    assert converter.convert(converted, "v1beta1") == obj


def test_a_value_of_another_spoke_is_shown_in_an_item_with_further_items_that_the_spoke_lacks() -> None:
    """half of v1 is half of n of the other versions. v1alpha1 has only the first item of rows[].many."""
    computed = {DECLARED: {"renamed_from": "n", "cel": {"from": "self / 2", "to": "self * 2"}}}
    single = {DECLARED: {"renamed_from": "one", "one_item": True}}
    kind = DeclaredKind.of(
        v1alpha1=fields(rows=listed(one=fields(n=INTEGER))),
        v1beta1=fields(rows=listed(many={**listed(n=INTEGER), **single})),
        v1=fields(rows=listed(many=listed(half={**INTEGER, **computed}))),
    )
    converter = Converter(kind.crd)
    spec = {"rows": [{"many": [{"n": 5}, {"n": 8}]}]}
    obj = {"apiVersion": "acme.example/v1beta1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    converted = converter.convert(obj, "v1alpha1")
    assert converted["spec"] == {"rows": [{"one": {"n": 5}}]}
    assert converter.convert(converted, "v1beta1") == obj


@pytest.mark.parametrize("absent", [{}, {"one": None}], ids=["missing", "null"])
def test_a_field_that_moved_out_of_a_single_item_is_shown_without_the_object(absent: Json) -> None:
    """many[].moved of v1alpha1 is one.moved of v1alpha2, and moved of v1beta1."""
    single = {"nullable": True, DECLARED: {"renamed_from": "many", "one_item": True}}
    kind = DeclaredKind.of(
        v1alpha1=fields(many=listed(own=STRING, moved=STRING)),
        v1alpha2=fields(one={**fields(own=STRING, moved=STRING), **single}),
        v1beta1=fields(
            one={**fields(own=STRING), "nullable": True}, moved={**STRING, DECLARED: {"renamed_from": "one.moved"}}
        ),
    )
    spec = {**absent, "moved": "x"}
    obj = {"apiVersion": "acme.example/v1beta1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    for converter in make_converters(kind):
        converted = converter.convert(obj, "v1alpha1")
        assert converted["spec"] == {"many": [{"moved": "x"}]}
        assert converter.convert(converted, "v1beta1") == obj
        converted["spec"]["many"][0]["moved"] = "y"
        assert converter.convert(converted, "v1beta1")["spec"]["moved"] == "y"


def test_a_list_whose_first_item_is_null_is_shown_in_another_spoke() -> None:
    """c9 of v1 and v1beta1 is a list, of which the hub has the first item. Only v1 has another type of its items."""
    converter = _get_converter(3095484112)
    spec = {"c9": [None, {"a7": "x", "a18": False}]}
    obj = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    converted = converter.convert(obj, "v1beta1")
    assert converted["spec"] == {"c9": [None, {"a7": "x", "a2": False}]}
    assert bare(converter.convert(converted, "v1")) == obj


def test_null_is_restored_in_an_object_that_is_no_item_without_other_fields() -> None:
    """a1 of v1alpha2 is an item of c18 of the hub, and a1.a4 is outside of c18."""
    converter = _get_converter(636670485)
    spec = {"a1": {"a4": None}}
    obj = {"apiVersion": "acme.example/v1alpha2", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    assert converter.convert(converter.convert(obj, "v1"), "v1alpha2") == obj


def test_a_kept_value_is_removed_with_an_object_that_is_moved() -> None:
    """a1[0] of v1alpha1 is c21.a9 of v1, and only v1 has c21.a9.b20."""
    converter = _get_converter(2190857434)
    spec = {"c21": {"a9": {"b20": [{"c16": "x"}]}}}
    obj = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    converted = converter.convert(obj, "v1alpha1")
    assert converted["spec"] == {"a1": [{}]}
    assert converter.convert(converted, "v1") == obj
    assert converter.convert({**converted, "spec": {}}, "v1")["spec"] == {}


def test_further_items_are_kept_if_a_client_adds_a_field_that_items_lack() -> None:
    """c5 of v1 is the first item of c1 of the hub, and c5.a9 is preserved."""
    converter = _get_converter(13055)
    spec = {"c1": [{"c4": "x"}, {"c4": "y"}]}
    obj = {"apiVersion": "acme.example/v1alpha2", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    converted = converter.convert(obj, "v1")
    converted["spec"]["c5"]["a9"] = {"k": {"c7": "S"}}
    again = converter.convert(converted, "v1alpha2")
    assert again["spec"] == spec
    assert converter.convert(again, "v1") == converted
    converted["spec"]["c5"]["c4"] = "z"
    assert converter.convert(converted, "v1alpha2")["spec"] == {"c1": [{"c4": "z"}]}


def test_items_are_restored_through_an_earlier_hub_without_direct_conversions_of_spokes() -> None:
    """c15 of v1beta1 is the first item of a17 of v1. No hub can convert between v1alpha2 and v1 directly."""
    converters = {converter.plan.hub: converter for converter in _get_converters(3953076237)}
    spec = {"a17": [{"c14": {"k": "x"}}, {"c14": {"k": "y"}}]}
    obj = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    stored = converters["v1beta1"].convert(obj, "v1alpha2")
    converted = converters["v1alpha1"].convert(stored, "v1alpha1")
    assert converters["v1beta1"].convert(converted, "v1") == obj


@pytest.mark.parametrize("hub", [0, 1, 2, 3])
def test_an_expression_applies_to_the_field_of_a_single_item_in_a_later_version(hub: int) -> None:
    """c4 of v1alpha1 is in lower case since v1alpha2, and is the field c23 of the only item of b32 in v1."""
    converter = _get_converters(4233)[hub]
    spec = {"a1": {"b3": {"c4": "AB"}}}
    obj = {"apiVersion": "acme.example/v1alpha1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    converted = converter.convert(obj, "v1")
    assert converted["spec"] == {"b32": [{"b3": {"c23": "ab"}}]}
    converted["spec"]["b32"][0]["b3"]["c23"] = "xy"
    assert converter.convert(converted, "v1alpha1")["spec"] == {"a1": {"b3": {"c4": "XY"}}}


def test_a_value_is_restored_through_an_earlier_hub_instead_of_a_default_of_the_hub() -> None:
    """b4 of v1alpha2 is b8 of v1beta1 and v1, with a default. No module converts v1alpha1 to v1beta1 directly."""
    converters = {converter.plan.hub: converter for converter in _get_converters(3345076046)}
    spec = {"a5": {"c1": "", "b8": "y"}}
    obj = {"apiVersion": "acme.example/v1beta1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    stored = converters["v1alpha2"].convert(obj, "v1alpha1")
    assert converters["v1"].convert(stored, "v1beta1") == obj


def test_a_field_of_an_object_that_the_hub_lacks_is_kept_if_a_client_changes_another_one() -> None:
    """a8 is in v1beta1 and v1, but not in the hub v1alpha2. Only v1 has a8.a11."""
    converter = _get_converter(3933920258)
    spec = {"a8": {"b5": "A", "a11": ""}}
    obj = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    converted = converter.convert(obj, "v1beta1")
    converted["spec"]["a8"]["b7"] = "S"
    assert converter.convert(converted, "v1")["spec"] == {"a8": {"b5": "A", "a11": "", "c13": "S"}}


def test_further_items_keep_unseen_values_if_a_client_that_sees_all_items_changes_the_first_one() -> None:
    """The hub v1 has only the first item of the list, and v1alpha2 lacks rows[].own."""
    kind = DeclaredKind.of(
        v1alpha2=fields(rows=listed(n=INTEGER)),
        v1beta1=fields(rows=listed(n=INTEGER, own={**STRING, DECLARED: {"preserved": True}})),
        v1=fields(row={**fields(n=INTEGER, own={**STRING, DECLARED: {"preserved": True}}),
                       DECLARED: {"renamed_from": "rows", "one_item": True}}),
    )  # fmt: skip
    spec = {"rows": [{"n": 1, "own": "a"}, {"n": 2, "own": "b"}, {"n": 3, "own": "c"}]}
    obj = {"apiVersion": "acme.example/v1beta1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    for converter in make_converters(kind):
        converted = converter.convert(obj, "v1alpha2")
        assert converted["spec"] == {"rows": [{"n": 1}, {"n": 2}, {"n": 3}]}
        for rows in ([{"n": 9}, {"n": 2}, {"n": 3}], [{"n": 9}, {"n": 2}], [{"n": 9}, {"n": 3}, {"n": 2}]):
            first, *further = converter.convert({**converted, "spec": {"rows": rows}}, "v1beta1")["spec"]["rows"]
            unchanged = [old if new["n"] == old["n"] else new for new, old in zip(rows, spec["rows"], strict=False)]
            assert (first["n"], further) == (9, unchanged[1:]), converter.plan.hub


STRINGS: Json = {"type": "array", "items": STRING}
FIRST: Json = {**STRING, DECLARED: {"renamed_from": "all", "one_item": True}}
ROW = fields(n=INTEGER, all=STRINGS)


def test_lists_inside_further_items_are_kept_if_a_client_that_sees_their_first_items_changes_another_item() -> None:
    """The hub v1alpha2 has only rows[0], and v1 has only rows[].all[0]."""
    kind = DeclaredKind.of(
        v1alpha2=fields(row=ROW),
        v1beta1=fields(rows={"type": "array", "items": ROW, DECLARED: {"renamed_from": "row", "one_item": True}}),
        v1=fields(rows=listed(n=INTEGER, first=FIRST)),
    )
    spec = {"rows": [{"n": 1, "all": ["a", "A"]}, {"n": 2, "all": ["b", "B"]}, {"n": 3, "all": ["c", "C"]}]}
    obj = {"apiVersion": "acme.example/v1beta1", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
    for converter in make_converters(kind):
        for changed in range(3):
            converted = deepcopy(converter.convert(obj, "v1"))
            converted["spec"]["rows"][changed]["n"] = 9
            rows = converter.convert(converted, "v1beta1")["spec"]["rows"]
            assert rows.pop(changed)["n"] == 9
            assert rows == [row for index, row in enumerate(spec["rows"]) if index != changed], converter.plan.hub


def test_further_items_are_kept_if_a_client_changes_a_value_inside_the_first_item_that_is_shown_of_a_list() -> None:
    """The hub v1alpha2 has only rows[0] of v1, with a list that v1 has only the first item of."""
    kind = DeclaredKind.of(
        v1alpha2=fields(row=ROW),
        v1=fields(rows={**listed(n=INTEGER, first=FIRST), DECLARED: {"renamed_from": "row", "one_item": True}}),
    )
    obj = {"apiVersion": "acme.example/v1alpha2", "kind": "Thing", "metadata": {"name": "a"},
           "spec": {"row": {"n": 1, "all": ["a", "A"]}}}  # fmt: skip
    for converter in make_converters(kind):
        edited = {**converter.convert(obj, "v1"), "spec": {"rows": [{"n": 1, "first": "x"}, {"n": 2, "first": "b"}]}}
        stored = converter.convert(edited, "v1alpha2")
        assert stored["spec"] == {"row": {"n": 1, "all": ["x"]}}
        assert converter.convert(stored, "v1")["spec"] == edited["spec"], converter.plan.hub


@pytest.mark.parametrize(
    ("spec", "versions"),
    [
        ({"port": "x"}, ("v1alpha1", "v1beta1")),
        ({"port": "x:y"}, ("v1alpha1", "v1alpha2", "v1beta1")),
        ({"host": "a", "port": "b:c"}, ("v1alpha1", "v1alpha2", "v1beta1")),
    ],
)
def test_parts_of_a_string_that_the_hub_lacks_are_restored_through_other_hubs(
    spec: Json, versions: Sequence[str]
) -> None:
    """The string becomes `:x` in v1alpha2, so its first part is an empty string there, and unset in v1."""
    names = ("host", "port", "path")
    options = [{DECLARED: {"part": {"of": "text", "separator": ":", "index": index}}} for index in range(3)]
    parts = fields(n=INTEGER, **{name: {**STRING, **option} for name, option in zip(names, options, strict=True)})
    kind = DeclaredKind.of(
        v1alpha1=fields(n=INTEGER),
        v1alpha2=fields(n=INTEGER, text={**STRING, DECLARED: {"preserved": True}}),
        v1beta1=parts,
        v1=parts,
    )
    obj = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"n": 1, **spec}}
    for version in versions:
        for steps in product(make_converters(kind), repeat=3):
            stored = steps[1].convert(steps[0].convert(obj, version), "v1alpha1")
            assert bare(steps[2].convert(stored, "v1")) == obj, (version, [converter.plan.hub for converter in steps])


ONE_ITEM: Json = {DECLARED: {"renamed_from": "a", "one_item": True}}


def _halve(previous: str) -> Json:
    """Return a number that is half of that of the previous version."""
    return {**INTEGER, DECLARED: {"cel": {"from": "self / 2", "to": "self * 2"}, "versions": [previous]}}


def _rename(node: Json, source: str, **option: str) -> Json:
    return {**node, DECLARED: {"renamed_from": source, **option}}


def _map_of(**properties: Json) -> Json:
    return {"type": "object", "additionalProperties": fields(**properties)}


OBJECT, ITEMS, MAP = fields(n=INTEGER), listed(n=INTEGER), _map_of(n=INTEGER)
KEYED: Json = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}


@pytest.mark.parametrize("in_list", [False, True])
@pytest.mark.parametrize(
    ("specs", "values"),
    [
        pytest.param(
            [fields(a=OBJECT), fields(b={**ITEMS, **ONE_ITEM}), fields(b=listed(n=_halve("v1beta1")))],
            [{"a": {"n": 6}}, {"b": [{"n": 6}]}, {"b": [{"n": 3}]}],
            id="list, then expression",
        ),
        pytest.param(
            [fields(a=ITEMS), fields(b={**OBJECT, **ONE_ITEM}), fields(b=fields(n=_halve("v1beta1")))],
            [{"a": [{"n": 6}]}, {"b": {"n": 6}}, {"b": {"n": 3}}],
            id="first item, then expression",
        ),
        pytest.param(
            [fields(a=OBJECT), fields(a=fields(n=_halve("v1alpha1"))), fields(b={**ITEMS, **ONE_ITEM})],
            [{"a": {"n": 6}}, {"a": {"n": 3}}, {"b": [{"n": 3}]}],
            id="expression, then list",
        ),
        pytest.param(
            [fields(a=ITEMS), fields(a=listed(n=_halve("v1alpha1"))), fields(b={**OBJECT, **ONE_ITEM})],
            [{"a": [{"n": 6}]}, {"a": [{"n": 3}]}, {"b": {"n": 3}}],
            id="expression, then first item",
        ),
        pytest.param(
            [fields(a=OBJECT), fields(b=_rename(OBJECT, "a")), fields(b=fields(n=_halve("v1alpha2"))),
             fields(c=_rename(fields(n=_halve("v1alpha2")), "b"))],
            [{"a": {"n": 6}}, {"b": {"n": 6}}, {"b": {"n": 3}}, {"c": {"n": 3}}],
            id="object that is renamed before and after",
        ),
        pytest.param(
            [fields(a=MAP), fields(b=_rename(MAP, "a")), fields(b=_map_of(n=_halve("v1alpha2"))),
             fields(c=_rename({**listed(n=_halve("v1alpha2"), name={"type": "string"}), **KEYED}, "b", key="name"))],
            [{"a": {"k": {"n": 6}}}, {"b": {"k": {"n": 6}}}, {"b": {"k": {"n": 3}}}, {"c": [{"name": "k", "n": 3}]}],
            id="map that is renamed before, and a list after",
        ),
    ],
)  # fmt: skip
def test_an_expression_applies_inside_an_object_that_changes_in_other_versions(
    specs: list[Json], values: list[Json], in_list: bool
) -> None:
    versions = (*VERSIONS[: len(specs) - 2], *VERSIONS[-2:])
    if in_list:
        specs, values = [fields(rows=listed(**spec["properties"])) for spec in specs], [{"rows": [v]} for v in values]
    kind = DeclaredKind.of(**dict(zip(versions, specs, strict=True)))
    objects = {
        name: {"apiVersion": f"acme.example/{name}", "kind": "Thing", "metadata": {"name": "a"}, "spec": spec}
        for name, spec in zip(versions, values, strict=True)
    }
    for hub in versions:
        converter = Converter(kind.crd, hub=hub)
        for source, target in product(versions, repeat=2):
            assert converter.convert(objects[source], target) == objects[target], (hub, source)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {"a": {"b": "x"}}, True),
        ({}, {"a": {"b": "y"}}, False),
        ({"a": "x"}, {}, False),
        ({"a": "y"}, {"a": "x"}, False),
        ({"a": [{}]}, {"a": [{"b": "x"}]}, True),
        ({"a": [{}]}, {"a": [{"b": "y"}]}, False),
        ({"a": [{}]}, {"a": [{}, {"b": "x"}]}, False),
    ],
)
def test_hubs_may_differ_only_in_added_defaults(before: Json, after: Json, expected: bool) -> None:
    assert conversion_laws._adds_only_defaults(before, after, ["x"]) is expected


def _update_default_of_hub(version: str) -> tuple[Converter, Json]:
    """Return an object with a default that only the conversion through the hub shows, after its client added a list.

    a7.a3 of v1alpha2 is a3 of the hub and a7.a9 of later versions, with a default. The hub lacks the list.
    """
    converter = _get_converter(20399)
    obj = {"apiVersion": "acme.example/v1alpha2", "kind": "Thing", "metadata": {"name": "a"}, "spec": {}}
    converted = converter.convert(obj, version)
    assert converted["spec"]["a7"] == {"a9": "x"}
    return converter, {**converted, "spec": {**converted["spec"], "c8": ["S"]}}


@pytest.mark.parametrize("version", ["v1beta1", "v1"])
def test_a_default_of_the_hub_is_shown_again_after_an_update(version: str) -> None:
    converter, updated = _update_default_of_hub(version)
    kept = converter.convert(updated, "v1alpha2")
    assert converter.convert(kept, version)["spec"] == updated["spec"]
    kept["spec"]["c6"]["a5"] = ["T"]
    shown = converter.convert(kept, version)["spec"]
    assert {name: part for name, part in shown.items() if part != {}} == {**updated["spec"], "c8": ["T"]}


def _convert_to_hub(self: Spokes, source: Json, own: str) -> Json:
    """Convert to the hub, and do not update the data of other spokes."""
    return self._convert(own, self._hub, source)


# The code that a defect replaces, its replacement, and the seed of a kind that it breaks.
DEFECTS: dict[str, tuple[object, str, Any, int]] = {
    "values of another spoke": (Spokes, "_update_data", lambda _, source, *__, **___: source, 603),
    "update of another spoke": (Spokes, "_convert_to_hub", _convert_to_hub, 602),
    "changed values": (spoke_to_spoke, "_merge_changes", lambda data, _, after: {**after, **data}, 602),
    "values of another hub": (_Moved, "update_hashes", lambda _, source, __: source, 345),
    "null": (module_generator, "find_null_fields", lambda *_: (), 12),
    "field of a single item": (DeclarationDerivation, "_enter_single_item", lambda *arguments: arguments[-1], 4233),
    "field beside a single item": (function_body, "find_outside_names", lambda *_: (), 3932),
    "value of a single item": (field_counterparts, "VALUE_COPIES", (Copy,), 10391),
    "conversion data": (module_generator, "find_conversion_data", lambda *_: (), 1),
}


@pytest.mark.parametrize("name", DEFECTS)
def test_a_defect_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    owner, attribute, defect, seed = DEFECTS[name]
    assert seed in EXPOSED  # without the defect, nothing is found
    monkeypatch.setattr(owner, attribute, defect)
    assert any(_find_violations(LAWS, range(seed, seed + 1), 25, _get_converters.__wrapped__))
