"""Comparison of two CRDs, by paths such as `.spec.subsets[].trafficPolicy`.

Distinguishes changes without effect: the order of required fields, rules with the same meaning, descriptions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any

from protoc_gen_crd.base.record import Record

_REQUIRED, _RULES = "required", "x-kubernetes-validations"
_ABSENT = object()

WORDINGS = ("longer", "shorter", "reworded", "new", "removed")  # changes of a description


class ChangeKind(Enum):
    """The kind of a change. Only changes of VALUE are shown with their values."""

    VALUE = ""
    FIELD = "field"
    RULE = "rule"
    ORDER = "order"
    SPELLING = "spelling"
    DESCRIPTION = "description"


class CrdChange(Record):
    """One change at a place. `subject` is the keyword, or a word for the change; missing values are None."""

    kind: ChangeKind
    place: str
    subject: str
    old: object = None
    new: object = None


def compare_versions(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[CrdChange]:
    """Yield the changes of one version, or of the rest of a CRD, as plain data."""
    for key in sorted(old.keys() | new.keys()):
        if key == "schema":
            yield from _compare_schemas(old[key]["openAPIV3Schema"], new[key]["openAPIV3Schema"], "")
        else:
            yield from _compare_values(old.get(key, _ABSENT), new.get(key, _ABSENT), key)


def _compare_values(old: object, new: object, path: str) -> Iterator[CrdChange]:
    """Compare plain values: maps by key, lists of maps of equal length by index, others as a whole."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _compare_values(old.get(key, _ABSENT), new.get(key, _ABSENT), f"{path}.{key}")
    elif _is_map_list(old) and _is_map_list(new) and len(old) == len(new):  # type: ignore[arg-type] # both are lists
        for index, (old_item, new_item) in enumerate(zip(old, new, strict=True)):  # type: ignore[call-overload]
            yield from _compare_values(old_item, new_item, f"{path}[{index}]")
    elif old != new:
        yield CrdChange(ChangeKind.VALUE, path, "", *_replace_absent(old, new))


def _is_map_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _replace_absent(*values: object) -> tuple[object, ...]:
    return tuple(None if value is _ABSENT else value for value in values)


def _compare_schemas(old: Mapping[str, Any], new: Mapping[str, Any], place: str) -> Iterator[CrdChange]:
    for key in sorted(old.keys() | new.keys()):
        old_value, new_value = old.get(key, _ABSENT), new.get(key, _ABSENT)
        if old_value == new_value:
            continue
        if key == "properties":
            yield from _compare_fields(old.get(key, {}), new.get(key, {}), place)
        elif key in _PATH_SUFFIXES and isinstance(old_value, dict) and isinstance(new_value, dict):
            yield from _compare_schemas(old_value, new_value, place + _PATH_SUFFIXES[key])
        elif key == "description":
            yield CrdChange(ChangeKind.DESCRIPTION, place, _classify_wording(old_value, new_value))
        elif key == _RULES:
            yield from _compare_rules(old.get(key, ()), new.get(key, ()), place)
        elif key == _REQUIRED and sorted(old.get(key, ())) == sorted(new.get(key, ())):
            yield CrdChange(ChangeKind.ORDER, place, key)
        else:
            yield CrdChange(ChangeKind.VALUE, place, key, *_replace_absent(old_value, new_value))


_PATH_SUFFIXES = {"items": "[]", "additionalProperties": "[*]"}


def _compare_fields(old: Mapping[str, Any], new: Mapping[str, Any], place: str) -> Iterator[CrdChange]:
    for name in sorted(old.keys() | new.keys()):
        path = f"{place}.{name}"
        if name in old and name in new:
            yield from _compare_schemas(old[name], new[name], path)
        else:
            yield CrdChange(ChangeKind.FIELD, path, "removed" if name in old else "new")


def _classify_wording(old: object, new: object) -> str:
    if old is _ABSENT or new is _ABSENT:
        return "new" if old is _ABSENT else "removed"
    lengths = len(str(old)), len(str(new))
    return "longer" if lengths[0] < lengths[1] else "shorter" if lengths[0] > lengths[1] else "reworded"


def _compare_rules(old: Sequence[dict[str, Any]], new: Sequence[dict[str, Any]], place: str) -> Iterator[CrdChange]:
    """Yield rules that are removed, new, or spelled in another way."""
    left, right = ({_get_rule_key(rule): rule for rule in rules} for rules in (old, new))
    for meaning in [*left, *(meaning for meaning in right if meaning not in left)]:
        if meaning not in right:
            yield CrdChange(ChangeKind.RULE, place, "removed", left[meaning]["rule"])
        elif meaning not in left:
            yield CrdChange(ChangeKind.RULE, place, "new", None, right[meaning]["rule"])
        elif left[meaning] != right[meaning]:
            yield CrdChange(ChangeKind.SPELLING, place, "rule")


def _get_rule_key(rule: Mapping[str, Any]) -> tuple[object, ...]:
    """Return the identity of a rule: its fields, with the expression in canonical form on one line."""
    from protoc_gen_crd.cel.project_macros import preprocess  # noqa: PLC0415 - only different rules are parsed

    canonical = preprocess(rule["rule"])
    expression = canonical.replace("\n", " ") if isinstance(canonical, str) else rule["rule"]
    return (expression, *((key, value) for key, value in sorted(rule.items()) if key != "rule"))
