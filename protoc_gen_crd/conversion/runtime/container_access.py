"""Convert the items of lists and the values of maps.

Each item is converted by a function that receives its conversion data. Keys identify
items of lists; without keys, their positions do.
Only the standard library is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any

from .conversion_data import (
    INNER,
    ITSELF,
    below,
    compact,
    entry,
    shows,
    witness,
    witnesses,
)
from .path_access import put, taken
from .runtime import ANYTHING, MISSING, OBJECT, Kinds, Object, Path, checked, misfit

_BRACKETS = ("[]", "[key]")  # path steps from a list or map to its contents
# An item, its object, its path, its conversion data, and where new data goes.
Item = Callable[[Any, Object, str, Any, Object], Any]


class Place:
    """The place of items in an object.

    `root` is the object, `at` the path for messages, `was` the data to restore; data to
    keep goes into `lost` at `path`. `further` is the place of the enclosing item,
    `index` or `key` are those of the item that is converted.
    """

    __slots__ = ("at", "further", "index", "key", "lost", "path", "root", "was")

    def __init__(
        self,
        root: Object,
        at: str,
        was: Any,
        lost: Object,
        path: Path,
        further: Any = None,
    ) -> None:
        self.root, self.at, self.was, self.lost, self.path = root, at, was, lost, path
        self.further, self.index, self.key = further, 0, ""


def items(
    value: Any,
    convert: Item,
    keys: tuple[Path, Path],
    place: Place,
    kinds: Kinds = OBJECT,
    dropped: Collection[Path] = (),
) -> Any:
    """Convert each item of a list by a function; null stays null.

    `keys` are the fields that identify items, in the source and in the target version.
    Without keys, items are identified by their position and their unchanged values.
    Fields in `dropped` are ignored for this.
    """
    if value is MISSING or value is None:
        return value
    read, made = keys
    result: list[Any] = []
    kept, seen = _Kept(place), _Kept(place)
    for index, item in enumerate(value):
        here = f"{place.at}[{index}]"
        checked(item, kinds, here)
        if item is None:
            result.append(None)
            continue
        known = below(place.was, (seen.name(item, read, index),))
        if not read and shows(below(known, (ITSELF,))) != witness(item):
            known = None
        inner: Object = {}
        place.index = index
        new = convert(item, place.root, here, known, inner)
        if inner and not made:
            left = witness(masked(item, inner, dropped))
            inner[ITSELF] = witnesses(witness(new), left)
        name = kept.name(new, made, index)
        if inner and made and item_name(item, read) != item_name(new, made):
            inner[ITSELF] = item_name(item, read)
        kept.add(name, inner, read)
        result.append(new)
    return result


class _Kept:
    """The conversion data of the items of a list, by unique names."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._seen: set[str] = set()

    def name(self, item: Any, keys: Path, index: int) -> str:
        """The name of an item in conversion data."""
        if not keys:
            return str(index)
        name = item_name(item, keys)
        while name in self._seen:
            name += "'"  # a second item of the same keys, which servers reject
        self._seen.add(name)
        return name

    def add(self, name: str, inner: Object, keys: Path = ()) -> None:
        """Keep the data of an item, if any, with the fields that name items."""
        if inner:
            put(self._place.lost, (*self._place.path, name), inner)
            if keys:
                put(self._place.lost, (*self._place.path, ITSELF), compact(keys))


def item_name(item: Any, keys: Path) -> str:
    """The name of an item by its keys."""
    return compact([item.get(key) for key in keys])


def masked(value: Any, inner: Any, dropped: Collection[Path] = ()) -> Any:
    """A value without its conversion data, and without lists of such values.

    For nested lists, this applies to their items.
    """
    further = [path[1:] for path in dropped if path[0] in _BRACKETS]
    if further and type(value) is list:
        value = [masked(each, {}, further) for each in value]
    elif further and type(value) is dict:
        value = {key: masked(each, {}, further) for key, each in value.items()}
    elif dropped:
        lost: Object = {}
        for path in dropped:
            put(lost, path, [])
        value = masked(value, lost)
    known = within_another(inner, value)
    if type(known) is not dict or (type(value) is list and known is inner):
        return value if inner == {} else MISSING
    if type(value) is list:
        names = zip(value, names_of(value, known.get(ITSELF)), strict=True)
        return [masked(each, known.get(name, {})) for each, name in names]
    if type(value) is not dict:
        return value
    left = {}
    for name, part in value.items():
        aside = known.get(data_key(name))
        kept = part if aside is None else masked(part, aside)
        if kept is not MISSING and (aside is None or kept != {}):
            left[name] = kept
    return left


def within_another(inner: Any, value: Any) -> Any:
    """The conversion data of a value, without the marks of lists and maps."""
    known = inner.get(INNER) if type(inner) is dict else None
    container = type(value) is list or (type(value) is dict and INNER not in value)
    return known if type(known) is dict and container else inner


def data_key(key: str) -> str:
    """The name of a map entry in conversion data, always other than ITSELF."""
    return key if key.strip("'") else f"{key}'"


