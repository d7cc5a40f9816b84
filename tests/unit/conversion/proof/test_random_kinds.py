"""Random kinds: plans without findings lose nothing and generate valid objects."""

from __future__ import annotations

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.prover import Proof, Prover
from protoc_gen_crd.findings.finding import Problems
from tests.support.kinds import Kinds

WARNING = "conversion-narrowed"
# Values that the other version rejects, which a warning reports.
_TOLD = ("the conversion fails", "the converted object is invalid", "the conversion back fails")


def broken(seed: int, count: int) -> list[str]:
    """Return the laws that a kind without findings breaks, with a description of the kind."""
    crd, words = Kinds(seed).kind()
    problems = Problems()
    plan = build_plan(crd, problems)
    rules = {finding.rule for finding in problems.findings}
    if plan is None or rules - {WARNING}:
        return []
    proofs: list[Proof] = list(Prover(count, seed).prove(plan, load_converter(plan)))
    results = [
        violation for proof in proofs for violation in proof.violations if not (rules and violation.law in _TOLD)
    ]
    return [f"{seed} ({words}): {item.law}: {item.path} {item.detail} of {item.object}" for item in results]


def test_accepted_plans_lose_nothing() -> None:
    assert [text for seed in range(40) for text in broken(seed, 15)] == []
