"""Inclusion of value validations: whether every value that one schema accepts is accepted by another one.

The answer False may mean that the inclusion is not recognized. Schemas are plain data, as below allOf, anyOf, oneOf and
not, where they have neither defaults nor types that prune.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.comparison.schemas.keyword_order import ORDERS, to_key
from protoc_gen_crd.comparison.schemas.string_inclusion import STRING_KEYWORDS, is_implied_by_patterns

Constraints = Mapping[str, Any]
Part = tuple[str, str, Any]  # a keyword, the name of a property or empty, and the value

_MAX_STEPS = 2_000  # comparisons of parts
_PATTERN_STEPS = 40  # comparisons that take as long as one of patterns
_BOUNDS = {"minimum": "exclusiveMinimum", "maximum": "exclusiveMaximum"}
_BRANCHES = ("anyOf", "oneOf")
_DOCUMENTATION = frozenset(("description", "title", "example", "externalDocs"))


class InclusionCheck:
    """Checks inclusions within a limited number of steps, after which none is recognized.

    Servers accept larger floats for larger factors, so a factor of floats includes only itself.
    """

    def __init__(self, *, has_floats: bool = False) -> None:
        self._has_floats = has_floats
        self._remaining = _MAX_STEPS

    def is_included(self, old: Constraints, new: Constraints) -> bool:
        """Report whether every value that the old schema accepts is accepted by the new one."""
        old_parts = list(_list_parts(old))
        if not self._has_floats:
            old_parts += _merge_enums(old_parts)
        return all(self._is_implied(old, old_parts, part) for part in _list_parts(new))

    def _is_implied(self, old: Constraints, old_parts: list[Part], part: Part) -> bool:
        """Report whether the parts of a schema imply a part of another one."""
        self._remaining -= len(old_parts) + 1
        if self._remaining < 0:
            return False
        if any(self._implies(own, part) for own in old_parts):
            return True
        keyword, _, value = part
        if keyword in STRING_KEYWORDS:
            self._remaining -= _PATTERN_STEPS
            strings = [(name, own) for name, _, own in old_parts if name in STRING_KEYWORDS]
            if is_implied_by_patterns(strings, keyword, value):
                return True
        if keyword == "anyOf" and any(self.is_included(old, branch) for branch in value):
            return True
        required = _make_schema(part)
        return any(
            all(self.is_included(branch, required) for branch in branches)
            for keyword, _, branches in old_parts
            if keyword in _BRANCHES
        )

    def _implies(self, old: Part, new: Part) -> bool:
        if old[:2] != new[:2]:
            return False
        keyword, _, before = old
        after = new[2]
        if to_key(before) == to_key(after):
            return True
        if keyword in ("properties", "items", "additionalProperties"):
            return isinstance(before, dict) and isinstance(after, dict) and self.is_included(before, after)
        if keyword == "not":
            return self.is_included(after, before)
        if keyword == "anyOf":
            return all(any(self.is_included(branch, other) for other in after) for branch in before)
        is_ordered = keyword in ORDERS and not (keyword == "multipleOf" and self._has_floats)
        return is_ordered and not ORDERS[keyword](before, after).is_narrowing


def _list_parts(schema: Constraints) -> Iterator[Part]:
    """Yield the constraints of a schema, all of which must be true."""
    for keyword, value in schema.items():
        if keyword in _BOUNDS:
            exclusive = bool(schema.get(_BOUNDS[keyword]))
            yield keyword, "", (value, exclusive if keyword == "minimum" else not exclusive)
        elif keyword == "allOf":
            for branch in value:
                yield from _list_parts(branch)
        elif keyword == "not" and value.keys() == {"not"}:
            yield from _list_parts(value["not"])
        elif keyword == "properties":
            yield from (part for name, child in value.items() if _list_any(child) for part in [(keyword, name, child)])
        elif keyword == "required":
            yield from ((keyword, name, True) for name in value)
        elif keyword not in _DOCUMENTATION and keyword not in _BOUNDS.values():
            yield keyword, "", value


def _merge_enums(parts: list[Part]) -> list[Part]:
    """Return the enum of the values that several enums accept, if there are several."""
    first, *others = [value for keyword, _, value in parts if keyword == "enum"] or [()]
    keys = [set(map(to_key, value)) for value in others]
    return [("enum", "", [choice for choice in first if all(to_key(choice) in own for own in keys)])] if others else []


def _list_any(schema: Constraints) -> bool:
    """Report whether a schema has any constraint."""
    return any(True for _ in _list_parts(schema))


def _make_schema(part: Part) -> Constraints:
    """Return the schema with one part as its only constraint."""
    keyword, name, value = part
    if keyword in _BOUNDS:
        bound, flag = value
        return {keyword: bound, _BOUNDS[keyword]: flag if keyword == "minimum" else not flag}
    if keyword == "properties":
        return {keyword: {name: value}}
    return {keyword: [name]} if keyword == "required" else {keyword: value}
