"""Constraints as they are for an object that has none of some fields: what is asked of those alone is asked no more.

An object of the last release has no field that came since, so what only a new field can break breaks nothing stored.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import VALIDATIONS

_SEVERAL = ("allOf", "anyOf", "oneOf")
_TERM = r"\(has\(self\.\w+\)\?1:0\)"
_SUM = re.compile(rf"{_TERM}(?:\+{_TERM})*")  # the two forms of a rule that counts fields
_LIST = re.compile(r"\[has\(self\.\w+\)(?:,has\(self\.\w+\))*\](?=\.filter\(x,x==true\)\.size\(\))")
_NONE_COUNTED = re.compile(r"(0|\[\]\.filter\(x,x==true\)\.size\(\)) <= \d+")


def lacking(facts: Mapping[str, Any], fields: Collection[str]) -> Mapping[str, Any]:
    """The facts of an object without those fields; what then says nothing is gone."""
    if not fields:
        return facts
    held = _held({name: facts[name] for name in (*_SEVERAL, "not") if name in facts}, fields)
    if held is None:
        return facts
    rules = [{**rule, "rule": _uncounted(rule["rule"], fields)} for rule in facts.get(VALIDATIONS) or ()]
    rules = [rule for rule in rules if not _NONE_COUNTED.fullmatch(rule["rule"])]
    rest = {name: value for name, value in facts.items() if name not in (*_SEVERAL, "not", VALIDATIONS)}
    return {**rest, **held, **({VALIDATIONS: rules} if rules else {})}


def junctors(facts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """What must hold at once, one by one: of one oneof, and of several in an allOf, the same."""
    yield from ((name, facts[name]) for name in ("oneOf", "anyOf", "not") if name in facts)
    for each in facts.get("allOf") or ():
        rest = {name: value for name, value in each.items() if name not in (*_SEVERAL, "not")}
        yield from [("allOf", [rest])] if rest else []
        yield from junctors(each)


def _held(schema: Mapping[str, Any], fields: Collection[str]) -> dict[str, Any] | None:
    """A schema without what holds anyhow; None where nothing holds to it."""
    if set(schema.get("required") or ()) & set(fields):
        return None
    made = dict(schema)
    for name in (name for name in _SEVERAL if name in schema):
        members = [_held(each, fields) for each in schema[name]]
        left = [each for each in members if each is not None]
        if not left or (name == "allOf" and None in members):
            return None
        made[name] = left
        if all(not each for each in left) and (name != "oneOf" or len(left) == 1):
            del made[name]
    if "not" in schema:
        without = _held(schema["not"], fields)
        made["not"] = without
        if without is None:
            del made["not"]
    return made


def _uncounted(rule: str, fields: Collection[str]) -> str:
    """A rule that counts fields, without those."""
    gone = {f"has(self.{cel_name(field)})" for field in fields}

    def summed(match: re.Match[str]) -> str:
        return "+".join(each for each in match[0].split("+") if each[1 : each.index("?")] not in gone) or "0"

    def listed(match: re.Match[str]) -> str:
        return f"[{','.join(each for each in match[0][1:-1].split(',') if each not in gone)}]"

    return _LIST.sub(listed, _SUM.sub(summed, rule))
