"""Renderers of histories and changes: text, Markdown for release notes, and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from protoc_gen_crd.base.markdown_escapes import code, plain
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.summary_comparison import (
    ADDED,
    CHANGED,
    REMOVED,
    ApiChange,
    is_below,
    is_element,
    merge_versions,
)
from protoc_gen_crd.history.changelog_entries import describe_change, format_count
from protoc_gen_crd.history.changelog_notes import ChangelogNote, format_notes
from protoc_gen_crd.history.lifetimes import Lifetime
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy

_SIGNS = {ADDED: "+", REMOVED: "-", CHANGED: "~"}
_PREDICATES = {ADDED: "is new", REMOVED: "is removed", CHANGED: "has changed"}


class ReleaseChanges(Record):
    """A release, its changes since the previous release, and the notes on them; without a name if unreleased."""

    release: str
    date: str
    changes: tuple[ApiChange, ...]
    notes: tuple[ChangelogNote, ...] = ()


def format_lifetimes(lifetimes: Sequence[Lifetime], terms: DeprecationPolicy, *, everything: bool) -> Iterator[str]:
    """Format the lifetimes of kinds, versions and fields; `everything` adds fields that live as long as the parent."""
    rows = list(_make_rows(lifetimes, terms, everything=everything))
    name_width, span_width = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
    for name, spans, notes in rows:
        yield f"{name:{name_width}}  {spans:{span_width}}  {notes}".rstrip()


def _make_rows(
    lifetimes: Sequence[Lifetime], terms: DeprecationPolicy, *, everything: bool
) -> Iterator[tuple[str, str, str]]:
    parents: list[Lifetime] = []  # the version and the fields that contain the current one
    for lifetime in lifetimes:
        notes = [*lifetime.notes, *_format_removals(lifetime, terms)]
        if not notes and is_element(lifetime.path):
            continue
        while parents and not (lifetime.version == parents[-1].version and is_below(lifetime.path, parents[-1].path)):
            parents.pop()
        is_shown = everything or not lifetime.path or _has_own_lifetime(lifetime, parents)
        parents.append(lifetime)
        if not is_shown:
            continue
        if lifetime.version and not lifetime.path:
            notes.append(format_count(lifetime.fields, "field" if "/" in lifetime.kind else "element"))
        name = (
            f"    {lifetime.path}" if lifetime.path else f"  {lifetime.version}" if lifetime.version else lifetime.kind
        )
        yield name, ", ".join(_format_span(*span) for span in lifetime.spans), "; ".join(notes)


def _has_own_lifetime(lifetime: Lifetime, parents: Sequence[Lifetime]) -> bool:
    """Check whether the lifetime of a field differs from that of its parents."""
    notes = {note for parent in parents for note in parent.notes}
    return lifetime.spans != parents[-1].spans or not notes.issuperset(lifetime.notes)


def _format_removals(lifetime: Lifetime, terms: DeprecationPolicy) -> Iterator[str]:
    """Describe when deprecated parts of an element can be removed."""
    for name, since in lifetime.deprecated.items() if lifetime.is_current else ():
        yield " ".join(
            filter(
                None,
                (
                    name,
                    "can be removed",
                    str(
                        terms.find_earliest_removal(since, lifetime.version, lifetime.channels[name], lifetime.element)
                    ),
                ),
            )
        )


def _format_span(first: str, last: str) -> str:
    if first == last:
        return f"{first} only"
    return f"{first} to {last}" if last else first


def format_changes(changes: Sequence[ApiChange]) -> Iterator[str]:
    """Format the changes of an API, one per line, grouped by kind."""
    for kind, group in groupby(changes, key=lambda change: change.kind):
        yield kind
        for versions, change in merge_versions(group):
            element = " ".join(filter(None, (", ".join(versions), change.path))) or kind
            yield f"  {_SIGNS[change.action]} {element}{describe_change(change)}"


def render_changelog(releases: Sequence[ReleaseChanges]) -> str:
    """Render the changes of releases as Markdown, the newest release first."""
    lines = (f"\n{line}" for release in reversed(releases) for line in _render_section(release))
    return "# API changes\n" + "".join(lines) + "\n"


def _render_section(release: ReleaseChanges) -> Iterator[str]:
    yield f"## {release.release} ({release.date})\n" if release.release else "## Unreleased\n"
    if release.notes:
        yield from format_notes(release.notes)
        yield ""
    if not release.changes and release.release:
        yield "No changes.\n"
    for kind, group in groupby(release.changes, key=lambda change: change.kind):
        group_name, _, name = kind.rpartition("/")
        yield f"### {plain(f'{name} ({group_name})' if group_name else f'API group {name}')}\n"
        yield from (f"- {_render_item(versions, change)}" for versions, change in merge_versions(group))
        yield ""


def _render_item(versions: Sequence[str], change: ApiChange) -> str:
    names = ", ".join(map(code, versions))
    sentence = plain(f"{_PREDICATES[change.action]}{describe_change(change)}.")
    sentence += f" Removal is possible {change.removal}." if change.removal else ""
    if change.path:
        return f"{names}: {code(change.path)} {sentence}"
    return f"Version {names} {sentence}" if versions else f"The {'kind' if '/' in change.kind else 'group'} {sentence}"


def render_json(releases: Sequence[ReleaseChanges]) -> str:
    """Render the changes of releases as JSON."""
    plain = [
        {
            "release": release.release,
            "date": release.date,
            "changes": [_encode_change(change) for change in release.changes],
            **({"notes": [{"name": note.name, "text": note.text} for note in release.notes]} if release.notes else {}),
        }
        for release in releases
    ]
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _encode_change(change: ApiChange) -> dict[str, Any]:
    facts = {name: {"old": old, "new": new} for name, (old, new) in change.facts.items()}
    removal = {"removal": {"release": change.removal.release, "date": change.removal.date}} if change.removal else {}
    element = {"kind": change.kind, "version": change.version, "path": change.path}
    return {**element, "change": change.action, "facts": facts, **removal}
