"""What a field is made of in another version, in words of the option `Conversion`, and what comes of several of them.

Words are read from the steps between two versions, so that it makes no difference whether options or rules said them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derive.spelled import spelling
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Call, Cel, Divide, First, Join, Multiply, Split, Values, Wrap
from protoc_gen_crd.conversion.plan.containers import (
    ByHand,
    Each,
    Entries,
    Fill,
    FirstOf,
    Gather,
    Items,
    ListOf,
    Own,
    Pick,
    Spread,
    ToList,
)
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Pair, Way
from protoc_gen_crd.conversion.plan.steps import Copy, Default, Defaulted, Drop, Duplicate, Fields, Keep, Step
from protoc_gen_crd.schema.types import Schema

Words = Mapping[str, Any]
At = Callable[[str, Path], Schema | None]  # the schema at a path of a version
OPAQUE: Words = {"another form": True}
GIVEN = "given"  # a default of the other end
NEW = "a default"  # of what the other version has no place for
COPIED = "copied"  # the name of the object, of which nothing comes back


class Link(Record):
    """A field of one version in the next: where it is there, none if it has no place, and what makes it of that."""

    there: tuple[Path, ...]
    words: Words
    places: tuple[Place, ...] = ()  # of what somebody has written
    parts: bool = False  # it is converted part by part


def link(pair: Pair, own: str, path: Path, at: At) -> Link | None:
    """What a field of one version of a pair is in the other; None where nothing is said of it."""
    there, back = next(ways for ways in pair.ways() if ways[0].source == own)
    for step in back.steps:
        if isinstance(step, Own | Default):
            continue
        if paths.bare(step.target) == path:
            ends = tuple([paths.bare(read) for read in _reads(step)])
            forth = next((one for one in there.steps if (one.source, one.target) == (step.target, step.source)), None)
            return Link(ends, _words((step, forth), there, back, at), _places(step, forth), isinstance(step, Fields))
        if type(step) is Copy and step.target == path[: len(step.target)]:
            return Link(((*step.source, *path[len(step.target) :]),), {}, _places(step))
    for step in there.steps:
        if isinstance(step, Cel | Call) and step.source == path:
            kind = "cel" if isinstance(step, Cel) else "function"
            return Link((step.target,), {kind: {"to": step.text}}, _places(step))
    if path[:1] == paths.METADATA:  # all versions have it
        return Link((path,), {})
    return _absent(path, there, back)


def _places(*steps: Step | None) -> tuple[Place, ...]:
    return tuple([step.origin for step in steps if step is not None and step.declared and step.origin is not None])


def _reads(step: Step) -> Sequence[Path]:
    return step.reads() if isinstance(step, Join) else (step.source,)


def _absent(path: Path, there: Way, back: Way) -> Link | None:
    """A field that has no place in the other version."""
    for step in there.steps:
        if isinstance(step, Keep) and step.source == path:
            given = next((one for one in back.steps if isinstance(one, Default) and one.target == path), None)
            words: Words = {NEW: given.value} if given is not None else {_absence(step): True}
            return Link((), words, _places(step, given))
    return None


def _absence(step: Keep) -> str:
    return "dropped" if isinstance(step, Drop) else "preserved"


def _words(steps: tuple[Step, Step | None], there: Way, back: Way, at: At) -> Words:
    """What a step of the way back does, and the one that goes there, in words of the field that it makes."""
    step, forth = steps
    if isinstance(forth, Defaulted) and isinstance(step, Copy):
        return {GIVEN: forth.value, **({"default": step.value} if isinstance(step, Defaulted) else {})}
    made = next((kind for kind in (Cel, Call) if isinstance(step, kind) or isinstance(forth, kind)), None)
    if made is not None:
        ends = ("from", step, at(back.source, step.source)), ("to", forth, at(there.source, step.target))
        return _made(made, ends)
    if isinstance(step, Items | Entries) and (held := _held(step, back)):
        return {"value": held}
    if isinstance(step, Values | Duplicate):
        return _renamed(step, forth) if isinstance(step, Values) else _copied(step, there)
    for kind, words in _WORDS:
        if isinstance(step, kind):
            return words(step, back)
    return OPAQUE


def _made(kind: type[Cel | Call], ends: Sequence[tuple[str, Step | None, Schema | None]]) -> Words:
    """A value that an expression or a function makes, on one of the ways at least."""
    ways = {}
    for name, one, read in ends:
        text = one.text if isinstance(one, kind) else "" if one is None or kind is Call else _spelled(one, read)
        if text:
            ways[name] = text
        elif one is not None:
            return OPAQUE
    return {"cel" if kind is Cel else "function": ways}


def _spelled(step: Step, read: Schema | None) -> str:
    """A step as an expression; empty where there is none."""
    return "self" if type(step) is Copy else spelling(step, read)


def _copied(step: Duplicate, there: Way) -> Words:
    """The name of the object in a field that the other version keeps or loses."""
    kept = (_absence(one) for one in there.steps if isinstance(one, Keep) and one.source == step.target)
    return {COPIED: next(kept, "preserved")} if step.source in paths.NAMES else OPAQUE


def _renamed(step: Values, forth: Step | None) -> Words:
    """A table with what both ways say: rules have one of their own for each."""
    back = [(there, here) for here, there in forth.pairs] if isinstance(forth, Values) else []
    found = [*step.pairs, *back]
    made = Values((), (), pairs=tuple([pair for at, pair in enumerate(found) if not is_said(pair, found[:at])]))
    (undone,) = made.inverse()
    both = made.table() == step.table() and (forth is None or table(undone) == table(forth))
    return {"values": made.pairs} if both else OPAQUE


def is_said(pair: tuple[str, str], earlier: Sequence[tuple[str, str]]) -> bool:
    """Whether earlier pairs leave nothing to say: of several of one value the first holds."""
    return any(pair[0] == one for one, _ in earlier) and any(pair[1] == other for _, other in earlier)


def table(step: Step | None) -> dict[str, str]:
    """What a step calls values; nothing where it is no table."""
    return step.table() if isinstance(step, Values) else {}


def _held(step: Each, way: Way) -> str:
    """The field of objects that holds a value which is no object, in a list or map of such; empty for none."""
    wraps = {(one.source, one.target[:-1]): one.target[-1] for one in way.steps if type(one) is Copy}
    unwraps = {(one.source[:-1], one.target): one.source[-1] for one in way.steps if type(one) is Copy and one.source}
    ends = step.inside, step.made
    return wraps.get(ends, "") or unwraps.get(ends, "")


def _keyed(step: ToList, way: Way) -> Words:
    value = _held(step, way)
    return {"key": step.key, **({"value": value} if value else {})}


_WORDS: tuple[tuple[Any, Callable[[Any, Way], Words]], ...] = (
    ((Pick, Fill), lambda *_: OPAQUE),
    (Defaulted, lambda step, _: {"default": step.value}),
    (Divide, lambda step, _: {"factor": 1 / Fraction(step.factor)}),
    (Multiply, lambda step, _: {"factor": Fraction(step.factor)}),
    ((Wrap, First, ListOf, FirstOf), lambda *_: {"one_item": True}),
    (ToList, _keyed),
    (ByHand, lambda step, _: {"function": {"from": step.function, "to": step.undo}}),
    (Join, lambda step, _: {"join": {"separator": step.separator}}),
    (Split, lambda step, _: {"part": {"separator": step.separator, "index": step.index}}),
    ((Copy, Gather, Spread), lambda *_: {}),
)


class Chain(Record):
    """A field of one version followed to another: the versions on the way, and what it is in each."""

    versions: tuple[str, ...]
    links: tuple[Link, ...]
    start: Path

    def taken_apart(self) -> Chain:
        """Itself, but of a part of what is taken apart again where it ends: the same part as before."""
        part, join = self.links[0].words.get("part"), self.links[-1].words.get("join")
        plain = all(not each.words for each in self.links[1:-1])
        if part is None or join is None or not plain or part["separator"] != join["separator"]:
            return self
        there = self.links[-1].there[part["index"] : part["index"] + 1]
        places = tuple([place for each in self.links for place in each.places])
        return Chain((self.versions[0], self.versions[-1]), (Link(there, {}, places),), self.start)
