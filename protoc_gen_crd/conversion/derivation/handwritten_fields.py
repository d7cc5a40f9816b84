"""Fields of objects that only hand-written functions convert."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep
from protoc_gen_crd.conversion.plan.copy_steps import ObjectStep
from protoc_gen_crd.conversion.plan.paths import BRACKETS, ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.schema.schema import Schema


def find_unread_fields(steps: Sequence[Step], around: Path, schema: Schema) -> list[Path]:
    """The fields of an object that no step reads; of objects that are read in part, theirs."""
    return [
        paths.strip_object_scopes(path)
        for path in _find_unread(steps, around, schema)
        if not _has_brackets(path, around)
    ]


def drop_partial_containers(
    steps: tuple[list[Step], list[Step]], before: Sequence[int], roots: tuple[Schema, Schema]
) -> None:
    """Remove the steps of undeclared lists and maps with unread fields: the function converts them as a whole.

    Only steps after the first `before` of each side are removed.
    """
    added = [side_steps[count:] for side_steps, count in zip(steps, before, strict=True)]
    for step in [
        added_step for added_step in added[0] if isinstance(added_step, ContainerStep) and not added_step.declared
    ]:
        ends = step.source, step.target
        inner_by_side = [[inner for inner in added[at] if _is_inside(inner, ends[at], ends[1 - at])] for at in (0, 1)]
        is_undeclared = not any(inner.declared for inner_steps in inner_by_side for inner in inner_steps)
        if is_undeclared and any(_has_unread_fields(*check) for check in zip(inner_by_side, roots, ends, strict=True)):
            for side_steps, removed in zip(steps, inner_by_side, strict=True):
                side_steps[:] = [side_step for side_step in side_steps if side_step not in removed]


def _is_inside(step: Step, source: Path, target: Path) -> bool:
    """Return True if a step reads below `source` or writes below `target`."""
    return _is_below(step.source, source) or (bool(step.get_writes()) and _is_below(step.target, target))


def _has_unread_fields(steps: Sequence[Step], root: Schema, path: Path) -> bool:
    """Return True if no step reads some field below a path."""
    schema = paths.find_schema(root, path)
    return schema is not None and any(True for _ in _find_unread(steps, path, schema))


def _find_unread(steps: Sequence[Step], around: Path, schema: Schema) -> Iterator[Path]:
    """Yield the topmost unread fields below a path."""
    read = [
        path for step in steps if not isinstance(step, ObjectStep) for path in (*step.get_reads(), step.source) if path
    ]
    entered = [step.source for step in steps if isinstance(step, ObjectStep)]
    for name, child in _iterate_children(schema):
        path = (*around, name)
        if any(_is_below(path, read_path) for read_path in read):
            continue
        if name in BRACKETS or any(_is_below(inner_path, path) for inner_path in (*read, *entered)):
            yield from _find_unread(steps, path, child)
        else:
            yield path


def _iterate_children(schema: Schema) -> Iterator[tuple[str, Schema]]:
    for name, child in ((ITEM, schema.items), (VALUE, schema.additional), *schema.properties.items()):
        if isinstance(child, Schema):
            yield name, child


def _has_brackets(path: Path, around: Path) -> bool:
    return any(name in BRACKETS for name in path[len(around) :])


def _is_below(path: Path, start: Path) -> bool:
    """Return True if a path begins with another."""
    return path[: len(start)] == start
