"""Renderers of histories and changes: text, Markdown for release notes, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from protoc_gen_crd.base.markdown import code, plain
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.api_changes import ADDED, CHANGED, REMOVED, ApiChange, is_below, is_element, merge_versions
from protoc_gen_crd.history.change_text import describe_change, format_count
from protoc_gen_crd.history.lifetimes import Lifetime
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy

_SIGNS = {ADDED: "+", REMOVED: "-", CHANGED: "~"}
_PREDICATES = {ADDED: "is new", REMOVED: "is removed", CHANGED: "has changed"}


class ReleaseChanges(Record):
    """A release and what changed with it."""

    release: str
    date: str
    changes: tuple[ApiChange, ...]


def format_lifetimes(lives: Sequence[Lifetime], terms: DeprecationPolicy, *, everything: bool) -> Iterator[str]:
    """Kinds, versions and fields with their lives; `everything` adds fields that share the life around them."""
    rows = list(_make_rows(lives, terms, everything=everything))
    name_width, span_width = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
    for name, spans, notes in rows:
        yield f"{name:{name_width}}  {spans:{span_width}}  {notes}".rstrip()


def _make_rows(
    lives: Sequence[Lifetime], terms: DeprecationPolicy, *, everything: bool
) -> Iterator[tuple[str, str, str]]:
    around: list[Lifetime] = []  # the version, and the fields on the way
    for life in lives:
        notes = [*life.notes, *_format_removals(life, terms)]
        if not notes and is_element(life.path):
            continue
        while around and not (life.version == around[-1].version and is_below(life.path, around[-1].path)):
            around.pop()
        shown = everything or not life.path or _has_own_lifetime(life, around)
        around.append(life)
        if not shown:
            continue
        if life.version and not life.path:
            notes.append(format_count(life.fields, "field"))
        name = f"    {life.path}" if life.path else f"  {life.version}" if life.version else life.kind
        yield name, ", ".join(_format_span(*span) for span in life.spans), "; ".join(notes)


def _has_own_lifetime(life: Lifetime, around: Sequence[Lifetime]) -> bool:
    """Check whether the lifetime of a field differs from that of its parents."""
    told = {note for one in around for note in one.notes}
    return life.spans != around[-1].spans or not told.issuperset(life.notes)


def _format_removals(life: Lifetime, terms: DeprecationPolicy) -> Iterator[str]:
    """Describe when deprecated parts of an element can be removed."""
    for name, since in life.deprecated.items() if life.is_current else ():
        yield " ".join(
            filter(
                None,
                (name, "can be removed", str(terms.find_earliest_removal(since, life.version, life.channels[name]))),
            )
        )


def _format_span(first: str, last: str) -> str:
    if first == last:
        return f"{first} only"
    return f"{first} to {last}" if last else first


def format_changes(found: Sequence[ApiChange]) -> Iterator[str]:
    """The changes of an API, a line each, below their kinds."""
    for kind, group in groupby(found, key=lambda change: change.kind):
        yield kind
        for versions, change in merge_versions(group):
            of = " ".join(filter(None, (", ".join(versions), change.path))) or kind
            yield f"  {_SIGNS[change.action]} {of}{describe_change(change)}"


def render_changelog(steps: Sequence[ReleaseChanges]) -> str:
    """Markdown, the newest release first."""
    return "# API changes\n" + "".join(f"\n{line}" for step in reversed(steps) for line in _render_section(step)) + "\n"


def _render_section(step: ReleaseChanges) -> Iterator[str]:
    yield f"## {step.release} ({step.date})\n"
    if not step.changes:
        yield "No changes.\n"
    for kind, group in groupby(step.changes, key=lambda change: change.kind):
        group_name, _, name = kind.rpartition("/")
        yield f"### {plain(f'{name} ({group_name})')}\n"
        yield from (f"- {_render_item(versions, change)}" for versions, change in merge_versions(group))
        yield ""


def _render_item(versions: Sequence[str], change: ApiChange) -> str:
    of = ", ".join(map(code, versions))
    end = plain(f"{_PREDICATES[change.action]}{describe_change(change)}.")
    end += f" Removal is possible {change.removal}." if change.removal else ""
    if change.path:
        return f"{of}: {code(change.path)} {end}"
    return f"Version {of} {end}" if versions else f"The kind {end}"


def render_json(steps: Sequence[ReleaseChanges]) -> str:
    """The changes of each release as data."""
    plain = [
        {"release": step.release, "date": step.date, "changes": [_encode_change(change) for change in step.changes]}
        for step in steps
    ]
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _encode_change(change: ApiChange) -> dict[str, Any]:
    facts = {name: {"old": old, "new": new} for name, (old, new) in change.facts.items()}
    removal = {"removal": {"release": change.removal.release, "date": change.removal.date}} if change.removal else {}
    element = {"kind": change.kind, "version": change.version, "path": change.path}
    return {**element, "change": change.action, "facts": facts, **removal}
