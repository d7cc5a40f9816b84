"""What a release takes no longer though the last one took it: objects that are stored, and manifests, turn invalid.

What is gone is for `removals`. Versions and channels that promise nothing may change as they like.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from protoc_gen_crd.base.deprecation import Term, Terms
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.changes import CHANGED, REMOVED, Change, changes
from protoc_gen_crd.history.summary import SCALE, SELECTABLE, Facts, KindSummary, Summary, VersionSummary, parent
from protoc_gen_crd.history.words import fact
from protoc_gen_crd.schema.lacking import demands, junctors
from protoc_gen_crd.schema.narrower import narrower, new_junctors
from protoc_gen_crd.schema.types import EMBEDDED, INT_OR_STRING, PRESERVE

INCOMPATIBLE, NARROWED = "history-incompatible", "history-narrowed"
_EITHER = "integer or string"
# What takes all that the other takes, too.
_WIDER = frozenset((("integer", "number"), ("integer", _EITHER), ("string", _EITHER), ("object", "map")))
# What clients of a version use: controllers, autoscalers, watches. Columns and categories are for people.
_LOST = ("status", SCALE, SELECTABLE)
_DROPPED = "unknown fields are no longer kept"
_FIXED = ("scope", "plural")  # what no update of a CRD can change


class Break(Record):
    """An element that takes less: the rule, its name as settings have it, the name for people, and what changed."""

    rule: str
    element: str
    named: str
    what: str


def breaks(before: Summary, current: Summary, terms: Terms) -> Iterator[Break]:
    """Every element that takes less than in the last release."""
    for change in changes(before, current):
        old, new = before.get(change.kind), current.get(change.kind)
        if old is None or new is None:
            continue
        if change.version:
            yield from _of_version(change, old, new, terms)
        else:
            told = [fact(name, *change.facts[name]) for name in _FIXED if name in change.facts]
            yield from _broken(INCOMPATIBLE, change, told)


def _of_version(change: Change, old: KindSummary, new: KindSummary, terms: Terms) -> Iterator[Break]:
    before, after = old.versions.get(change.version), new.versions.get(change.version)
    if before is None or after is None or not (before.facts.get("served") and after.facts.get("served")):
        return
    if terms.term(change.version, before.channel(change.path, terms.channels)) == Term(0, 0):
        return
    if not change.path:
        yield from _of_whole(change, before, after)
    elif change.what == REMOVED:
        yield from _no_map(change, after)
    elif told := list(_changed(change.path, before, after)):
        yield from _broken(INCOMPATIBLE, change, told)
    elif change.what == CHANGED:
        had, has = before.fields[change.path], after.fields[change.path]
        yield from _of_facts(change, had, has, _around(change.path, before, after))


def _of_whole(change: Change, before: VersionSummary, after: VersionSummary) -> Iterator[Break]:
    """What objects as a whole lost, and what is asked of them."""
    told = [fact(name, *change.facts[name]) for name in _LOST if name in change.facts and _loses(*change.facts[name])]
    if PRESERVE in change.facts and change.facts[PRESERVE][0]:
        told.append(_DROPPED)
    if told:
        yield from _broken(INCOMPATIBLE, change, told)
    elif before.root is not None and after.root is not None:
        yield from _of_facts(change, before.root, after.root, _around("", before, after))


def _loses(old: Any, new: Any) -> bool:
    return bool(old) and (not new or (isinstance(new, list) and not set(old) <= set(new)))


def _around(path: str, before: VersionSummary, after: VersionSummary) -> tuple[frozenset[str], frozenset[str]]:
    """The names of fields directly below a path: those that came, and those that objects had to have."""
    came = (each for each in after.fields if each not in before.fields and parent(each) == path)
    always = (each for each, facts in before.fields.items() if facts.get("required") and parent(each) == path)
    names = [frozenset(each.removeprefix(path).removeprefix(".") for each in found) for found in (came, always)]
    return names[0], names[1]


def _of_facts(change: Change, had: Facts, has: Facts, around: tuple[frozenset[str], frozenset[str]]) -> Iterator[Break]:
    """What takes less of objects that have none of the fields that came; all of them, where it asks for fields."""
    demanded = not any(demands(value) for _, value in junctors(had)) and any(
        all(demands(value) for _, value in asked) for _, _, asked in new_junctors(had, has, *around)
    )
    told = [fact(name, old, new) for name, old, new in narrower(had, has, *around)]
    yield from _broken(INCOMPATIBLE if demanded else NARROWED, change, told)


def _no_map(change: Change, after: VersionSummary) -> Iterator[Break]:
    """A map that is an object with fixed fields now: its type is as it was."""
    path = parent(change.path)
    if change.path.endswith("{}") and path in after.fields and _shape(path, after) == "object":
        yield from _broken(INCOMPATIBLE, change.replace(path=path), ["map is now object"])


def _broken(rule: str, change: Change, told: Iterable[str]) -> Iterator[Break]:
    if what := "; ".join(told):
        element = ".".join(filter(None, (change.kind, change.version, change.path)))
        parts = (f'"{change.path}" of {change.kind}' if change.path else change.kind, change.version)
        yield Break(rule, element, " ".join(filter(None, parts)), what)


def _changed(path: str, before: VersionSummary, after: VersionSummary) -> Iterator[str]:
    """What makes a field refuse nearly all that it took, or drop it."""
    old, new = before.fields.get(path), after.fields[path]
    if old is not None:
        was, now = _shape(path, before), _shape(path, after)
        if now not in (was, "") and (was, now) not in _WIDER:
            yield f"{was or 'any type'} is now {now}"
        elif old.get(PRESERVE) and not new.get(PRESERVE):
            yield _DROPPED
        if new.get(EMBEDDED) and not old.get(EMBEDDED):
            yield "must be a whole object now, with apiVersion and kind"
    if _demanded(new) and not _demanded(old or {}):
        yield "required, and its default is gone" if old and old.get("required") else "now required"


def _shape(path: str, version: VersionSummary) -> str:
    """What values look like; empty for values of any type."""
    facts = version.fields[path]
    if facts.get(INT_OR_STRING):
        return _EITHER
    return "map" if f"{path}{{}}" in version.fields else str(facts.get("type", ""))


def _demanded(facts: Facts) -> bool:
    """Whether an object must have a field that no default fills in."""
    return bool(facts.get("required")) and "default" not in facts
