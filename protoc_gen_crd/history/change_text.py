"""Descriptions of API changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.history.api_changes import ADDED, CHANGED, ApiChange
from protoc_gen_crd.history.removals import EarlyRemoval
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy
from protoc_gen_crd.schema.field_choices import describe_choice
from protoc_gen_crd.schema.reduced_constraints import list_junctors
from protoc_gen_crd.schema.schema import CHANNEL, DEPRECATED, DEPRECATED_VALUES, VALIDATIONS

_WARNING = "deprecation_warning"
_MAX_VALUE_LENGTH = 60  # characters of a value
_FLAG_FACTS = ("required", "served", "storage", "deprecated")  # what an element is said to be when it comes or goes


def describe_change(change: ApiChange) -> str:
    """Describe a change after the name of its element: the added or removed element, or each changed fact."""
    if change.action == CHANGED:
        of_course = set(_find_implied_facts(change.facts))
        told = [describe_fact(name, *values) for name, values in change.facts.items() if name not in of_course]
        return f": {'; '.join(told)}"
    side = change.action == ADDED
    said = _describe_element({name: values[side] for name, values in change.facts.items()})
    said += [format_count(change.field_count, "field")] if change.field_count else []
    return f" ({', '.join(said)})" if said else ""


def _find_implied_facts(facts: Mapping[str, tuple[Any, Any]]) -> Iterator[str]:
    """Facts that follow from others: the warning of what is deprecated, values not deprecated since they are gone."""
    if DEPRECATED in facts:
        yield _WARNING
    values, before, after = facts.get(DEPRECATED_VALUES), *facts.get("enum", (None, None))
    if values and before and after and set(values[1] or ()) == set(values[0] or ()) - (set(before) - set(after)):
        yield DEPRECATED_VALUES


def _describe_element(facts: Mapping[str, Any]) -> list[str]:
    words = [str(facts["type"])] if facts.get("type") else []
    words += [name for name in _FLAG_FACTS if facts.get(name)]
    return [*words, f"channel {facts['channel']}"] if facts.get("channel") else words


def describe_fact(name: str, old: Any, new: Any) -> str:
    """Describe the change of one fact; None is an absent value."""
    if name in _DESCRIBERS and (told := "; ".join(_DESCRIBERS[name](old, new))):
        return told
    chosen = [describe_choice(name, value or ()) for value in (old, new)]
    if all(chosen):
        return f"{chosen[0]} is now {chosen[1]}"
    if isinstance(old, list) and isinstance(new, list):
        return _describe_list(name, old, new)
    if new is True or old is True:
        return f"{'now' if new is True else 'no longer'} {name}"
    if old is None or new is None:
        what = chosen[new is not None] or f"{name} {_format_value(old if new is None else new)}"
        return f"{what} is {'removed' if new is None else 'new'}"
    before, after = _cut_to_difference(_format_json(old), _format_json(new))
    return f"{name} {before} is now {after}"


def _describe_list(name: str, old: list[Any], new: list[Any]) -> str:
    gone, added = [each for each in old if each not in new], [each for each in new if each not in old]
    if len(gone) == len(added) == 1 and len(_format_json(added)) > _MAX_VALUE_LENGTH:
        one, other = _cut_to_difference(_format_json(gone[0]), _format_json(added[0]))
        return f"{name} has {other} instead of {one}"
    parts = [f"{name} no longer has {_format_value(gone)}"] if gone else []
    parts += [f"{name} now has {_format_value(added)}"] if added else []
    return "; ".join(parts) or f"the order of {name} is now {_format_value(new)}"


def _describe_deprecations(old: Any, new: Any) -> Iterator[str]:
    for word, here, there in (("no longer", old or [], new or []), ("now", new or [], old or [])):
        if changed := [_format_value(name) for name in here if name not in there]:
            yield f"{word} deprecated: {', '.join(changed)}"


def _describe_channels(old: Any, new: Any) -> Iterator[str]:
    yield f"moved from channel {old} to {new}"


def _describe_rules(old: Any, new: Any) -> Iterator[str]:
    before, after = ({rule["rule"]: rule for rule in rules or ()} for rules in (old, new))
    gone, came = [rule for rule in before if rule not in after], [rule for rule in after if rule not in before]
    if len(gone) == len(came) == 1:
        one, other = _cut_to_difference(_format_json(gone[0]), _format_json(came[0]))
        yield f"rule {one} is now {other}"
    else:
        yield from (f"rule {_format_value(rule)} is removed" for rule in gone)
        yield from (f"rule {_format_value(rule)} is new" for rule in came)
    for rule in (rule for rule in before if rule in after):
        was, now = before[rule], after[rule]
        said = [
            describe_fact(key, was.get(key), now.get(key)) for key in sorted(was | now) if was.get(key) != now.get(key)
        ]
        yield from [f"rule {_format_value(rule)}: {', '.join(said)}"] if said else []


def _describe_parts(old: Any, new: Any) -> Iterator[str]:
    """Describe each branch of an allOf separately."""
    for what, here, there in (("removed", old or [], new or []), ("new", new or [], old or [])):
        parts = list_junctors({"allOf": [each for each in here if each not in there]})
        yield from (
            f"{describe_choice(name, value) or f'{name} {_format_value(value)}'} is {what}" for name, value in parts
        )


_DESCRIBERS: dict[str, Callable[[Any, Any], Iterator[str]]] = {
    CHANNEL: _describe_channels,
    DEPRECATED_VALUES: _describe_deprecations,
    VALIDATIONS: _describe_rules,
    "allOf": _describe_parts,
}


def _format_value(value: object) -> str:
    """Format a value as JSON, and the items of a list separated by commas."""
    items = value if isinstance(value, list) else [value]
    return _truncate(", ".join(map(_format_json, items)))


def _cut_to_difference(one: str, other: str) -> tuple[str, str]:
    """Shorten two strings to the part where they differ."""
    same = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    start = max(same - _MAX_VALUE_LENGTH // 3, 0)
    if max(len(one), len(other)) <= _MAX_VALUE_LENGTH or not start:
        return _truncate(one), _truncate(other)
    return f"…{_truncate(one[start:])}", f"…{_truncate(other[start:])}"


def _truncate(text: str) -> str:
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[: _MAX_VALUE_LENGTH - 1]}…"


def _format_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def format_early_removal(found: EarlyRemoval, terms: DeprecationPolicy) -> str:
    """Format the message for an early removal."""
    gone = found.removed
    parts = (f'"{gone.value}" of ' if gone.value else "", f'"{gone.path}" of ' if gone.path else "")
    name = f"{''.join(parts)}{gone.kind} {gone.version}"
    since = f"it is deprecated only since {found.deprecated_in}" if found.deprecated_in else "it was never deprecated"
    term = terms.find_term(gone.version, gone.channel)
    if gone.new_channel:
        old_channel = gone.channel or next(iter(terms.channels))
        action = f'moves from channel "{old_channel}" to channel "{gone.new_channel}"'
    else:
        action = "is removed" if gone.path else "is no longer served"
    return f"{name} {action} before its deprecation period of {term} has ended: {since}"


def suggest_removal(found: EarlyRemoval, release: str) -> str:
    """Format the hint for an early removal."""
    moved = bool(found.removed.new_channel)
    steps = ["leave it in its channel"] if moved else ["keep it"]
    steps += [] if found.deprecated_in else [f"deprecate it in {release}"]
    return f"{' and '.join(steps)}; it can be {'moved' if moved else 'removed'} {found.earliest_removal}"


def format_count(number: int, what: str) -> str:
    """A number of things."""
    return f"{number} {what}{'s' * (number != 1)}"
