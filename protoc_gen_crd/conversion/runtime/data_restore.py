"""Restore conversion data by the paths of its own version.

A value is restored if the object has the value that its counterparts convert back to.
Only the standard library is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .container_conversion import masked, names_of, ordered, parts_of, within_another
from .conversion_data import (
    ITSELF,
    NO_VALUE,
    entry,
    get_back_hash,
    get_shown_hash,
    is_back_hash,
    replace_hash,
    same,
    take,
    witness,
)
from .field_tables import Part, convert_value, entries, part_of, with_parts, within
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

_ANY: Part = (ANYTHING, None)
_MAP = entries(TEXT)
_METADATA: Part = (
    OBJECT,
    within({name: (name, OBJECT, _MAP) for name in ("labels", "annotations")}),
)


class Walk:
    """Restores conversion data.

    `missing` counts the values that were not present, and `orphans` those of them whose
    object is missing.
    """

    def __init__(self) -> None:
        self.missing = self.orphans = 0
        self._changed: set[str] = set()

    def whole(self, obj: Object, data: Any, change: Change) -> Object:
        """Restore the data of a whole object with the conversion of its fields."""
        return self.through(obj, data, _whole(change))

    def through(self, obj: Object, data: Any, part: Part) -> Object:
        """Return a copy of the object with its conversion data restored."""
        result, around = dict(obj), self._changed
        if type(data) is dict:
            self._changed = {*_changed(obj, data)}
            self._inside(result, data, part, ())
            self._changed = around
        return result

    def _inside(self, result: Object, data: Object, part: Part, path: Path) -> None:
        """Restore the data of an object or map at a path."""
        for name, entry_data in sorted(data.items(), key=_brings):
            if name == ITSELF:
                continue
            key = name if name.strip("'") else name[:-1]
            inner_path = (*path, key)
            inner_part = part_of(part, key)
            entry_data = within_another(entry_data, _at(result, inner_path))
            if inner_part is None or _rivals(_at(result, path), key, part[1]):
                self.missing += 1  # of another schema, written by hand, or of a oneof
            elif type(entry_data) is not dict:
                self._value(result, inner_path, entry_data, inner_part)
            elif list in inner_part[0] and type(_at(result, inner_path)) is not dict:
                self._list(result, inner_path, entry_data, inner_part)
            else:
                self._inside(result, entry_data, inner_part, inner_path)
                if ITSELF in entry_data:
                    self._value(result, inner_path, entry_data[ITSELF], inner_part)

    def _value(self, result: Object, path: Path, entry_data: Any, part: Part) -> None:
        """Restore one entry if the shown values convert back to it or are unchanged."""
        kept = entry({ITSELF: entry_data}, (ITSELF,))
        if kept is None or _holds(result, path, kept):
            return
        shown, _, free = (*kept[0].split(":"), "", "")[:3]
        present_depth = len(path) - 1 - (int(free) if free.isdecimal() else 0)
        own(result, path)
        self.missing += 1
        value = _at(result, path)
        fits = is_back_hash(kept[0], value) and (
            value is not MISSING or shown not in self._changed
        )
        if fits and len(kept) == 1:
            take(result, path, present_depth)
        elif fits and type(_at(result, path[:present_depth])) is not dict:
            self.orphans += 1
        elif fits:
            try:
                put(result, path, convert_value(kept[1], *part, ""))
            except ConversionError:
                return  # written by another release of the API, or by hand

    def _list(self, result: Object, path: Path, list_data: Object, part: Part) -> None:
        """Restore the data of a list at a path."""
        value, order_entry = _at(result, path), entry(list_data, (ITSELF,))
        if type(value) is not list:
            self.missing += len(list_data)
            if order_entry and type(order_entry[-1]) is not dict:
                self._value(result, path, order_entry, part)
            return
        names = names_of(value, list_data.get(ITSELF))
        new = self._items(value, names, list_data, part_of(part, ITSELF) or _ANY)
        if order_entry and type(order_entry[-1]) is dict:
            new = self._ordered(new, names, next(iter(order_entry[-1].values()), None))
        elif order_entry and value:
            new = self._longer(
                new, order_entry, masked(value[0], list_data.get("0", {})), part
            )
        own(result, path)
        put(result, path, new)

    def _items(
        self, value: list[Any], names: list[str], list_data: Object, part: Part
    ) -> list[Any]:
        """Return the items of a list, each with its data restored."""
        result, places = list(value), _places(names)
        for name, inner in list_data.items():
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
            inner_data = within_another(inner, item)
            if fits and type(item) is dict:
                result[place] = self.through(item, inner_data, part)
            elif fits and type(item) is list and inner_data is not inner:
                holder = {ITSELF: item}
                self._list(holder, (ITSELF,), inner_data, part)
                result[place] = holder[ITSELF]
            else:
                self.missing += 1
        return result

    def _ordered(self, value: list[Any], names: list[str], order: Any) -> list[Any]:
        """Return a list that is in the order of its keys, in the kept order."""
        kept_order = ordered(names, order)
        if names == kept_order:
            return value
        self.missing += 1
        if names != sorted({*names}):
            return value
        places = _places(names)
        return [value[places[name]] for name in kept_order]

    def _longer(
        self, value: list[Any], order_entry: list[Any], first: Any, part: Part
    ) -> list[Any]:
        """Return a list of one item, with the kept items."""
        kept_items: Any = order_entry[-1]
        if type(kept_items) is not list or same(value[1:], kept_items):
            return value
        self.missing += 1
        if len(value) == 1 and witness(first) == order_entry[0].partition(":")[2]:
            try:
                restored: list[Any] = convert_value([*value, *kept_items], *part, "")
            except ConversionError:
                return value
            return restored
        return value


def replace_hashes(data: Any, value: Any = NO_VALUE, expected: Any = NO_VALUE) -> Any:
    """Return conversion data with hashes of the values of an object, or without.

    Entries of `keep_absent` are removed with the hashes.

    The object is of the version of the data. With `expected`, only entries with hashes
    of the values of that object change.
    """
    if type(data) is not dict:
        return data
    value, expected = (
        part if part is NO_VALUE else parts_of(part, data.get(ITSELF))
        for part in (value, expected)
    )
    result: Object = {}
    for name, inner in data.items():
        ends = [
            parts if parts is NO_VALUE else parts.get(name, MISSING)
            for parts in (value, expected)
        ]
        if type(inner) is dict:
            inner = replace_hashes(inner, *ends)
        elif type(inner) is list and inner and name != ITSELF:
            is_any = ends[1] is NO_VALUE
            if is_any or get_back_hash(inner[0]) == witness(ends[1]):
                inner = [replace_hash(inner[0], ends[0]), *inner[1:]]
        if inner not in ({}, [""]):
            result[name] = inner
    return result


def keep_absent(data: Any, value: Any, other: Any) -> Any:
    """Return conversion data with entries for unset fields that another object has.

    `value` is the object of the version of the data. `other` is what the fields of a
    third version convert to. Objects without fields and items without conversion data
    are not compared.
    """
    result, is_list = dict(data), type(other) is list
    ends = [parts_of(part, data.get(ITSELF)) for part in (value, other)]
    for name, part in ends[1].items():
        inner = data.get(name, MISSING if is_list else {})
        own_part = ends[0].get(name, MISSING)
        if own_part is MISSING and not inner and part != {}:
            result[name] = [replace_hash("", part)]
        elif type(inner) is dict and type(own_part) is type(part) in (dict, list):
            result[name] = keep_absent(inner, own_part, part)
    return {name: inner for name, inner in result.items() if inner != {}}


def _places(names: list[str]) -> dict[str, int]:
    """Return the index of the first item of each name."""
    return {name: place for place, name in reversed([*enumerate(names)])}


def apart(change: Change, *groups: Path) -> Change:
    """Add the oneofs of an object to its conversion."""
    vars(change)["apart"] = groups
    return change


def _rivals(around: Any, name: str, change: Change | None) -> bool:
    """Return true if a field is absent because another one excludes it."""
    if type(around) is not dict or name in around or change is None:
        return False
    groups = vars(change).get("apart", ())
    return any(
        name in group and not around.keys().isdisjoint(group) for group in groups
    )


def _brings(named: tuple[str, Any]) -> bool:
    """Return true if an entry restores a value; removals are applied first."""
    return type(named[1]) is not list or len(named[1]) > 1


def _changed(obj: Object, data: Object, path: Path = ()) -> Iterator[str]:
    """Yield the witnesses of entries whose shown values have changed since.

    One of several values may be unchanged by coincidence.
    """
    for name, entry_data in data.items():
        inner_path = (*path, name)
        kept = entry({ITSELF: entry_data}, (ITSELF,))
        if type(entry_data) is dict and type(_at(obj, inner_path)) is not list:
            yield from _changed(obj, entry_data, inner_path)
        elif kept is not None and not _holds(obj, inner_path, kept):
            shown = get_shown_hash(kept[0])
            if shown and not is_back_hash(kept[0], _at(obj, inner_path)):
                yield shown


def _holds(obj: Object, path: Path, kept: list[Any]) -> bool:
    """Return true if an object has the value that an entry restores."""
    return same(_at(obj, path), kept[1] if len(kept) > 1 else MISSING)


def _whole(change: Change) -> Part:
    """Return the possible contents of a whole object."""
    own_parts = OBJECT, change

    def part(name: str) -> Part | None:
        return _METADATA if name == "metadata" else part_of(own_parts, name)

    return OBJECT, with_parts(lambda value, _: value, part)


def _at(value: Any, path: Path) -> Any:
    """Return the value at a path; MISSING if there is none."""
    for name in path:
        value = value.get(name, MISSING) if type(value) is dict else MISSING
    return value
