"""Plans with one changed step: the proof, or the check before it, detects each change."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from protoc_gen_crd.conversion.checks.plan_check import check_plan
from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.codegen.module_generator import generate_module
from protoc_gen_crd.conversion.derivation.endpoints import COMMON_FIELDS
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS
from protoc_gen_crd.conversion.plan.plan import Plan, VersionPair
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema
from tests.support.conversion import Case, cases, find_broken_laws

EXAMPLE = Case(Path(__file__).parents[4] / "examples" / "conversion" / "proto")
SOUND = [case for case in cases() if case.is_sound]


def mutants(plan: Plan) -> Iterator[tuple[str, Plan, int]]:
    """Return plans without a step, with two steps that write each other's field, and with one that writes elsewhere.

    Each has a description and the index of the changed pair.
    """
    for number, pair in enumerate(plan.pairs):
        for name in ("to_hub", "from_hub"):
            way = getattr(pair, name)
            known = dict(_below(plan.get_schema(way.target), ()))
            for index, step in enumerate(way.steps):
                before, after = way.steps[:index], way.steps[index + 1 :]
                yield f"{name} without {step.format()}", _with(plan, number, pair, name, (*before, *after)), number
                for path in _elsewhere(step, known):
                    moved = (*before, step.replace(target=path), *after)
                    yield (
                        f"{name} {step.format()} to {paths.format_path(path)}",
                        _with(plan, number, pair, name, moved),
                        number,
                    )
            for first, other in _alike(way.steps):
                swapped = {id(first): other.target, id(other): first.target}
                steps = tuple([step.replace(target=swapped.get(id(step), step.target)) for step in way.steps])
                yield (
                    f"{name} with {first.format()} and {other.format()} swapped",
                    _with(plan, number, pair, name, steps),
                    number,
                )


def _below(schema: Schema, path: paths.Path) -> Iterator[tuple[paths.Path, Schema]]:
    for step, child in ((paths.ITEM, schema.items), (paths.VALUE, schema.additional), *schema.properties.items()):
        if isinstance(child, Schema) and not (path == () and step in COMMON_FIELDS):
            yield (*path, step), child
            yield from _below(child, (*path, step))


def _elsewhere(step: Step, known: dict[paths.Path, Schema]) -> Iterator[paths.Path]:
    own = known.get(paths.strip_object_scopes(step.target)) if step.get_writes() else None
    if own is None:
        return
    for path, schema in known.items():
        if path != paths.strip_object_scopes(step.target) and schema.type == own.type and path[-1] not in BRACKETS:
            yield path


def _alike(steps: tuple[Step, ...]) -> Iterator[tuple[Step, Step]]:
    for index, candidate in enumerate(steps):
        for other in steps[index + 1 :]:
            if type(candidate) is type(other) and candidate.get_writes() and candidate.target[:-1] == other.target[:-1]:
                yield candidate, other


def _with(plan: Plan, number: int, pair: VersionPair, name: str, steps: tuple[Step, ...]) -> Plan:
    changed = pair.replace(**{name: getattr(pair, name).replace(steps=steps)})
    return plan.replace(pairs=(*plan.pairs[:number], changed, *plan.pairs[number + 1 :]))


class RejectedError(Exception):
    """Raised instead of collecting findings: one is enough to reject a plan."""


class Strict(Problems):
    """Problems that end the check at the first finding."""

    def report(self, rule: str, *_: object, **__: object) -> None:
        raise RejectedError(rule)


def _is_rejected(plan: Plan, changed: int) -> bool:
    """Return whether a plan has errors. The changed pair is checked first, because it usually has them."""
    try:
        check_plan(plan.replace(pairs=(plan.pairs[changed],)), Strict())
        check_plan(plan, Strict())
    except RejectedError:
        return True
    return False


def _code(plan: Plan) -> str:
    """Return the behavior of a plan: its module without comments and docstrings."""
    tree = ast.parse(generate_module(plan))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.body = node.body[1:]
    return ast.dump(tree)


@pytest.mark.parametrize("case", [*SOUND, EXAMPLE], ids=lambda case: case.name)
def test_a_mutated_plan_is_detected(case: Case) -> None:
    code, prover = _code(case.plan), Prover(60, 0)
    missed = []
    for what, mutant, changed in mutants(case.plan):
        if _is_rejected(mutant, changed) or _code(mutant) == code:
            continue
        convert = load_converter(mutant, str(case.folder))
        if not any(find_broken_laws(prover, mutant, convert)):
            missed.append(what)
    assert missed == []


def test_the_check_ends_at_the_first_finding() -> None:
    assert not _is_rejected(EXAMPLE.plan, 0)
    ((first, *_),) = (pair.to_hub.steps for pair in EXAMPLE.plan.pairs[:1])
    assert _is_rejected(_with(EXAMPLE.plan, 0, EXAMPLE.plan.pairs[0], "to_hub", (first, first)), 0)
