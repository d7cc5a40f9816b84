"""A plan against itself: steps stand where containers lead, go both ways, and do what fields say."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.conversion.derive.declared import placed
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Computed
from protoc_gen_crd.conversion.plan.containers import ByHand, Each, Gather, Own, Spread
from protoc_gen_crd.conversion.plan.entries import Copies
from protoc_gen_crd.conversion.plan.kept import check_kept
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Pair, Plan, Way
from protoc_gen_crd.conversion.plan.steps import Copy, Default, Fields, Keep, Step
from protoc_gen_crd.schema.types import Schema

_NAMES = tuple(map(paths.shown, paths.NAMES))


def check_sound(plan: Plan, way: Way, back: Way, problems: Problems) -> None:
    """Report steps that cannot be run, and those that are not undone."""
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
    _check_one_way(way, back, problems)
    check_kept(way, back, problems)
    _check_crossed(way, back, problems)


def check_filled(pair: Pair, problems: Problems) -> None:
    """Report places that rules write and no step does: no other law of conversion asks for them."""
    for way, _ in pair.ways():
        made = {(step.origin, paths.bare(path)) for step in way.steps for path in step.writes()}
        for version, path, at in pair.filled:
            if version == way.target and (at, path) not in made and not _told(problems, at):
                problem = f'what a rule says must become a step, found none for "{paths.shown(path)}" of {version}'
                problems.report("conversion-path", problem, at)


def _check_one_way(way: Way, back: Way, problems: Problems) -> None:
    """What is brought into each item of a list, or out of the first, must be brought back."""
    read = [step.source for step in back.steps]
    for step in way.steps:
        into = isinstance(step, Computed) and paths.scope(step.target) != () == paths.scope(step.source)
        if (into or type(step) in (Spread, Gather)) and step.target not in read:
            at = step.origin
            problem = f'a value between an object and a list in it must go both ways, found "{step.shown()}" alone'
            problems.report("conversion-rule", problem, at, path=at.owner() if at else "")


def _check_crossed(way: Way, back: Way, problems: Problems) -> None:
    """What is copied must be copied back from where it has come to."""
    copies = Copies(way)
    for step in back.steps:
        other = copies.crossing(step)
        if other is not None:
            problem = f'a value must go back to where it came from, found "{other.shown()}" from {way.source} to '
            problem += f'{way.target} and "{step.shown()}" back'
            at = step.origin
            problems.report("conversion-rule", problem, at, path=at.owner() if at else "")


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
        hands = [one for one in way.steps if isinstance(one, ByHand) and one.target == step.target[: len(one.target)]]
        return "" if hands else "no function that makes it"
    around = paths.scope(step.target) if step.writes() else ()
    if around not in scopes:
        return f'nothing that leads into "{paths.shown(around)}"'
    if isinstance(step, Copy) and not isinstance(step, Fields) and paths.scope(step.source) != scopes[around]:
        return "a value of one object in each of a list, which takes no default"
    wrong = [path for path in step.reads() if step.writes() and paths.scope(path) not in ((), scopes[around])]
    return f'items of another list, "{paths.shown(wrong[0])}"' if wrong else ""


def _is_there(root: Schema, path: Path) -> bool:
    return paths.at(root, path) is not None


def check_declared(plan: Plan, pair: Pair, ways: tuple[Way, Way], problems: Problems) -> None:
    """Values that fields say are made for them, or of them, must be made, but in what is kept or made whole."""
    way, back = ways
    writing = [step for step in way.steps if step.writes()]
    made = {(step.origin, paths.bare(path)) for step in writing for path in step.writes()}
    read = {(step.origin, paths.bare(path)) for step in writing for path in step.reads()}
    source, target = plan.schema(way.source), plan.schema(way.target)
    for way_of, root, other, end, known, whole in (
        ("from", target, source, (way.source, way.target), made, _wholes(back, way)),
        ("to", source, target, (way.target, way.source), read, _wholes(way, back)),
    ):
        for path, one in placed(root):
            wanted = any(one.values.get(name, {}).get(way_of) for name in ("cel", "function"))
            wanted |= way_of == "from" and ("default" in one.values or one.values.get("moved_from") in _NAMES)
            moot = any(path[:cut] in whole for cut in range(1, len(path)))
            wanted = wanted and not moot and (path, one.origin) not in pair.silent
            if not wanted or not one.about(end[1], end[0], paths.at(other, path)) or _told(problems, one.origin):
                continue
            if (one.origin, path) not in known:
                problem = f'what a field says must become a step, found none for "{paths.shown(path)}" of {end[1]}'
                problems.report("conversion-path", problem, one.origin, path=one.owner)


def _wholes(away: Way, back: Way) -> set[Path]:
    """The fields of a version that have no counterpart, or are made by expressions: what is in them says nothing."""
    read = [path for step in away.steps if isinstance(step, Keep | Computed) for path in step.reads()]
    made = [path for step in back.steps if isinstance(step, Default | Computed) for path in step.writes()]
    return {paths.bare(path) for path in (*read, *made)}


def _told(problems: Problems, at: Place) -> bool:
    return any(finding.at == at for finding in problems.findings)
