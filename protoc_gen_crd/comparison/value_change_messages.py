"""Descriptions of changed facts: keywords of a schema, and properties of kinds and versions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.schema.choice_descriptions import describe_choice
from protoc_gen_crd.schema.reduced_constraints import list_logical_keywords
from protoc_gen_crd.schema.schema import CHANNEL, DEPRECATED_VALUES, EMBEDDED, PRESERVE, VALIDATIONS

_ESCAPED = re.compile(r"\\.", re.DOTALL)  # a character in a JSON string
_MAX_VALUE_LENGTH = 60  # characters of a value
# Descriptions of facts that become true ("now") or false ("no longer").
_FLAGS = {
    **{name: f"{{}} {name}" for name in ("deprecated", "nullable", "required", "served")},
    "exclusiveMaximum": "maximum is {} exclusive",
    "exclusiveMinimum": "minimum is {} exclusive",
    "status": "status subresource is {} enabled",
    "storage": "{} the storage version",
    "subresources.status": "status subresource is {} enabled",
    "uniqueItems": "duplicate items are {} rejected",
    EMBEDDED: "{} an embedded resource",
    PRESERVE: "unknown fields are {} preserved",
}


def describe_fact(name: str, old: Any, new: Any) -> str:
    """Describe the change of one fact; None is an absent value."""
    if name in _DESCRIBERS and (description := "; ".join(_DESCRIBERS[name](old, new))):
        return description
    choices = [describe_choice(name, value) for value in (old, new)]
    if all(choices):
        return f"{choices[0]} is now {choices[1]}"
    if isinstance(old, list) and isinstance(new, list):
        return _describe_list(name, old, new)
    if (new is True or old is True) and _is_flag(name, old, new):
        return _FLAGS.get(name, f"{name} is {{}} true").format("now" if new else "no longer")
    if old is None or new is None:
        subject = choices[new is not None] or f"{name} {format_value(old if new is None else new)}"
        return f"{subject} is {'removed' if new is None else 'new'}"
    before, after = _cut_to_difference(_format_json(old), _format_json(new))
    return f"{name} {before} is now {after}"


def _is_flag(name: str, old: Any, new: Any) -> bool:
    return name != "default" and all(value is None or isinstance(value, bool) for value in (old, new))


def _describe_list(name: str, old: list[Any], new: list[Any]) -> str:
    removed, added = [item for item in old if item not in new], [item for item in new if item not in old]
    if len(removed) == len(added) == 1 and len(_format_json(added)) > _MAX_VALUE_LENGTH:
        before, after = _cut_to_difference(_format_json(removed[0]), _format_json(added[0]))
        return f"{name} has {after} instead of {before}"
    parts = [f"{name} no longer has {format_value(removed)}"] if removed else []
    parts += [f"{name} now has {format_value(added)}"] if added else []
    return "; ".join(parts) or f"the order of {name} is now {format_value(new)}"


def _describe_deprecations(old: Any, new: Any) -> Iterator[str]:
    for word, values, others in (("no longer", old or [], new or []), ("now", new or [], old or [])):
        if changed := [format_value(name) for name in values if name not in others]:
            yield f"{word} deprecated: {', '.join(changed)}"


def _describe_channels(old: Any, new: Any) -> Iterator[str]:
    if old and new:
        yield f"moved from channel {old} to {new}"
    else:
        yield f"moved to channel {new}" if new else f"no longer in channel {old}"


def _describe_rules(old: Any, new: Any) -> Iterator[str]:
    before, after = ({rule.get("rule", ""): rule for rule in rules or ()} for rules in (old, new))
    removed, added = [rule for rule in before if rule not in after], [rule for rule in after if rule not in before]
    if len(removed) == len(added) == 1:
        was, now = _cut_to_difference(_format_json(removed[0]), _format_json(added[0]))
        yield f"rule {was} is now {now}"
    else:
        yield from (f"rule {format_value(rule)} is removed" for rule in removed)
        yield from (f"rule {format_value(rule)} is new" for rule in added)
    for rule in (rule for rule in before if rule in after):
        facts, new_facts = before[rule], after[rule]
        descriptions = [
            describe_fact(key, facts.get(key), new_facts.get(key))
            for key in sorted(facts | new_facts)
            if facts.get(key) != new_facts.get(key)
        ]
        yield from [f"rule {format_value(rule)}: {', '.join(descriptions)}"] if descriptions else []


def _describe_parts(old: Any, new: Any) -> Iterator[str]:
    """Describe each branch of an allOf separately."""
    for state, branches, others in (("removed", old or [], new or []), ("new", new or [], old or [])):
        parts = list_logical_keywords({"allOf": [branch for branch in branches if branch not in others]})
        yield from (
            f"{describe_choice(name, value) or f'{name} {format_value(value)}'} is {state}" for name, value in parts
        )


_DESCRIBERS: dict[str, Callable[[Any, Any], Iterator[str]]] = {
    CHANNEL: _describe_channels,
    DEPRECATED_VALUES: _describe_deprecations,
    VALIDATIONS: _describe_rules,
    "allOf": _describe_parts,
}


def format_value(value: object) -> str:
    """Format a value as JSON, and the items of a list separated by commas."""
    items = value if isinstance(value, list) else [value]
    return _truncate(", ".join(map(_format_json, items)))


def _cut_to_difference(first: str, second: str) -> tuple[str, str]:
    """Shorten two strings to the part where they differ."""
    difference = next((index for index, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]), 0)
    start = max(difference - _MAX_VALUE_LENGTH // 3, 0)
    if max(len(first), len(second)) <= _MAX_VALUE_LENGTH or not start:
        return _truncate(first), _truncate(second)
    opening = '"…' if _is_quote_open(first[:start]) else "…"
    return _truncate(f"{opening}{first[start:]}"), _truncate(f"{opening}{second[start:]}")


def _truncate(value: str) -> str:
    """Shorten a value in JSON, and close its string."""
    if len(value) <= _MAX_VALUE_LENGTH:
        return value
    shown = value[: _MAX_VALUE_LENGTH - 1]
    return f'{shown}…"' if _is_quote_open(shown) else f"{shown}…"


def _is_quote_open(value: str) -> bool:
    """Report whether a part of JSON ends within a string."""
    return bool(_ESCAPED.sub("", value).count('"') % 2)


def _format_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
