"""Supported Kubernetes versions, and how differences between them are noted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

# The supported minor versions of Kubernetes 1, each with the minor version of Go that builds its last patch release
# (`.go-version`). 1.25 is the first version that enables CEL rules by default.
KUBERNETES_GO = {
    25: 20, 26: 21, 27: 22, 28: 22, 29: 23, 30: 23, 31: 24, 32: 24, 33: 25, 34: 25, 35: 25, 36: 26, 37: 26,
}  # fmt: skip
OLDEST, NEWEST = min(KUBERNETES_GO), max(KUBERNETES_GO)
UNLIMITED = 1000  # a minor version that no server has
_BITS = 64  # more than any minor version


def make_minor_set(first: int, until: int) -> int:
    """Return the set of minor versions from `first` to before `until`, as a bit for each version."""
    return (1 << min(until, _BITS)) - (1 << min(first, _BITS))


@cache
def list_minors(minor_set: int) -> tuple[int, ...]:
    """Return the minor versions of a set."""
    return tuple([minor for minor in range(minor_set.bit_length()) if minor_set >> minor & 1])


class Switch:
    """A named difference between Kubernetes versions, on for minor versions `since` <= minor < `until`.

    Switches are compared by identity. `source` is the place in the code of Kubernetes or a library that makes the
    difference.
    """

    __slots__ = ("minors", "name", "since", "source", "until")

    def __init__(self, name: str, since: int, source: str, until: int = UNLIMITED) -> None:
        self.name, self.since, self.source, self.until = name, since, source, until
        self.minors = make_minor_set(since, until)

    def is_on(self, minor: int) -> bool:
        """Check whether the switch is on in Kubernetes 1.<minor>."""
        return self.since <= minor < self.until

    def __repr__(self) -> str:
        return f"Switch({self.name})"


# A version as kubectl prints it: v1.30.2, v1.30.2-gke.1, v1.30.2+k3s1.
_KUBERNETES = r"v?(1\.[0-9]{1,9})(?:\.[0-9]+(?:[-+][A-Za-z][-+.0-9A-Za-z]*)?)?"
_LATEST = "latest"


def normalize_kubernetes(kubernetes: str) -> str:
    """Return a Kubernetes version or range with minor versions alone: `1.30..1.37` for `v1.30.2..latest`."""
    return "..".join(_normalize_end(end) for end in kubernetes.split(".."))


def _normalize_end(version: str) -> str:
    if version == _LATEST:
        return f"1.{NEWEST}"
    match = re.fullmatch(_KUBERNETES, version)
    return match[1] if match else version


def find_nearest_kubernetes(kubernetes: str) -> str:
    """Return the supported version or range nearest to an invalid one; empty if no version is in it."""
    ends = normalize_kubernetes(re.sub(r"\.{3,}", "..", kubernetes)).replace("..", " ")
    minors = [int(digits) for digits in re.findall(r"(?<![0-9.])1\.([0-9]{1,9})(?!\w)", ends)]
    nearest = sorted({min(max(minor, OLDEST), NEWEST) for minor in minors[:2]})
    return "..".join(f"1.{minor}" for minor in nearest)


def parse_minors(kubernetes: str) -> range:
    """Return the minor versions of a range such as `1.28..1.37`.

    Args:
        kubernetes: A version, a range, or "latest"; the newest supported version if it is empty.

    Raises:
        ValueError: It is none of these.
    """
    if not kubernetes:
        return range(NEWEST, NEWEST + 1)
    from protoc_gen_crd.kubernetes.version_ranges import (  # noqa: PLC0415 - most runs are for the newest version
        VersionRange,
        parse_release,
    )

    version_range = VersionRange.parse(normalize_kubernetes(kubernetes))
    first, last = (
        parse_release(version_range.since or f"1.{OLDEST}"),
        parse_release(version_range.until or f"1.{NEWEST}"),
    )
    if first is None or last is None or first > last or (first[0], last[0]) != (1, 1):
        raise ValueError(f'invalid Kubernetes version "{kubernetes}", expected a version such as 1.30')
    return range(first[1], last[1] + 1)


def format_minors(minors: Sequence[int]) -> str:
    """Format versions of Kubernetes as a phrase: `1.25 to 1.29 and 1.31`."""
    runs: list[list[int]] = []
    for minor in minors:
        if runs and runs[-1][-1] == minor - 1:
            runs[-1].append(minor)
        else:
            runs.append([minor])
    return " and ".join(f"1.{run[0]} to 1.{run[-1]}" if len(run) > 1 else f"1.{run[0]}" for run in runs)
