"""What generated conversion modules call to put aside what a version cannot show.

A stash is kept in the annotation `<group>/conversion-stash.<version>`: what objects of
that version hold and the one they are shown in does not. An entry is `[witness]` or
`[witness, value]`. The witness tells what was shown for the value when it was put
aside: what has been changed since wins. An entry without a value was for a field not
set. Entries stand in objects as the fields do; `nested.py` names items of lists.

Only the standard library is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Any

from .runtime import (
    ANY,
    MISSING,
    Change,
    ConversionError,
    Kinds,
    Object,
    Path,
    Rows,
    fields,
    misfit,
    one,
    put,
    remove,
    taken,
)

Back = Callable[[Object], Any]  # an object to what it leads back to
FORMAT = 1
_END = f'"format":{FORMAT}}}'  # of what has nothing of a newer format in it
DEEPEST = 500
MOST = 262_144  # bytes that the annotations of an object may have
ITSELF = ""  # in the stash of an item: its witness


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


def aside(lost: Object, path: Path, value: Any, back: Any, *shown: Any) -> None:
    """Keep a value that what is shown does not lead back to."""
    if not same(value, back):
        put(
            lost,
            path,
            [witness(*shown)] if value is MISSING else [witness(*shown), value],
        )


def aside_late(lost: Object, path: Path, value: Any, back: Back, *shown: Any) -> None:
    """Keep a value of an item that the whole object leads back to as well.

    That is not there yet: `settled` sees whether it has to be kept.
    """

    def kept(whole: Object) -> Any:
        made: Object = {}
        again = back(whole)
        aside(made, ("",), value, again, *shown, again)
        return made.get("")

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
    return left if any(type(known) is not str for known in left.values()) else {}


def entry(was: Any, path: Path) -> list[Any] | None:
    """The entry of a stash at a path, None where there is none that makes sense."""
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
    if known is None or known[0] != witness(*shown):
        return
    if len(known) == 1:
        remove(result, path)
        for depth in range(len(path) - 1, held, -1):
            if taken(result, path[:depth]) == {}:
                remove(result, path[:depth])  # it was made for the value alone
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

    return held


def _less(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and one < other


def aside_empty(lost: Object, path: Path, value: Any) -> None:
    """Remember an object that is there and empty, and has no counterpart."""
    if type(value) is dict and not value:
        inside = type(taken(lost, path, ANY)) is dict
        put(lost, (*path, ITSELF) if inside else path, ["", {}])


def restore_empty(result: Object, was: Any, path: Path, held: int) -> None:
    """Bring back an empty object, unless there is something in it by now."""
    known = entry(was, path) or entry(was, (*path, ITSELF))
    if known == ["", {}] and taken(result, path) is MISSING:
        put(result, path, {}, held)


def aside_none(lost: Object, path: Path, value: Any, shown: Any) -> None:
    """Remember that there was no object, though something went into its counterpart."""
    if value is MISSING and shown is not MISSING:
        put(lost, path, [witness(shown)])


def restore_none(
    result: Object,
    was: Any,
    path: Path,
    shown: Any,
    others: Collection[str] = (),
) -> None:
    """Take away an object that was not there, but for what comes from elsewhere."""
    known = taken(result, path) if entry(was, path) == [witness(shown)] else MISSING
    if type(known) is not dict:
        return
    left = {name: value for name, value in known.items() if name in others}
    if left:
        put(result, path, left)
    else:
        remove(result, path)


def below(was: Any, path: Path) -> Any:
    """The part of a stash that is for what stands at a path."""
    for name in path:
        was = was.get(name) if type(was) is dict else None
    return was


def stash_of(source: Object, name: str) -> Any:
    """The stash of one version; None where there is none that can be read."""
    found = _read(_annotations(source).get(name))
    return found.get("data") if found.get("format") == FORMAT else None


def _annotations(source: Object) -> Object:
    metadata = source.get("metadata")
    annotations = metadata.get("annotations") if type(metadata) is dict else None
    return annotations if type(annotations) is dict else {}


def _read(text: Any) -> Object:
    """What an annotation holds as JSON, nothing where that is no object."""
    if type(text) is not str or _deep(text):
        return {}
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if type(found) is dict else {}


def _newer(text: Any) -> str:
    """What a newer generation of modules has put aside; empty for none."""
    if type(text) is not str or text.endswith(_END):
        return ""
    found = _read(text)
    if found.get("format") == FORMAT:
        text = found.get("newer")
        return text if type(text) is str else ""
    known = type(found.get("format")) is int and found["format"] > FORMAT
    return text if known else ""


def _deep(text: str) -> bool:
    """Whether JSON is nested so deep that reading it could use up the stack."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = deepest = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{\]}]', text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        deepest = max(deepest, depth)
    return deepest > DEEPEST


# Whole objects.


def begin(
    source: Object, version: str, rows: Rows, others: Collection[str] | None = None
) -> Object:
    """The object in another version: kind, metadata, and what its table carries."""
    result: Object = {"apiVersion": version}
    for name in ("kind", "metadata"):
        if name in source:
            result[name] = source[name]
    known = None if others is None else {*others, "apiVersion", "kind", "metadata"}
    result.update(fields(source, rows, "", known))
    return result


def finish(result: Object, restored: str, kept: str, lost: Object) -> Object:
    """The object with what was put aside, without the annotation that was restored.

    What a newer generation has put aside, while two of them are at work or after a
    roll-back, stays for it.
    """
    given = _annotations(result)
    if not lost and restored not in given and kept not in given:
        return result
    ours = (restored, kept)
    newer = {name: text for name in ours if (text := _newer(given.get(name)))}
    others = {name: text for name, text in given.items() if name not in ours} | newer
    if lost:
        own = {"data": lost, "format": FORMAT}
        more = {"newer": newer[kept]} if kept in newer else {}
        others[kept] = compact({**own, **more})
        if more and _size(others) > MOST:
            others[kept] = compact(own)
        _check_size(others, kept)
    parts = dict(result.get("metadata") or {})
    parts.pop("annotations", None)
    if others:
        parts["annotations"] = others
    if parts:
        result["metadata"] = parts
    else:
        result.pop("metadata")
    return result


def _size(annotations: Object) -> int:
    texts = (str(each) for pair in annotations.items() for each in pair)
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


def _check_size(annotations: Object, name: str) -> None:
    size = _size(annotations)
    if size > MOST:
        text = f"annotations must have at most {MOST:,} bytes, found {size:,}"
        path = f"metadata.annotations[{name!r}]"
        raise ConversionError(f"{path}: {text} with what is kept")
