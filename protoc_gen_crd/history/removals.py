"""What goes with a release before the deprecation policy lets it, and when what a release deprecates may go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.deprecation import Removal, Term, Terms
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import parse_release
from protoc_gen_crd.history.changes import REMOVED, Change, changes
from protoc_gen_crd.history.lifetimes import Lifetime, lifetimes
from protoc_gen_crd.history.summary import Summary
from protoc_gen_crd.schema.types import CHANNEL, DEPRECATED, DEPRECATED_VALUES

_SERVED, _ENUM = "served", "enum"

Key = tuple[str, str, str]


class Gone(Record):
    """A version, a field or a value of an enum that is gone, or a version that is no longer served."""

    kind: str
    version: str
    path: str
    value: str
    unserved: bool
    channel: str


class Early(Record):
    """Something that goes too early: the release that announced it, empty for none, and the first that may be without.

    For what was never announced, that is said of an announcement by the release itself.
    """

    gone: Gone
    announced: str
    earliest: Removal

    @property
    def element(self) -> str:
        """What goes, as settings name it to accept that: `group/Kind.version.path`."""
        return ".".join(filter(None, (self.gone.kind, self.gone.version, self.gone.path, self.gone.value)))


def early(
    history: Sequence[tuple[str, Summary]], current: Summary, release: str, date: str, terms: Terms
) -> Iterator[Early]:
    """What of the last release is not in the current API and should be, if it is released under that name and day.

    The terms know that release, too.
    """
    found = list(_gone(changes(history[-1][1], current), history[-1][1])) if history else []
    lives = {(one.kind, one.version, one.path): one for one in lifetimes(history)} if found else {}
    for gone in found:
        if terms.term(gone.version, gone.channel) == Term(0, 0):
            continue
        said = dict(_announced(gone, lives))
        dates = {since: terms.earliest(since, gone.version, gone.channel) for since in said}
        if not any(_reached(removal, release, date) for removal in dates.values()):
            first = min(dates, key=_number, default="")
            yield Early(gone, first, dates.get(first) or terms.earliest(release, gone.version, gone.channel))


def _gone(found: Iterable[Change], before: Summary) -> Iterator[Gone]:
    for change in found:
        version = before[change.kind].versions.get(change.version) if change.kind in before else None
        facts = (version.fields.get(change.path) if change.path else version.facts) if version else None
        if version is None or facts is None or not version.facts.get(_SERVED):
            continue
        channel = str(facts.get(CHANNEL) or version.facts.get(CHANNEL, ""))
        whole = change.what == REMOVED
        if whole or _SERVED in change.facts:
            if not change.path.endswith(("[]", "{}")):
                yield Gone(change.kind, change.version, change.path, "", not whole, channel)
        else:
            yield from (
                Gone(change.kind, change.version, change.path, value, False, channel)  # noqa: FBT003 - it is a field
                for value in _values(change.facts)
            )


def _values(facts: Mapping[str, tuple[Any, Any]]) -> Iterator[str]:
    """The values that an enum has lost."""
    old, new = facts.get(_ENUM, (None, None))
    return (str(value) for value in old or () if new and value not in new)


def _announced(gone: Gone, lives: Mapping[Key, Lifetime]) -> Iterator[tuple[str, str]]:
    """The releases that announced it: of the element, of what it is a part of, and of the value."""
    ends = [match.start() for match in re.finditer(r"[.\[{]", gone.path)] + [len(gone.path)]
    for path in ("", *(gone.path[:end] for end in ends)):
        life = lives.get((gone.kind, gone.version, path))
        for name in ("", gone.value) if life and path == gone.path else ("",):
            if life and life.lasting and name in life.deprecated:
                yield life.deprecated[name], path


def _reached(removal: Removal, release: str, date: str) -> bool:
    return _number(release) >= _number(removal.release) and date >= removal.date


def _number(release: str) -> tuple[int, int]:
    return parse_release(release) or (0, 0)


def dated(found: Iterable[Change], after: Summary, release: str, terms: Terms) -> Iterator[Change]:
    """Changes, those that deprecate something with the first release and day when that may go."""
    for change in found:
        old, new = change.facts.get(DEPRECATED, (None, None))
        before, values = change.facts.get(DEPRECATED_VALUES, (None, None))
        if not (new and not old) and not set(_list(values)) - set(_list(before)):
            yield change
            continue
        version = after[change.kind].versions[change.version]
        channel = str((version.fields.get(change.path) or {}).get(CHANNEL) or version.facts.get(CHANNEL, ""))
        yield change.replace(removal=terms.earliest(release, change.version, channel))


def _list(values: Any) -> Sequence[str]:
    return values or ()
