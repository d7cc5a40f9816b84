"""Versions that go although objects may still be stored in them, and versions that are stored as soon as they come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.history.summary import Summary

_STORAGE = "storage"


class Stored(Record):
    """A version that the last release had and the API has not, and the releases that stored objects in it."""

    kind: str
    version: str
    releases: tuple[str, ...]


def stored(history: Sequence[tuple[str, Summary]], current: Summary) -> Iterator[Stored]:
    """What is gone since the last release; of kinds that are gone altogether nothing is left to be stored."""
    before = history[-1][1] if history else {}
    for name, kind in before.items():
        left = current[name].versions if name in current else kind.versions
        for version in kind.versions:
            releases = tuple([
                release for release, summary in history
                if name in summary and version in summary[name].versions
                and summary[name].versions[version].facts.get(_STORAGE)
            ])  # fmt: skip
            if version not in left and releases:
                yield Stored(name, version, releases)


def hasty(history: Sequence[tuple[str, Summary]], current: Summary) -> Iterator[tuple[str, str]]:
    """Kinds that the last release had, with a version that it had not and that objects are now stored in."""
    before = history[-1][1] if history else {}
    for name, kind in current.items():
        for version, summary in kind.versions.items():
            if name in before and version not in before[name].versions and summary.facts.get(_STORAGE):
                yield name, version
