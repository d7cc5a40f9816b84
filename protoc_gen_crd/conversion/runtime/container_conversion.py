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
    ANY_VALUES,
    INNER,
    ITSELF,
    below,
    compact,
    entry,
    get_shown_hash,
    is_shown_hash,
    same,
    too_deep,
    witness,
    witnesses,
)
from .path_access import get_value, put
from .runtime import (
    ANYTHING,
    MISSING,
    OBJECT,
    Kinds,
    Object,
    Path,
    check_type,
    make_type_error,
)

_BRACKETS = ("[]", "[key]")  # path steps from a list or map to its contents
# An item, its object, its path, its conversion data, and where new data goes.
Item = Callable[[Any, Object, str, Any, Object], Any]


class Place:
    """The place of items in an object.

    `root` is the object, `at` the path for messages, `was` the data to restore; data to
    keep goes into `lost` at `path`. `further` is the place of the enclosing item,
    `index` or `key` are those of the item that is converted. `created` is the number of
    objects around `path` that are created on restore.
    """

    __slots__ = (
        "at",
        "created",
        "further",
        "index",
        "key",
        "lost",
        "path",
        "root",
        "was",
    )

    def __init__(
        self,
        root: Object,
        at: str,
        was: Any,
        lost: Object,
        path: Path,
        further: Any = None,
        created: int = 0,
    ) -> None:
        self.root, self.at, self.was, self.lost, self.path = root, at, was, lost, path
        self.further, self.index, self.key, self.created = further, 0, "", created

    def keep_whole(self, value: Any) -> None:
        """Keep a list or object that has no counterpart."""
        kept = [witnesses("", "", self.created), value]
        put(self.lost, (*self.path, ITSELF), kept)


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
    source_keys, target_keys = keys
    result: list[Any] = []
    kept, seen = _Kept(place), _Kept(place)
    for index, item in enumerate(value):
        item_path = f"{place.at}[{index}]"
        check_type(item, kinds, item_path)
        if item is None:
            result.append(None)
            continue
        item_data = below(place.was, (seen.name(item, source_keys, index),))
        if not source_keys and not is_shown_hash(below(item_data, (ITSELF,)), item):
            item_data = None
        inner: Object = {}
        place.index = index
        new = convert(item, place.root, item_path, item_data, inner)
        if inner and not target_keys:
            remaining = witness(masked(item, inner, dropped))
            inner[ITSELF] = witnesses(witness(new), remaining)
        name = kept.name(new, target_keys, index)
        if (
            inner
            and target_keys
            and item_name(item, source_keys) != item_name(new, target_keys)
        ):
            inner[ITSELF] = item_name(item, source_keys)
        kept.add(name, inner, source_keys)
        result.append(new)
    return result


