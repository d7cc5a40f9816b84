"""What of an object belongs to the function that makes it: the fields that no step reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import Each
from protoc_gen_crd.conversion.plan.paths import BRACKETS, ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.steps import Fields, Step
from protoc_gen_crd.schema.types import Schema


def owned(steps: Sequence[Step], around: Path, schema: Schema) -> list[Path]:
    """The fields of an object that no step reads; of objects that are read in part, theirs."""
    return [paths.bare(path) for path in _unread(steps, around, schema) if not _in_brackets(path, around)]


def leave_open(steps: tuple[list[Step], list[Step]], before: Sequence[int], roots: tuple[Schema, Schema]) -> None:
    """Leave lists and maps of which a part is not derived, and nobody has said anything, to the function as a whole.

    Of the steps of both sides those count that have come since there were so many.
    """
    new = [each[count:] for each, count in zip(steps, before, strict=True)]
    for step in [one for one in new[0] if isinstance(one, Each) and not one.declared]:
        ends = step.source, step.target
        inside = [[one for one in new[at] if _about(one, ends[at], ends[1 - at])] for at in (0, 1)]
        silent = not any(one.declared for each in inside for one in each)
        if silent and any(_is_open(*each) for each in zip(inside, roots, ends, strict=True)):
            for each, left in zip(steps, inside, strict=True):
                each[:] = [one for one in each if one not in left]


def _about(step: Step, source: Path, target: Path) -> bool:
    """Whether a step reads below one path, or writes below the other."""
    return _at(step.source, source) or (bool(step.writes()) and _at(step.target, target))


def _is_open(steps: Sequence[Step], root: Schema, path: Path) -> bool:
    """Whether there is something below a path that no step reads."""
    schema = paths.at(root, path)
    return schema is not None and any(True for _ in _unread(steps, path, schema))


def _unread(steps: Sequence[Step], around: Path, schema: Schema) -> Iterator[Path]:
    """What stands below a path and is not read, as deep as anything else there is."""
    read = [path for step in steps if not isinstance(step, Fields) for path in (*step.reads(), step.source) if path]
    entered = [step.source for step in steps if isinstance(step, Fields)]
    for name, child in _below(schema):
        path = (*around, name)
        if any(_at(path, one) for one in read):
            continue
        if name in BRACKETS or any(_at(one, path) for one in (*read, *entered)):
            yield from _unread(steps, path, child)
        else:
            yield path


def _below(schema: Schema) -> Iterator[tuple[str, Schema]]:
    for name, child in ((ITEM, schema.items), (VALUE, schema.additional), *schema.properties.items()):
        if isinstance(child, Schema):
            yield name, child


def _in_brackets(path: Path, around: Path) -> bool:
    return any(name in BRACKETS for name in path[len(around) :])


def _at(path: Path, start: Path) -> bool:
    """Whether a path leads to another, or below it."""
    return path[: len(start)] == start
