"""Kinds by chance: whatever the check takes without a word loses nothing and makes valid objects."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.code.modules import converter
from protoc_gen_crd.conversion.planning import plan_of
from protoc_gen_crd.conversion.proof.prove import Proof, Prover
from tests.support.kinds import Kinds

WARNING = "conversion-narrowed"
# What a warning tells of: values that the other version does not take.
_TOLD = ("an object must convert", "what is converted must be valid", "what is converted must convert back")


def broken(seed: int, count: int) -> list[str]:
    """The laws that a kind breaks though nothing has been said of it, with the kind in words."""
    crd, words = Kinds(seed).kind()
    problems = Problems()
    plan = plan_of(crd, problems)
    rules = {finding.rule for finding in problems.findings}
    if plan is None or rules - {WARNING}:
        return []
    proofs: list[Proof] = list(Prover(count, seed).prove(plan, converter(plan)))
    found = [each for proof in proofs for each in proof.broken if not (rules and each.law in _TOLD)]
    return [f"{seed} ({words}): {each.law}: {each.path} {each.found} of {each.object}" for each in found]


def test_what_the_check_takes_loses_nothing() -> None:
    assert [text for seed in range(40) for text in broken(seed, 15)] == []
