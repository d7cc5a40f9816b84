"""Validation of preserved and dropped fields."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.document_places import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep, HandwrittenField, HandwrittenObject
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.steps import Copy, Drop, DropEntry, Keep, KeepEntry, ObjectStep, Step
from protoc_gen_crd.findings.finding import Problems

_OPTION_NAMES = {Keep: "preserved", Drop: "dropped"}


def check_kept_fields(direction: Direction, reverse: Direction, problems: Problems) -> None:
    """Report fields that cannot be preserved or dropped, or are also converted."""
    makers = _find_writers(reverse)
    entered = {(), *(step.source_scope for step in direction.steps if isinstance(step, ContainerStep))}
    for step in direction.steps:
        if isinstance(step, Keep):
            path = paths.strip_object_scopes(step.source)
            found = _find_misplaced(direction, step, path, entered) or _find_contradiction(direction, step, path)
            is_entry = isinstance(step, KeepEntry | DropEntry)
            others = ("", "", "") if is_entry else _find_overlap(direction, step, path, makers)
            rule, problem, hint = found or others
            at = step.origin
            if problem:
                problems.report(rule, problem, at, path=at.find_owner() if at else "", hint=hint)
    _check_functions(direction, reverse, makers, problems)


def _check_functions(
    direction: Direction, reverse: Direction, makers: dict[Path, list[Step]], problems: Problems
) -> None:
    """Report preserved fields that leave no fields to hand-written functions."""
    used = {
        *makers,
        *(
            paths.strip_object_scopes(path)
            for step in direction.steps
            if step.get_writes()
            for path in step.get_reads()
        ),
    }
    for hand in _find_idle_functions(direction, reverse):
        for step in direction.steps:
            path, at = paths.strip_object_scopes(step.source), step.origin
            if type(step) is Keep and paths.get_scope(step.source) == hand.source_scope and path not in used:
                problem = (
                    f'field "{paths.format_path(path)}" of {direction.source} is preserved, which leaves no field '
                )
                problem += f'for "{hand.format()}"'
                hint = choose_hint(at, 'remove "preserved"', 'remove it from "preserve"')
                hint += ": the functions convert the field, and values that do not survive the round "
                hint += "trip are kept in the conversion-data annotation"
                problems.report("conversion-overlap", problem, at, path=at.find_owner() if at else "", hint=hint)


def _find_idle_functions(direction: Direction, reverse: Direction) -> Iterator[HandwrittenObject]:
    """The steps of objects of which no field, on either side, is left to their functions."""
    made = [[step.target for step in each.steps if isinstance(step, HandwrittenField)] for each in (direction, reverse)]
    for hand in direction.steps:
        if isinstance(hand, HandwrittenObject):
            ends = hand.target, hand.source
            if not any(_is_below(path, end) for own, end in zip(made, ends, strict=True) for path in own):
                yield hand


def _is_below(path: Path, around: Path) -> bool:
    around = paths.strip_object_scopes(around)
    return paths.strip_object_scopes(path)[: len(around)] == around


def _find_writers(reverse: Direction) -> dict[Path, list[Step]]:
    """The steps that write a place or a part of it."""
    makers: dict[Path, list[Step]] = {}
    for step in reverse.steps:
        for path in map(paths.strip_object_scopes, step.get_writes()):
            for cut in range(len(path) + 1):
                makers.setdefault(path[:cut], []).append(step)
    return makers


def _find_misplaced(direction: Direction, step: Keep, path: Path, entered: set[Path]) -> tuple[str, str, str] | None:
    """Return the problem of a path that is no field, or is in a list without counterpart."""
    around = path if path[-1] in paths.BRACKETS else paths.get_scope(step.source)
    if path[-1] not in paths.BRACKETS and around in entered:
        return None
    problem = f'"{paths.format_path(path)}" of {direction.source} cannot be {_OPTION_NAMES[type(step)]}: '
    problem += "it is not a field" if around == path else "it is in a list or map without a counterpart"
    return (
        "conversion-path",
        problem,
        f'name "{paths.format_path(paths.strip_object_scopes(paths.get_scope(around)[:-1]))}" instead',
    )


def _find_contradiction(direction: Direction, step: Keep, path: Path) -> tuple[str, str, str] | None:
    """Return the problem of a preserved field that contains a dropped one."""
    dropped = [paths.strip_object_scopes(one.source) for one in direction.steps if isinstance(one, Drop)]
    found = next((one for one in dropped if one[: len(path)] == path), None)
    if isinstance(step, Drop) or found is None:
        return None
    problem = f'field "{paths.format_path(found)}" of {direction.source} is both preserved and dropped'
    same = choose_hint(step.origin, "declare dropped and default in one conversion option", "remove it from one list")
    hint = same if found == path else ""
    return "conversion-overlap", problem, hint


def _find_overlap(direction: Direction, step: Keep, path: Path, makers: dict[Path, list[Step]]) -> tuple[str, str, str]:
    """Return the problem of a preserved or dropped field that the reverse direction also writes."""
    above = [one for cut in range(len(path)) for one in makers.get(path[:cut], ()) if _is_written(one, path[:cut])]
    found = [one for one in above if not isinstance(one, ObjectStep)]
    found += [one for one in makers.get(path, ()) if isinstance(one, Copy) or not _is_written(one, path)]
    if not found:
        return "", "", ""
    problem = f'field "{paths.format_path(path)}" of {direction.source} is both converted and '
    problem += f'{_OPTION_NAMES[type(step)]}: "{found[0].format()}"'
    part = isinstance(found[0], ObjectStep) or not (found[0] in above or _is_written(found[0], path))
    return "conversion-overlap", problem, "name only its fields that have no counterpart" if part else ""


def _is_written(step: Step, path: Path) -> bool:
    return path in map(paths.strip_object_scopes, step.get_writes())
