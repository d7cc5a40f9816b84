"""Breaking changes: objects that the last release accepted and the current API rejects.

Removed elements are handled by `removals`. Versions and channels without a deprecation period are not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.api_changes import CHANGED, REMOVED, ApiChange, compare_summaries
from protoc_gen_crd.history.api_summary import (
    SCALE,
    SELECTABLE,
    ApiSummary,
    Facts,
    KindSummary,
    VersionSummary,
    get_parent,
)
from protoc_gen_crd.history.change_text import describe_fact
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Term
from protoc_gen_crd.schema.keyword_order import find_narrowed_keywords, find_new_junctors
from protoc_gen_crd.schema.reduced_constraints import is_requirement, list_junctors
from protoc_gen_crd.schema.schema import EMBEDDED, INT_OR_STRING, PRESERVE

INCOMPATIBLE, NARROWED = "history-incompatible", "history-narrowed"
_INTEGER_OR_STRING = "integer or string"
# What takes all that the other takes, too.
_WIDENED_TYPES = frozenset(
    (("integer", "number"), ("integer", _INTEGER_OR_STRING), ("string", _INTEGER_OR_STRING), ("object", "map"))
)
# What clients of a version use: controllers, autoscalers, watches. Columns and categories are for people.
_CLIENT_FEATURES = ("status", SCALE, SELECTABLE)
_UNKNOWN_FIELDS_PRUNED = "unknown fields are no longer preserved"
_IMMUTABLE_FACTS = ("scope", "plural")  # what no update of a CRD can change


class BreakingChange(Record):
    """A breaking change of an element: rule, path in settings, display name, description, and the change itself."""

    rule: str
    element: str
    display_name: str
    description: str
    change: ApiChange


def find_breaking_changes(
    before: ApiSummary, current: ApiSummary, terms: DeprecationPolicy
) -> Iterator[BreakingChange]:
    """Find the elements that accept less than in the last release."""
    for change in compare_summaries(before, current):
        old, new = before.get(change.kind), current.get(change.kind)
        if old is None or new is None:
            continue
        if change.version:
            yield from _check_version(change, old, new, terms)
        else:
            told = [describe_fact(name, *change.facts[name]) for name in _IMMUTABLE_FACTS if name in change.facts]
            yield from _make_breaking_change(INCOMPATIBLE, change, told)


def _check_version(
    change: ApiChange, old: KindSummary, new: KindSummary, terms: DeprecationPolicy
) -> Iterator[BreakingChange]:
    before, after = old.versions.get(change.version), new.versions.get(change.version)
    if before is None or after is None or not (before.facts.get("served") and after.facts.get("served")):
        return
    if terms.find_term(change.version, before.find_channel(change.path, terms.channels)) == Term(0, 0):
        return
    if not change.path:
        yield from _check_object(change, before, after)
    elif change.action == REMOVED:
        yield from _check_map(change, after)
    elif told := list(_describe_incompatibilities(change.path, before, after)):
        yield from _make_breaking_change(INCOMPATIBLE, change, told)
    elif change.action == CHANGED:
        had, has = before.fields[change.path], after.fields[change.path]
        yield from _check_facts(change, had, has, _find_child_names(change.path, before, after))


def _check_object(change: ApiChange, before: VersionSummary, after: VersionSummary) -> Iterator[BreakingChange]:
    """Check the facts of objects as a whole."""
    told = [
        describe_fact(name, *change.facts[name])
        for name in _CLIENT_FEATURES
        if name in change.facts and _is_reduced(*change.facts[name])
    ]
    if PRESERVE in change.facts and change.facts[PRESERVE][0]:
        told.append(_UNKNOWN_FIELDS_PRUNED)
    if told:
        yield from _make_breaking_change(INCOMPATIBLE, change, told)
    elif before.root is not None and after.root is not None:
        yield from _check_facts(change, before.root, after.root, _find_child_names("", before, after))


def _is_reduced(old: Any, new: Any) -> bool:
    return bool(old) and (not new or (isinstance(new, list) and not set(old) <= set(new)))


def _find_child_names(
    path: str, before: VersionSummary, after: VersionSummary
) -> tuple[frozenset[str], frozenset[str]]:
    """The names of fields directly below a path: those that came, and those that objects had to have."""
    came = (each for each in after.fields if each not in before.fields and get_parent(each) == path)
    always = (each for each, facts in before.fields.items() if facts.get("required") and get_parent(each) == path)
    names = [frozenset(each.removeprefix(path).removeprefix(".") for each in found) for found in (came, always)]
    return names[0], names[1]


def _check_facts(
    change: ApiChange, had: Facts, has: Facts, around: tuple[frozenset[str], frozenset[str]]
) -> Iterator[BreakingChange]:
    """What takes less of objects that have none of the fields that came; all of them, where it asks for fields."""
    demanded = not any(is_requirement(value) for _, value in list_junctors(had)) and any(
        all(is_requirement(value) for _, value in asked) for _, _, asked in find_new_junctors(had, has, *around)
    )
    told = [describe_fact(name, old, new) for name, old, new in find_narrowed_keywords(had, has, *around)]
    yield from _make_breaking_change(INCOMPATIBLE if demanded else NARROWED, change, told)


def _check_map(change: ApiChange, after: VersionSummary) -> Iterator[BreakingChange]:
    """A map that is an object with fixed fields now: its type is as it was."""
    path = get_parent(change.path)
    if change.path.endswith("{}") and path in after.fields and _get_value_type(path, after) == "object":
        yield from _make_breaking_change(INCOMPATIBLE, change.replace(path=path), ["map is now object"])


def _make_breaking_change(rule: str, change: ApiChange, told: Iterable[str]) -> Iterator[BreakingChange]:
    if what := "; ".join(told):
        element = ".".join(filter(None, (change.kind, change.version, change.path)))
        parts = (f'"{change.path}" of {change.kind}' if change.path else change.kind, change.version)
        yield BreakingChange(rule, element, " ".join(filter(None, parts)), what, change)


def _describe_incompatibilities(path: str, before: VersionSummary, after: VersionSummary) -> Iterator[str]:
    """Describe changes of a field that reject or drop nearly all of its old values."""
    old, new = before.fields.get(path), after.fields[path]
    if old is not None:
        was, now = _get_value_type(path, before), _get_value_type(path, after)
        if now not in (was, "") and (was, now) not in _WIDENED_TYPES:
            yield f"{was or 'any type'} is now {now}"
        elif old.get(PRESERVE) and not new.get(PRESERVE):
            yield _UNKNOWN_FIELDS_PRUNED
        if new.get(EMBEDDED) and not old.get(EMBEDDED):
            yield "now an embedded object with apiVersion and kind"
    if _is_required(new) and not _is_required(old or {}):
        yield "still required, but its default is removed" if old and old.get("required") else "now required"


def _get_value_type(path: str, version: VersionSummary) -> str:
    """Return the type of the values of a field; empty for any type."""
    facts = version.fields[path]
    if facts.get(INT_OR_STRING):
        return _INTEGER_OR_STRING
    return "map" if f"{path}{{}}" in version.fields else str(facts.get("type", ""))


def _is_required(facts: Facts) -> bool:
    """Check whether a field is required and has no default."""
    return bool(facts.get("required")) and "default" not in facts
