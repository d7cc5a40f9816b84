"""Plans that are changed by a step: the proof, or the check before it, finds each change."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.check.check import check
from protoc_gen_crd.conversion.code.codegen import module
from protoc_gen_crd.conversion.code.modules import converter
from protoc_gen_crd.conversion.derive.sides import OF_ALL
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS
from protoc_gen_crd.conversion.plan.plan import Pair, Plan
from protoc_gen_crd.conversion.plan.steps import Step
from protoc_gen_crd.conversion.proof.prove import Prover
from protoc_gen_crd.schema.types import Schema
from tests.support.conversion import Case, cases

EXAMPLE = Case(Path(__file__).parents[3] / "examples" / "conversion" / "proto")
SOUND = [case for case in cases() if not (case.folder / "expected" / "findings.txt").exists()]


def mutants(plan: Plan) -> Iterator[tuple[str, Plan]]:
    """The plan with a step less, with two steps that write each other's place, and with one that writes elsewhere."""
    for number, pair in enumerate(plan.pairs):
        for name in ("to_hub", "from_hub"):
            way = getattr(pair, name)
            known = dict(_below(plan.schema(way.target), ()))
            for index, step in enumerate(way.steps):
                before, after = way.steps[:index], way.steps[index + 1 :]
                yield f"{name} without {step.shown()}", _with(plan, number, pair, name, (*before, *after))
                for path in _elsewhere(step, known):
                    moved = (*before, step.replace(target=path), *after)
                    yield f"{name} {step.shown()} to {paths.shown(path)}", _with(plan, number, pair, name, moved)
            for one, other in _alike(way.steps):
                swapped = {id(one): other.target, id(other): one.target}
                steps = tuple([step.replace(target=swapped.get(id(step), step.target)) for step in way.steps])
                yield f"{name} with {one.shown()} and {other.shown()} swapped", _with(plan, number, pair, name, steps)


def _below(schema: Schema, path: paths.Path) -> Iterator[tuple[paths.Path, Schema]]:
    for step, child in ((paths.ITEM, schema.items), (paths.VALUE, schema.additional), *schema.properties.items()):
        if isinstance(child, Schema) and not (path == () and step in OF_ALL):
            yield (*path, step), child
            yield from _below(child, (*path, step))


def _elsewhere(step: Step, known: dict[paths.Path, Schema]) -> Iterator[paths.Path]:
    own = known.get(paths.bare(step.target)) if step.writes() else None
    if own is None:
        return
    for path, schema in known.items():
        if path != paths.bare(step.target) and schema.type == own.type and path[-1] not in BRACKETS:
            yield path


def _alike(steps: tuple[Step, ...]) -> Iterator[tuple[Step, Step]]:
    for index, one in enumerate(steps):
        for other in steps[index + 1 :]:
            if type(one) is type(other) and one.writes() and one.target[:-1] == other.target[:-1]:
                yield one, other


def _with(plan: Plan, number: int, pair: Pair, name: str, steps: tuple[Step, ...]) -> Plan:
    changed = pair.replace(**{name: getattr(pair, name).replace(steps=steps)})
    return plan.replace(pairs=(*plan.pairs[:number], changed, *plan.pairs[number + 1 :]))


def _code(plan: Plan) -> str:
    """What a plan does: its module without words."""
    tree = ast.parse(module(plan))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = node.body[1:]
    return ast.dump(tree)


@pytest.mark.parametrize("case", [*SOUND, EXAMPLE], ids=lambda case: case.name)
def test_a_changed_plan_is_found(case: Case) -> None:
    missed = []
    for what, mutant in mutants(case.plan):
        problems = Problems()
        check(mutant, problems)
        if problems.findings:
            continue
        convert = converter(mutant, str(case.folder))
        if not any(proof.broken for proof in Prover(60, 0).prove(mutant, convert)) and _code(mutant) != _code(
            case.plan
        ):
            missed.append(what)
    assert missed == []
