"""What generated conversion modules call to carry fields and to move and change values.

Only the standard library is used. What is returned shares parts with what was given;
nothing given is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from math import isfinite
from typing import Any

Object = dict[str, Any]
Path = tuple[str, ...]
Kinds = frozenset[type]
Change = Callable[[Any, str], Any]  # a value and its path to what becomes of it
# The new name of a field, the types it may have, what becomes of it.
Row = tuple[str, Kinds, Change | None]
Rows = Mapping[str, Row]
Part = tuple[Kinds, Change | None]  # types that a value may have, what becomes of it
Convert = Callable[[Object, str], Object]  # an object and the version it shall be in
# From and to, by which function.
Ways = Mapping[tuple[str, str], Callable[[Object], Object]]


class Missing:
    """What stands where nothing is."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Any = Missing()
TEXT: Kinds = frozenset((str,))
INTEGER: Kinds = frozenset((int,))
NUMBER: Kinds = frozenset((int, float))
BOOLEAN: Kinds = frozenset((bool,))
OBJECT: Kinds = frozenset((dict,))
LIST: Kinds = frozenset((list,))
EITHER: Kinds = frozenset((int, str))
NULL: Kinds = frozenset((type(None),))
ANY: Kinds = frozenset((str, int, float, bool, dict, list))
ANYTHING: Kinds = ANY | NULL
_WORDS = {
    str: "a text",
    int: "an integer",
    float: "a number",
    bool: "a boolean",
    dict: "an object",
    list: "a list",
}


class ConversionError(ValueError):
    """An object that cannot be converted: the path, and what is wrong there."""


def misfit(path: str, wanted: str, value: object) -> ConversionError:
    """What must be at a path, and what is found there: no more than a scalar of it."""
    if type(value) is bool:
        found = "true" if value else "false"
    elif isinstance(value, (str, int, float)):
        found = repr(value)[:80]
    else:
        found = (
            "null" if value is None else _WORDS.get(type(value), type(value).__name__)
        )
    return ConversionError(f"{path.removeprefix('.')}: must be {wanted}, found {found}")


def checked(value: Any, kinds: Kinds, path: str) -> Any:
    """A value that must be of one of some types."""
    if type(value) not in kinds:
        if type(value) is float and int in kinds and value.is_integer():
            # 1.0 is an integer to servers
            return int(value) if abs(value) < 2**63 else value
        wanted = " or ".join(word for kind, word in _WORDS.items() if kind in kinds)
        raise misfit(path, wanted, value)
    return value


# Carrying: whole objects by tables of their fields.


def fields(
    source: Object, rows: Rows, at: str, others: Collection[str] | None = None
) -> Object:
    """The fields of an object that a table knows, each under its new name.

    An object that may hold anything is given its `others`, the known fields that are
    converted elsewhere: what is unknown is carried as it is.
    """
    result: Object = {}
    known = rows.get
    for name, value in source.items():
        row = known(name)
        if row is not None:
            new, kinds, change = row
            if type(value) not in kinds:
                checked(value, kinds, f"{at}.{name}")
            result[new] = value if change is None else change(value, f"{at}.{name}")
        elif others is not None and name not in others:
            result[name] = value
    return result


def within(rows: Rows, others: Collection[str] | None = None) -> Change:
    """An object by the table of its fields; null stays null."""

    def changed(value: Any, at: str) -> Any:
        return None if value is None else fields(value, rows, at, others)

    rest = None if others is None else (ANYTHING, plain)
    return told(changed, lambda name: rows[name][1:] if name in rows else rest)


def told(change: Change, part: Callable[[str], Part | None]) -> Change:
    """A change that tells of the parts of a value, by their names."""
    vars(change)["part"] = part
    return change


def part_of(part: Part, name: str) -> Part | None:
    """What a part of a value may be, what becomes of it; None for what is unknown."""
    kinds, change = part
    known = vars(change).get("part") if change else None
    if known is not None:
        found: Part | None = known(name)
        return found
    return (ANYTHING, plain) if kinds & {dict, list} else None


def every(kinds: Kinds, change: Change | None = None) -> Change:
    """Each item of a list."""

    def changed(value: Any, at: str) -> Any:
        if value is None:
            return value
        for item in value:
            if type(item) not in kinds:
                break
        else:
            if change is None:
                return value
            try:
                return [change(item, at) for item in value]
            except ConversionError:
                pass  # what is wrong is told below, with the place of the item
        return [
            one(item, kinds, change, f"{at}[{index}]")
            for index, item in enumerate(value)
        ]

    return told(changed, lambda _: (kinds, change))


