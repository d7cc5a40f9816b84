"""What differs between two CRDs, place by place as an author of objects knows them: `.spec.subsets[].trafficPolicy`.

Knows what is only another spelling: the order of required fields, rules of one meaning, descriptions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from protoc_gen_crd.base.record import Record

_REQUIRED, _RULES = "required", "x-kubernetes-validations"
_ABSENT = object()

WORDINGS = ("longer", "shorter", "reworded", "new", "removed")  # what may have happened to a description


class Kind(Enum):
    """What a change is about. The first is shown with its values, of the others only the places or their number."""

    VALUE = ""
    FIELD = "field"
    RULE = "rule"
    ORDER = "order"
    SPELLING = "spelling"
    DESCRIPTION = "description"


class Change(Record):
    """One change at a place. `what` is the keyword, or a word for what happened; values that are not there are None."""

    kind: Kind
    place: str
    what: str
    old: object = None
    new: object = None


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    """The changes of one version, or of what is no version, both as plain data."""
    for key in sorted(old.keys() | new.keys()):
        if key == "schema":
            yield from _schema(old[key]["openAPIV3Schema"], new[key]["openAPIV3Schema"], "")
        else:
            yield from _plain(old.get(key, _ABSENT), new.get(key, _ABSENT), key)


def _plain(old: object, new: object, path: str) -> Iterator[Change]:
    """Plain values: maps by key, as many maps in a list by index, others as a whole."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _plain(old.get(key, _ABSENT), new.get(key, _ABSENT), f"{path}.{key}")
    elif _maps(old) and _maps(new) and len(old) == len(new):  # type: ignore[arg-type] # both are lists
        for index, (one, other) in enumerate(zip(old, new, strict=True)):  # type: ignore[call-overload]
            yield from _plain(one, other, f"{path}[{index}]")
    elif old != new:
        yield Change(Kind.VALUE, path, "", *_known(old, new))


def _maps(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _known(*values: object) -> tuple[object, ...]:
    return tuple(None if value is _ABSENT else value for value in values)


def _schema(old: Mapping[str, Any], new: Mapping[str, Any], place: str) -> Iterator[Change]:
    for key in sorted(old.keys() | new.keys()):
        one, other = old.get(key, _ABSENT), new.get(key, _ABSENT)
        if one == other:
            continue
        if key == "properties":
            yield from _fields(old.get(key, {}), new.get(key, {}), place)
        elif key in _STEPS and isinstance(one, dict) and isinstance(other, dict):
            yield from _schema(one, other, place + _STEPS[key])
        elif key == "description":
            yield Change(Kind.DESCRIPTION, place, _wording(one, other))
        elif key == _RULES:
            yield from _rules(old.get(key, ()), new.get(key, ()), place)
        elif key == _REQUIRED and sorted(old.get(key, ())) == sorted(new.get(key, ())):
            yield Change(Kind.ORDER, place, key)
        else:
            yield Change(Kind.VALUE, place, key, *_known(one, other))


_STEPS = {"items": "[]", "additionalProperties": "[*]"}


def _fields(old: Mapping[str, Any], new: Mapping[str, Any], place: str) -> Iterator[Change]:
    for name in sorted(old.keys() | new.keys()):
        where = f"{place}.{name}"
        if name in old and name in new:
            yield from _schema(old[name], new[name], where)
        else:
            yield Change(Kind.FIELD, where, "gone" if name in old else "new")


def _wording(old: object, new: object) -> str:
    if old is _ABSENT or new is _ABSENT:
        return "new" if old is _ABSENT else "removed"
    lengths = len(str(old)), len(str(new))
    return "longer" if lengths[0] < lengths[1] else "shorter" if lengths[0] > lengths[1] else "reworded"


def _rules(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]], place: str) -> Iterator[Change]:
    """Rules that are gone, new, or only spelled in another way."""
    left, right = ({_meaning(rule): rule for rule in rules} for rules in (old, new))
    for meaning in [*left, *(meaning for meaning in right if meaning not in left)]:
        if meaning not in right:
            yield Change(Kind.RULE, place, "gone", left[meaning]["rule"])
        elif meaning not in left:
            yield Change(Kind.RULE, place, "new", None, right[meaning]["rule"])
        elif left[meaning] != right[meaning]:
            yield Change(Kind.SPELLING, place, "rule")


def _meaning(rule: Mapping[str, Any]) -> tuple[object, ...]:
    """What makes a rule another one: its members, the expression in its canonical form on one line."""
    from protoc_gen_crd.cel.macros import preprocess  # noqa: PLC0415 - only differing rules are read

    printed = preprocess(rule["rule"])
    text = printed.replace("\n", " ") if isinstance(printed, str) else rule["rule"]
    return (text, *((key, value) for key, value in sorted(rule.items()) if key != "rule"))
