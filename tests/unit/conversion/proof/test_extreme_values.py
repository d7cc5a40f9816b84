"""Values that a proof tests: limits of types, empty and long strings; and its reports of numbers out of range."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Problems
from tests.support.conversion import Object, crd, fields

COUNT = {"type": "integer"}
SMALL = {"type": "integer", "format": "int32"}
BOUND = {"type": "integer", "minimum": -5, "maximum": 5}
FIELDS = fields(whole=COUNT, small=SMALL, bound=BOUND, number={"type": "number"}, text={"type": "string"})
ENDS = {-(2**63), 2**63 - 1, -(2**31), 2**31 - 1, -5, 5, 1e300, -1e300}


def plan(**specs: Object) -> Plan:
    known = decode(crd(**specs)).crd
    assert known is not None
    result = build_plan(known, Problems())
    assert result is not None
    return result


def leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    else:
        yield value


def test_the_limits_of_types_are_tested() -> None:
    seen: set[Any] = set()
    same = plan(v1=FIELDS, v2=FIELDS)
    convert = load_converter(same)

    def watched(obj: Object, version: str) -> Object:
        seen.update(leaves(obj.get("spec")))
        return convert(obj, version)

    assert [proof.violations for proof in Prover(400, 1).prove(same, watched)] == [(), ()]
    assert ENDS | {"", "a" * 1000} <= seen


def test_a_rejected_number_is_not_a_lost_number() -> None:
    less = plan(v1=fields(a=COUNT), v2=fields(a=SMALL))
    assert [proof.violations for proof in Prover(100, 1).prove(less, load_converter(less))] == [(), ()]


def test_a_long_string_is_shortened() -> None:
    less = plan(v1=fields(a={"type": "string"}), v2=fields(a={"type": "string", "maxLength": 20}))
    (first, _) = Prover(200, 1).prove(less, load_converter(less))
    assert [len(broken.object["spec"]["a"]) for broken in first.violations] == [31]
