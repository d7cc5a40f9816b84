"""What is put aside or lost on purpose: fields that nothing else brings back, in objects that are gone through."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import ByHand, Each, Own
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.conversion.plan.steps import Copy, Drop, Fields, Keep, Step

_SAID = {Keep: "preserved", Drop: "dropped"}


def check_kept(way: Way, back: Way, problems: Problems) -> None:
    """Report what is kept or dropped where it cannot be, or is converted as well."""
    makers = _makers(back)
    entered = {(), *(step.inside for step in way.steps if isinstance(step, Each))}
    for step in way.steps:
        if isinstance(step, Keep):
            path = paths.bare(step.source)
            found = _misplaced(way, step, path, entered) or _contradicted(way, step, path)
            rule, problem, hint = found or _converted(way, step, path, makers)
            at = step.origin
            if problem:
                problems.report(rule, problem, at, path=at.owner() if at else "", hint=hint)
    _check_functions(way, back, makers, problems)


def _check_functions(way: Way, back: Way, makers: dict[Path, list[Step]], problems: Problems) -> None:
    """Report what is put aside of an object that functions make, where that leaves nothing for them to make."""
    used = {*makers, *(paths.bare(path) for step in way.steps if step.writes() for path in step.reads())}
    for hand in _idle(way, back):
        for step in way.steps:
            path, at = paths.bare(step.source), step.origin
            if type(step) is Keep and paths.scope(step.source) == hand.inside and path not in used:
                problem = f'a field must be either made by functions or preserved, found "{paths.shown(path)}" of '
                problem += f'{way.source} preserved and nothing left for "{hand.shown()}"'
                hint = "leave preserved out: the functions give the field, and what they do not give back is put aside"
                problems.report("conversion-overlap", problem, at, path=at.owner() if at else "", hint=hint)


def _idle(way: Way, back: Way) -> Iterator[ByHand]:
    """The steps of objects of which no field, on either side, is left to their functions."""
    made = [[step.target for step in each.steps if isinstance(step, Own)] for each in (way, back)]
    for hand in way.steps:
        if isinstance(hand, ByHand):
            ends = hand.target, hand.source
            if not any(_is_in(path, end) for own, end in zip(made, ends, strict=True) for path in own):
                yield hand


def _is_in(path: Path, around: Path) -> bool:
    around = paths.bare(around)
    return paths.bare(path)[: len(around)] == around


def _makers(back: Way) -> dict[Path, list[Step]]:
    """The steps that write a place or a part of it."""
    makers: dict[Path, list[Step]] = {}
    for step in back.steps:
        for path in map(paths.bare, step.writes()):
            for cut in range(len(path) + 1):
                makers.setdefault(path[:cut], []).append(step)
    return makers


def _misplaced(way: Way, step: Keep, path: Path, entered: set[Path]) -> tuple[str, str, str] | None:
    """A path that does not lead to a field of an object, or into a list that is not gone through."""
    around = path if path[-1] in paths.BRACKETS else paths.scope(step.source)
    if path[-1] not in paths.BRACKETS and around in entered:
        return None
    problem = f'a field must be named that is {_SAID[type(step)]}, found "{paths.shown(path)}" of {way.source}, '
    problem += "which is what is in a list or map" if around == path else "in a list or map without a counterpart"
    return "conversion-path", problem, f'name "{paths.shown(paths.bare(paths.scope(around)[:-1]))}" instead'


def _contradicted(way: Way, step: Keep, path: Path) -> tuple[str, str, str] | None:
    """A field of which some is lost on purpose."""
    dropped = [paths.bare(one.source) for one in way.steps if isinstance(one, Drop)]
    found = next((one for one in dropped if one[: len(path)] == path), None)
    if isinstance(step, Drop) or found is None:
        return None
    problem = f'a field must be either preserved or dropped, found "{paths.shown(found)}" of {way.source} both'
    hint = "where it has a default on the way back, say dropped beside it" if found == path else ""
    return "conversion-overlap", problem, hint


def _converted(way: Way, step: Keep, path: Path, makers: dict[Path, list[Step]]) -> tuple[str, str, str]:
    """A field that the way back makes, whole or in part, of something else than what was put aside."""
    above = [one for cut in range(len(path)) for one in makers.get(path[:cut], ()) if _writes(one, path[:cut])]
    found = [one for one in above if not isinstance(one, Fields)]
    found += [one for one in makers.get(path, ()) if isinstance(one, Copy) or not _writes(one, path)]
    if not found:
        return "", "", ""
    problem = f'a field must be either converted or {_SAID[type(step)]}, found "{paths.shown(path)}" of '
    problem += f'{way.source} and "{found[0].shown()}"'
    part = isinstance(found[0], Fields) or not (found[0] in above or _writes(found[0], path))
    return "conversion-overlap", problem, "name the fields in it that have no counterpart instead" if part else ""


def _writes(step: Step, path: Path) -> bool:
    return path in map(paths.bare, step.writes())