def entries(kinds: Kinds, change: Change | None = None) -> Change:
    """Each value of a map."""

    def changed(value: Any, at: str) -> Any:
        if value is None or (
            change is None and all(type(item) in kinds for item in value.values())
        ):
            return value
        return {
            key: one(item, kinds, change, f"{at}[{key!r}]")
            for key, item in value.items()
        }

    return told(changed, lambda _: (kinds, change))


def one(value: Any, kinds: Kinds, change: Change | None, at: str) -> Any:
    """What becomes of a value that must be of one of some types."""
    checked(value, kinds, at)
    return value if change is None else change(value, at)


def int32(value: Any, at: str) -> Any:
    """An integer, or null, that must fit into 32 bits: nothing is truncated."""
    return _within(value, 32, at)


def int64(value: Any, at: str) -> Any:
    """An integer, or null, that must fit into 64 bits: nothing is truncated."""
    return _within(value, 64, at)


def _within(value: Any, bits: int, at: str) -> Any:
    most = 2 ** (bits - 1)
    if value is not None and not -most <= value < most:
        raise misfit(at, f"within {-most} and {most - 1}", value)
    return value


def finite(value: Any, at: str) -> Any:
    """A number, or null, that must be one that JSON can hold."""
    if type(value) is float and not isfinite(value):
        raise misfit(at, "a number that JSON can hold", value)
    return value


def one_of(*known: Any) -> Change:
    """A value of an enum, or null: what no version knows is refused."""
    values = frozenset(known)

    def held(value: Any, at: str) -> Any:
        if value not in values and value is not None:
            raise misfit(at, "one of " + ", ".join(map(repr, known)), value)
        return value

    return held


def plain(value: Any, at: str) -> Any:
    """Data of any form, all of which must be what JSON can hold."""
    if type(value) is dict:
        for key, part in value.items():
            plain(part, f"{at}[{key!r}]")
            checked(key, TEXT, f"a key of {at}")
    elif type(value) is list:
        for index, item in enumerate(value):
            plain(item, f"{at}[{index}]")
    elif type(value) not in ANYTHING:
        raise misfit(at, "what JSON can hold", value)
    return finite(value, at)


def made(value: Any, kinds: Kinds, change: Change | None, at: str) -> Any:
    """A value that was worked out, which its field must be able to hold."""
    if value is MISSING:
        return value
    value = checked(value, kinds, at)
    return value if change is None else change(value, at)


# Moving: single values by their paths.


def taken(
    source: Object,
    path: Path,
    kinds: Kinds = ANY,
    change: Change | None = None,
    at: str = "",
) -> Any:
    """What stands at a path, MISSING where the path ends before."""
    value: Any = source
    for name in path:
        if type(value) is not dict:
            return none_of(source, path, at)
        value = value.get(name, MISSING)
        if value is MISSING:
            return MISSING
    if type(value) not in kinds:
        if value is None:
            return MISSING
        value = checked(value, kinds, f"{at}.{'.'.join(path)}")
    return value if change is None else change(value, f"{at}.{'.'.join(path)}")


def none_of(source: Object, path: Path, at: str) -> Any:
    """MISSING where null stands on a path; an error for anything else but an object."""
    value: Any = source
    for depth, name in enumerate(path):
        if value is None:
            break
        if type(value) is not dict:
            raise misfit(at + "." + ".".join(path[:depth]), "an object", value)
        value = value.get(name)
    return MISSING


def put(result: Object, path: Path, value: Any, held: int = 0) -> None:
    """Write a value, and the objects around it, of which so many must be there.

    MISSING writes nothing.
    """
    if value is MISSING:
        return
    if len(path) == 2:  # what is most often
        known = result.get(path[0])
        if type(known) is dict:
            known[path[1]] = value
            return
    for depth, name in enumerate(path[:-1]):
        inner = result.get(name)
        if type(inner) is not dict:
            if depth < held:
                return
            inner = result[name] = {}
        result = inner
    result[path[-1]] = value


def fill(result: Object, path: Path, value: Any, held: int) -> None:
    """Write a value where there is none, if so many objects around it are there."""
    if taken(result, path, ANYTHING) is MISSING:
        put(result, path, value, held)


