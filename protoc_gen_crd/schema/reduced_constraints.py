"""Constraints as they are for an object that has none of some fields: what is asked of those alone is asked no more.

An object of the last release has no field that came since, so what only a new field can break breaks nothing stored.
Nor does what asks for fields that it had to have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.schema.field_counts import count_in_rule, drop_counted_fields, is_implied
from protoc_gen_crd.schema.schema import VALIDATIONS

_JUNCTORS = ("allOf", "anyOf", "oneOf")


def reduce_constraints(
    facts: Mapping[str, Any], fields: Collection[str], always: Collection[str] = ()
) -> Mapping[str, Any]:
    """The facts of an object without those fields, `always` with others; what then says nothing is gone."""
    if not fields and not always:
        return facts
    held = _reduce_schema({name: facts[name] for name in (*_JUNCTORS, "not") if name in facts}, fields, always)
    if held is None:
        return facts
    rules = [{**rule, "rule": drop_counted_fields(rule["rule"], fields)} for rule in facts.get(VALIDATIONS) or ()]
    rules = [rule for rule in rules if not ((count := count_in_rule(rule["rule"])) and is_implied(count, ()))]
    rest = {name: value for name, value in facts.items() if name not in (*_JUNCTORS, "not", VALIDATIONS)}
    return {**rest, **held, **({VALIDATIONS: rules} if rules else {})}


def list_junctors(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What must hold at once, one by one: of one oneof, and of several in an allOf, the same."""
    yield from ((name, facts[name]) for name in ("oneOf", "anyOf", "not") if name in facts)
    for each in facts.get("allOf") or ():
        rest = {name: value for name, value in each.items() if name not in (*_JUNCTORS, "not")}
        yield from [("allOf", [rest])] if rest else []
        yield from list_junctors(each)


def is_requirement(value: Any) -> bool:
    """Whether a junctor, each branch of it, asks for fields."""
    branches = value if isinstance(value, list) else [value]
    return all(
        each.get("required") or any(is_requirement(each[name]) for name in _JUNCTORS if name in each)
        for each in branches
    )


def _reduce_schema(
    schema: Mapping[str, Any], fields: Collection[str], always: Collection[str]
) -> dict[str, Any] | None:
    """A schema without what holds anyhow; None where nothing holds to it."""
    required = set(schema.get("required") or ())
    if required & set(fields):
        return None
    made = dict(schema)
    if required and required <= set(always):
        del made["required"]
    for name in (name for name in _JUNCTORS if name in schema):
        members = [_reduce_schema(each, fields, always) for each in schema[name]]
        left = [each for each in members if each is not None]
        if not left or (name == "allOf" and None in members):
            return None
        made[name] = left
        if _is_always_true(name, left):
            del made[name]
    if "not" in schema:
        without = _reduce_schema(schema["not"], fields, always)
        if without == {}:
            return None
        made["not"] = without
        if without is None:
            del made["not"]
    return made


def _is_always_true(name: str, branches: Sequence[Mapping[str, Any]]) -> bool:
    """Report whether a junctor accepts every object."""
    if name == "anyOf" and {} in branches:
        return True
    if all(not each for each in branches):
        return name != "oneOf" or len(branches) == 1
    one, *rest = map(_unwrap_junctors, branches)
    opposite = [{"not": one}] == rest or (len(rest) == 1 and one == {"not": rest[0]})
    return opposite and name != "allOf"


def _unwrap_junctors(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema without junctors of one branch."""
    for name in _JUNCTORS:
        if schema.keys() == {name} and len(schema[name]) == 1:
            return _unwrap_junctors(schema[name][0])
    return {**schema, "not": _unwrap_junctors(schema["not"])} if "not" in schema else schema
