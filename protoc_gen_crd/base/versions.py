"""The two orders of API versions, Kubernetes' priority and age; ranges; which versions of Kubernetes itself are known.

Source: k8s.io/apimachinery pkg/version helpers.go (CompareKubeAwareVersionStrings).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Self

from protoc_gen_crd.base.record import Record

OLDEST, NEWEST = 25, 37  # minor versions of Kubernetes 1 whose servers this tool knows

_GREATEST = 2**63 - 1  # Kubernetes reads the numbers as Go's int
_STAGES = {"alpha": 0, "beta": 1}


def parse_version(name: str) -> tuple[int, int, int] | None:
    """(major, stage, number) of a kube-like version, stage 0 alpha, 1 beta, 2 stable; None for any other name."""
    word = next((word for word in _STAGES if word in name), "")
    digits = name[1:].split(word) if word else [name[1:], "0"]
    if name[:1] != "v" or len(digits) != 2 or not (_is_number(digits[0]) and (not word or _is_number(digits[1]))):
        return None
    major, number = [int(each.lstrip("0") or "0") for each in digits]
    return major, _STAGES.get(word, 2), number


def _is_number(text: str) -> bool:
    """Whether these are digits of a number that fits; zeros may lead."""
    plain = text.isascii() and text.isdecimal() and len(text.lstrip("0")) <= len(str(_GREATEST))
    return plain and int(text.lstrip("0") or "0") <= _GREATEST


def priority_key(name: str) -> tuple[object, ...]:
    """Sort key that puts the preferred version first: stable, beta, alpha, newest first; other names last, by text."""
    parsed = parse_version(name)
    if parsed is None:
        return 1, name
    major, stage, number = parsed
    return 0, -stage, -major, -number, len(name)


def age_key(name: str) -> tuple[object, ...]:
    """Sort key that puts the oldest version first: by major, then alpha, beta, stable, then number."""
    parsed = parse_version(name)
    return (1, name) if parsed is None else (0, *parsed, len(name))


def parse_release(name: str) -> tuple[int, int] | None:
    """(major, minor) of a release such as `1.4`; None for any other name."""
    match = re.fullmatch(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})", name)
    return (int(match[1]), int(match[2])) if match else None


def following(name: str) -> str:
    """The release after one; the first of all after an empty name."""
    major, minor = parse_release(name) or (1, -1)
    return f"{major}.{minor + 1}"


class VersionRange(Record):
    """The versions from `since` to `until`, both inclusive; an empty end means no limit.

    They are API versions by age, or releases such as `1.4` by their numbers, never both. Make one with `parse` or
    `between`, which raise ValueError for what is no range.
    """

    since: str = ""
    until: str = ""

    @classmethod
    def between(cls, since: str, until: str) -> Self:
        """The range from one version to another. Raises ValueError for an empty one, and for names of two kinds."""
        for name in (since, until):
            if name and not re.fullmatch(_NAME, name):
                raise ValueError(f'a version must be one such as v1beta1, or a release such as 1.4, found "{name}"')
        if since and until and is_release(since) != is_release(until):
            raise ValueError(f'both ends of a range must be API versions, or both releases, found "{since}..{until}"')
        if since and until and _order(since) > _order(until):
            raise ValueError(f'a range must hold a version, found none in "{since}..{until}"')
        return cls(since, until)

    @classmethod
    def parse(cls, text: str) -> Self:
        """A range as it is printed: `v1beta1..v1`, `v1..`, `..v1beta1`, or `v1` alone. Raises ValueError."""
        since, dots, until = text.partition("..")
        if not text or not (dots or since):
            raise ValueError('a range must name a version, found ""')
        return cls.between(since, until if dots else since)

    @property
    def of_releases(self) -> bool:
        """Whether its ends are releases."""
        return is_release(self.since or self.until)

    def contains(self, version: str) -> bool:
        """Whether a version is in the range. Raises ValueError for a version of the other kind."""
        if (self.since or self.until) and is_release(version) != self.of_releases:
            raise ValueError(
                f'a range of {"releases" if self.of_releases else "API versions"} has no order for "{version}"'
            )
        return not (
            (self.since and _order(version) < _order(self.since))
            or (self.until and _order(version) > _order(self.until))
        )

    __contains__ = contains

    def __str__(self) -> str:
        return self.since if self.since and self.since == self.until else f"{self.since}..{self.until}"


_NAME = r"[a-z]([-a-z0-9]*[a-z0-9])?|(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})"


def is_release(name: str) -> bool:
    """Whether a name is that of a release rather than of an API version."""
    return parse_release(name) is not None


def _order(name: str) -> tuple[object, ...]:
    return parse_release(name) or age_key(name)


def minors_of(kubernetes: str) -> range:
    """The minor versions of a range such as `1.28..1.37`; empty text means the newest known one. Raises ValueError."""
    if not kubernetes:
        return range(NEWEST, NEWEST + 1)
    given = VersionRange.parse(kubernetes)
    first, last = parse_release(given.since or f"1.{OLDEST}"), parse_release(given.until or f"1.{NEWEST}")
    if first is None or last is None or first > last or (first[0], last[0]) != (1, 1):
        raise ValueError(f'versions of Kubernetes are such as 1.30, found "{kubernetes}"')
    return range(first[1], last[1] + 1)


def worded(minors: Sequence[int]) -> str:
    """Versions of Kubernetes in words: `1.25 to 1.29 and 1.31`."""
    runs: list[list[int]] = []
    for minor in minors:
        if runs and runs[-1][-1] == minor - 1:
            runs[-1].append(minor)
        else:
            runs.append([minor])
    return " and ".join(f"1.{run[0]} to 1.{run[-1]}" if len(run) > 1 else f"1.{run[0]}" for run in runs)
