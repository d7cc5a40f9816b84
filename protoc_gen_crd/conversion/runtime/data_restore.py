"""Restore conversion data by the paths of its own version.

A value is restored if the object has the value that the shown ones convert back to.
Only the standard library is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .container_access import masked, names_of, ordered, within_another
from .conversion_data import ITSELF, entry, same, take, witness
from .path_access import own, put
from .runtime import (
    ANYTHING,
    MISSING,
    OBJECT,
    TEXT,
    Change,
    ConversionError,
    Object,
    Path,
)
from .table_conversion import Part, entries, one, part_of, with_parts, within

_ANY: Part = (ANYTHING, None)
_MAP = entries(TEXT)
_METADATA: Part = (
    OBJECT,
    within({name: (name, OBJECT, _MAP) for name in ("labels", "annotations")}),
)


class Walk:
    """Restores conversion data; `missing` counts values that were absent before."""

    def __init__(self) -> None:
        self.missing = 0
        self._changed: set[str] = set()

    def whole(self, obj: Object, data: Any, change: Change) -> Object:
        """An object with the conversions of its fields."""
        return self.through(obj, data, _whole(change))

    def through(self, obj: Object, data: Any, part: Part) -> Object:
        """The object with its conversion data restored, as a copy."""
        made, around = dict(obj), self._changed
        if type(data) is dict:
            self._changed = {*_changed(obj, data)}
            self._inside(made, data, part, ())
            self._changed = around
        return made

    def _inside(self, made: Object, data: Object, part: Part, path: Path) -> None:
        """Restore the data of an object or map at a path."""
        for name, known in sorted(data.items(), key=_brings):
            if name == ITSELF:
                continue
            key = name if name.strip("'") else name[:-1]
            here = (*path, key)
            inner = part_of(part, key)
            known = within_another(known, _at(made, here))
            if inner is None or _rivals(_at(made, path), key, part[1]):
                self.missing += 1  # of another schema, written by hand, or of a oneof
            elif type(known) is not dict:
                self._value(made, here, known, inner)
            elif list in inner[0] and type(_at(made, here)) is not dict:
                self._list(made, here, known, inner)
            else:
                self._inside(made, known, inner, here)
                if ITSELF in known:
                    self._value(made, here, known[ITSELF], inner)

    def _value(self, made: Object, path: Path, known: Any, part: Part) -> None:
        """Restore one entry if the shown values convert back to it or are unchanged."""
        found = entry({ITSELF: known}, (ITSELF,))
        if found is None or _holds(made, path, found):
            return
        shown, back, free = (*found[0].split(":"), "", "")[:3]
        held = len(path) - 1 - (int(free) if free.isdecimal() else 0)
        own(made, path)
        self.missing += 1
        fits = witness(_at(made, path)) == back and (back or shown not in self._changed)
        if fits and len(found) == 1:
            take(made, path, held)
        elif fits and type(_at(made, path[:held])) is dict:
            try:
                put(made, path, one(found[1], *part, ""))
            except ConversionError:
                return  # written by another release of the API, or by hand

    def _list(self, made: Object, path: Path, known: Object, part: Part) -> None:
        """Restore the data of a list at a path."""
        value, about = _at(made, path), entry(known, (ITSELF,))
        if type(value) is not list:
            self.missing += len(known)
            if about and type(about[-1]) is not dict:
                self._value(made, path, about, part)
            return
        names = names_of(value, known.get(ITSELF))
        new = self._items(value, names, known, part_of(part, ITSELF) or _ANY)
        if about and type(about[-1]) is dict:
            new = self._ordered(new, names, next(iter(about[-1].values()), None))
        elif about and value:
            new = self._longer(new, about, masked(value[0], known.get("0", {})), part)
        own(made, path)
        put(made, path, new)

    def _items(
        self, value: list[Any], names: list[str], known: Object, part: Part
    ) -> list[Any]:
        """The items of a list, each with its data restored."""
        made, places = list(value), _places(names)
        for name, inner in known.items():
            if type(inner) is not dict:
                continue
            label = inner.get(ITSELF)
            keys = type(label) is str and label[:1] == "["
            place = places.get(str(label) if keys else name, -1)
            item = MISSING if place < 0 else value[place]
            back = (
                MISSING if keys or type(label) is not str else label.partition(":")[2]
            )
            fits = back in (MISSING, witness(masked(item, inner)))
            known = within_another(inner, item)
            if fits and type(item) is dict:
                made[place] = self.through(item, known, part)
            elif fits and type(item) is list and known is not inner:
                around = {ITSELF: item}
                self._list(around, (ITSELF,), known, part)
                made[place] = around[ITSELF]
            else:
                self.missing += 1
        return made

    def _ordered(self, value: list[Any], names: list[str], order: Any) -> list[Any]:
        """A list in the order of its keys, restored to the kept order."""
        wanted = ordered(names, order)
        if names == wanted:
            return value
        self.missing += 1
        if names != sorted({*names}):
            return value
        places = _places(names)
        return [value[places[name]] for name in wanted]

    def _longer(
        self, value: list[Any], about: list[Any], first: Any, part: Part
    ) -> list[Any]:
        """A list of one item, with the kept items."""
        further: Any = about[-1]
        if type(further) is not list or same(value[1:], further):
            return value
        self.missing += 1
        if len(value) == 1 and witness(first) == about[0].partition(":")[2]:
            try:
                made: list[Any] = one([*value, *further], *part, "")
            except ConversionError:
                return value
            return made
        return value


def _places(names: list[str]) -> dict[str, int]:
    """The index of the first item of each name."""
    return {name: place for place, name in reversed([*enumerate(names)])}


def apart(change: Change, *groups: Path) -> Change:
    """A conversion of an object with oneofs."""
    vars(change)["apart"] = groups
    return change


def _rivals(around: Any, name: str, change: Change | None) -> bool:
    """Return true if a field is absent because another one excludes it."""
    if type(around) is not dict or name in around or change is None:
        return False
    groups = vars(change).get("apart", ())
    return any(name in each and not around.keys().isdisjoint(each) for each in groups)


def _brings(named: tuple[str, Any]) -> bool:
    """Return true if an entry restores a value; removals are applied first."""
    return type(named[1]) is not list or len(named[1]) > 1


def _changed(obj: Object, data: Object, path: Path = ()) -> Iterator[str]:
    """The shown values of entries that have changed since.

    One of several values may be unchanged by coincidence.
    """
    for name, known in data.items():
        here = (*path, name)
        found = entry({ITSELF: known}, (ITSELF,))
        if type(known) is dict and type(_at(obj, here)) is not list:
            yield from _changed(obj, known, here)
        elif found is not None and not _holds(obj, here, found):
            shown, _, back = found[0].partition(":")
            if shown and witness(_at(obj, here)) != back.partition(":")[0]:
                yield shown


def _holds(obj: Object, path: Path, found: list[Any]) -> bool:
    """Return true if an object has the value that an entry restores."""
    return same(_at(obj, path), found[1] if len(found) > 1 else MISSING)


def _whole(change: Change) -> Part:
    """The possible contents of a whole object."""
    own_parts = OBJECT, change

    def part(name: str) -> Part | None:
        return _METADATA if name == "metadata" else part_of(own_parts, name)

    return OBJECT, with_parts(lambda value, _: value, part)


def _at(value: Any, path: Path) -> Any:
    """The value at a path; MISSING if there is none."""
    for name in path:
        value = value.get(name, MISSING) if type(value) is dict else MISSING
    return value
