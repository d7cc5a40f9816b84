"""Keywords of a schema that accept fewer objects than those of another release or version.

It compares the keywords of two nodes as plain data, without their children.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from protoc_gen_crd.comparison.schemas.keyword_order import ORDERS
from protoc_gen_crd.schema.field_count_rules import (
    FieldCount,
    count_denied_fields,
    count_in_logical_keyword,
    count_in_rule,
    is_implied,
)
from protoc_gen_crd.schema.reduced_constraints import list_logical_keywords, reduce_constraints
from protoc_gen_crd.schema.schema import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, VALIDATIONS, Schema
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode

Constraints = Mapping[str, Any]
_NUMBERS = (
    *("minimum", "minLength", "minItems", "minProperties"),
    *("maximum", "maxLength", "maxItems", "maxProperties"),
)
_WIDER_FORMATS = {"int32": ("int64", "float", "double"), "int64": ("float", "double"), "float": ("double",)}
_CHILD_KEYWORDS = ("properties", "items", "additionalProperties", "required")
_DOCUMENTATION = ("description", "title", "example", "externalDocs")
_UNCONSTRAINING = frozenset((*_CHILD_KEYWORDS, *_DOCUMENTATION))
_PLAIN_TYPES = frozenset((str, bool, int, float))


def get_constraints(schema: Schema) -> Constraints:
    """Return the constraints of a schema on its own values."""
    own = {keyword: value for keyword, value in schema.keywords.items() if keyword not in _UNCONSTRAINING}
    is_plain = all(type(value) in _PLAIN_TYPES for value in own.values())
    return own if is_plain else encode(Schema(own), EncodedSchemas())


def find_narrowed_keywords(
    old: Constraints, new: Constraints, added: Collection[str] = (), always: Collection[str] = ()
) -> Iterator[tuple[str, Any, Any]]:
    """Yield the keywords that accept fewer of the old objects, with their old and new values.

    Old objects have none of the fields in `added` and all fields in `always`.
    """
    reduced = reduce_constraints(new, added, always)
    yield from (
        (name, old.get(name), reduced.get(name))
        for name, is_narrower in _NARROWING_CHECKS.items()
        if is_narrower(old, reduced)
    )
    yield from ((name, None, value) for name, value, _ in find_new_logical_keywords(old, new, added, always))


def find_new_logical_keywords(
    old: Constraints,
    new: Constraints,
    added: Collection[str],
    always: Collection[str],
    counts: Collection[FieldCount] = (),
) -> Iterator[tuple[str, Any, list[tuple[str, Any]]]]:
    """Yield the added logical keywords that constrain old objects: name, value, and what they require of old objects.

    Args:
        old: The old constraints.
        new: The new constraints.
        added: The names of fields that no old object has.
        always: The names of fields that all old objects have.
        counts: Counts of fields of old objects.
    """
    old_logical_keywords = [
        keyword
        for constraints in (old, reduce_constraints(old, (), always))
        for keyword in list_logical_keywords(constraints)
    ]
    counts = [*list_counts(old), *counts]
    for name, value in list_logical_keywords(new):
        reduced = list_logical_keywords(reduce_constraints({name: value}, added, always))
        demands = [
            keyword
            for keyword in reduced
            if keyword not in old_logical_keywords
            and not _is_implied_count(count_in_logical_keyword(*keyword) or count_denied_fields(*keyword), counts)
        ]
        if (name, value) not in old_logical_keywords and demands:
            yield name, value, demands


def list_counts(facts: Constraints) -> Iterator[FieldCount]:
    """Return the field counts of an object."""
    counts = [count_in_logical_keyword(*keyword) for keyword in list_logical_keywords(facts)]
    counts += [count_in_rule(rule["rule"]) for rule in facts.get(VALIDATIONS) or ()]
    yield from filter(None, counts)


def _is_implied_count(count: FieldCount | None, others: Collection[FieldCount]) -> bool:
    """Report whether other counts imply a count; False for None."""
    return count is not None and is_implied(count, others)


def _is_narrowed(name: str) -> Callable[[Constraints, Constraints], bool]:
    return lambda old, new: ORDERS[name](old.get(name), new.get(name)).is_narrowing


def _is_added(name: str) -> Callable[[Constraints, Constraints], bool]:
    return lambda old, new: bool(new.get(name)) and not old.get(name)


def _is_changed(name: str) -> Callable[[Constraints, Constraints], bool]:
    return lambda old, new: bool(new.get(name)) and new.get(name) != old.get(name)


def _is_uniqueness_added(old: Constraints, new: Constraints) -> bool:
    return new.get(LIST_TYPE) in ("set", "map") and new.get(LIST_TYPE) != old.get(LIST_TYPE)


def _has_new_rules(old: Constraints, new: Constraints) -> bool:
    old_rules, counts = [rule["rule"] for rule in old.get(VALIDATIONS) or ()], [*list_counts(old)]
    added = [rule["rule"] for rule in new.get(VALIDATIONS) or () if rule["rule"] not in old_rules]
    return not all(_is_implied_count(count_in_rule(rule), counts) for rule in added)


def _is_null_rejected(old: Constraints, new: Constraints) -> bool:
    return bool(old.get("nullable")) and not new.get("nullable")


def _is_format_narrowed(old: Constraints, new: Constraints) -> bool:
    old_format, new_format = old.get("format"), new.get("format")
    return bool(new_format) and new_format not in (old_format, *_WIDER_FORMATS.get(str(old_format), ()))


def _is_bound_excluded(
    name: str, bound: str, less: Callable[[Any, Any], bool]
) -> Callable[[Constraints, Constraints], bool]:
    """Return a function that reports whether a bound becomes exclusive without being widened."""

    def is_excluded(old: Constraints, new: Constraints) -> bool:
        wider = bound in old and bound in new and less(new[bound], old[bound])
        return bool(new.get(name)) and not old.get(name) and not wider

    return is_excluded


def _has_new_keys(old: Constraints, new: Constraints) -> bool:
    return bool(new.get(LIST_MAP_KEYS)) and set(new[LIST_MAP_KEYS]) != set(old.get(LIST_MAP_KEYS) or ())


_NARROWING_CHECKS: Mapping[str, Callable[[Constraints, Constraints], Any]] = {
    **{name: _is_narrowed(name) for name in _NUMBERS},
    **{name: _is_added(name) for name in ("enum", EMBEDDED)},
    "exclusiveMinimum": _is_bound_excluded("exclusiveMinimum", "minimum", operator.lt),
    "exclusiveMaximum": _is_bound_excluded("exclusiveMaximum", "maximum", operator.gt),
    "pattern": _is_changed("pattern"),
    "format": _is_format_narrowed,
    LIST_MAP_KEYS: _has_new_keys,
    "multipleOf": _is_narrowed("multipleOf"),
    LIST_TYPE: _is_uniqueness_added,
    VALIDATIONS: _has_new_rules,
    "nullable": _is_null_rejected,
}
