"""What every conversion must keep to, said of one object and of what clients of the other version make of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.helpers.runtime import MISSING, ConversionError, Object
from protoc_gen_crd.conversion.helpers.stash import same
from protoc_gen_crd.conversion.plan.paths import ITEM, Path, shown
from protoc_gen_crd.conversion.proof.comparing import (
    altered,
    at,
    bare,
    differing,
    every,
    less,
    others_of,
    put_at,
    text,
    without,
)

Convert = Callable[[Object, str], Object]
Errors = Callable[[Object], Sequence[str]]
_FAILED = ""  # the key of what stands in place of an object that cannot be converted: the reason
_REFUSED = re.compile(r": (must be (within|a number that JSON can hold)|the expression .* found .*(overflow|range))")
_LARGE = 2**31 - 1  # numbers from here on may lead out of what another type holds
_RETURNS = "what is converted must convert back"


class Kept(Record):
    """A field that is put aside, and how many of the objects around it must still be there for it to come back.

    There must be none of the others, with which it is in a oneof, and what is shown for it must stay as it was.
    """

    path: Path
    held: int
    others: tuple[Path, ...] = ()
    seen: tuple[Path, ...] = ()  # what is shown for it, as paths of the other version
    made: bool = False  # whether the way back makes one, as it does of nothing where it has a default


class Keyed(Record):
    """A list whose items have keys in both versions: where it stands in each, and what is put aside of its items."""

    source: Path
    target: Path
    keys: tuple[tuple[str, str], ...]
    kept: tuple[Path, ...]  # below an item


class Told(Record):
    """What a plan says of a way: its ends, the fields that are kept by themselves, those lost on purpose each way."""

    group: str
    ends: tuple[str, str]
    kept: tuple[Kept, ...] = ()
    dropped: tuple[Path, ...] = ()
    dropped_back: tuple[Path, ...] = ()
    one_way: tuple[Path, ...] = ()  # fields of the target of which nothing leads back
    given: tuple[tuple[Path, Any], ...] = ()  # what fields of the target that are missing come back with
    keyed: tuple[Keyed, ...] = ()
    around: tuple[tuple[Path, str], ...] = ()  # what the way back makes with a look at the whole object, and of which


class Broken(Record):
    """A law that does not hold for an object: which, between which versions, where, and what was found there."""

    law: str
    source: str
    target: str
    object: Object
    path: str
    found: str


class Laws:
    """The laws of one way, from a version to another and back."""

    def __init__(self, told: Told, convert: Convert, errors: Errors) -> None:
        self.source, self.target = told.ends
        self._convert, self._errors, self._told = convert, errors, told
        self._stashes = tuple([f"{told.group}/conversion-stash.{name}" for name in told.ends])

    def there(self, obj: Object) -> Object | Broken | None:
        """The object in the other version, where it must be valid; None for one with a number that it cannot hold."""
        given = _copy(obj)
        try:
            made = self._convert(given, self.target)
        except ConversionError as error:
            return self._broken("an object must convert", obj, "", str(error))
        changed = differing(obj, given)
        if changed:
            return self._broken("what is converted must stay as it is for who gives it", obj, *changed)
        faults = self._errors(made)
        if faults:
            return self._broken("what is converted must be valid", obj, "", faults[0])
        return made

    def back(self, obj: Object, made: Object) -> Broken | None:
        """It comes back as it was, and goes there again to the same."""
        returned = self._to(made, self.source)
        if _failed(returned):
            return self._broken(_RETURNS, obj, "", returned[_FAILED])
        found = differing(*(without(bare(each), self._told.dropped) for each in (obj, returned)))
        if found:
            return self._broken("an object must come back as it was", obj, *found)
        found = _differing(made, self._to(returned, self.target))
        return self._broken("what is converted again must be the same", obj, *found) if found else None

    def settled(self, obj: Object, made: Object) -> Broken | None:
        """What is shown stays so when it goes back and comes again, even if nobody keeps the annotation."""
        plainly = bare(made, self._stashes)
        returned = bare(self._to(plainly, self.source), self._stashes)
        again = bare(self._to(returned, self.target), self._stashes)
        fewer = again if _failed(again) else less(again, plainly, self._told.given)
        found = _differing(*(without(each, self._told.one_way) for each in (plainly, fewer)))
        return self._broken("what is shown must stay the same on further trips", obj, *found) if found else None

    def edited(self, obj: Object) -> Broken | None:
        """What a client of the other version has written is what it reads, whatever was put aside before."""
        there = self._to(obj, self.source)
        returned = self._to(there, self.target)
        if _failed(returned):
            return self._broken(_RETURNS, obj, "", returned[_FAILED], back=True)
        faults = self._errors(there)
        if faults:
            return self._broken("what is converted must be valid", obj, "", faults[0], back=True)
        lost = self._told.dropped_back
        found = differing(*(without(bare(each, self._stashes), lost) for each in (obj, returned)))
        return self._broken("what a client writes must be what it reads", obj, *found, back=True) if found else None

    def survives(self, obj: Object, made: Object, edited: Object) -> Broken | None:
        """What a client of the other version cannot see is still there after it has written."""
        returned = self._to(edited, self.source)
        for each in self._told.kept if not _failed(returned) else ():
            value = at(obj, each.path)
            inside = each.held == 0 or at(returned, each.path[: each.held]) is not MISSING
            inside &= all(at(returned, other) is MISSING for other in each.others)
            inside &= all(same(_shown(made, path), _shown(edited, path)) for path in each.seen)
            inside &= value is not MISSING or not each.made
            if inside and not same(value, at(returned, each.path)):
                return self._hidden(obj, each.path, value, at(returned, each.path))
        return None

    def _hidden(self, obj: Object, path: Path, value: Any, found: Any) -> Broken | None:
        law = f"what {self.target} cannot show must survive an update there"
        return self._broken(law, obj, shown(path), f"{text(found)} instead of {text(value)}")

    def listed(self, made: Object) -> Iterator[tuple[Keyed, tuple[int, ...], Object]]:
        """The object with items of a list in another order, one less, or one changed, and which items they were."""
        for each in self._told.keyed:
            items = at(made, each.target)
            if type(items) is not list or not all(type(item) is dict for item in items):
                continue
            places = tuple(range(len(items)))
            orders = (places[::-1], places[1:]) if len(items) > 1 else ()
            changed = (
                [(places, [item, *items[1:]]) for item in others_of(items[0], [key for _, key in each.keys])]
                if items
                else []
            )
            for order, left in (*((order, [items[place] for place in order]) for order in orders), *changed):
                yield each, order, put_at(made, each.target, left)

    def stays(self, obj: Object, edit: tuple[Keyed, tuple[int, ...], Object]) -> Broken | None:
        """What is put aside of items is there after that, with the item that it was of."""
        each, order, edited = edit
        returned = at(self._to(edited, self.source), each.source)
        items = at(obj, each.source)
        pairs = zip(order, returned if type(returned) is list else (), strict=False)
        for place, item in pairs if type(items) is list else ():
            for path in each.kept:
                value, found = at(items[place], path), at(item, path)
                if not same(value, found):
                    return self._hidden(obj, (*each.source, ITEM, *path), value, found)
        return None

    def wins(self, made: Object, edited: Object) -> Broken | None:
        """What the way back makes of an edit elsewhere is there, whatever was put aside."""
        trips = (bare(made, self._stashes), bare(edited, self._stashes), edited)
        ends = [self._to(each, self.source) for each in trips]
        for path, _ in self._told.around if not any(map(_failed, ends)) else ():
            before, after, found = ([*every(end, path)] for end in ends)
            for old, new, now in zip(before, after, found, strict=False):
                if not same(old, new) and not same(new, now):
                    told = f"{text(now)} instead of {text(new)}"
                    law = "what an expression makes of an edit must win over what was put aside"
                    return self._broken(law, edited, shown(path), told, back=True)
        return None

    def edits(self, made: Object) -> Iterator[Object]:
        """The object with each field changed alone that an expression of the way back looks at, or without it."""
        names = {name for _, text in self._told.around for name in re.findall(r"\w+", text)}
        yield from altered(made, names - {"apiVersion", "kind", "metadata"})

    def _to(self, obj: Object, version: str) -> Object:
        """An object in a version; what tells why it cannot be, which stays."""
        try:
            return obj if _failed(obj) else self._convert(_copy(obj), version)
        except ConversionError as error:
            return {_FAILED: str(error)}

    def _broken(self, law: str, obj: Object, path: str, found: str, *, back: bool = False) -> Broken | None:
        """A law that does not hold; a large number that leads out of what a type can hold is refused, as it must be."""
        if not path and _REFUSED.search(found) and _is_large(obj):
            return None
        ends = (self.target, self.source) if back else (self.source, self.target)
        return Broken(law, *ends, obj, path, found)


def _copy(obj: Object) -> Object:
    """A copy, so that a function that changes what it is given spoils nothing else."""
    copied: Object = json.loads(json.dumps(obj))
    return copied


def _is_large(value: Any) -> bool:
    """Whether there is a large number in a value."""
    if isinstance(value, (dict, list)):
        return any(map(_is_large, value.values() if isinstance(value, dict) else value))
    return type(value) in (int, float) and abs(value) >= _LARGE


def _failed(obj: Object) -> bool:
    return _FAILED in obj


def _differing(wanted: Object, found: Object) -> tuple[str, str] | None:
    """The same as `differing`, or why one of the two could not be made."""
    failed = next((each for each in (wanted, found) if _failed(each)), None)
    return ("", failed[_FAILED]) if failed else differing(wanted, found)


def _shown(obj: Object, path: Path) -> list[Any]:
    """What stands at a path, in each item that has it."""
    return [value for value in every(obj, path) if value is not MISSING]