def present(value: Any) -> Any:
    """A value that is not null."""
    return MISSING if value is None else value


def otherwise(value: Any, default: Any) -> Any:
    """A value, or a default where there is none."""
    return default if value is MISSING else value


def needed(value: Any, at: str) -> Any:
    """A value that must be there."""
    if value is MISSING:
        raise ConversionError(f"{at.removeprefix('.')}: must be there, found nothing")
    return value


def beside(source: Object, path: Path, value: Any) -> Any:
    """A value if there is an object for it to be in."""
    return MISSING if taken(source, path, OBJECT) is MISSING else value


def remove(result: Object, path: Path) -> None:
    """Take away what stands at a path."""
    for name in path[:-1]:
        result = result.get(name, MISSING)
        if type(result) is not dict:
            return
    result.pop(path[-1], None)


def own(result: Object, path: Path) -> None:
    """Copy the objects on the way to a value of the metadata, to write it there."""
    for name in path[:-1]:
        inner = result.get(name)
        if type(inner) is not dict:
            return
        inner = result[name] = dict(inner)
        result = inner


def move(result: Object, path: Path) -> None:
    """Take a label or annotation away that is elsewhere now, and a map left empty."""
    own(result, path)
    holder = taken(result, path[:-1], OBJECT)
    if holder is not MISSING and path[-1] in holder:
        holder.pop(path[-1])
        if not holder:
            remove(result, path[:-1])


# Changing single values: MISSING stays MISSING.


def called(value: Any, names: Mapping[str, str]) -> Any:
    """A text by a table; what is not in it stays."""
    return value if value is MISSING or value is None else names.get(value, value)


def listed(value: Any) -> Any:
    """A list of a value."""
    return MISSING if value is MISSING else [value]


def first(value: Any) -> Any:
    """The first item of a list."""
    return value[0] if type(value) is list and value else MISSING


def part(value: Any, separator: str, index: int, count: int) -> Any:
    """One of so many parts of a text; the last one has all that is left."""
    parts = value.split(separator, count - 1) if type(value) is str else []
    return parts[index] if index < len(parts) else MISSING


def joined(separator: str, *parts: Any) -> Any:
    """The texts that are there, with a separator between them."""
    known = [part for part in parts if type(part) is str]
    return separator.join(known) if known else MISSING


def gathered(value: Any, path: Path) -> Any:
    """The value of the first item that has one."""
    for item in value if type(value) is list else ():
        found = taken(item, path, ANYTHING) if type(item) is dict else MISSING
        if found is not MISSING:
            return found
    return MISSING


def multiplied(value: Any, factor: float) -> Any:
    """A number times a factor."""
    return value if value is MISSING or value is None else value * factor


def divided(value: Any, factor: float) -> Any:
    """A number by a factor; integers by integers are rounded down."""
    if value is MISSING or value is None:
        return value
    return value // factor if type(value) is type(factor) is int else value / factor


# Choosing the way.


def through(source: Any, version: str, group: str, hub: str, ways: Ways) -> Object:
    """An object in another version, by way of the hub where no way is straight."""
    given = source.get("apiVersion") if type(source) is dict else MISSING
    if type(given) is not str:
        raise misfit("apiVersion", "a text", None if given is MISSING else given)
    found, _, own = given.rpartition("/")
    way = ways.get((own, version))
    if way is not None and found == group:
        return way(source)
    known = sorted({hub, *(name for pair in ways for name in pair)})
    if found != group or own not in known:
        raise misfit("apiVersion", f"{group}/ with one of {', '.join(known)}", given)
    if version not in known:
        raise ConversionError(
            f"the version must be one of {', '.join(known)}, not {version!r}"
        )
    result: Object = source
    for step in ((own, hub), (hub, version)) if own != version else ():
        result = ways[step](result)
    return result


def of_kind(
    source: Any, version: str, converters: Mapping[tuple[str, str], Convert]
) -> Object:
    """An object in another version by what converts its kind."""
    given: Object = source if type(source) is dict else {}
    name: Any = given.get("kind")
    group = str(given.get("apiVersion", "")).rpartition("/")[0]
    text = type(name) is str
    convert = converters.get((group, name)) if text else None
    if convert is None:
        known = ", ".join(f"{kind} of {group}" for group, kind in converters)
        raise misfit("kind", f"one of {known}", f"{name} of {group}" if text else name)
    return convert(given, version)
