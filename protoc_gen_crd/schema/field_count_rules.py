"""Constraints on the number of fields, written as logical keywords or rules, and which of them are implied by others.

It recognizes the forms that this generator and controller-gen write, and ignores what is inside the fields.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.cel_names import escape_cel_name

_HAS = r"has\(self\.\w+\)"
# A field that exists and has a value other than zero. Long string literals are not matched, which bounds the time.
_SET = rf"""\({_HAS}\s&&\s(?:[^|?"']|"[^"\s]{{0,99}}"|'[^'\s]{{0,99}}'){{0,99}}?\)"""
_TERM = rf"\((?:{_HAS}|{_SET})\s?\?\s?1\s?:\s?0\)"
_SUM = rf"{_TERM}(?:\s?\+\s?{_TERM})*"
_LIST = rf"\[{_HAS}(?:,{_HAS})*\](?=\.filter\(x,x==true\)\.size\(\))"
_COUNTED = rf"(0|{_SUM}|(?:\[\]|{_LIST})\.filter\(x,x==true\)\.size\(\))\s(<=|==|>=)\s(\d+)"
_ANY = rf"{_HAS}(?:\s?\|\|\s?{_HAS})*"
_ONE = rf"{_SET}|{_HAS}"


class FieldCount(Record):
    """The minimum and maximum number of fields that an object has, out of those in `terms`.

    `terms` maps the CEL name of a field to the condition under which it is counted; an empty condition counts a field
    that exists, even if it is null.
    """

    terms: Mapping[str, str]
    least: int
    most: int


def count_in_rule(rule: str) -> FieldCount | None:
    """Return the fields that a rule counts, None if it does anything else."""
    any_of = re.fullmatch(_ANY, rule)
    counted = re.fullmatch(_COUNTED, rule)
    if any_of is None and counted is None:
        return None
    conditions = [" ".join(term.split()) for term in re.findall(_ONE, counted[1] if counted else rule)]
    terms = {_get_field(condition): condition for condition in conditions}
    if len(terms) < len(conditions):
        return None
    comparison, number = (counted[2], int(counted[3])) if counted else (">=", 1)
    return FieldCount(terms, 0 if comparison == "<=" else number, len(terms) if comparison == ">=" else number)


def count_in_logical_keyword(name: str, value: Any) -> FieldCount | None:
    """Return the fields that a logical keyword counts; None unless each branch requires one field or excludes all."""
    if name not in ("oneOf", "anyOf"):
        return None
    names = [_find_required_field(branch) for branch in value if "not" not in branch]
    free = [_find_denied_fields(branch["not"]) for branch in value if branch.keys() == {"not"}]
    terms = {escape_cel_name(field): "" for field in names if field}
    only_required = len(terms) == len(value) - len(free)
    if not only_required or len(free) > (name == "oneOf") or any(set(denied) != set(names) for denied in free):
        return None
    return FieldCount(terms, 0 if free else 1, 1 if name == "oneOf" else len(terms))


def count_denied_fields(name: str, value: Any) -> FieldCount | None:
    """Return the fields that a `not` counts because they must not all exist; None if it does anything else."""
    if name != "not" or value.keys() != {"required"}:
        return None
    terms = {escape_cel_name(field): "" for field in value["required"]}
    return FieldCount(terms, 0, len(terms) - 1)


def is_implied(count: FieldCount, others: Iterable[FieldCount]) -> bool:
    """Report whether other counts imply a count."""
    counts = [*others]
    least = not count.least or any(
        other.least >= count.least and _has_same_fields(other.terms, count.terms) for other in counts
    )
    most = count.most >= len(count.terms) or any(
        other.most <= count.most and _has_same_fields(count.terms, other.terms) for other in counts
    )
    return least and most


def drop_counted_fields(rule: str, fields: Collection[str]) -> str:
    """Remove fields that no object has from a rule that counts fields."""
    removed = {escape_cel_name(field) for field in fields}

    def rewrite_sum(match: re.Match[str]) -> str:
        terms = re.findall(_TERM, match[0])
        remaining = [term for term in terms if _get_field(term) not in removed]
        return match[0] if remaining == terms else ("+" if ")+(" in match[0] else " + ").join(remaining) or "0"

    def rewrite_list(match: re.Match[str]) -> str:
        return f"[{','.join(term for term in match[0][1:-1].split(',') if _get_field(term) not in removed)}]"

    return re.sub(_LIST, rewrite_list, re.sub(_SUM, rewrite_sum, rule))


def _has_same_fields(terms: Mapping[str, str], others: Mapping[str, str]) -> bool:
    """Report whether every field counted by `terms` is also counted by `others`."""
    return all(field in others and _is_term_implied(field, term, others[field]) for field, term in terms.items())


def _is_term_implied(field: str, term: str, other: str) -> bool:
    return not other or term == other or (bool(term) and other == f"has(self.{field})")


def _get_field(term: str) -> str:
    return term.partition("has(self.")[2].partition(")")[0]


def _find_required_field(branch: Mapping[str, Any]) -> str:
    """Return the field that a branch requires; empty if the branch has any other constraint."""
    return branch["required"][0] if branch.keys() == {"required"} and len(branch["required"]) == 1 else ""


def _find_denied_fields(denied: Mapping[str, Any]) -> Sequence[str]:
    """Return the fields that the schema of a `not` excludes; empty names for other constraints."""
    branches = denied["anyOf"] if denied.keys() == {"anyOf"} else [denied]
    return [_find_required_field(branch) for branch in branches]
