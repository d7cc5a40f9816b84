"""The verdict on the changes between two APIs: what they require before they can be released."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.kubernetes.version_order import parse_version

COMPATIBLE, MINOR_RELEASE, NEW_VERSION = "compatible", "minor release", "new version"
REJECTED = "rejected by API servers"


class Verdict(Record):
    """A verdict: `text` as it is printed, and the changes that it rests on, the strongest first."""

    text: str
    reasons: tuple[Change, ...] = ()


def find_verdict(changes: Iterable[Change], versions: Iterable[str]) -> Verdict:
    """Return the verdict on changes; `versions` are all names of versions that are taken."""
    changes = list(changes)
    if rejected := [change for change in changes if change.is_rejected]:
        return Verdict(REJECTED, tuple(rejected))
    ordered = sorted(changes, key=lambda change: -change.change_class)
    breaking = [change for change in ordered if change.change_class >= ChangeClass.SEMANTIC]
    released = [change for change in breaking if any(map(is_released, change.versions)) or not change.versions]
    if released:
        names = sorted({name for change in released for name in change.versions if is_released(name)}, key=_get_age)
        suffix = f" {get_next_version(names[-1], versions)}" if names else ""
        return Verdict(f"{NEW_VERSION}{suffix}", tuple(released))
    reasons = [change for change in ordered if change.change_class > ChangeClass.NONE]
    return Verdict(MINOR_RELEASE if reasons else COMPATIBLE, tuple(reasons))


def is_released(version: str) -> bool:
    """Return whether a version has a compatibility guarantee; alpha versions have none."""
    parsed = parse_version(version)
    return parsed is None or parsed[1] > 0


def _get_age(version: str) -> tuple[int, int, int]:
    return parse_version(version) or (0, 0, 0)


def get_next_version(version: str, taken: Iterable[str] = ()) -> str:
    """Return the first free name for an incompatible successor: v1beta1 to v1beta2, v1 to v2alpha1."""
    return next(name for name in _list_successors(version) if name not in set(taken))


def _list_successors(version: str) -> Iterator[str]:
    match = re.fullmatch(r"v([0-9]+)(?:(alpha|beta)([0-9]+))?", version)
    major, stage, number = (int(match[1]), match[2], int(match[3] or 0)) if match else (1, None, 0)
    while True:
        major, stage, number = (major, stage, number + 1) if stage else (major + 1, "alpha", 1)
        yield f"v{major}{stage}{number}"
