"""Breaking changes: objects that the last release accepted and the current API rejects.

Removed elements are handled by `removals`. Versions and channels without a deprecation period are not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_summary import (
    SCALE,
    SELECTABLE,
    ApiSummary,
    Facts,
    KindSummary,
    VersionSummary,
    get_parent,
)
from protoc_gen_crd.comparison.fact_descriptions import describe_fact
from protoc_gen_crd.comparison.narrowed_keywords import find_narrowed_keywords, find_new_junctors
from protoc_gen_crd.comparison.summary_comparison import CHANGED, REMOVED, ApiChange, compare_summaries
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Term
from protoc_gen_crd.schema.reduced_constraints import is_requirement, list_junctors
from protoc_gen_crd.schema.schema import EMBEDDED, INT_OR_STRING, PRESERVE

INCOMPATIBLE, NARROWED = "history-incompatible", "history-narrowed"
_INTEGER_OR_STRING = "integer or string"
# Pairs of an old type and a new type that accepts all values of the old one.
_WIDENED_TYPES = frozenset(
    (("integer", "number"), ("integer", _INTEGER_OR_STRING), ("string", _INTEGER_OR_STRING), ("object", "map"))
)
# Facts that clients depend on: controllers, autoscalers, watches. Columns and categories are only displayed.
_CLIENT_FEATURES = ("status", SCALE, SELECTABLE)
_UNKNOWN_FIELDS_PRUNED = "unknown fields are no longer preserved"
_IMMUTABLE_FACTS = ("scope", "plural")  # facts that an update of a CRD cannot change


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
            descriptions = [
                describe_fact(name, *change.facts[name]) for name in _IMMUTABLE_FACTS if name in change.facts
            ]
            yield from _make_breaking_change(INCOMPATIBLE, change, descriptions)


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
    elif descriptions := list(_describe_incompatibilities(change.path, before, after)):
        yield from _make_breaking_change(INCOMPATIBLE, change, descriptions)
    elif change.action == CHANGED:
        old_facts, new_facts = before.fields[change.path], after.fields[change.path]
        yield from _check_facts(change, old_facts, new_facts, _find_child_names(change.path, before, after))


def _check_object(change: ApiChange, before: VersionSummary, after: VersionSummary) -> Iterator[BreakingChange]:
    """Check the facts of objects as a whole."""
    descriptions = [
        describe_fact(name, *change.facts[name])
        for name in _CLIENT_FEATURES
        if name in change.facts and _is_reduced(*change.facts[name])
    ]
    if PRESERVE in change.facts and change.facts[PRESERVE][0]:
        descriptions.append(_UNKNOWN_FIELDS_PRUNED)
    if descriptions:
        yield from _make_breaking_change(INCOMPATIBLE, change, descriptions)
    elif before.root is not None and after.root is not None:
        yield from _check_facts(change, before.root, after.root, _find_child_names("", before, after))


def _is_reduced(old: Any, new: Any) -> bool:
    return bool(old) and (not new or (isinstance(new, list) and not all(value in new for value in old)))


def _find_child_names(
    path: str, before: VersionSummary, after: VersionSummary
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of fields directly below a path: those that were added, and those that were required before."""
    added = (child for child in after.fields if child not in before.fields and get_parent(child) == path)
    always = (child for child, facts in before.fields.items() if facts.get("required") and get_parent(child) == path)
    names = [frozenset(child.removeprefix(path).removeprefix(".") for child in paths) for paths in (added, always)]
    return names[0], names[1]


def _check_facts(
    change: ApiChange, old: Facts, new: Facts, children: tuple[frozenset[str], frozenset[str]]
) -> Iterator[BreakingChange]:
    """Report constraints that reject old objects, which have none of the added fields.

    Newly required fields are an incompatible change; other constraints narrow the accepted values.
    """
    requires_fields = not any(is_requirement(value) for _, value in list_junctors(old)) and any(
        all(is_requirement(value) for _, value in demands) for _, _, demands in find_new_junctors(old, new, *children)
    )
    narrowed = find_narrowed_keywords(old, new, *children)
    descriptions = [describe_fact(name, before, after) for name, before, after in narrowed]
    yield from _make_breaking_change(INCOMPATIBLE if requires_fields else NARROWED, change, descriptions)


def _check_map(change: ApiChange, after: VersionSummary) -> Iterator[BreakingChange]:
    """Report a map that is now an object with fixed fields, since its type is the same."""
    path = get_parent(change.path)
    if change.path.endswith("{}") and path in after.fields and _get_value_type(path, after) == "object":
        yield from _make_breaking_change(INCOMPATIBLE, change.replace(path=path), ["map is now object"])


def _make_breaking_change(rule: str, change: ApiChange, descriptions: Iterable[str]) -> Iterator[BreakingChange]:
    if description := "; ".join(descriptions):
        element = ".".join(filter(None, (change.kind, change.version, change.path)))
        parts = (f'"{change.path}" of {change.kind}' if change.path else change.kind, change.version)
        yield BreakingChange(rule, element, " ".join(filter(None, parts)), description, change)


def _describe_incompatibilities(path: str, before: VersionSummary, after: VersionSummary) -> Iterator[str]:
    """Describe changes of a field that reject or drop nearly all of its old values."""
    old, new = before.fields.get(path), after.fields[path]
    if old is not None:
        old_type, new_type = _get_value_type(path, before), _get_value_type(path, after)
        if new_type not in (old_type, "") and (old_type, new_type) not in _WIDENED_TYPES:
            yield f"{old_type or 'any type'} is now {new_type}"
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
