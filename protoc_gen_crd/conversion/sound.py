"""A plan against itself: steps stand where containers lead, go both ways, and do what fields say."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.conversion import paths
from protoc_gen_crd.conversion.containers import ByHand, Each, Own
from protoc_gen_crd.conversion.declared import Declared, declared
from protoc_gen_crd.conversion.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan import Plan, Way
from protoc_gen_crd.conversion.steps import Fields, Step
from protoc_gen_crd.schema.types import Schema


def check_sound(plan: Plan, way: Way, back: Way, problems: Problems) -> None:
    """Report steps that cannot be run, that are not undone, and declarations of which nothing has become."""
    scopes: dict[Path, Path] = {(): ()}
    scopes |= {step.made: step.inside for step in way.steps if isinstance(step, Each)}
    known = {(type(step), step.source, step.target) for step in back.steps}
    for step in way.steps:
        fault = _fault(plan, way, step, scopes)
        if not fault and isinstance(step, Fields):
            undone = any((type(one), one.source, one.target) in known for one in step.inverse())
            fault = "" if undone else f"nothing that goes back from {way.target}"
        if fault:
            at = step.origin
            problem = f'a step must lead from {way.source} to {way.target}, found "{step.shown()}" with {fault}'
            problems.report("conversion-path", problem, at, path=at.owner() if at else "")
    _check_declared(plan, way, problems)


def _fault(plan: Plan, way: Way, step: Step, scopes: dict[Path, Path]) -> str:
    """Why a step cannot be run, empty where it can."""
    source, target = plan.schema(way.source), plan.schema(way.target)
    writes, reads = step.writes(), step.reads()
    if isinstance(step, Each):
        writes, reads = (*writes, step.made), (*reads, step.inside)
    lost = [path for path in reads if not _is_there(source, path)] + [
        path for path in writes if not _is_there(target, path)
    ]
    if lost:
        return f'nothing at "{paths.shown(lost[0])}"'
    if isinstance(step, Own):
        hands = [one for one in way.steps if isinstance(one, ByHand) and one.target == step.target[:-1]]
        return "" if hands else "no function that makes it"
    around = paths.scope(step.target) if step.writes() else ()
    if around not in scopes:
        return f'nothing that leads into "{paths.shown(around)}"'
    wrong = [path for path in step.reads() if step.writes() and paths.scope(path) not in ((), scopes[around])]
    return f'items of another list, "{paths.shown(wrong[0])}"' if wrong else ""


def _is_there(root: Schema, path: Path) -> bool:
    return paths.at(root, path) is not None


def _check_declared(plan: Plan, way: Way, problems: Problems) -> None:
    """Values that fields say are made for them, or of them, must be made."""
    writing = [step for step in way.steps if step.writes()]
    made = {(step.origin, paths.bare(path)) for step in writing for path in step.writes()}
    read = {(step.origin, paths.bare(path)) for step in writing for path in step.reads()}
    source, target = plan.schema(way.source), plan.schema(way.target)
    for way_of, root, other, end, known in (
        ("from", target, source, (way.source, way.target), made),
        ("to", source, target, (way.target, way.source), read),
    ):
        for path, one in _declared(root):
            wanted = any(one.values.get(name, {}).get(way_of) for name in ("cel", "function"))
            wanted |= way_of == "from" and "default" in one.values
            if not wanted or not one.about(end[0], paths.at(other, path)) or _told(problems, one.origin):
                continue
            if (one.origin, path) not in known:
                problem = f'what a field says must become a step, found none for "{paths.shown(path)}" of {end[1]}'
                problems.report("conversion-path", problem, one.origin, path=one.owner)


def _told(problems: Problems, at: Place) -> bool:
    return any(finding.at == at for finding in problems.findings)


def _declared(root: Schema) -> Iterator[tuple[Path, Declared]]:
    """What the fields below a schema say, with their paths."""
    stack: list[tuple[Path, Schema]] = [((), root)]
    while stack:
        path, schema = stack.pop()
        yield from ((path, one) for one in declared(schema))
        below = {ITEM: schema.items, VALUE: schema.additional, **schema.properties}
        stack += [((*path, step), child) for step, child in below.items() if isinstance(child, Schema)]
