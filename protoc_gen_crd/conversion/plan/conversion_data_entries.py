"""Entries of the conversion-data annotation: one for each value that does not survive the round trip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.container_steps import HandwrittenField, Spread, UnwrapObject, WrapObject
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyNonNull, Drop, Duplicate, Keep, Namesake, ObjectStep
from protoc_gen_crd.conversion.plan.paths import (
    BRACKETS,
    METADATA_PATH,
    NAME_PATHS,
    OBJECT_SCOPE,
    Path,
    find_schema,
    get_scope,
    strip_object_scopes,
)
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.schema.schema import Schema


class ConversionDataEntry(Record):
    """A value of the source version, and the step of the reverse direction that writes it, if any.

    `spread` entries are for a value that each item of a list shows, `empty` ones for an object that has no counterpart
    and holds nothing; `absent` ones for an object that is there because something was moved into its counterpart. Of
    `empty` ones, those of `null` are for null in place of an object, list or map whose counterpart is not nullable.
    """

    path: Path
    inverse: Step | None = None
    spread: bool = False
    empty: bool = False
    absent: bool = False
    null: bool = False
    counterpart: Path = ()  # of an absent object
    wrapped: bool = False  # the counterpart of an absent object is the first item of a list
    others: tuple[str, ...] = ()  # fields of an absent object that are written from elsewhere

    def get_counterparts(self) -> Sequence[Path]:
        """Return the paths of the counterparts; none for fields of hand-written functions."""
        if self.absent:
            return (self.counterpart,)
        return (
            self.inverse.get_reads()
            if self.inverse and not isinstance(self.inverse, HandwrittenField | Namesake)
            else ()
        )


class CopiedValues:
    """The values that a direction copies, by source and target path."""

    def __init__(self, direction: Direction) -> None:
        copies = [step for step in direction.steps if isinstance(step, Copy) and not isinstance(step, ObjectStep)]
        self.sources = {step.source: step for step in copies}
        self._targets: dict[Path, list[Copy]] = {}
        self._below: dict[Path, list[Copy]] = {}
        for step in copies:
            self._targets.setdefault(step.target, []).append(step)
            for cut in range(len(step.target)):
                self._below.setdefault(step.target[:cut], []).append(step)

    def is_exact(self, step: Step) -> bool:
        """Return True if a step of the reverse direction undoes a copy of this direction."""
        return step.is_exact() and (isinstance(step, ObjectStep) or self._is_undone(step.source, step.target))

    def _is_undone(self, source: Path, target: Path) -> bool:
        for cut in range(len(source) + 1):
            if any((*copy.source, *source[cut:]) == target for copy in self._targets.get(source[:cut], ())):
                return True
        return any((*target, *copy.target[len(source) :]) == copy.source for copy in self._below.get(source, ()))

    def is_whole(self, path: Path) -> bool:
        """Return True if an object, or an object around it, is copied as a whole."""
        return any(path[:cut] in self.sources for cut in range(1, len(path) + 1))

    def find_crossing(self, step: Step) -> Step | None:
        """Return the copy that shares one end with a step of the reverse direction but not the other."""
        if not step.is_exact() or isinstance(step, ObjectStep) or self._is_undone(step.source, step.target):
            return None
        onto = self._targets.get(step.source)
        return onto[0] if onto else self.sources.get(step.target)


def find_conversion_data(
    direction: Direction, reverse: Direction, more: Iterable[ConversionDataEntry] = ()
) -> tuple[ConversionDataEntry, ...]:
    """Return the entries of a direction and more entries, sorted by path."""
    return tuple(sorted((*_find_entries(direction, reverse), *more), key=_get_sort_key))


def _get_sort_key(entry: ConversionDataEntry) -> tuple[bool, bool, int, Path]:
    """Return the sort key: values by path, then absent objects, inner ones first, then empty objects."""
    return entry.empty, entry.absent, -len(entry.path) if entry.absent else 0, entry.path


def _find_entries(direction: Direction, reverse: Direction) -> Iterator[ConversionDataEntry]:
    makers = {path: step for step in reverse.steps if not isinstance(step, ObjectStep) for path in step.get_writes()}
    copies = CopiedValues(direction)
    dropped = {path for step in direction.steps if isinstance(step, Drop) for path in step.get_reads()}
    kept = dict.fromkeys(
        path for step in direction.steps if isinstance(step, Keep | CopyNonNull) for path in step.get_reads()
    )
    kept |= dict.fromkeys(path for path, step in makers.items() if not copies.is_exact(step))
    spread = {step.source for step in direction.steps if isinstance(step, Spread)}
    yield from (
        ConversionDataEntry(path, makers.get(path), spread=path in spread) for path in kept if path not in dropped
    )
    converted_objects = {
        path
        for step in direction.steps
        if isinstance(step, ObjectStep)
        for path in (step.source, strip_object_scopes(step.source))
    }
    read = {path for step in direction.steps for path in step.get_reads()}
    # Objects that the other version lacks; it has their fields in other objects.
    parents = {path[:cut] for path in (*read, *makers) for cut in range(1, len(path))}
    missing_objects = sorted(
        path
        for path in parents
        if path not in converted_objects and path[:1] != METADATA_PATH and path[-1] not in BRACKETS
    )
    missing_objects = [path for path in missing_objects if not copies.is_whole(path)]
    yield from (
        ConversionDataEntry(path, empty=True)
        for path in missing_objects
        if not any(path[: len(prefix)] == prefix for prefix in kept)
    )
    targets = {step.target: step.source for step in direction.steps if type(step) is ObjectStep}
    moved = {
        path[:cut]
        for step in direction.steps
        for path in step.get_writes()
        for cut in range(1, len(path))
        if step.get_reads() and _is_from_outside(step, path[:cut], targets)
    }
    yield from (
        ConversionDataEntry(
            targets[path], absent=True, counterpart=path, others=_find_outside_fields(reverse, path, targets[path])
        )
        for path in sorted(moved)
        if path in targets
    )


def find_wrapped_objects(direction: Direction, reverse: Direction, target: Schema) -> Iterator[ConversionDataEntry]:
    """Yield the objects that may be missing although the other version has an item for them."""
    for step in direction.steps:
        if isinstance(step, WrapObject) and find_spread_values(step, direction, target):
            others = _find_own_names(step, reverse)
            yield ConversionDataEntry(step.source, absent=True, counterpart=step.target, wrapped=True, others=others)


def find_spread_values(step: WrapObject, direction: Direction, target: Schema) -> tuple[Spread, ...]:
    """Return the steps that write values from outside an object into its only item, and so create the item.

    An item that requires fields is not created without the object: it would be invalid.
    """
    scope = step.target_scope
    item = find_schema(target, scope)
    if item is None or item.get("required"):
        return ()
    return tuple([other for other in direction.steps if isinstance(other, Spread) and get_scope(other.target) == scope])


def _find_own_names(step: WrapObject, reverse: Direction) -> tuple[str, ...]:
    """Return the fields of a wrapped object that the reverse direction writes from elsewhere."""
    back = [other for other in reverse.steps if isinstance(other, UnwrapObject) and other.target == step.source]
    return find_outside_names(back[0], reverse) if back else ()


def is_read_only(step: Step | None) -> bool:
    """Return True for steps whose source is also copied as it is."""
    return isinstance(step, Duplicate) or (step is not None and any(path in NAME_PATHS for path in step.get_reads()))


def find_created_objects(direction: Direction, restored: Sequence[ConversionDataEntry]) -> Iterator[tuple[Path, Path]]:
    """Yield the target objects that values from elsewhere create, with their sources; inner ones first.

    If such a value is removed, an object that the source does not have is removed as well.
    """
    reads_by_path = [(entry.path, entry.inverse.get_reads()) for entry in restored if entry.inverse]
    object_steps = [step for step in direction.steps if type(step) is ObjectStep]
    for step in sorted(object_steps, key=lambda step: -len(step.target)):
        reads = [
            read
            for path, inner_reads in reads_by_path
            if path[: len(step.target)] == step.target
            for read in inner_reads
        ]
        if any(read[: len(step.source)] != step.source for read in reads):
            yield step.target, step.source


def _find_outside_fields(reverse: Direction, counterpart: Path, around: Path) -> tuple[str, ...]:
    """Return the fields of an object that the reverse direction writes from outside its counterpart."""
    writing_steps = [step for step in reverse.steps if not (type(step) is ObjectStep or is_read_only(step))]
    writes = [(step, path) for step in writing_steps for path in step.get_writes()]
    inside = [
        (step, path[len(around)]) for step, path in writes if path[: len(around)] == around and len(path) > len(around)
    ]
    return tuple(sorted({
        name for step, name in inside if any(read[: len(counterpart)] != counterpart for read in step.get_reads())
    }))  # fmt: skip


def _is_from_outside(step: Step, container: Path, targets: dict[Path, Path]) -> bool:
    """Return True if a step writes into an object from outside its counterpart."""
    source = targets.get(container)
    return source is not None and any(read[: len(source)] != source for read in step.get_reads())


def find_outside_names(step: WrapObject | UnwrapObject, direction: Direction) -> tuple[str, ...]:
    """Return the fields of the object of a single item that are converted to or from elsewhere."""
    is_wrapping = isinstance(step, WrapObject)
    around = step.source if is_wrapping else step.target
    others = [
        other
        for other in direction.steps
        if not (isinstance(other, ObjectStep | Keep | Drop) or (is_wrapping and is_read_only(other)))
    ]
    inside = [path for other in others for path in (other.get_reads() if is_wrapping else other.get_writes())]
    names = {path[len(around)] for path in inside if len(path) > len(around) and path[: len(around)] == around}
    return tuple(sorted(names - {OBJECT_SCOPE}))