def values(value: Any, convert: Item, place: Place, kinds: Kinds = OBJECT) -> Any:
    """Convert each value of a map by a function; keys identify values."""
    if value is MISSING or value is None:
        return value
    result: Object = {}
    kept = _Kept(place)
    for key, item in value.items():
        here = f"{place.at}[{key!r}]"
        if checked(item, kinds, here) is None:
            result[key] = None
            continue
        inner: Object = {}
        name, place.key = data_key(key), key
        result[key] = convert(item, place.root, here, below(place.was, (name,)), inner)
        kept.add(name, inner)
    return result


def list_of(value: Any, convert: Item, place: Place, kinds: Kinds = OBJECT) -> Any:
    """A list of an object, and of kept items.

    Kept items are restored if the object is unchanged.
    """
    known = entry(place.was, (ITSELF,)) or [None]
    shown = shows(known[0])
    if value is MISSING or value is None:
        return known[1] if shown == "" and known[1:] in ([[]], [None]) else MISSING
    inner: Object = {}
    checked(value, kinds, place.at)
    first = convert(value, place.root, place.at, below(place.was, ("0",)), inner)
    if inner:
        put(place.lost, place.path, inner)
    further = known[-1] if shown == witness(value) else []
    return [first, *(further if type(further) is list else [])]


def first_of(
    value: Any,
    convert: Item,
    place: Place,
    kinds: Kinds = OBJECT,
    dropped: Collection[Path] = (),
) -> Any:
    """The first item of a list; other items, and empty lists, are kept."""
    if value is MISSING:
        return value
    if not value:
        put(place.lost, (*place.path, ITSELF), ["", value])
        return MISSING
    inner: Object = {}
    at = f"{place.at}[0]"
    first = convert(checked(value[0], kinds, at), place.root, at, place.was, inner)
    if inner:
        put(place.lost, (*place.path, "0"), inner)
    if len(value) > 1:
        left = witness(masked(value[0], inner, dropped))
        text = witnesses(witness(first), left)
        put(place.lost, (*place.path, ITSELF), [text, value[1:]])
    return first


def to_list(
    value: Any, convert: Item, key: str, place: Place, kinds: Kinds = OBJECT
) -> Any:
    """The values of a map with their keys, in the kept order.

    New values come last, in the order of their keys.
    """
    if value is MISSING or value is None:
        return value
    made = values(value, convert, place, kinds)
    known = entry(place.was, (ITSELF,))
    order = ordered(made, below(known[-1] if known else None, (key,)))
    return [{key: name, **(made[name] or {})} for name in order]


def names_of(value: list[Any], about: Any) -> list[str]:
    """The names of the items of a list in conversion data."""
    keys = list(about[-1]) if type(about) is list and type(about[-1]) is dict else []
    if keys:
        return [data_key(str(below(item, (keys[0],)))) for item in value]
    keys = _keys(about) if type(about) is str else []
    if not keys:
        return [str(index) for index in range(len(value))]
    names: dict[str, None] = {}
    for item in value:
        name = item_name(item if type(item) is dict else {}, tuple(keys))
        while name in names:
            name += "'"
        names[name] = None
    return [*names]


def _keys(text: str) -> list[str]:
    """The fields that name items."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [name for name in found if type(name) is str] if type(found) is list else []


def ordered(names: Collection[str], known: Any) -> list[str]:
    """Names in a kept order, new ones last."""
    there = {*names}
    first = dict.fromkeys(
        name
        for name in (known if type(known) is list else ())
        if type(name) is str and name in there
    )
    return [*first, *sorted(name for name in names if name not in first)]


def to_map(value: Any, convert: Item, key: str, place: Place) -> Any:
    """Convert a list to a map; its order is kept unless it is that of the keys."""
    if value is MISSING or value is None:
        return value
    known: Object = {}
    for index, item in enumerate(value):
        at = f"{place.at}[{index}]"
        name = checked(item, OBJECT, at).get(key)
        if type(name) is not str or name in known:
            raise misfit(f"{at}.{key}", "a string that is unique in the list", name)
        known[name] = item
    made = values(known, convert, place)
    order = list(known) if list(known) != sorted(known) else []
    if order or below(place.lost, place.path):
        put(place.lost, (*place.path, ITSELF), ["", {key: order}])
    return made


def picked(value: Any, place: int | str, path: Path = ()) -> Any:
    """The item of a list or the value of a map at a place, or a value in it."""
    found = MISSING
    if type(value) is dict:
        found = value.get(place, MISSING)
    elif type(value) is list and type(place) is int and place < len(value):
        found = value[place]
    if not path or found is MISSING:
        return found
    return taken(found, path, ANYTHING) if type(found) is dict else MISSING


def filled(*values: Any) -> Any:
    """A list of the values that are present."""
    known = [value for value in values if value is not MISSING]
    return known or MISSING


def keyed(keys: tuple[str, ...], *values: Any, over: Any = MISSING) -> Any:
    """A map of the values that are present, and of the other entries of another map."""
    known = over if type(over) is dict else {}
    made = {key: value for key, value in known.items() if key not in keys}
    pairs = zip(keys, values, strict=True)
    made |= {key: value for key, value in pairs if value is not MISSING}
    return made if made or over is not MISSING else MISSING
