"""What generated conversion modules call to put aside what a version cannot show, and to bring it back.

A stash is kept in the annotation `<group>/conversion-stash.<version>`: what objects of that version hold and the one
they are shown in does not. An entry is `[witness]` or `[witness, value]`. The witness tells what was shown for the
value when it was put aside: what has been changed since wins. An entry without a value was for a field not set.
Objects of entries are objects; items of lists are known by their keys or, where they have none, by their position.

Only the standard library is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Any

from .runtime import (
    MISSING,
    OBJECT,
    Change,
    ConversionError,
    Kinds,
    Object,
    Path,
    Rows,
    checked,
    fields,
    misfit,
    one,
    put,
    remove,
    taken,
)

Item = Callable[[Any, Object, str, Any, Object], Any]  # item, root, path, its stash, what is put aside

FORMAT = 1
DEEPEST = 500
MOST = 262_144  # bytes that the annotations of an object may have
ITSELF = ""  # in the stash of an item: its witness


def witness(*shown: Any) -> str:
    """What tells shown values from others; empty for none."""
    if all(value is MISSING for value in shown):
        return ""
    texts = [None if value is MISSING else [value] for value in shown]
    return sha256(_compact(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def same(own: Any, other: Any) -> bool:
    """Whether values are equal, 1, 1.0 and true told apart."""
    if own is other:
        return True
    if type(own) is not type(other):
        return False
    if type(own) is dict:
        return own.keys() == other.keys() and all(same(value, other[key]) for key, value in own.items())
    if type(own) is list:
        return len(own) == len(other) and all(map(same, own, other))
    return bool(own == other)


def aside(lost: Object, path: Path, value: Any, back: Any, *shown: Any) -> None:
    """Keep a value that what is shown does not lead back to."""
    if not same(value, back):
        put(
            lost,
            path,
            [witness(*shown)] if value is MISSING else [witness(*shown), value],
        )


def entry(was: Any, path: Path) -> list[Any] | None:
    """The entry of a stash at a path, None where there is none that makes sense."""
    for name in path:
        was = was.get(name) if type(was) is dict else None
    return was if type(was) is list and 1 <= len(was) <= 2 and type(was[0]) is str else None


def restore(
    result: Object, was: Any, path: Path, held: int, kinds: Kinds, change: Change | None, *shown: Any
) -> None:  # fmt: skip
    """Bring back what was put aside, if what was shown for it is as it was and the object around it is there."""
    known = entry(was, path)
    if known is None or known[0] != witness(*shown):
        return
    if len(known) == 1:
        remove(result, path)
        return
    try:
        value = one(known[1], kinds, change, "")
    except ConversionError:
        return  # put there by another generation of the API, or by hand
    put(result, path, value, held)


def bounded(
    change: Change | None,
    *,
    among: Collection[Any] = (),
    least: float | None = None,
    most: float | None = None,
    shortest: int = 0,
    longest: int | None = None,
) -> Change:  # fmt: skip
    """A value, or the parts of one, within bounds."""

    def held(value: Any, at: str) -> Any:
        if value is None:
            return value
        size = len(value) if type(value) in (str, list, dict) else None
        number = value if type(value) in (int, float) else None
        low = _less(number, least) or _less(size, shortest)
        high = _less(most, number) or _less(longest, size)
        if low or high or (among and not any(same(value, each) for each in among)):
            raise misfit(at, "a value that the schema takes", value)
        return value if change is None else change(value, at)

    return held


def _less(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and one < other


def aside_empty(lost: Object, path: Path, value: Any) -> None:
    """Remember an object that is there and empty, and has no counterpart."""
    if type(value) is dict and not value:
        put(lost, path, ["", {}])


def restore_empty(result: Object, was: Any, path: Path, held: int) -> None:
    """Bring back an empty object, unless there is something in it by now."""
    if entry(was, path) == ["", {}] and taken(result, path) is MISSING:
        put(result, path, {}, held)


def aside_none(lost: Object, path: Path, value: Any, shown: Any) -> None:
    """Remember that there was no object, though its counterpart is there because something was moved into it."""
    if value is MISSING and shown is not MISSING:
        put(lost, path, [witness(shown)])


def restore_none(result: Object, was: Any, path: Path, shown: Any) -> None:
    """Take away an empty object that was not there."""
    if entry(was, path) == [witness(shown)] and taken(result, path) == {}:
        remove(result, path)


def stash_of(source: Object, name: str) -> Any:
    """The stash of one version; None where there is none that can be read."""
    metadata = source.get("metadata")
    annotations = metadata.get("annotations") if type(metadata) is dict else None
    text = annotations.get(name) if type(annotations) is dict else None
    if type(text) is not str or _deep(text):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    known = type(found) is dict and found.get("format") == FORMAT
    return found.get("data") if known else None


def _deep(text: str) -> bool:
    """Whether JSON is nested so deep that reading it could use up the stack, whatever the interpreter's limit is."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = deepest = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{\]}]', text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        deepest = max(deepest, depth)
    return deepest > DEEPEST


# Whole objects.


def begin(source: Object, version: str, rows: Rows) -> Object:
    """The object in another version: what it is, its metadata, and what its table carries."""
    result: Object = {"apiVersion": version}
    for name in ("kind", "metadata"):
        if name in source:
            result[name] = source[name]
    result.update(fields(source, rows, ""))
    return result


