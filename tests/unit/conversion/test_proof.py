"""The proof finds what it is there to find: plans that lose what clients of the other version never see."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.conversion.code.modules import converter
from protoc_gen_crd.conversion.plan.containers import Items
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Keep, Step
from protoc_gen_crd.conversion.planning import plan_of
from protoc_gen_crd.conversion.proof.laws import Kept, Laws, Told
from protoc_gen_crd.conversion.proof.prove import Prover
from protoc_gen_crd.conversion.rules.rules import Reader
from protoc_gen_crd.crd.decode import decode
from tests.support.conversion import crd, fields, rules

Json = dict[str, Any]
TEXT: Json = {"type": "string"}
SURVIVES = "what v1 cannot show must survive an update there"
BACK = "an object must come back as it was"


def planned(given: Json, said: Json) -> Plan:
    """The plan of a CRD and rules."""
    known = decode(given).crd
    assert known is not None
    read = Reader(lambda path: Location("/".join(map(str, path))), Problems()).read(said)
    plan = plan_of(known, Problems(), [read.replace(name=known.name)])
    assert plan is not None
    return plan


def broken(plan: Plan) -> dict[str, Json]:
    """The laws that are broken, with what is smallest of it."""
    proofs = Prover(150, 1).prove(plan, converter(plan))
    return {one.law: one.object for proof in proofs for one in proof.broken}


def changed(plan: Plan, change: Any) -> Plan:
    """A plan with the steps of each way changed."""

    def way(known: Way) -> Way:
        return known.replace(steps=tuple(change(known.steps)))

    pairs = [pair.replace(to_hub=way(pair.to_hub), from_hub=way(pair.from_hub)) for pair in plan.pairs]
    return plan.replace(pairs=tuple(pairs))


def test_labels_that_a_field_becomes_are_set_by_chance() -> None:
    label = "metadata.labels['acme.example/tier']"
    given = crd(v1=fields(tier={**TEXT, "maxLength": 9, "pattern": "^[a-z]+$"}), v2=fields())
    plan = planned(
        given,
        rules(
            ("v1", "v2", [{"field": "spec.tier", "destination": label}]),
            ("v2", "v1", [{"field": label, "destination": "spec.tier"}]),
        ),
    )
    assert broken(plan) == {}

    def careless(steps: tuple[Step, ...]) -> list[Step]:
        return [step for step in steps if not isinstance(step, Keep)]

    (found,) = [obj for law, obj in broken(changed(plan, careless)).items() if law == BACK]
    assert list(found["metadata"]["labels"]) == ["acme.example/tier"]


def test_items_are_told_apart_by_their_keys() -> None:
    keyed = {"x-kubernetes-list-type": "map"}
    one = {"type": "array", **keyed, "x-kubernetes-list-map-keys": ["name"],
           "items": {**fields(name=TEXT, size=TEXT), "required": ["name"]}}  # fmt: skip
    other = {"type": "array", **keyed, "x-kubernetes-list-map-keys": ["id"],
             "items": {**fields(id=TEXT, size=TEXT, kept=TEXT), "required": ["id"]}}  # fmt: skip
    there = ("v1", "v2", [{"field": "spec.l[i].name", "destination": "spec.l[i].id"}])
    back = ("v2", "v1", [{"field": "spec.l[i].id", "destination": "spec.l[i].name"}])
    said = rules(there, back)
    said["spec"]["conversions"][1]["preserve"] = ["spec.l[].kept"]
    plan = planned(crd(v1=fields(l=one), v2=fields(l=other)), said)
    assert broken(plan) == {}

    def forgetful(steps: tuple[Step, ...]) -> list[Step]:
        return [step.replace(keys=()) if isinstance(step, Items) else step for step in steps]

    assert broken(changed(plan, forgetful)).keys() == {SURVIVES}


def test_what_nothing_is_shown_for_survives_where_nothing_is_shown_later() -> None:
    def convert(obj: Json, version: str) -> Json:
        """A day of v2 in all items of v1, put aside where there is none, which is forgotten when there is one."""
        spec, made = obj["spec"], {**obj, "apiVersion": f"acme.example/{version}"}
        items = spec["items"]
        if version == "v1":
            return {**made, "aside": spec["day"], "spec": {"items": [{"day": spec["day"]} for _ in items]}}
        days = [item["day"] for item in items if "day" in item] or ([] if items else [obj["aside"]])
        return {**made, "spec": {"items": [{} for _ in items], **({"day": days[0]} if days else {})}}

    kept = Kept(("spec", "day"), 0, seen=(("spec", "items", "[]", "day"),), made=True)
    laws = Laws(Told("acme.example", ("v2", "v1"), (kept,)), convert, lambda _: ())
    obj = {"apiVersion": "acme.example/v2", "spec": {"day": "monday", "items": []}}
    made = convert(obj, "v1")
    assert laws.survives(obj, made, made) is None
    assert laws.survives(obj, made, {**made, "spec": {"items": [{"day": "friday"}]}}) is None
    found = laws.survives(obj, made, {**made, "spec": {"items": [{}]}})
    assert found is not None
    assert (found.law, found.path, found.found) == (SURVIVES, "spec.day", 'nothing instead of "monday"')


def test_a_status_is_proven_as_what_is_written_to_it_is_judged() -> None:
    given = crd(v1=fields(a=TEXT), v2=fields(a=TEXT))
    for version, status in zip(
        given["spec"]["versions"], (fields(phase=TEXT), fields(phase={**TEXT, "maxLength": 3})), strict=True
    ):
        version["subresources"] = {"status": {}}
        version["schema"]["openAPIV3Schema"]["properties"]["status"] = {**status, "required": ["phase"]}
    found = broken(planned(given, rules(("v1", "v2", []), ("v2", "v1", []))))
    assert found.keys() == {"what is converted must be valid"}
    assert len(found.popitem()[1]["status"]["phase"]) > 3
