"""The proof detects defects: plans that lose data that clients of the other version never see."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan.container_steps import EachItem
from protoc_gen_crd.conversion.plan.copy_steps import Keep
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.conversion.proof.round_trip_laws import DirectionFacts, KeptField, RoundTripLaws
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Problems
from tests.support.conversion import crd, fields, rules

Json = dict[str, Any]
TEXT: Json = {"type": "string"}
SURVIVES = "an update in v1 loses data that v1 has no field for"
BACK = "the round trip changes the object"


def planned(definition: Json, conversion: Json) -> Plan:
    """The plan of a CRD and rules."""
    known = decode(definition).crd
    assert known is not None
    read = RuleReader(lambda path: Location("/".join(map(str, path))), Problems()).read(conversion)
    plan = build_plan(known, Problems(), [read.replace(name=known.name)])
    assert plan is not None
    return plan


def broken(plan: Plan) -> dict[str, Json]:
    """Return the laws that are broken, with the smallest counterexamples."""
    proofs = Prover(150, 1).prove(plan, load_converter(plan))
    return {violation.law: violation.object for proof in proofs for violation in proof.violations}


def changed(plan: Plan, change: Any) -> Plan:
    """Return a plan with changed steps in each direction."""

    def way(known: Direction) -> Direction:
        return known.replace(steps=tuple(change(known.steps)))

    pairs = [pair.replace(to_hub=way(pair.to_hub), from_hub=way(pair.from_hub)) for pair in plan.pairs]
    return plan.replace(pairs=tuple(pairs))


def test_labels_that_a_field_converts_to_are_random() -> None:
    label = "metadata.labels['acme.example/tier']"
    definition = crd(v1=fields(tier={**TEXT, "maxLength": 9, "pattern": "^[a-z]+$"}), v2=fields())
    plan = planned(
        definition,
        rules(
            ("v1", "v2", [{"field": "spec.tier", "destination": label}]),
            ("v2", "v1", [{"field": label, "destination": "spec.tier"}]),
        ),
    )
    assert broken(plan) == {}

    def careless(steps: tuple[Step, ...]) -> list[Step]:
        return [step for step in steps if not isinstance(step, Keep)]

    (result,) = [obj for law, obj in broken(changed(plan, careless)).items() if law == BACK]
    assert list(result["metadata"]["labels"]) == ["acme.example/tier"]


def test_items_are_identified_by_their_keys() -> None:
    keyed = {"x-kubernetes-list-type": "map"}
    results = {"type": "array", **keyed, "x-kubernetes-list-map-keys": ["name"],
           "items": {**fields(name=TEXT, size=TEXT), "required": ["name"]}}  # fmt: skip
    other = {"type": "array", **keyed, "x-kubernetes-list-map-keys": ["id"],
             "items": {**fields(id=TEXT, size=TEXT, kept=TEXT), "required": ["id"]}}  # fmt: skip
    there = ("v1", "v2", [{"field": "spec.l[i].name", "destination": "spec.l[i].id"}])
    back = ("v2", "v1", [{"field": "spec.l[i].id", "destination": "spec.l[i].name"}])
    conversion = rules(there, back)
    conversion["spec"]["conversions"][1]["preserve"] = ["spec.l[].kept"]
    plan = planned(crd(v1=fields(l=results), v2=fields(l=other)), conversion)
    assert broken(plan) == {}

    def forgetful(steps: tuple[Step, ...]) -> list[Step]:
        return [step.replace(keys=()) if isinstance(step, EachItem) else step for step in steps]

    assert broken(changed(plan, forgetful)).keys() == {SURVIVES}


def test_a_value_without_counterpart_survives_if_the_counterpart_stays_absent() -> None:
    def convert(obj: Json, version: str) -> Json:
        """Convert a day of v2 to all items of v1; kept if there is no item, and dropped once there is one."""
        spec, result = obj["spec"], {**obj, "apiVersion": f"acme.example/{version}"}
        items = spec["items"]
        if version == "v1":
            return {**result, "kept": spec["day"], "spec": {"items": [{"day": spec["day"]} for _ in items]}}
        days = [item["day"] for item in items if "day" in item] or ([] if items else [obj["kept"]])
        return {**result, "spec": {"items": [{} for _ in items], **({"day": days[0]} if days else {})}}

    kept = KeptField(("spec", "day"), 0, shown_paths=(("spec", "items", "[]", "day"),), has_counterpart=True)
    laws = RoundTripLaws(DirectionFacts("acme.example", ("v2", "v1"), (kept,)), convert, lambda _: ())
    obj = {"apiVersion": "acme.example/v2", "spec": {"day": "monday", "items": []}}
    result = convert(obj, "v1")
    first, second, third = (
        laws.check_kept_after_update(obj, result, edited, laws.convert_back(edited))
        for edited in (result, *({**result, "spec": {"items": [item]}} for item in ({"day": "friday"}, {})))
    )
    assert first is None
    assert second is None
    assert third is not None
    assert (third.law, third.path, third.detail) == (SURVIVES, "spec.day", 'nothing instead of "monday"')


def test_objects_that_were_converted_before_are_tested_without_that_data() -> None:
    conversion = rules(("v1", "v2", []), ("v2", "v1", []))
    conversion["spec"]["conversions"][0]["preserve"] = ["spec.gone"]
    plan = planned(crd(v1=fields(kept=TEXT, gone={"type": "integer"}), v2=fields(kept=TEXT)), conversion)
    convert = load_converter(plan)
    original = {"apiVersion": "acme.example/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": {"gone": 7}}
    converted = convert(original, "v2")
    assert "annotations" in converted["metadata"]
    proofs = list(Prover(150, 1).prove(plan, convert, [original, converted]))
    assert [violation for proof in proofs for violation in proof.violations] == []


def test_a_status_is_tested_with_the_validation_of_status_updates() -> None:
    definition = crd(v1=fields(a=TEXT), v2=fields(a=TEXT))
    for version, status in zip(
        definition["spec"]["versions"], (fields(phase=TEXT), fields(phase={**TEXT, "maxLength": 3})), strict=True
    ):
        version["subresources"] = {"status": {}}
        version["schema"]["openAPIV3Schema"]["properties"]["status"] = {**status, "required": ["phase"]}
    result = broken(planned(definition, rules(("v1", "v2", []), ("v2", "v1", []))))
    assert result.keys() == {"the converted object is invalid"}
    assert len(result.popitem()[1]["status"]["phase"]) > 3
