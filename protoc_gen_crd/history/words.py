"""One change in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.deprecation import Terms
from protoc_gen_crd.history.changes import ADDED, CHANGED, Change
from protoc_gen_crd.history.removals import Early
from protoc_gen_crd.schema.types import CHANNEL, DEPRECATED, DEPRECATED_VALUES, VALIDATIONS

_WARNING = "deprecation_warning"
_SHOWN = 60  # characters of a value
_FLAGS = ("required", "served", "storage", "deprecated")  # what an element is said to be when it comes or goes


def detail(change: Change) -> str:
    """What follows the name of the element: what came or went, or each fact that changed."""
    if change.what == CHANGED:
        of_course = set(_of_course(change.facts))
        told = [fact(name, *values) for name, values in change.facts.items() if name not in of_course]
        return f": {'; '.join(told)}"
    side = change.what == ADDED
    said = _said({name: values[side] for name, values in change.facts.items()})
    said += [count(change.below, "field")] if change.below else []
    return f" ({', '.join(said)})" if said else ""


def _of_course(facts: Mapping[str, tuple[Any, Any]]) -> Iterator[str]:
    """Facts that follow from others: the warning of what is deprecated, values not deprecated since they are gone."""
    if DEPRECATED in facts:
        yield _WARNING
    values, before, after = facts.get(DEPRECATED_VALUES), *facts.get("enum", (None, None))
    if values and before and after and set(values[1] or ()) == set(values[0] or ()) - (set(before) - set(after)):
        yield DEPRECATED_VALUES


def _said(facts: Mapping[str, Any]) -> list[str]:
    words = [str(facts["type"])] if facts.get("type") else []
    words += [name for name in _FLAGS if facts.get(name)]
    return [*words, f"channel {facts['channel']}"] if facts.get("channel") else words


def fact(name: str, old: Any, new: Any) -> str:
    """What became of one fact; None for what was not said, or is not."""
    if name in _WORDED:
        return "; ".join(_WORDED[name](old, new))
    if isinstance(old, list) and isinstance(new, list):
        return _list(name, old, new)
    if new is True or old is True:
        return f"{'now' if new is True else 'no longer'} {name}"
    if old is None or new is None:
        return f"{name} {_value(old if new is None else new)} is {'gone' if new is None else 'new'}"
    return f"{name} {_value(old)} is now {_value(new)}"


def _list(name: str, old: list[Any], new: list[Any]) -> str:
    gone, added = [each for each in old if each not in new], [each for each in new if each not in old]
    parts = [f"{name} no longer has {_value(gone)}"] if gone else []
    parts += [f"{name} now has {_value(added)}"] if added else []
    return "; ".join(parts) or f"{name} has another order, {_value(new)}"


def _deprecations(old: Any, new: Any) -> Iterator[str]:
    for word, here, there in (("no longer", old or [], new or []), ("now", new or [], old or [])):
        if changed := [_value(name) for name in here if name not in there]:
            yield f"{word} deprecated: {', '.join(changed)}"


def _channels(old: Any, new: Any) -> Iterator[str]:
    yield f"moved from channel {old} to {new}"


def _rules(old: Any, new: Any) -> Iterator[str]:
    before, after = _keyed(old), _keyed(new)
    yield from (f"rule {_value(before[key])} is gone" for key in before if key not in after)
    yield from (f"rule {_value(after[key])} is new" for key in after if key not in before)


_WORDED: dict[str, Callable[[Any, Any], Iterator[str]]] = {
    CHANNEL: _channels,
    DEPRECATED_VALUES: _deprecations,
    VALIDATIONS: _rules,
}


def _keyed(rules: Any) -> dict[str, str]:
    return {_json(rule): rule["rule"] for rule in rules or ()}


def _value(value: object) -> str:
    text = _json(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def too_early(found: Early, terms: Terms) -> str:
    """The message about something that goes before its time."""
    gone = found.gone
    parts = (f'"{gone.value}" of ' if gone.value else "", f'"{gone.path}" of ' if gone.path else "")
    name = f"{''.join(parts)}{gone.kind} {gone.version}"
    since = f"deprecated since {found.announced} only" if found.announced else "never deprecated"
    kept = "kept" if gone.path else "served"
    term = terms.term(gone.version, gone.channel)
    if gone.moved:
        left = gone.channel or next(iter(terms.channels))
        return (
            f'what leaves channel "{left}" must have been deprecated in it for {term}, found {name} moved to '
            f'channel "{gone.moved}", which was {since}'
        )
    return f"what is deprecated must be {kept} for {term} before it goes, found {name} gone, which was {since}"


def way_out(found: Early, release: str) -> str:
    """The hint for it."""
    which = "it" if found.announced else f"deprecated in {release} it"
    if found.gone.moved:
        return f"leave it in its channel; {which} may leave {found.earliest}"
    return f"{which} may go {found.earliest}"


def count(number: int, what: str) -> str:
    """A number of things."""
    return f"{number} {what}{'s' * (number != 1)}"
