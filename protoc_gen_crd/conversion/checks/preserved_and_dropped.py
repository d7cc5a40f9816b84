"""Validation of preserved and dropped fields."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.document_hints import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep, HandwrittenField, HandwrittenObject
from protoc_gen_crd.conversion.plan.copy_steps import Copy, Drop, DropEntry, Keep, KeepEntry, ObjectStep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.findings.finding import Problems

_OPTION_NAMES = {Keep: "preserved", Drop: "dropped"}


def check_preserved_and_dropped(direction: Direction, reverse: Direction, problems: Problems) -> None:
    """Report fields that cannot be preserved or dropped, or are also converted."""
    writers = _find_writers(reverse)
    entered = {(), *(step.source_scope for step in direction.steps if isinstance(step, ContainerStep))}
    for step in direction.steps:
        if isinstance(step, Keep):
            path = paths.strip_object_scopes(step.source)
            error = _find_misplaced(direction, step, path, entered) or _find_contradiction(direction, step, path)
            is_entry = isinstance(step, KeepEntry | DropEntry)
            overlap = ("", "", "") if is_entry else _find_overlap(direction, step, path, writers)
            rule, problem, hint = error or overlap
            at = step.origin
            if problem:
                problems.report(rule, problem, at, path=at.find_owner() if at else "", hint=hint)
    _check_functions(direction, reverse, writers, problems)


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
    """Yield the steps of objects whose functions convert no field, in either version."""
    function_fields = [
        [step.target for step in one_direction.steps if isinstance(step, HandwrittenField)]
        for one_direction in (direction, reverse)
    ]
    for function_step in direction.steps:
        if isinstance(function_step, HandwrittenObject):
            containers = function_step.target, function_step.source
            if not any(
                _is_below(path, end) for fields, end in zip(function_fields, containers, strict=True) for path in fields
            ):
                yield function_step


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
    dropped = [paths.strip_object_scopes(other.source) for other in direction.steps if isinstance(other, Drop)]
    inner = next((other for other in dropped if other[: len(path)] == path), None)
    if isinstance(step, Drop) or inner is None:
        return None
    problem = f'field "{paths.format_path(inner)}" of {direction.source} is both preserved and dropped'
    same = choose_hint(step.origin, "declare dropped and default in one conversion option", "remove it from one list")
    hint = same if inner == path else ""
    return "conversion-overlap", problem, hint


def _find_overlap(direction: Direction, step: Keep, path: Path, makers: dict[Path, list[Step]]) -> tuple[str, str, str]:
    """Return the problem of a preserved or dropped field that the reverse direction also writes."""
    above = [
        other for cut in range(len(path)) for other in makers.get(path[:cut], ()) if _is_written(other, path[:cut])
    ]
    writing = [other for other in above if not isinstance(other, ObjectStep)]
    writing += [other for other in makers.get(path, ()) if isinstance(other, Copy) or not _is_written(other, path)]
    if not writing:
        return "", "", ""
    problem = f'field "{paths.format_path(path)}" of {direction.source} is both converted and '
    problem += f'{_OPTION_NAMES[type(step)]}: "{writing[0].format()}"'
    part = isinstance(writing[0], ObjectStep) or not (writing[0] in above or _is_written(writing[0], path))
    return "conversion-overlap", problem, "name only its fields that have no counterpart" if part else ""


def _is_written(step: Step, path: Path) -> bool:
    return path in map(paths.strip_object_scopes, step.get_writes())
