"""Constraints that count fields, as junctors and as rules spell them, and which of them follow from others.

Knows the forms that the generator and controller-gen write, and nothing of what is below the fields.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.cel_names import escape_cel_name

_HAS = r"has\(self\.\w+\)"
# A field that is there and has a value but zero; long texts are none, for the sake of time.
_SET = rf"""\({_HAS}\s&&\s(?:[^|?"']|"[^"\s]{{0,99}}"|'[^'\s]{{0,99}}'){{0,99}}?\)"""
_TERM = rf"\((?:{_HAS}|{_SET})\s?\?\s?1\s?:\s?0\)"
_SUM = re.compile(rf"{_TERM}(?:\s?\+\s?{_TERM})*")
_LIST = re.compile(rf"\[{_HAS}(?:,{_HAS})*\](?=\.filter\(x,x==true\)\.size\(\))")
_COUNTED = re.compile(rf"(0|{_SUM.pattern}|(?:\[\]|{_LIST.pattern})\.filter\(x,x==true\)\.size\(\))\s(<=|==|>=)\s(\d+)")
_ANY = re.compile(rf"{_HAS}(?:\s?\|\|\s?{_HAS})*")
_ONE = re.compile(rf"{_SET}|{_HAS}")


class FieldCount(Record):
    """How many of some fields are there, at least and at most: what makes a field count, by its name in CEL.

    That is empty where the field must be there, be it null, and else the condition of CEL.
    """

    terms: Mapping[str, str]
    least: int
    most: int


def count_in_rule(rule: str) -> FieldCount | None:
    """Return the fields that a rule counts, None if it does anything else."""
    any_of = _ANY.fullmatch(rule)
    found = _COUNTED.fullmatch(rule)
    if any_of is None and found is None:
        return None
    conditions = [" ".join(each.split()) for each in _ONE.findall(found[1] if found else rule)]
    terms = {_get_field(condition): condition for condition in conditions}
    if len(terms) < len(conditions):
        return None
    comparison, number = (found[2], int(found[3])) if found else (">=", 1)
    return FieldCount(terms, 0 if comparison == "<=" else number, len(terms) if comparison == ">=" else number)


def count_in_junctor(name: str, value: Any) -> FieldCount | None:
    """What a junctor counts, if that is all it does: the branches ask for a field each, or for none of them."""
    if name not in ("oneOf", "anyOf"):
        return None
    names = [_find_required_field(branch) for branch in value if "not" not in branch]
    free = [_find_denied_fields(branch["not"]) for branch in value if branch.keys() == {"not"}]
    terms = {escape_cel_name(each): "" for each in names if each}
    asks = len(terms) == len(value) - len(free)
    if not asks or len(free) > (name == "oneOf") or any(set(each) != set(names) for each in free):
        return None
    return FieldCount(terms, 0 if free else 1, 1 if name == "oneOf" else len(terms))


def is_implied(count: FieldCount, known: Iterable[FieldCount]) -> bool:
    """Whether what is known suffices for a count."""
    counts = [*known]
    least = not count.least or any(
        one.least >= count.least and _has_same_fields(one.terms, count.terms) for one in counts
    )
    most = count.most >= len(count.terms) or any(
        one.most <= count.most and _has_same_fields(count.terms, one.terms) for one in counts
    )
    return least and most


def drop_counted_fields(rule: str, fields: Collection[str]) -> str:
    """A rule that counts fields, without those, which no object has."""
    gone = {escape_cel_name(field) for field in fields}

    def rewrite_sum(match: re.Match[str]) -> str:
        terms = re.findall(_TERM, match[0])
        left = [term for term in terms if _get_field(term) not in gone]
        return match[0] if left == terms else ("+" if ")+(" in match[0] else " + ").join(left) or "0"

    def rewrite_list(match: re.Match[str]) -> str:
        return f"[{','.join(each for each in match[0][1:-1].split(',') if _get_field(each) not in gone)}]"

    return _LIST.sub(rewrite_list, _SUM.sub(rewrite_sum, rule))


def _has_same_fields(terms: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Whether each field that counts here counts there."""
    return all(field in others and _is_term_implied(field, term, others[field]) for field, term in terms.items())


def _is_term_implied(field: str, term: str, other: str) -> bool:
    return not other or term == other or (bool(term) and other == f"has(self.{field})")


def _get_field(term: str) -> str:
    return term.partition("has(self.")[2].partition(")")[0]


def _find_required_field(branch: Mapping[str, Any]) -> str:
    """The one field that a branch asks for, and for nothing else."""
    return branch["required"][0] if branch.keys() == {"required"} and len(branch["required"]) == 1 else ""


def _find_denied_fields(denied: Mapping[str, Any]) -> Sequence[str]:
    """The fields of which there is none where this does not hold."""
    branches = denied["anyOf"] if denied.keys() == {"anyOf"} else [denied]
    return [_find_required_field(branch) for branch in branches]
