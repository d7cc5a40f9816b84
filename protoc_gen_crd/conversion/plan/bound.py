"""What expressions in items of lists and entries of maps are given of where they stand, beside `self` and `root`.

`key` is that of the entry, of the innermost map around; `i` and `j` are the numbers of the items, from 0, of the outer
and the inner list; `item` is the item or entry itself, as it is in the version that is read.
"""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import Each
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.conversion.plan.steps import Step
from protoc_gen_crd.schema.types import Schema

KEY, NUMBERS, THING = "key", ("i", "j"), "item"
_TYPES = {KEY: "string", **dict.fromkeys(NUMBERS, "integer")}


class Bound(Record):
    """The variables of a place: how many lists and maps further out each is known, and the path of `item`."""

    names: Mapping[str, int]
    item: Path = ()

    def schemas(self, root: Schema) -> Mapping[str, Schema]:
        """The schema of each."""
        known = {name: Schema({"type": _TYPES[name]}) for name in self.names}
        item = paths.at(root, self.item) if self.item else None
        return known | ({THING: item} if item is not None else {})


NOWHERE = Bound({})


def bound(way: Way, step: Step) -> Bound:
    """What is known where a step of a way is run."""
    made = paths.scope(step.target)
    inside = next((each.inside for each in way.steps if isinstance(each, Each) and each.made == made), ())
    return of_ends(inside, made)


def of_ends(inside: Path, made: Path) -> Bound:
    """The same for what stands at a path of what is read, and becomes what stands at one of what is written."""
    ends = [[step for step in path if step in paths.BRACKETS] for path in (inside, made)]
    levels = [*zip(*ends, strict=False)]
    names: dict[str, int] = {}
    numbers = iter(NUMBERS)
    for further, pair in zip(range(len(levels) - 1, -1, -1), levels, strict=True):
        if VALUE in pair:
            names[KEY] = further
        elif pair == (ITEM, ITEM) and (number := next(numbers, "")):
            names[number] = further
    return Bound(names, inside) if levels and paths.WITHIN not in levels[-1] else NOWHERE
