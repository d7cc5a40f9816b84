"""One change in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.deprecation import Terms
from protoc_gen_crd.history.changes import ADDED, CHANGED, Change
from protoc_gen_crd.history.removals import Early
from protoc_gen_crd.schema.choices import choice
from protoc_gen_crd.schema.lacking import junctors
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
    if name in _WORDED and (told := "; ".join(_WORDED[name](old, new))):
        return told
    chosen = [choice(name, value or ()) for value in (old, new)]
    if all(chosen):
        return f"{chosen[0]} is now {chosen[1]}"
    if isinstance(old, list) and isinstance(new, list):
        return _list(name, old, new)
    if new is True or old is True:
        return f"{'now' if new is True else 'no longer'} {name}"
    if old is None or new is None:
        what = chosen[new is not None] or f"{name} {_value(old if new is None else new)}"
        return f"{what} is {'gone' if new is None else 'new'}"
    before, after = _apart(_json(old), _json(new))
    return f"{name} {before} is now {after}"


def _list(name: str, old: list[Any], new: list[Any]) -> str:
    gone, added = [each for each in old if each not in new], [each for each in new if each not in old]
    if len(gone) == len(added) == 1 and len(_json(added)) > _SHOWN:
        one, other = _apart(_json(gone[0]), _json(added[0]))
        return f"{name} has {other} instead of {one}"
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
    before, after = ({rule["rule"]: rule for rule in rules or ()} for rules in (old, new))
    gone, came = [rule for rule in before if rule not in after], [rule for rule in after if rule not in before]
    if len(gone) == len(came) == 1:
        one, other = _apart(_json(gone[0]), _json(came[0]))
        yield f"rule {one} is now {other}"
    else:
        yield from (f"rule {_value(rule)} is gone" for rule in gone)
        yield from (f"rule {_value(rule)} is new" for rule in came)
    for rule in (rule for rule in before if rule in after):
        was, now = before[rule], after[rule]
        said = [fact(key, was.get(key), now.get(key)) for key in sorted(was | now) if was.get(key) != now.get(key)]
        yield from [f"rule {_value(rule)}: {', '.join(said)}"] if said else []


def _several(old: Any, new: Any) -> Iterator[str]:
    """What must hold at once: each part by itself."""
    for what, here, there in (("gone", old or [], new or []), ("new", new or [], old or [])):
        parts = junctors({"allOf": [each for each in here if each not in there]})
        yield from (f"{choice(name, value) or f'{name} {_value(value)}'} is {what}" for name, value in parts)


_WORDED: dict[str, Callable[[Any, Any], Iterator[str]]] = {
    CHANNEL: _channels,
    DEPRECATED_VALUES: _deprecations,
    VALIDATIONS: _rules,
    "allOf": _several,
}


def _value(value: object) -> str:
    return _cut(_json(value))


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two texts cut to where they differ."""
    same = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    start = max(same - _SHOWN // 3, 0)
    if max(len(one), len(other)) <= _SHOWN or not start:
        return _cut(one), _cut(other)
    return f"…{_cut(one[start:])}", f"…{_cut(other[start:])}"


def _cut(text: str) -> str:
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
