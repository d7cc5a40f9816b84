"""What generated conversion modules call to put aside what a version cannot show.

A stash is kept in the annotation `<group>/conversion-stash.<version>`: what objects of
that version hold and the one they are shown `as` does not. An entry is `[witness]` or
`[witness, value]`. The witness tells what was shown for the value when it was put
aside: what has been changed since wins. An entry without a value was for a field not
set. Entries stand in objects as the fields do; `nested.py` names items of lists.

A witness is a text of up to three parts, `shown:back:made`: the hash of what was shown,
that of what this leads back to, and how many objects around the value are made for it
where they are not there. Modules with another hub, which show something else, go by the
last two: see `hubs.py`.

Only the standard library is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Any

from .carrying import one, part_of, told
from .moving import put, remove, taken
from .preserved import Preserved
from .runtime import (
    ANY,
    ANYTHING,
    MISSING,
    Change,
    ConversionError,
    Kinds,
    Object,
    Path,
    misfit,
)

Back = Callable[[Object], Any]  # an object to what it leads back to
INNER = "[]"  # in a stash: what is of a list or map that stands in another
ITSELF = ""  # in a stash: of an item its witness, of a list its keys or its order


def witness(*shown: Any) -> str:
    """What tells shown values from others; empty for none."""
    if all(value is MISSING for value in shown):
        return ""
    texts = [None if value is MISSING else [value] for value in shown]
    return sha256(compact(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def compact(value: Any) -> str:
    """Plain data as JSON that is short and always the same."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def same(own: Any, other: Any) -> bool:
    """Whether values are equal, 1, 1.0 and true told apart."""
    if own is other:
        return True
    if type(own) is not type(other):
        return False
    if type(own) is dict:
        return own.keys() == other.keys() and all(
            same(value, other[key]) for key, value in own.items()
        )
    if type(own) is list:
        return len(own) == len(other) and all(map(same, own, other))
    return bool(own == other)


def witnesses(shown: str, back: str, made: int = 0) -> str:
    """The witness of an entry: parts at its end that say nothing are left out."""
    return f"{shown}:{back}:{made or ''}".rstrip(":")


def shows(known: Any) -> str:
    """The part of a witness that is about what was shown."""
    return known.partition(":")[0] if type(known) is str else ""


def aside(
    lost: Object, path: Path, value: Any, back: Any, *shown: Any, made: int = 0
) -> None:
    """Keep a value that what is shown does not lead back to.

    With it come so many of the objects around it if they are not there.
    """
    if not same(value, back):
        text = witnesses(witness(*shown), witness(back), made)
        put(lost, path, [text] if value is MISSING else [text, value])


def aside_late(
    lost: Object, path: Path, value: Any, back: Back, *shown: Any, made: int = 0
) -> None:
    """Keep a value of an item that the whole object leads back to as well.

    That is not there yet: `settled` sees whether it has to be kept.
    """

    def kept(whole: Object) -> Any:
        inner: Object = {}
        again = back(whole)
        aside(inner, ("",), value, again, *shown, again, made=made)
        return inner.get("")

    put(lost, path, [kept])


def settled(lost: Object, whole: Object) -> Object:
    """What is put aside, now that the whole object is there."""
    left = {}
    for name, known in lost.items():
        if type(known) is dict:
            known = settled(known, whole)
        elif type(known) is list and callable(known[0]):
            known = known[0](whole)
        if known:
            left[name] = known
    return {} if left.keys() == {ITSELF} and _names(left[ITSELF]) else left


def _names(known: Any) -> bool:
    """Whether it tells nothing but by what others are named, in their order."""
    about = known[-1] if type(known) is list else None
    return type(known) is str or (type(about) is dict and [] in about.values())


def entry(was: Any, path: Path) -> list[Any] | None:
    """The entry of a stash at a path, None where there is none that makes sense."""
    if type(was) is Preserved:
        return was.entry(path)
    for name in path:
        was = was.get(name) if type(was) is dict else None
    known = type(was) is list and 1 <= len(was) <= 2 and type(was[0]) is str
    return was if known else None


def restore(
    result: Object,
    was: Any,
    path: Path,
    held: int,
    kinds: Kinds,
    change: Change | None,
    *shown: Any,
) -> None:
    """Bring back what was put aside.

    What was shown for it must be as it was, and so many objects around it be there.
    """
    known = entry(was, path)
    if known is None or shows(known[0]) != witness(*shown):
        return
    if len(known) == 1:
        take(result, path, held)
        return
    try:
        value = one(known[1], kinds, change, "")
    except ConversionError:
        return  # put there by another generation of the API, or by hand
    put(result, path, value, held)


def take(result: Object, path: Path, held: int) -> None:
    """Take a value away, with the objects around it that were made for it alone."""
    remove(result, path)
    for depth in range(len(path) - 1, held, -1):
        if taken(result, path[:depth]) == {}:
            remove(result, path[:depth])


def bounded(
    change: Change | None,
    *,
    among: Collection[Any] = (),
    least: float | None = None,
    most: float | None = None,
    shortest: int = 0,
    longest: int | None = None,
) -> Change:
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

    return told(held, lambda name: part_of((ANY, change), name))


def _less(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and one < other


def aside_empty(lost: Object, path: Path, value: Any, made: int = 0) -> None:
    """Remember an object that is there and empty, and has no counterpart."""
    if type(value) is dict and not value:
        _about(lost, path, [witnesses("", "", made), {}])


def _about(lost: Object, path: Path, known: list[Any]) -> None:
    """Put aside what is said of an object itself, beside what is said of its parts."""
    inside = type(taken(lost, path, ANY)) is dict
    put(lost, (*path, ITSELF) if inside else path, known)


def _told_of(was: Any, path: Path) -> list[Any] | None:
    """The entry about an object itself."""
    return entry(was, path) or entry(was, (*path, ITSELF))


def unmade(result: Object, path: Path, shown: Any) -> None:
    """Take away an empty object, made for a value that is taken away again."""
    if shown is MISSING and taken(result, path) == {}:
        remove(result, path)


def restore_empty(result: Object, was: Any, path: Path, held: int) -> None:
    """Bring back an empty object, unless there is something in it by now."""
    known = _told_of(was, path) or [MISSING]
    empty = shows(known[0]) == "" and known[1:] == [{}]
    if empty and taken(result, path) is MISSING:
        put(result, path, {}, held)


def aside_none(lost: Object, path: Path, value: Any, shown: Any) -> None:
    """Remember that there was no object, though something went into its counterpart."""
    if value is MISSING and shown is not MISSING:
        _about(lost, path, [witnesses(witness(shown), witness({}))])


def restore_none(
    result: Object, was: Any, path: Path, shown: Any, others: Collection[str] = ()
) -> None:
    """Take away an object that was not there, but for what comes from elsewhere."""
    found = _told_of(was, path) or [None, None]
    here = len(found) == 1 and shows(found[0]) == witness(shown)
    known = taken(result, path) if here else MISSING
    if type(known) is not dict:
        return
    left = {name: value for name, value in known.items() if name in others}
    if left:
        put(result, path, left)
    else:
        remove(result, path)


def below(was: Any, path: Path) -> Any:
    """The part of a stash that is for what stands at a path."""
    if type(was) is Preserved:
        return was.below(path)
    for name in path:
        was = was.get(name) if type(was) is dict else None
    return was


def alone(was: Any, result: Object, *others: Path) -> Any:
    """A stash; None where there is a field that what comes back may not be beside."""
    here = any(taken(result, other, ANYTHING) is not MISSING for other in others)
    return None if here else was