def finish(result: Object, restored: str, kept: str, lost: Object) -> Object:
    """The object with what was put aside in its annotation, and without the annotation that was restored."""
    metadata = result.get("metadata")
    annotations = metadata.get("annotations") if type(metadata) is dict else None
    given: Object = annotations if type(annotations) is dict else {}
    if not lost and restored not in given and kept not in given:
        return result
    others = {name: text for name, text in given.items() if name not in (restored, kept)}
    if lost:
        others[kept] = _compact({"data": lost, "format": FORMAT})
        _check_size(others, kept)
    parts = {name: value for name, value in (metadata or {}).items() if name != "annotations"}
    if others:
        parts["annotations"] = others
    if parts:
        result["metadata"] = parts
    else:
        result.pop("metadata")
    return result


def _check_size(annotations: Object, name: str) -> None:
    size = sum(len(str(each).encode("utf-8", "replace")) for pair in annotations.items() for each in pair)
    if size > MOST:
        path = f"metadata.annotations[{name!r}]"
        raise ConversionError(f"{path}: annotations must have at most {MOST:,} bytes, found {size:,} with what is kept")


# Items of lists and maps that are more than carried.


class Place:
    """Where items stand: the object they are in, their path for messages, their stash, and where theirs goes."""

    __slots__ = ("at", "lost", "path", "root", "was")

    def __init__(self, root: Object, at: str, was: Any, lost: Object, path: Path) -> None:
        self.root, self.at, self.was, self.lost, self.path = root, at, was, lost, path


def items(
    value: Any, convert: Item, keys: tuple[Path, Path], place: Place, kinds: Kinds = OBJECT
) -> Any:  # fmt: skip
    """Each item of a list by a function, which gets back what it had put aside for it; null stays null.

    `keys` are the fields that tell items apart in the version that is read and in the one that is made; without them
    items are known by their position, and by being as they were shown.
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
        if not read and (type(known) is not dict or known.get(ITSELF) != witness(item)):
            known = None
        inner: Object = {}
        new = convert(item, place.root, here, known, inner)
        if inner and not made:
            inner[ITSELF] = witness(new)
        kept.add(kept.name(new, made, index), inner)
        result.append(new)
    return result


class _Kept:
    """What is put aside of the items of a list, by their names, each of which is given once."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._seen: set[str] = set()

    def name(self, item: Any, keys: Path, index: int) -> str:
        """What an item is called in a stash."""
        if not keys:
            return str(index)
        name = _compact([item.get(key) for key in keys])
        while name in self._seen:
            name += "'"  # a second item of the same keys, which no server takes
        self._seen.add(name)
        return name

    def add(self, name: str, inner: Object) -> None:
        """Put it aside, if there is any."""
        if inner:
            put(self._place.lost, (*self._place.path, name), inner)


def values(value: Any, convert: Item, place: Place, kinds: Kinds = OBJECT) -> Any:
    """Each value of a map by a function, as with items; values are told apart by their keys."""
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
        result[key] = convert(item, place.root, here, below(place.was, (key,)), inner)
        kept.add(key, inner)
    return result


def list_of(value: Any, convert: Item, place: Place, kinds: Kinds = OBJECT) -> Any:
    """A list of an object, and of the further items that were put aside, if the object is as it was shown."""
    known = entry(place.was, (ITSELF,))
    if value is MISSING or value is None:
        return known[1] if known and known[0] == "" and len(known) == 2 and known[1] in ([], None) else MISSING
    inner: Object = {}
    checked(value, kinds, place.at)
    first = convert(value, place.root, place.at, below(place.was, ("0",)), inner)
    if inner:
        put(place.lost, place.path, inner)
    further = known[1] if known and len(known) == 2 and known[0] == witness(value) else []
    return [first, *(further if type(further) is list else [])]


def first_of(value: Any, convert: Item, place: Place, kinds: Kinds = OBJECT) -> Any:
    """The first item of a list; further ones, and a list that is there and has none, are put aside."""
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
        put(place.lost, (*place.path, ITSELF), [witness(first), value[1:]])
    return first


def to_list(value: Any, convert: Item, key: str, place: Place, kinds: Kinds = OBJECT) -> Any:
    """The values of a map with their keys, in the order that was put aside, then in that of the keys."""
    if value is MISSING or value is None:
        return value
    made = values(value, convert, place, kinds)
    known = entry(place.was, (ITSELF,))
    order = known[1] if known and len(known) == 2 and type(known[1]) is list else []
    first = [name for name in dict.fromkeys(each for each in order if type(each) is str) if name in made]
    rest = sorted(name for name in made if name not in first)
    return [{key: name, **(made[name] or {})} for name in (*first, *rest)]


def to_map(value: Any, convert: Item, key: str, place: Place) -> Any:
    """A list as a map; its order is put aside where it is not that of the keys."""
    if value is MISSING or value is None:
        return value
    named: Object = {}
    for index, item in enumerate(value):
        name = checked(item, OBJECT, f"{place.at}[{index}]").get(key)
        if type(name) is not str or not name or name in named:
            raise misfit(f"{place.at}[{index}].{key}", "a text that no other item has", name)
        named[name] = item
    made = values(named, convert, place)
    if list(named) != sorted(named):
        put(place.lost, (*place.path, ITSELF), ["", list(named)])
    return made


def below(was: Any, path: Path) -> Any:
    """The part of a stash that is for what stands at a path."""
    for name in path:
        was = was.get(name) if type(was) is dict else None
    return was
