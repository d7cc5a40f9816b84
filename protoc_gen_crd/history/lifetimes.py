"""Since when each element of an API exists, until when, and what became of it: the releases folded into one table.

When a deprecation was announced follows from the releases alone; how long it then takes is for `base.deprecation`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import age_key
from protoc_gen_crd.history.changes import named, steps
from protoc_gen_crd.history.summary import Facts, Summary
from protoc_gen_crd.schema.types import CHANNEL, DEPRECATED, DEPRECATED_VALUES

_NOTED = (DEPRECATED, CHANNEL, "storage", "served")  # facts whose changes belong to an element's life
_HELD = ("[]", "{}")


class Lifetime(Record):
    """One element: the first release that has it, the last one where it is gone, and what was noted when.

    An element that came back after it was gone has several spans. `deprecated` has the release that announced it, under
    an empty name, and for values of enums under theirs; so it was in the last release that has the element.
    """

    kind: str
    version: str
    path: str
    spans: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]
    fields: int = 0
    deprecated: Mapping[str, str] = {}
    channel: str = ""

    @property
    def lasting(self) -> bool:
        """Whether the newest release has it."""
        return not self.spans[-1][1]


class _Life:
    def __init__(self, main: str) -> None:
        self.main = main
        self.spans: list[list[str]] = []
        self.notes: list[str] = []
        self.facts: Facts = {}
        self.deprecated: Mapping[str, str] = {}
        self.last = ""

    def seen(self, release: str, before: str, facts: Facts) -> None:
        """The element is in a release."""
        if not self.spans or self.last != before:
            self.spans.append([release, ""])
            self.facts, self.deprecated = {}, {}
        self.notes += _notes(self.facts, facts, release, self.main, first=self.spans[-1][0] == release)
        self.deprecated = {name: self.deprecated.get(name, release) for name in _deprecated(facts)}
        self.facts, self.last = facts, release
        self.spans[-1][1] = release


def _deprecated(facts: Facts) -> Iterator[str]:
    """What is deprecated of an element: itself, under an empty name, and values."""
    if facts.get(DEPRECATED):
        yield ""
    yield from facts.get(DEPRECATED_VALUES) or ()


def _notes(old: Facts, new: Facts, release: str, main: str, *, first: bool) -> Iterator[str]:
    for name in _NOTED:
        before, after = old.get(name), new.get(name)
        if before == after or (first and name == "served"):
            continue
        if name == CHANNEL:
            yield f"{after or main} since {release}"
        elif after:
            yield f"{name} since {release}"
        else:
            yield f"not {name} since {release}"
    before, after = old.get(DEPRECATED_VALUES) or (), new.get(DEPRECATED_VALUES) or ()
    yield from (f"{name} deprecated since {release}" for name in after if name not in before)
    kept = [name for name in before if name not in after and name in (new.get("enum") or ())]
    yield from (f"{name} not deprecated since {release}" for name in kept)


def lifetimes(history: Iterable[tuple[str, Summary]], main: str = "stable") -> list[Lifetime]:
    """All elements by kind, version and path; releases come oldest first. `main` is the channel of what names none."""
    lives: dict[tuple[str, str, str], _Life] = {}
    counts: dict[tuple[str, str, str], int] = {}
    before = ""
    for release, summary in history:
        for key, facts in _elements(summary):
            if key not in lives:
                lives[key] = _Life(main)
            lives[key].seen(release, before, facts)
        counts |= _counts(summary)
        before = release
    told = [key for key, life in lives.items() if not key[2].endswith(_HELD) or life.notes]
    return [_lifetime(key, lives[key], before, counts.get(key, 0)) for key in sorted(told, key=_order)]


def _lifetime(key: tuple[str, str, str], life: _Life, newest: str, fields: int) -> Lifetime:
    channel = str(life.facts.get(CHANNEL, ""))
    return Lifetime(*key, _spans(life, newest), tuple(life.notes), fields, life.deprecated, channel)


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
            yield from (((name, version, path), facts) for path, facts in each.fields.items() if _tells(path, facts))


def _tells(path: str, facts: Facts) -> bool:
    """Whether a path is a field, or what a list or a map holds and may have deprecated values."""
    return not path.endswith(_HELD) or "enum" in facts


def _counts(summary: Summary) -> Mapping[tuple[str, str, str], int]:
    return {
        (name, version, ""): sum(1 for _ in named(each.fields))
        for name, kind in summary.items()
        for version, each in kind.versions.items()
    }
