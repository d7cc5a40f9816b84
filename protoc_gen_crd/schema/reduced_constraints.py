"""Reduction of constraints to objects without certain fields.

Objects of the last release have none of the fields added since, so constraints that only new fields can violate do not
affect stored objects. Neither do constraints that require fields that were required before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.schema.field_count_rules import count_in_rule, drop_counted_fields, is_implied
from protoc_gen_crd.schema.schema import BRANCH_KEYWORDS, LOGICAL_KEYWORDS, VALIDATIONS


def reduce_constraints(
    facts: Mapping[str, Any], fields: Collection[str], always: Collection[str] = ()
) -> Mapping[str, Any]:
    """Return facts reduced to objects without `fields` and with `always`, without constraints that are always true."""
    if not fields and not always:
        return facts
    logical_keywords = _reduce_schema({name: facts[name] for name in LOGICAL_KEYWORDS if name in facts}, fields, always)
    if logical_keywords is None:
        return facts
    rules = [{**rule, "rule": drop_counted_fields(rule["rule"], fields)} for rule in facts.get(VALIDATIONS) or ()]
    rules = [rule for rule in rules if not ((count := count_in_rule(rule["rule"])) and is_implied(count, ()))]
    others = {name: value for name, value in facts.items() if name not in (*LOGICAL_KEYWORDS, VALIDATIONS)}
    return {**others, **logical_keywords, **({VALIDATIONS: rules} if rules else {})}


def list_logical_keywords(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the logical keywords of a schema, and those inside allOf, as separate constraints that all must be true."""
    yield from ((name, facts[name]) for name in ("oneOf", "anyOf", "not") if name in facts)
    for branch in facts.get("allOf") or ():
        rest = {name: value for name, value in branch.items() if name not in LOGICAL_KEYWORDS}
        yield from [("allOf", [rest])] if rest else []
        yield from list_logical_keywords(branch)


def is_requirement(value: Any) -> bool:
    """Report whether every branch of a logical keyword requires fields."""
    branches = value if isinstance(value, list) else [value]
    return all(
        branch.get("required") or any(is_requirement(branch[name]) for name in BRANCH_KEYWORDS if name in branch)
        for branch in branches
    )


def _reduce_schema(
    schema: Mapping[str, Any], fields: Collection[str], always: Collection[str]
) -> dict[str, Any] | None:
    """Return a schema without constraints that are always true; None if no object matches it."""
    required = set(schema.get("required") or ())
    if required & set(fields):
        return None
    reduced = dict(schema)
    if required and required <= set(always):
        del reduced["required"]
    for name in (name for name in BRANCH_KEYWORDS if name in schema):
        branches = [_reduce_schema(branch, fields, always) for branch in schema[name]]
        remaining = [branch for branch in branches if branch is not None]
        if not remaining or (name == "allOf" and None in branches):
            return None
        reduced[name] = remaining
        if _is_always_true(name, remaining):
            del reduced[name]
    if "not" in schema:
        negated = _reduce_schema(schema["not"], fields, always)
        if negated == {}:
            return None
        reduced["not"] = negated
        if negated is None:
            del reduced["not"]
    return reduced


def _is_always_true(name: str, branches: Sequence[Mapping[str, Any]]) -> bool:
    """Report whether a logical keyword accepts every object."""
    if name == "anyOf" and {} in branches:
        return True
    if all(not branch for branch in branches):
        return name != "oneOf" or len(branches) == 1
    first, *rest = map(_unwrap_logical_keywords, branches)
    opposite = [{"not": first}] == rest or (len(rest) == 1 and first == {"not": rest[0]})
    return opposite and name != "allOf"


def _unwrap_logical_keywords(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Remove logical keywords with a single branch from a schema."""
    for name in BRANCH_KEYWORDS:
        if schema.keys() == {name} and len(schema[name]) == 1:
            return _unwrap_logical_keywords(schema[name][0])
    return {**schema, "not": _unwrap_logical_keywords(schema["not"])} if "not" in schema else schema