class _Kept:
    """The conversion data of the items of a list, by unique names."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._seen: set[str] = set()

    def name(self, item: Any, keys: Path, index: int) -> str:
        """Return the name of an item in conversion data."""
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


def identify_by_position(data: Any) -> Any:
    """Return conversion data that identifies items without keys by position alone."""
    if type(data) is not dict:
        return data
    result = {name: identify_by_position(inner) for name, inner in data.items()}
    label, order_entry = data.get(ITSELF), entry(data, (ITSELF,))
    if type(label) is str:
        result[ITSELF] = _accept_any_values(label)
    elif order_entry and type(order_entry[-1]) is list:
        result[ITSELF] = [_accept_any_values(order_entry[0]), order_entry[-1]]
    return result


def accept_first_items(data: Any, value: Any) -> Any:
    """Return conversion data that restores further items after any first item.

    `value` is an object of the version of the data. It has only the first items of
    lists whose first item has changed.
    """
    parts = parts_of(value, data.get(ITSELF))
    result = {}
    for name, inner in data.items():
        part: Any = parts.get(name)
        kept = entry(data, (name,))
        if type(inner) is dict:
            inner = accept_first_items(inner, part)
        elif kept and type(kept[-1]) is list:
            is_shown = name != ITSELF and type(part) is list and len(part) == 1
            if is_shown or name == ITSELF:
                further = [part[0], *kept[-1][1:]] if is_shown else kept[-1]
                inner = [_accept_any_values(kept[0]), further]
        result[name] = inner
    return result


def _accept_any_values(item_witness: str) -> str:
    """Return the witness of an item without its hash; keys have none."""
    shown = get_shown_hash(item_witness)
    has_hash = shown and not shown.startswith("[")
    return ANY_VALUES + item_witness[len(shown) :] if has_hash else item_witness


def item_name(item: Any, keys: Path) -> str:
    """Return the name of an item by its keys."""
    return compact([item.get(key) for key in keys])


def masked(value: Any, inner: Any, dropped: Collection[Path] = ()) -> Any:
    """Return a value without its conversion data, and without lists of such values.

    For nested lists, this applies to their items.
    """
    further = [path[1:] for path in dropped if path[0] in _BRACKETS]
    if further and type(value) is list:
        value = [masked(element, {}, further) for element in value]
    elif further and type(value) is dict:
        value = {key: masked(element, {}, further) for key, element in value.items()}
    elif dropped:
        lost: Object = {}
        for path in dropped:
            put(lost, path, [])
        value = masked(value, lost)
    data = within_another(inner, value)
    if type(data) is not dict or (type(value) is list and data is inner):
        return value if inner == {} else MISSING
    if type(value) is list:
        names = zip(value, names_of(value, data.get(ITSELF)), strict=True)
        return [masked(element, data.get(name, {})) for element, name in names]
    if type(value) is not dict:
        return value
    result = {}
    for name, part in value.items():
        part_data = data.get(data_key(name))
        kept = part if part_data is None else masked(part, part_data)
        if kept is not MISSING and (part_data is None or kept != {}):
            result[name] = kept
    return result


def within_another(inner: Any, value: Any) -> Any:
    """Return the conversion data of a value, without the marks of lists and maps."""
    inner_data = inner.get(INNER) if type(inner) is dict else None
    container = type(value) is list or (type(value) is dict and INNER not in value)
    return inner_data if type(inner_data) is dict and container else inner


def data_key(key: str) -> str:
    """Return the name of a map entry in conversion data, which is never ITSELF."""
    return key if key.strip("'") else f"{key}'"


def values(value: Any, convert: Item, place: Place, kinds: Kinds = OBJECT) -> Any:
    """Convert each value of a map by a function; keys identify values."""
    if value is MISSING or value is None:
        return value
    result: Object = {}
    kept = _Kept(place)
    for key, item in value.items():
        item_path = f"{place.at}[{key!r}]"
        if check_type(item, kinds, item_path) is None:
            result[key] = None
            continue
        inner: Object = {}
        name, place.key = data_key(key), key
        result[key] = convert(
            item, place.root, item_path, below(place.was, (name,)), inner
        )
        kept.add(name, inner)
    return result


def list_of(
    value: Any,
    convert: Item,
    place: Place,
    kinds: Kinds = OBJECT,
    others: Collection[str] = (),
    late: Collection[Path] = (),
    outside: Collection[Any] = (),
) -> Any:
    """Return a list of an object and of kept items.

    Kept items are restored if the object is unchanged, except for data that items lack.
    Fields in `others` are converted elsewhere; an object that has no other fields is no
    item. An empty one is kept. Fields in `late` are kept depending on the whole object,
    which is converted later, so the hash of the shown object excludes them. Values from
    `outside` the object are shown in the item, also if the object is missing or null.
    """
    if others and value == {}:
        place.keep_whole({})
    if others and type(value) is dict:
        value = {name: part for name, part in value.items() if name not in others}
        value = value or MISSING
    order_entry = entry(place.was, (ITSELF,)) or [None]
    shown = get_shown_hash(order_entry[0])
    if value is MISSING or value is None:
        is_kept = shown == "" and len(order_entry) > 1
        is_kept &= type(order_entry[-1]) is list or order_entry[-1] is None
        has_item = is_kept and not _is_empty(order_entry[1])
        is_created = not has_item and any(part is not MISSING for part in outside)
        if value is None and (others or not is_created):
            place.keep_whole(None)
        if not is_created:
            return order_entry[1] if is_kept else MISSING
        value = {}
    inner: Object = {}
    check_type(value, kinds, place.at)
    first = convert(value, place.root, place.at, below(place.was, ("0",)), inner)
    if inner:
        put(place.lost, place.path, inner)
    is_unchanged = is_shown_hash(order_entry[0], masked(masked(value, inner), {}, late))
    further = order_entry[-1] if is_unchanged else []
    return [first, *(further if type(further) is list else [])]


def _is_empty(value: Any) -> bool:
    """Return true for a list without a first item, and for null."""
    return value is None or (type(value) is list and (not value or value[0] is None))


def first_of(
    value: Any,
    convert: Item,
    place: Place,
    kinds: Kinds = OBJECT,
    dropped: Collection[Path] = (),
    others: Collection[str] = (),
    late: Collection[Path] = (),
) -> Any:
    """Return the first item of a list; keep other items, and lists without one.

    Null and an empty object are restored if there is no first item. Fields in `others`
    are converted from elsewhere, so a first item without fields counts as none. For
    `late`, see `list_of`.
    """
    inner: Object = {}
    first = MISSING
    if value is not MISSING and not _is_empty(value):
        at = f"{place.at}[0]"
        item = check_type(value[0], kinds, at)
        first = convert(item, place.root, at, place.was, inner)
    if first is MISSING or (others and first == {}):
        if value is not MISSING:
            place.keep_whole(value)
        kept = entry(place.was, (ITSELF,)) or [None]
        was_empty = get_shown_hash(kept[0]) == "" and kept[1:] in ([None], [{}])
        return kept[1] if was_empty else MISSING
    if inner:
        put(place.lost, (*place.path, "0"), inner)
    if len(value) > 1:
        remaining = witness(masked(value[0], inner, dropped))
        restored: Object = {}
        if type(place.was) is dict:
            bare = convert(value[0], place.root, at, None, {})
            restored = _find_restored(place.was, first, bare)
        shown = witness(masked(masked(first, restored), {}, late))
        order_witness = witnesses(shown, remaining)
        put(place.lost, (*place.path, ITSELF), [order_witness, value[1:]])
    return first


def _find_restored(data: Any, value: Any, bare: Any) -> Any:
    """Return the conversion data of fields that differ without it, or excluded ones."""
    if type(data) is not dict or (type(value) is list and not same(value, bare)):
        return {} if data != [] and same(value, bare) else data
    data, ends = within_another(data, value), (value, bare)
    parts = [end if type(end) is dict else {} for end in ends]
    result: Object = {}
    for name, inner in data.items():
        key = name if name.strip("'") else name[:-1]
        kept = _find_restored(inner, *(part.get(key, MISSING) for part in parts))
        result |= {name: kept} if kept != {} else {}
    return result


def to_list(
    value: Any, convert: Item, key: str, place: Place, kinds: Kinds = OBJECT
) -> Any:
    """Return the values of a map with their keys, in the kept order.

    New values come last, in the order of their keys.
    """
    if value is MISSING or value is None:
        return value
    converted = values(value, convert, place, kinds)
    order_entry = entry(place.was, (ITSELF,))
    order = ordered(converted, below(order_entry[-1] if order_entry else None, (key,)))
    return [{key: name, **(converted[name] or {})} for name in order]


def names_of(value: list[Any], about: Any) -> list[str]:
    """Return the names of the items of a list in conversion data."""
    order = about[-1] if type(about) is list and about else None
    keys = list(order) if type(order) is dict else []
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


def parts_of(value: Any, about: Any) -> Object:
    """Return the parts of a list or object by their names in conversion data."""
    if type(value) is list:
        return dict(zip(names_of(value, about), value, strict=True))
    fields = value if type(value) is dict else {}
    return {data_key(name): part for name, part in fields.items()}


def _keys(text: str) -> list[str]:
    """Return the fields that name items."""
    try:
        parsed = None if too_deep(text) else json.loads(text)
    except ValueError:
        return []
    return (
        [name for name in parsed if type(name) is str] if type(parsed) is list else []
    )


def ordered(names: Collection[str], kept_order: Any) -> list[str]:
    """Return names in a kept order, new ones last."""
    present_names = {*names}
    kept_names = dict.fromkeys(
        name
        for name in (kept_order if type(kept_order) is list else ())
        if type(name) is str and name in present_names
    )
    return [*kept_names, *sorted(name for name in names if name not in kept_names)]


def to_map(value: Any, convert: Item, key: str, place: Place) -> Any:
    """Convert a list to a map; its order is kept unless it is that of the keys."""
    if value is MISSING or value is None:
        return value
    items_by_name: Object = {}
    for index, item in enumerate(value):
        at = f"{place.at}[{index}]"
        name = check_type(item, OBJECT, at).get(key)
        if type(name) is not str or name in items_by_name:
            raise make_type_error(
                f"{at}.{key}", "a string that is unique in the list", name
            )
        items_by_name[name] = item
    converted = values(items_by_name, convert, place)
    order = list(items_by_name) if list(items_by_name) != sorted(items_by_name) else []
    if order or below(place.lost, place.path):
        put(place.lost, (*place.path, ITSELF), ["", {key: order}])
    return converted


def picked(value: Any, place: int | str, path: Path = ()) -> Any:
    """Return the item of a list or the value of a map at a place, or a value in it."""
    value_at_place = MISSING
    if type(value) is dict:
        value_at_place = value.get(place, MISSING)
    elif type(value) is list and type(place) is int and place < len(value):
        value_at_place = value[place]
    if not path or value_at_place is MISSING:
        return value_at_place
    return (
        get_value(value_at_place, path, ANYTHING)
        if type(value_at_place) is dict
        else MISSING
    )


def filled(*values: Any) -> Any:
    """Return a list of the values that are present."""
    present = [value for value in values if value is not MISSING]
    return present or MISSING


def keyed(keys: tuple[str, ...], *values: Any, over: Any = MISSING) -> Any:
    """Return a map of the present values, and of the other entries of another map."""
    others = over if type(over) is dict else {}
    result = {key: value for key, value in others.items() if key not in keys}
    pairs = zip(keys, values, strict=True)
    result |= {key: value for key, value in pairs if value is not MISSING}
    return result if result or over is not MISSING else MISSING
