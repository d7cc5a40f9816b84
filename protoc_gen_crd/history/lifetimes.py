"""Since when each element of an API exists, until when, and what became of it: the releases folded into one table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import age_key
from protoc_gen_crd.history.changes import named, steps
from protoc_gen_crd.history.summary import Facts, Summary

_NOTED = ("deprecated", "channel", "storage", "served")  # facts whose changes belong to an element's life


class Lifetime(Record):
    """One element: the first release that has it, the last one where it is gone, and what was noted when.

    An element that came back after it was gone has several spans.
    """

    kind: str
    version: str
    path: str
    spans: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    fields: int = 0


class _Life:
    def __init__(self) -> None:
        self.spans: list[list[str]] = []
        self.notes: list[str] = []
        self.facts: Facts = {}
        self.last = ""

    def seen(self, release: str, before: str, facts: Facts) -> None:
        """The element is in a release."""
        if not self.spans or self.last != before:
            self.spans.append([release, ""])
            self.facts = {}
        self.notes += _notes(self.facts, facts, release, first=self.spans[-1][0] == release)
        self.facts, self.last = facts, release
        self.spans[-1][1] = release


def _notes(old: Facts, new: Facts, release: str, *, first: bool) -> Iterator[str]:
    for name in _NOTED:
        before, after = old.get(name), new.get(name)
        if before == after or (first and name == "served"):
            continue
        if name == "channel":
            yield f"{after} since {release}"
        elif after:
            yield f"{name} since {release}"
        else:
            yield f"not {name} since {release}"


def lifetimes(history: Iterable[tuple[str, Summary]]) -> list[Lifetime]:
    """All elements by kind, version and path; the releases come oldest first."""
    lives: dict[tuple[str, str, str], _Life] = {}
    counts: dict[tuple[str, str, str], int] = {}
    before = ""
    for release, summary in history:
        for key, facts in _elements(summary):
            if key not in lives:
                lives[key] = _Life()
            lives[key].seen(release, before, facts)
        counts |= _counts(summary)
        before = release
    return [
        Lifetime(*key, _spans(lives[key], before), tuple(lives[key].notes), counts.get(key, 0))
        for key in sorted(lives, key=_order)
    ]


def _order(key: tuple[str, str, str]) -> tuple[object, ...]:
    kind, version, path = key
    return kind, version != "", age_key(version), steps(path)


def _spans(life: _Life, newest: str) -> tuple[tuple[str, str], ...]:
    """The spans; the end of one that lasts is empty."""
    return tuple((first, "" if last == newest else last) for first, last in life.spans)


def _elements(summary: Summary) -> Iterator[tuple[tuple[str, str, str], Facts]]:
    for name, kind in summary.items():
        yield (name, "", ""), kind.facts
        for version, each in kind.versions.items():
            yield (name, version, ""), each.facts
            yield from (((name, version, path), each.fields[path]) for path in named(each.fields))


def _counts(summary: Summary) -> Mapping[tuple[str, str, str], int]:
    return {
        (name, version, ""): sum(1 for _ in named(each.fields))
        for name, kind in summary.items()
        for version, each in kind.versions.items()
    }
