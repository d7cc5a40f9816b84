"""Single entries of maps in `preserve` and `drop`."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd import Converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from tests.support.conversion import bare, crd, fields, rules

Json = dict[str, Any]
STRING: Json = {"type": "string"}
MAP: Json = {"type": "object", "additionalProperties": STRING}
KEY = "spec.m['a.b/c']"
MOVED = [{"field": "spec.m", "destination": "spec.n"}]
MOVED_BACK = [{"field": "spec.n", "destination": "spec.m"}]
PICKED = [{"field": "spec.m['x']", "destination": "spec.a"}]
FILLED = [{"field": "spec.a", "destination": "spec.m['x']"}]


def make_rules(there: list[Json], back: list[Json], *members: dict[str, list[str]]) -> Json:
    encoded = rules(("v1", "v2", there), ("v2", "v1", back))
    for conversion, more in zip(encoded["spec"]["conversions"], members, strict=False):
        conversion |= more
    return encoded


def make_object(version: str, **spec: Any) -> Json:
    return {"apiVersion": f"acme.example/{version}", "kind": "Thing", "spec": spec}


SAME = crd(v1=fields(m=MAP), v2=fields(m=MAP))
RENAMED = crd(v1=fields(m=MAP), v2=fields(n=MAP))
NESTED = crd(v1=fields(o=fields(m=MAP)), v2=fields(o=fields(m=MAP)))
ALONE = crd(v1=fields(m=MAP), v2=fields(a=STRING))
KEPT, DROPPED = {"preserve": [KEY]}, {"drop": [KEY]}
BOTH = {"a.b/c": "1", "x": "2"}

# Return the CRD, the rules, an object of v1, its form in v2, an update of that, and the resulting object of v1.
Case = tuple[Json, Json, Json, Json, Json, Json]
CASES: dict[str, Case] = {
    "an entry of a map of both versions": (
        SAME, make_rules([], [], KEPT, DROPPED), {"m": BOTH}, {"m": {"x": "2"}}, {"m": {"x": "3"}},
        {"m": {"x": "3", "a.b/c": "1"}},
    ),
    "the only entry": (SAME, make_rules([], [], KEPT, KEPT), {"m": {"a.b/c": "1"}}, {}, {}, {"m": {"a.b/c": "1"}}),
    "each version has its own": (
        SAME, make_rules([], [], KEPT, KEPT), {"m": BOTH}, {"m": {"x": "2"}}, {"m": {"a.b/c": "4"}},
        {"m": {"a.b/c": "1"}},
    ),
    "an entry that is dropped": (
        SAME, make_rules([], [], DROPPED, DROPPED), {"m": BOTH}, {"m": {"x": "2"}}, {"m": {"x": "2"}},
        {"m": {"x": "2"}},
    ),
    "an entry of a renamed map": (
        RENAMED, make_rules(MOVED, MOVED_BACK, KEPT, {"drop": ["spec.n['a.b/c']"]}), {"m": BOTH}, {"n": {"x": "2"}},
        {"n": {}}, {"m": {"a.b/c": "1"}},
    ),
    "an entry of a map in a copied object": (
        NESTED, make_rules([], [], {"preserve": ["spec.o.m['a.b/c']"]}, {"drop": ["spec.o.m['a.b/c']"]}),
        {"o": {"m": BOTH}}, {"o": {"m": {"x": "2"}}}, {"o": {"m": {"x": "3"}}}, {"o": {"m": {"x": "3", "a.b/c": "1"}}},
    ),
    "an entry and another one that becomes a field": (
        ALONE, make_rules(PICKED, FILLED, {**KEPT, "drop": ["spec.m"]}), {"m": {**BOTH, "z": "5"}}, {"a": "2"},
        {"a": "3"}, {"m": {"a.b/c": "1", "x": "3"}},
    ),
    "an entry of a map that the other version lacks": (
        ALONE, make_rules([], [], {**KEPT, "drop": ["spec.m"]}, {"drop": ["spec.a"]}), {"m": BOTH}, {}, {},
        {"m": {"a.b/c": "1"}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_entries_are_kept_alone(case: Case) -> None:
    kind, conversion, old, output, update, new = case
    convert = Converter(kind, conversion)
    source = make_object("v1", **old)
    result = convert.convert(source, "v2")
    assert source == make_object("v1", **old)
    assert bare(result)["spec"] == output
    edited = {**result, "spec": update}
    back = convert.convert(edited, "v1")
    assert back["spec"] == new
    assert convert.convert(back, "v2")["spec"].get("m", {}).get("a.b/c") == update.get("m", {}).get("a.b/c")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_conversions_with_entries_are_lossless(case: Case) -> None:
    kind = decode(case[0]).crd
    assert kind is not None
    file = RuleReader(lambda _: Location("rules.yaml"), problems := Problems()).read(case[1])
    plan = build_plan(kind, problems, [file.replace(name=kind.name)])
    assert plan is not None
    assert problems.findings == []
    convert = Converter(case[0], case[1]).convert
    assert [proof.violations for proof in Prover(60, 1).prove(plan, convert)] == [(), ()]


@pytest.mark.parametrize(
    ("kind", "conversion", "message"),
    [
        (
            SAME,
            make_rules([], [], KEPT),
            f'entry "{KEY}" of v1 is kept or dropped, but its counterpart "{KEY}" of v2 is copied',
        ),
        (
            ALONE,
            make_rules(PICKED, FILLED, KEPT),
            f'entry "{KEY}" of v1 cannot be kept or dropped alone: "spec.m" is not copied',
        ),
    ],
)
def test_entries_that_cannot_be_kept_alone(kind: Json, conversion: Json, message: str) -> None:
    with pytest.raises(ValueError, match="entry ") as error:
        Converter(kind, conversion)
    assert message in str(error.value)
