"""Keep fields of one version that another version lacks, in conversion data.

The annotation `<group>/conversion-data.<version>` has the values of objects of that
version that the version in `as` has no fields for. An entry is `[witness]` or
`[witness, value]`. The witness identifies the values that were shown instead: if a
client has changed these, the change wins. An entry without a value is for an unset
field. An empty entry is for a field that the hashes of the items around it exclude.
Entries are nested like the fields; `container_conversion.py` names the items of lists.

A witness is a string of up to four parts, `shown:back:created:=other`: the hash of the
shown values, the hash of the value they convert back to, and the number of objects
around the value that are created for it. On an object of a third version, the last part
is the hash of the value that its fields convert back to, if it is another one. Modules
with another hub show other values and compare the other parts: see `hub_changes.py`.

Only the standard library is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from hashlib import sha256
from typing import Any

from .field_tables import convert_value, part_of, with_parts
from .kcp_preserved import Preserved
from .path_access import get_value, put, remove
from .runtime import (
    ANY,
    ANYTHING,
    MISSING,
    Change,
    ConversionError,
    Kinds,
    Object,
    Path,
    make_type_error,
)

Back = Callable[[Object], Any]  # Converts an object back to the value in question
# The name of the annotation after the group and before the version.
ANNOTATION_INFIX = "/conversion-data."
DEEPEST = 500
INNER = "[]"  # in conversion data: the data of a list or map inside another
NO_VALUE: Any = object()  # no hash of the value of a third version
ANY_VALUES = "*"  # in place of a hash: shown values are identified by their place alone
ITSELF = ""  # in conversion data: the witness of an item, the keys or order of a list


def witness(*shown: Any) -> str:
    """Return a hash that identifies shown values; empty for none."""
    if all(value is MISSING for value in shown):
        return ""
    shown_values = [None if value is MISSING else [value] for value in shown]
    return sha256(compact(shown_values).encode("utf-8", "surrogatepass")).hexdigest()[
        :16
    ]


def compact(value: Any) -> str:
    """Format plain data as compact, deterministic JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def too_deep(text: str) -> bool:
    """Return true if JSON is nested deep enough to exhaust the stack."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = deepest = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{\]}]', text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        deepest = max(deepest, depth)
    return deepest > DEEPEST


def same(own: Any, other: Any) -> bool:
    """Compare values; 1, 1.0 and true differ."""
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


def witnesses(shown: str, back: str, created: int = 0) -> str:
    """Return the witness of an entry, without empty parts at its end."""
    return f"{shown}:{back}:{created or ''}".rstrip(":")


def replace_hash(entry_witness: Any, value: Any) -> Any:
    """Return a witness with the hash of the value of a third version, or without."""
    if type(entry_witness) is not str:
        return entry_witness
    shown, back, created = (*entry_witness.split(":"), "", "")[:3]
    other = back if value is NO_VALUE else witness(value)
    part = "" if other == back else f"={other}"
    return f"{shown}:{back}:{created}:{part}".rstrip(":")


def get_back_hash(entry_witness: Any) -> str:
    """Return the part of a witness for the value that the shown values convert to."""
    if type(entry_witness) is not str:
        return ""
    _, back, _, other = (*entry_witness.split(":"), "", "", "")[:4]
    return other[1:] if other else back


def is_back_hash(entry_witness: Any, value: Any) -> bool:
    """Return true if the shown values, or those of a third version, convert to a value.

    If the data of the third version is restored, its object has the shown values again.
    """
    back = (*entry_witness.split(":"), "")[1] if type(entry_witness) is str else ""
    return witness(value) in (back, get_back_hash(entry_witness))


def get_shown_hash(entry_witness: Any) -> str:
    """Return the part of a witness for the shown values."""
    return entry_witness.partition(":")[0] if type(entry_witness) is str else ""


def is_shown_hash(entry_witness: Any, *shown: Any) -> bool:
    """Return true if a witness identifies shown values."""
    return get_shown_hash(entry_witness) in (ANY_VALUES, witness(*shown))


def keep_data(
    lost: Object, path: Path, value: Any, back: Any, *shown: Any, created: int = 0
) -> None:
    """Keep a value that the shown values do not convert back to.

    `created` is the number of objects around it that are created on restore.
    """
    if not same(value, back):
        entry_witness = witnesses(witness(*shown), witness(back), created)
        put(lost, path, [entry_witness] if value is MISSING else [entry_witness, value])


def keep_data_late(
    lost: Object, path: Path, value: Any, back: Back, *shown: Any, created: int = 0
) -> None:
    """Keep a value of an item that the whole object converts back to as well.

    The whole object is converted later: `settled` then compares the values.
    """

    def kept(whole: Object) -> Any:
        inner: Object = {}
        again = back(whole)
        keep_data(inner, ("",), value, again, *shown, again, created=created)
        return inner.get("")

    put(lost, path, [kept])


def settled(lost: Object, whole: Object, *, is_hashed: bool = False) -> Object:
    """Return the final conversion data, after the whole object is converted.

    The hash of an item excludes the fields of `keep_data_late`. If the whole object
    converts back to such a field, an empty entry excludes it, for every module.
    """
    has_hash = is_hashed or _has_hash(lost.get(ITSELF))
    result = {}
    for name, entry_data in lost.items():
        if type(entry_data) is dict:
            entry_data = settled(entry_data, whole, is_hashed=has_hash)
        elif type(entry_data) is list and callable(entry_data[0]):
            entry_data = entry_data[0](whole)
            if has_hash and entry_data is None:
                entry_data = []
        if entry_data or entry_data == []:
            result[name] = entry_data
    return result if is_hashed or _has_values(result) else {}


def _has_hash(entry_data: Any) -> bool:
    """Return true if an entry has the hash of an item, or of a list's first item."""
    if type(entry_data) is list:
        return type(entry_data[-1]) is list
    return type(entry_data) is str and entry_data[:1] != "["


