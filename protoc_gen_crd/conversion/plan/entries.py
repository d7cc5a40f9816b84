"""What a way has to put aside, and what its way back can restore: one entry for each value that does not come back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.containers import Own, Spread
from protoc_gen_crd.conversion.plan.paths import BRACKETS, METADATA, NAMES, Path, bare
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.conversion.plan.steps import Copy, Drop, Duplicate, Fields, Keep, Loose, Namesake, Step


class Entry(Record):
    """A value of the version that is converted, and the step of the way back that makes one for it, if any.

    `spread` entries are for a value that each item of a list shows, `empty` ones for an object that has no counterpart
    and holds nothing; `made` ones for an object that is there because something was moved into its counterpart.
    """

    path: Path
    back: Step | None = None
    spread: bool = False
    empty: bool = False
    made: bool = False
    counterpart: Path = ()  # of a made one
    others: tuple[str, ...] = ()  # the fields of a made one that come from elsewhere

    def counterparts(self) -> Sequence[Path]:
        """The paths of what is shown for it; for what a function makes, what it makes tells."""
        if self.made:
            return (self.counterpart,)
        return self.back.reads() if self.back and not isinstance(self.back, Own | Namesake) else ()


class Copies:
    """The values that a way copies, by their old and their new paths."""

    def __init__(self, way: Way) -> None:
        known = [step for step in way.steps if isinstance(step, Copy) and not isinstance(step, Fields)]
        self.read = {step.source: step for step in known}
        self._made: dict[Path, list[Copy]] = {}
        self._below: dict[Path, list[Copy]] = {}
        for step in known:
            self._made.setdefault(step.target, []).append(step)
            for cut in range(len(step.target)):
                self._below.setdefault(step.target[:cut], []).append(step)

    def exact(self, step: Step) -> bool:
        """Whether a step of the way back gives back any value: it copies from where the way has copied it to."""
        return step.exact() and (isinstance(step, Fields) or self._undoes(step.source, step.target))

    def _undoes(self, source: Path, target: Path) -> bool:
        for cut in range(len(source) + 1):
            if any((*one.source, *source[cut:]) == target for one in self._made.get(source[:cut], ())):
                return True
        return any((*target, *one.target[len(source) :]) == one.source for one in self._below.get(source, ()))

    def whole(self, path: Path) -> bool:
        """Whether an object is copied with all that is in it, or what is around it."""
        return any(path[:cut] in self.read for cut in range(1, len(path) + 1))

    def crossing(self, step: Step) -> Step | None:
        """What is copied from or to a place of a step of the way back, which leads elsewhere."""
        if not step.exact() or isinstance(step, Fields) or self._undoes(step.source, step.target):
            return None
        onto = self._made.get(step.source)
        return onto[0] if onto else self.read.get(step.target)


def entries(way: Way, back: Way, more: Iterable[Entry] = ()) -> tuple[Entry, ...]:
    """The entries of a way and more, by path."""
    return tuple(sorted((*_entries(way, back), *more), key=_order))


def _order(entry: Entry) -> tuple[bool, bool, int, Path]:
    """Values by path, then objects: whether they are empty shows when all else is back, inner ones first."""
    return entry.made, entry.empty, -len(entry.path) if entry.made else 0, entry.path


def _entries(way: Way, back: Way) -> Iterator[Entry]:
    makers = {path: step for step in back.steps if not isinstance(step, Fields) for path in step.writes()}
    copies = Copies(way)
    dropped = {path for step in way.steps if isinstance(step, Drop) for path in step.reads()}
    wanted = dict.fromkeys(path for step in way.steps if isinstance(step, Keep | Loose) for path in step.reads())
    wanted |= dict.fromkeys(path for path, step in makers.items() if not copies.exact(step))
    spread = {step.source for step in way.steps if isinstance(step, Spread)}
    yield from (Entry(path, makers.get(path), spread=path in spread) for path in wanted if path not in dropped)
    held = {path for step in way.steps if isinstance(step, Fields) for path in (step.source, bare(step.source))}
    read = {path for step in way.steps for path in step.reads()}
    # Objects that the other version does not have, whose fields are elsewhere there.
    around = {path[:cut] for path in (*read, *makers) for cut in range(1, len(path))}
    gone = sorted(path for path in around if path not in held and path[:1] != METADATA and path[-1] not in BRACKETS)
    gone = [path for path in gone if not copies.whole(path)]
    yield from (Entry(path, empty=True) for path in gone if not any(path[: len(one)] == one for one in wanted))
    targets = {step.target: step.source for step in way.steps if type(step) is Fields}
    moved = {
        path[:cut]
        for step in way.steps
        if type(step) is not Fields
        for path in step.writes()
        for cut in range(1, len(path))
        if step.reads() and _outside(step, path[:cut], targets)
    }
    yield from (
        Entry(targets[path], made=True, counterpart=path, others=_others(back, path, targets[path]))
        for path in sorted(moved)
        if path in targets
    )


def reads_alone(step: Step | None) -> bool:
    """Whether what a step reads is carried all the same: it makes no objects, which the way back would carry."""
    return isinstance(step, Duplicate) or (step is not None and any(path in NAMES for path in step.reads()))


def unmade(way: Way, restored: Sequence[Entry]) -> Iterator[tuple[Path, Path]]:
    """The objects that a way makes of what is elsewhere, with what they are carried from; inner ones first.

    Where a value is taken away again, nothing may be left of one that is not carried.
    """
    known = [(entry.path, entry.back.reads()) for entry in restored if entry.back]
    held = [step for step in way.steps if type(step) is Fields]
    for step in sorted(held, key=lambda step: -len(step.target)):
        reads = [read for path, each in known if path[: len(step.target)] == step.target for read in each]
        if any(read[: len(step.source)] != step.source for read in reads):
            yield step.target, step.source


def _others(back: Way, counterpart: Path, around: Path) -> tuple[str, ...]:
    """The fields of an object that the way back makes of what is outside its counterpart."""
    given = [step for step in back.steps if not (type(step) is Fields or reads_alone(step))]
    made = [(step, path) for step in given for path in step.writes()]
    inside = [
        (step, path[len(around)]) for step, path in made if path[: len(around)] == around and len(path) > len(around)
    ]
    return tuple(sorted({
        name for step, name in inside if any(read[: len(counterpart)] != counterpart for read in step.reads())
    }))  # fmt: skip


def _outside(step: Step, container: Path, targets: dict[Path, Path]) -> bool:
    """Whether a step brings something into an object from elsewhere."""
    source = targets.get(container)
    return source is not None and any(read[: len(source)] != source for read in step.reads())
