"""What a release takes no longer though the last one took it: objects that are stored, and manifests, turn invalid.

What is gone is for `removals`. Versions and channels that promise nothing may change as they like.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from protoc_gen_crd.base.deprecation import Term, Terms
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.changes import CHANGED, REMOVED, Change, changes
from protoc_gen_crd.history.lacking import junctors, lacking
from protoc_gen_crd.history.summary import SCALE, SELECTABLE, Facts, KindSummary, Summary, VersionSummary, parent
from protoc_gen_crd.history.words import fact
from protoc_gen_crd.schema.types import EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, VALIDATIONS

INCOMPATIBLE, NARROWED = "history-incompatible", "history-narrowed"
_EITHER = "integer or string"
# What takes all that the other takes, too.
_WIDER = frozenset((("integer", "number"), ("integer", _EITHER), ("string", _EITHER)))
_WIDER_FORMATS = {"int32": ("int64", "float", "double"), "int64": ("float", "double"), "float": ("double",)}
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
        yield from _broken(NARROWED, change, _narrowed(had, has, _new(change.path, before, after)))


def _of_whole(change: Change, before: VersionSummary, after: VersionSummary) -> Iterator[Break]:
    """What objects as a whole lost, and what is asked of them."""
    told = [fact(name, *change.facts[name]) for name in _LOST if name in change.facts and _loses(*change.facts[name])]
    if PRESERVE in change.facts and change.facts[PRESERVE][0]:
        told.append(_DROPPED)
    if told:
        yield from _broken(INCOMPATIBLE, change, told)
    elif before.root is not None and after.root is not None:
        yield from _broken(NARROWED, change, _narrowed(before.root, after.root, _new("", before, after)))


def _loses(old: Any, new: Any) -> bool:
    return bool(old) and (not new or (isinstance(new, list) and not set(old) <= set(new)))


def _new(path: str, before: VersionSummary, after: VersionSummary) -> frozenset[str]:
    """The names of fields that came directly below a path."""
    came = (each for each in after.fields if each not in before.fields and parent(each) == path)
    return frozenset(each.removeprefix(path).removeprefix(".") for each in came)


def _narrowed(had: Facts, has: Facts, came: frozenset[str]) -> Iterator[str]:
    """What takes less of objects that have none of the fields that came."""
    has = lacking(has, came)
    yield from (fact(name, had.get(name), has.get(name)) for name, less in _NARROWER.items() if less(had, has))
    known = list(junctors(had))
    yield from (fact(name, None, value) for name, value in junctors(has) if (name, value) not in known)


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


def _raised(name: str) -> Callable[[Facts, Facts], bool]:
    return lambda old, new: name in new and (name not in old or new[name] > old[name])


def _lowered(name: str) -> Callable[[Facts, Facts], bool]:
    return lambda old, new: name in new and (name not in old or new[name] < old[name])


def _begun(name: str) -> Callable[[Facts, Facts], bool]:
    return lambda old, new: bool(new.get(name)) and not old.get(name)


def _other(name: str) -> Callable[[Facts, Facts], bool]:
    return lambda old, new: bool(new.get(name)) and new.get(name) != old.get(name)


def _factor(old: Facts, new: Facts) -> bool:
    name = "multipleOf"
    return name in new and (name not in old or bool(_exact(old[name]) % _exact(new[name])))


def _exact(number: Any) -> Fraction:
    return Fraction(str(number))  # 0.3 is three times 0.1, which floating point denies


def _unique(old: Facts, new: Facts) -> bool:
    return new.get(LIST_TYPE) in ("set", "map") and new.get(LIST_TYPE) != old.get(LIST_TYPE)


def _ruled(old: Facts, new: Facts) -> bool:
    known = [rule["rule"] for rule in old.get(VALIDATIONS) or ()]
    return any(rule["rule"] not in known for rule in new.get(VALIDATIONS) or ())


def _refuses_null(old: Facts, new: Facts) -> bool:
    return bool(old.get("nullable")) and not new.get("nullable")


def _formatted(old: Facts, new: Facts) -> bool:
    had, has = old.get("format"), new.get("format")
    return bool(has) and has not in (had, *_WIDER_FORMATS.get(str(had), ()))


def _excludes(name: str, bound: str, less: Callable[[Any, Any], bool]) -> Callable[[Facts, Facts], bool]:
    """Whether a bound is excluded that was not, and is no wider than the old one."""

    def excluded(old: Facts, new: Facts) -> bool:
        wider = bound in old and bound in new and less(new[bound], old[bound])
        return bool(new.get(name)) and not old.get(name) and not wider

    return excluded


def _keyed(old: Facts, new: Facts) -> bool:
    return bool(new.get(LIST_MAP_KEYS)) and set(new[LIST_MAP_KEYS]) != set(old.get(LIST_MAP_KEYS) or ())


_NARROWER: Mapping[str, Callable[[Facts, Facts], Any]] = {
    **{name: _raised(name) for name in ("minimum", "minLength", "minItems", "minProperties")},
    **{name: _lowered(name) for name in ("maximum", "maxLength", "maxItems", "maxProperties")},
    **{name: _begun(name) for name in ("enum", EMBEDDED)},
    "exclusiveMinimum": _excludes("exclusiveMinimum", "minimum", operator.lt),
    "exclusiveMaximum": _excludes("exclusiveMaximum", "maximum", operator.gt),
    "pattern": _other("pattern"),
    "format": _formatted,
    LIST_MAP_KEYS: _keyed,
    "multipleOf": _factor,
    LIST_TYPE: _unique,
    VALIDATIONS: _ruled,
    "nullable": _refuses_null,
}