def _has_values(data: Any) -> bool:
    """Return true if data has more than hashes, empty entries and names of items."""
    return any(
        _has_values(entry_data)
        if type(entry_data) is dict
        else bool(entry_data) and not (name == ITSELF and _has_only_names(entry_data))
        for name, entry_data in data.items()
    )


def _has_only_names(entry_data: Any) -> bool:
    """Return true if an entry contains only the names of items in their order."""
    order = entry_data[-1] if type(entry_data) is list else None
    return type(entry_data) is str or (type(order) is dict and [] in order.values())


def entry(was: Any, path: Path) -> list[Any] | None:
    """Return the entry of conversion data at a path; None if missing or malformed."""
    if type(was) is Preserved:
        return was.entry(path)
    for name in path:
        was = was.get(name) if type(was) is dict else None
    is_entry = type(was) is list and 1 <= len(was) <= 2 and type(was[0]) is str
    return was if is_entry else None


def restore(
    result: Object,
    was: Any,
    path: Path,
    present_depth: int,
    kinds: Kinds,
    change: Change | None,
    *shown: Any,
) -> None:
    """Restore a kept value.

    The shown values must be unchanged, and the objects around it present.
    """
    kept = entry(was, path)
    if kept is None or not is_shown_hash(kept[0], *shown):
        return
    if len(kept) == 1:
        take(result, path, present_depth)
        return
    try:
        value = convert_value(kept[1], kinds, change, "")
    except ConversionError:
        return  # written by another release of the API, or by hand
    put(result, path, value, present_depth)


def take(result: Object, path: Path, present_depth: int) -> None:
    """Remove a value, and the objects around it that were created only for it."""
    remove(result, path)
    for depth in range(len(path) - 1, present_depth, -1):
        if get_value(result, path[:depth]) == {}:
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
    """Validate a value, or the parts of one, against bounds."""

    def check(value: Any, at: str) -> Any:
        if value is None:
            return value
        size = len(value) if type(value) in (str, list, dict) else None
        number = value if type(value) in (int, float) else None
        low = _less(number, least) or _less(size, shortest)
        high = _less(most, number) or _less(longest, size)
        if low or high or (among and not any(same(value, member) for member in among)):
            raise make_type_error(at, "a value that the schema accepts", value)
        return value if change is None else change(value, at)

    return with_parts(check, lambda name: part_of((ANY, change), name))


