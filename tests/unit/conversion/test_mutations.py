"""Plans that are changed by a step: the proof, or the check before it, finds each change."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.check import check
from protoc_gen_crd.conversion.modules import converter
from protoc_gen_crd.conversion.plan import Pair, Plan
from protoc_gen_crd.conversion.prove import Prover
from protoc_gen_crd.conversion.steps import Step
from tests.support.conversion import FOLDER, Case

CASES = ("n1-field-to-field", "n3-one-item", "n4-item-fields", "n6-map-to-list", "n7-from-outside", "n11-new-field")


def mutants(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """The plan with a step less, or with two steps that write each other's place."""
    for number, pair in enumerate(plan.pairs):
        for name in ("to_hub", "from_hub"):
            way = getattr(pair, name)
            for index, step in enumerate(way.steps):
                rest = (*way.steps[:index], *way.steps[index + 1 :])
                yield f"{name} without {step.shown()}", _with(plan, number, pair, name, rest)
            for one, other in _alike(way.steps):
                swapped = {one: other, other: one}
                steps = tuple([step.replace(target=swapped[step].target) if step in swapped else step
                               for step in way.steps])  # fmt: skip
                yield f"{name} with {one.shown()} and {other.shown()} swapped", _with(plan, number, pair, name, steps)


def _alike(steps: tuple[Step, ...]) -> Iterator[tuple[Step, Step]]:
    for index, one in enumerate(steps):
        for other in steps[index + 1 :]:
            if type(one) is type(other) and one.writes() and one.target[:-1] == other.target[:-1]:
                yield one, other


def _with(plan: Plan, number: int, pair: Pair, name: str, steps: tuple[Step, ...]) -> Plan:
    changed = pair.replace(**{name: getattr(pair, name).replace(steps=steps)})
    return plan.replace(pairs=(*plan.pairs[:number], changed, *plan.pairs[number + 1 :]))


@pytest.mark.parametrize("name", CASES)
def test_a_changed_plan_is_found(name: str) -> None:
    plan = Case(FOLDER / name).plan
    missed = []
    for what, mutant in mutants(plan):
        problems = Problems()
        check(mutant, problems)
        if problems.findings:
            continue
        if not any(proof.broken for proof in Prover(60, 0).prove(mutant, converter(mutant))):
            missed.append(what)
    assert missed == []
