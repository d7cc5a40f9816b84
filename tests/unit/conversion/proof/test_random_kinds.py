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
    found = [each for proof in proofs for each in proof.violations if not (rules and each.law in _TOLD)]
    return [f"{seed} ({words}): {each.law}: {each.path} {each.detail} of {each.object}" for each in found]


def test_accepted_plans_lose_nothing() -> None:
    assert [text for seed in range(40) for text in broken(seed, 15)] == []