def _less(low: float | None, high: float | None) -> bool:
    return low is not None and high is not None and low < high


def keep_data_empty(lost: Object, path: Path, value: Any, created: int = 0) -> None:
    """Keep an object without values, `{}` or null, that has no counterpart."""
    is_kept = _find_entry_of_object(lost, path) is not None
    if not is_kept and (value is None or (type(value) is dict and not value)):
        _keep_object_entry(lost, path, [witnesses("", "", created), value])


def keep_data_null(lost: Object, path: Path, value: Any, created: int = 0) -> None:
    """Keep null in place of an object, list or map that the counterpart rejects."""
    if value is None and _find_entry_of_object(lost, path) is None:
        _keep_object_entry(lost, path, [witnesses("", "", created), None])


def _keep_object_entry(lost: Object, path: Path, object_entry: list[Any]) -> None:
    """Keep an entry of an object itself, in addition to those of its fields."""
    inside = type(get_value(lost, path, ANY)) is dict
    put(lost, (*path, ITSELF) if inside else path, object_entry)


def _find_entry_of_object(was: Any, path: Path) -> list[Any] | None:
    """Return the entry of an object itself, in addition to those of its fields."""
    return entry(was, path) or entry(was, (*path, ITSELF))


def remove_created(result: Object, path: Path, shown: Any) -> None:
    """Remove an empty object that was created for a value that was removed.

    If the counterpart is null, so is the object.
    """
    if (shown is MISSING or shown is None) and get_value(result, path) == {}:
        remove(result, path)
        put(result, path, shown)


def keep_object(result: Object, path: Path, shown: Any) -> None:
    """Keep an object whose last value was removed, if its counterpart is present."""
    if type(shown) is dict and get_value(result, path, ANYTHING) is MISSING:
        put(result, path, {})


def restore_empty(result: Object, was: Any, path: Path, present_depth: int) -> None:
    """Restore an object without values, unless it has fields by now."""
    kept = _find_entry_of_object(was, path) or [MISSING]
    was_empty = get_shown_hash(kept[0]) == "" and kept[1:] in ([{}], [None])
    if was_empty and get_value(result, path) is MISSING:
        put(result, path, kept[1], present_depth)


def keep_data_none(lost: Object, path: Path, value: Any, shown: Any) -> None:
    """Keep the fact that an object was absent or null, unlike its counterpart."""
    if value is MISSING and shown is not MISSING:
        _keep_object_entry(lost, path, [witnesses(witness(shown), witness({}))])
    elif (
        value is None
        and type(shown) is dict
        and _find_entry_of_object(lost, path) is None
    ):
        _keep_object_entry(lost, path, [witnesses(witness(shown), witness({})), None])


def restore_none(
    result: Object,
    was: Any,
    path: Path,
    present_depth: int,
    shown: Any,
    others: Collection[str] = (),
) -> None:
    """Remove an object that was absent or null, unless it has values from elsewhere.

    The objects around it that were created only for it are removed as well.
    """
    kept = _find_entry_of_object(was, path)
    if kept is None or kept[1:] not in ([], [None]) or shown is MISSING:
        return
    is_unchanged = get_shown_hash(kept[0]) == witness(shown)
    current = get_value(result, path) if is_unchanged else MISSING
    if type(current) is not dict:
        return
    remaining = {name: value for name, value in current.items() if name in others}
    if remaining:
        put(result, path, remaining)
    elif kept[1:]:
        put(result, path, None)
    else:
        take(result, path, present_depth)


def below(was: Any, path: Path) -> Any:
    """Return the part of the conversion data for a path."""
    if type(was) is Preserved:
        return was.below(path)
    for name in path:
        was = was.get(name) if type(was) is dict else None
    return was


def alone(was: Any, result: Object, *others: Path) -> Any:
    """Return the conversion data; None if a field excludes the restored one."""
    is_excluded = any(
        get_value(result, other, ANYTHING) is not MISSING for other in others
    )
    return None if is_excluded else was
