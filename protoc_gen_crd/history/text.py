"""Histories and differences: as text for people, as Markdown for release notes, as data for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from protoc_gen_crd.base.deprecation import Terms
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.changes import ADDED, CHANGED, REMOVED, Change, is_below, is_held, merged
from protoc_gen_crd.history.lifetimes import Lifetime
from protoc_gen_crd.history.words import count, detail

_SIGNS = {ADDED: "+", REMOVED: "-", CHANGED: "~"}
_WORDS = {ADDED: "is new", REMOVED: "is removed", CHANGED: "has changed"}


class Step(Record):
    """A release and what changed with it."""

    release: str
    date: str
    changes: tuple[Change, ...]


def table(lives: Sequence[Lifetime], terms: Terms, *, everything: bool) -> Iterator[str]:
    """Kinds, versions and fields with their lives; `everything` adds fields that share the life around them."""
    rows = list(_rows(lives, terms, everything=everything))
    name_width, span_width = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
    for name, spans, notes in rows:
        yield f"{name:{name_width}}  {spans:{span_width}}  {notes}".rstrip()


def _rows(lives: Sequence[Lifetime], terms: Terms, *, everything: bool) -> Iterator[tuple[str, str, str]]:
    around: list[Lifetime] = []  # the version, and the fields on the way
    for life in lives:
        notes = [*life.notes, *_removals(life, terms)]
        if not notes and is_held(life.path):
            continue
        while around and not (life.version == around[-1].version and is_below(life.path, around[-1].path)):
            around.pop()
        shown = everything or not life.path or _stands_out(life, around)
        around.append(life)
        if not shown:
            continue
        if life.version and not life.path:
            notes.append(count(life.fields, "field"))
        name = f"    {life.path}" if life.path else f"  {life.version}" if life.version else life.kind
        yield name, ", ".join(_span(*span) for span in life.spans), "; ".join(notes)


def _stands_out(life: Lifetime, around: Sequence[Lifetime]) -> bool:
    """Whether a field has not simply the life of what is around it."""
    told = {note for one in around for note in one.notes}
    return life.spans != around[-1].spans or not told.issuperset(life.notes)


def _removals(life: Lifetime, terms: Terms) -> Iterator[str]:
    """When what is deprecated of an element may go."""
    for name, since in life.deprecated.items() if life.lasting else ():
        yield " ".join(filter(None, (name, "may go", str(terms.earliest(since, life.version, life.channels[name])))))


def _span(first: str, last: str) -> str:
    if first == last:
        return f"{first} only"
    return f"{first} to {last}" if last else first


def difference(found: Sequence[Change]) -> Iterator[str]:
    """The changes of an API, a line each, below their kinds."""
    for kind, group in groupby(found, key=lambda change: change.kind):
        yield kind
        for versions, change in merged(group):
            of = " ".join(filter(None, (", ".join(versions), change.path))) or kind
            yield f"  {_SIGNS[change.what]} {of}{detail(change)}"


def changelog(steps: Sequence[Step]) -> str:
    """Markdown, the newest release first."""
    return "# API changes\n" + "".join(f"\n{line}" for step in reversed(steps) for line in _section(step)) + "\n"


def _section(step: Step) -> Iterator[str]:
    yield f"## {step.release} ({step.date})\n"
    if not step.changes:
        yield "No changes.\n"
    for kind, group in groupby(step.changes, key=lambda change: change.kind):
        yield f"### {kind.rpartition('/')[2]} ({kind.rpartition('/')[0]})\n"
        yield from (f"- {_item(versions, change)}" for versions, change in merged(group))
        yield ""


def _item(versions: Sequence[str], change: Change) -> str:
    of = ", ".join(f"`{version}`" for version in versions)
    end = f"{_WORDS[change.what]}{detail(change)}."
    end += f" What is deprecated may go {change.removal}." if change.removal else ""
    if change.path:
        return f"{of}: `{change.path}` {end}"
    return f"Version {of} {end}" if versions else f"The kind {end}"


def as_json(steps: Sequence[Step]) -> str:
    """The changes of each release as data."""
    plain = [
        {"release": step.release, "date": step.date, "changes": [_plain(change) for change in step.changes]}
        for step in steps
    ]
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"


def _plain(change: Change) -> dict[str, Any]:
    facts = {name: {"old": old, "new": new} for name, (old, new) in change.facts.items()}
    removal = {"removal": {"release": change.removal.release, "date": change.removal.date}} if change.removal else {}
    element = {"kind": change.kind, "version": change.version, "path": change.path}
    return {**element, "change": change.what, "facts": facts, **removal}
