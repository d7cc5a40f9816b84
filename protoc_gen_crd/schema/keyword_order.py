"""Comparison of schema keywords by strictness, for releases and for versions.

It knows the keywords of two nodes as plain data, and nothing of what is below them.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import Any

from protoc_gen_crd.schema.field_counts import FieldCount, count_in_junctor, count_in_rule, is_implied
from protoc_gen_crd.schema.reduced_constraints import list_junctors, reduce_constraints
from protoc_gen_crd.schema.schema import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, VALIDATIONS, Schema
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode

Constraints = Mapping[str, Any]
_WIDER_FORMATS = {"int32": ("int64", "float", "double"), "int64": ("float", "double"), "float": ("double",)}
_BELOW = ("properties", "items", "additionalProperties", "required")
_PROSE = ("description", "title", "example", "externalDocs")


def get_constraints(schema: Schema) -> Constraints:
    """Return the constraints of a schema on its own values."""
    own = {keyword: value for keyword, value in schema.keywords.items() if keyword not in (*_BELOW, *_PROSE)}
    return encode(Schema(own), EncodedSchemas())


def find_narrowed_keywords(
    had: Constraints, has: Constraints, came: Collection[str] = (), always: Collection[str] = ()
) -> Iterator[tuple[str, Any, Any]]:
    """The keywords that take less of objects without the fields that came, with what they were and are.

    `always` are fields that these objects have in any case.
    """
    rest = reduce_constraints(has, came, always)
    yield from ((name, had.get(name), rest.get(name)) for name, less in _NARROWER.items() if less(had, rest))
    yield from ((name, None, value) for name, value, _ in find_new_junctors(had, has, came, always))


def find_new_junctors(
    had: Constraints, has: Constraints, came: Collection[str], always: Collection[str]
) -> Iterator[tuple[str, Any, list[tuple[str, Any]]]]:
    """The junctors that came: each as it is, and what it asks of objects without the fields that came."""
    known = [each for one in (had, reduce_constraints(had, (), always)) for each in list_junctors(one)]
    counts = [*list_counts(had)]
    for name, value in list_junctors(has):
        rest = list_junctors(reduce_constraints({name: value}, came, always))
        asked = [each for each in rest if each not in known and not _is_implied_count(count_in_junctor(*each), counts)]
        if (name, value) not in known and asked:
            yield name, value, asked


def list_counts(facts: Constraints) -> Iterator[FieldCount]:
    """Return the field counts of an object."""
    found = [count_in_junctor(*each) for each in list_junctors(facts)]
    found += [count_in_rule(rule["rule"]) for rule in facts.get(VALIDATIONS) or ()]
    yield from filter(None, found)


def _is_implied_count(count: FieldCount | None, known: Collection[FieldCount]) -> bool:
    """Whether something is a count that follows from those that are known."""
    return count is not None and is_implied(count, known)


def _is_raised(name: str) -> Callable[[Constraints, Constraints], bool]:
    return lambda old, new: name in new and (name not in old or new[name] > old[name])


def _is_lowered(name: str) -> Callable[[Constraints, Constraints], bool]:
    return lambda old, new: name in new and (name not in old or new[name] < old[name])


def _is_added(name: str) -> Callable[[Constraints, Constraints], bool]:
    return lambda old, new: bool(new.get(name)) and not old.get(name)


def _is_changed(name: str) -> Callable[[Constraints, Constraints], bool]:
    return lambda old, new: bool(new.get(name)) and new.get(name) != old.get(name)


def _is_factor_narrowed(old: Constraints, new: Constraints) -> bool:
    name = "multipleOf"
    return name in new and (name not in old or bool(_to_fraction(old[name]) % _to_fraction(new[name])))


def _to_fraction(number: Any) -> Fraction:
    return Fraction(str(number))  # 0.3 is three times 0.1, which floating point denies


def _is_uniqueness_added(old: Constraints, new: Constraints) -> bool:
    return new.get(LIST_TYPE) in ("set", "map") and new.get(LIST_TYPE) != old.get(LIST_TYPE)


def _has_new_rules(old: Constraints, new: Constraints) -> bool:
    known, counts = [rule["rule"] for rule in old.get(VALIDATIONS) or ()], [*list_counts(old)]
    came = [rule["rule"] for rule in new.get(VALIDATIONS) or () if rule["rule"] not in known]
    return not all(_is_implied_count(count_in_rule(rule), counts) for rule in came)


def _is_null_rejected(old: Constraints, new: Constraints) -> bool:
    return bool(old.get("nullable")) and not new.get("nullable")


def _is_format_narrowed(old: Constraints, new: Constraints) -> bool:
    had, has = old.get("format"), new.get("format")
    return bool(has) and has not in (had, *_WIDER_FORMATS.get(str(had), ()))


def _is_bound_excluded(
    name: str, bound: str, less: Callable[[Any, Any], bool]
) -> Callable[[Constraints, Constraints], bool]:
    """Whether a bound is excluded that was not, and is no wider than the old one."""

    def is_excluded(old: Constraints, new: Constraints) -> bool:
        wider = bound in old and bound in new and less(new[bound], old[bound])
        return bool(new.get(name)) and not old.get(name) and not wider

    return is_excluded


def _has_new_keys(old: Constraints, new: Constraints) -> bool:
    return bool(new.get(LIST_MAP_KEYS)) and set(new[LIST_MAP_KEYS]) != set(old.get(LIST_MAP_KEYS) or ())


_NARROWER: Mapping[str, Callable[[Constraints, Constraints], Any]] = {
    **{name: _is_raised(name) for name in ("minimum", "minLength", "minItems", "minProperties")},
    **{name: _is_lowered(name) for name in ("maximum", "maxLength", "maxItems", "maxProperties")},
    **{name: _is_added(name) for name in ("enum", EMBEDDED)},
    "exclusiveMinimum": _is_bound_excluded("exclusiveMinimum", "minimum", operator.lt),
    "exclusiveMaximum": _is_bound_excluded("exclusiveMaximum", "maximum", operator.gt),
    "pattern": _is_changed("pattern"),
    "format": _is_format_narrowed,
    LIST_MAP_KEYS: _has_new_keys,
    "multipleOf": _is_factor_narrowed,
    LIST_TYPE: _is_uniqueness_added,
    VALIDATIONS: _has_new_rules,
    "nullable": _is_null_rejected,
}
