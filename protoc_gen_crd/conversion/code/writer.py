"""What the statements of a generated module know of the way that they belong to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from protoc_gen_crd.conversion.code.kinds import Tables
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.bound import THING, bound
from protoc_gen_crd.conversion.plan.changing import Cel, Computed
from protoc_gen_crd.conversion.plan.containers import ByHand, Each, ToList
from protoc_gen_crd.conversion.plan.entries import Entry
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.conversion.plan.steps import Step
from protoc_gen_crd.schema.types import Schema


class Writer(Protocol):
    """What a scope asks of the writer of its way."""

    way: Way
    back: Way
    tables: Tables
    aside: tuple[Entry, ...]
    restored: tuple[Entry, ...]
    rich: set[Path]
    source: Schema
    target: Schema
    late: bool  # whether there are witnesses that wait for the whole object

    def tabled(self, step: Step) -> bool:
        """Whether a row of a table does the step."""

    def change(self, step: Step) -> str | None:
        """What becomes of the value that a step copies, as Python."""

    def held(self, path: Path) -> int:
        """How many objects around a path of the target are there only if they are carried."""

    def made_back(self, path: Path) -> int:
        """How many objects around a path of the source the way back makes where they are not carried."""

    def expression(self, step: Computed, *, back: bool) -> str:
        """The name of what makes the value of a step of this way, or of the way back."""

    def looks_at(self, step: Computed, *, back: bool) -> tuple[str, ...]:
        """What the expression of a step looks at beside its value."""

    def looks_around(self, step: Computed, *, back: bool) -> bool:
        """Whether what makes the value of a step looks at more than one value: what it makes is its witness."""

    def tells(self, target: Path) -> bool:
        """Whether the function for items at a path is given their place."""

    def item(self, step: Each) -> str:
        """The name of the function for the items that a step goes through."""

    def caller(self, step: ByHand, *, back: bool) -> str:
        """The name of what calls the function of a step, or the one that undoes it."""

    def derives_back(self, step: ByHand) -> str:
        """The name of the function that derives the object of a step on the way back."""


def telling(writer: Writer) -> Iterator[Path]:
    """The items of the target of which functions must know where they stand, or where what is around them does."""
    lists = {each.made for each in writer.way.steps if type(each) is ToList}
    for back, way in enumerate((writer.way, writer.back)):
        inside = {each.made: each.inside for each in way.steps if isinstance(each, Each)}
        for step in way.steps:
            if not isinstance(step, Cel):
                continue
            scope = paths.scope(step.target)
            here = inside.get(scope, ()) if back else scope
            looks, names = writer.looks_at(step, back=bool(back)), bound(way, step).names
            levels = [names[name] for name in looks if name in names]
            if back and here in lists and (THING in looks or step.source == here):
                levels.append(0)  # an item has its key only when it is in its list
            around = [here[:cut] for cut, name in enumerate(here, 1) if name in paths.BRACKETS]
            yield from (path for level in levels for path in around[len(around) - 1 - level :])
