"""API versions in priority and age order, version ranges, supported Kubernetes versions and how differences are noted.

Source: k8s.io/apimachinery pkg/version helpers.go (CompareKubeAwareVersionStrings).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Self

from protoc_gen_crd.base.record import Record

# The supported minor versions of Kubernetes 1, each with the minor version of Go that builds its last patch release
# (`.go-version`). 1.25 is the first version that enables CEL rules by default.
KUBERNETES_GO = {
    25: 20, 26: 21, 27: 22, 28: 22, 29: 23, 30: 23, 31: 24, 32: 24, 33: 25, 34: 25, 35: 25, 36: 26, 37: 26,
}  # fmt: skip
OLDEST, NEWEST = min(KUBERNETES_GO), max(KUBERNETES_GO)
UNLIMITED = 1000  # a minor version that no server has

_GREATEST = 2**63 - 1  # Kubernetes reads the numbers as Go's int
_MOST_LISTED = 5  # versions, or runs of versions, in a message
_STAGES = {"alpha": 0, "beta": 1}


class Switch:
    """A named difference between Kubernetes versions, on for minor versions `since` <= minor < `until`.

    Switches are compared by identity. `source` is the place in the code of Kubernetes or a library that makes the
    difference.
    """

    __slots__ = ("name", "since", "source", "until")

    def __init__(self, name: str, since: int, source: str, until: int = UNLIMITED) -> None:
        self.name, self.since, self.source, self.until = name, since, source, until

    def is_on(self, minor: int) -> bool:
        """Check whether the switch is on in Kubernetes 1.<minor>."""
        return self.since <= minor < self.until

    def __repr__(self) -> str:
        return f"Switch({self.name})"


@lru_cache(maxsize=1024)
def parse_version(name: str) -> tuple[int, int, int] | None:
    """Return (major, stage, number) of a Kubernetes-like version: stage 0 alpha, 1 beta, 2 stable; None otherwise."""
    stage = next((stage for stage in _STAGES if stage in name), "")
    digits = name[1:].split(stage) if stage else [name[1:], "0"]
    if name[:1] != "v" or len(digits) != 2 or not (_is_number(digits[0]) and (not stage or _is_number(digits[1]))):
        return None
    major, number = [int(digit_string.lstrip("0") or "0") for digit_string in digits]
    return major, _STAGES.get(stage, 2), number


def _is_number(digits: str) -> bool:
    """Return whether a string has the digits of a number within the limit; leading zeros are allowed."""
    valid = digits.isascii() and digits.isdecimal() and len(digits.lstrip("0")) <= len(str(_GREATEST))
    return valid and int(digits.lstrip("0") or "0") <= _GREATEST


def get_priority_key(name: str) -> tuple[object, ...]:
    """Return a sort key for the preferred version first: stable, beta, alpha, newest first; other names last."""
    parsed = parse_version(name)
    if parsed is None:
        return 1, name
    major, stage, number = parsed
    return 0, -stage, -major, -number, len(name)


def get_age_key(name: str) -> tuple[object, ...]:
    """Return a sort key for the oldest version first: by major, then alpha, beta, stable, then number."""
    parsed = parse_version(name)
    return (1, name) if parsed is None else (0, *parsed, len(name))


@lru_cache(maxsize=1024)
def parse_release(name: str) -> tuple[int, int] | None:
    """Return (major, minor) of a release such as `1.4`; None for any other name."""
    match = re.fullmatch(r"(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})", name)
    return (int(match[1]), int(match[2])) if match else None


def get_next_release(name: str) -> str:
    """Return the next release; the first release after an empty name."""
    major, minor = parse_release(name) or (1, -1)
    return f"{major}.{minor + 1}"


class VersionRange(Record):
    """The versions from `since` to `until`, both inclusive; an empty end means no limit.

    They are API versions by age, or releases such as `1.4` by their numbers, never both. Make one with `parse` or
    `make`, which raise ValueError for what is no range.
    """

    since: str = ""
    until: str = ""

    def __hash__(self) -> int:
        return hash((self.since, self.until))  # faster than a Record's: it is computed for every field of every version

    @classmethod
    def make(cls, since: str, until: str) -> Self:
        """Create a range.

        Args:
            since: The first version, empty for no limit.
            until: The last version, which is included; empty for no limit.

        Raises:
            ValueError: The range is empty, or mixes API versions and releases.
        """
        for name in (since, until):
            if name and not re.fullmatch(_NAME, name):
                raise ValueError(f'"{name}" is neither an API version such as v1beta1 nor a release such as 1.4')
        if since and until and is_release(since) != is_release(until):
            raise ValueError(f'range "{since}..{until}" mixes an API version and a release')
        if since and until and _get_order_key(since) > _get_order_key(until):
            raise ValueError(f'range "{since}..{until}" is empty')
        return cls(since, until)

    @classmethod
    def parse(cls, version_range: str) -> Self:
        """Parse a range: `v1beta1..v1`, `v1..`, `..v1beta1`, or `v1` alone.

        Raises:
            ValueError: The range is invalid or empty.
        """
        since, dots, until = version_range.partition("..")
        if not version_range or not (dots or since):
            raise ValueError("empty version range")
        return cls.make(since, until if dots else since)

    @property
    def is_of_releases(self) -> bool:
        """Whether its ends are releases."""
        return is_release(self.since or self.until)

    def contains(self, version: str) -> bool:
        """Return whether a version is in the range. Raises ValueError for a version of the other kind."""
        if (self.since or self.until) and is_release(version) != self.is_of_releases:
            raise ValueError(
                f'cannot compare "{version}" with a range of {"releases" if self.is_of_releases else "API versions"}'
            )
        return not (
            (self.since and _get_order_key(version) < _get_order_key(self.since))
            or (self.until and _get_order_key(version) > _get_order_key(self.until))
        )

    __contains__ = contains

    def __str__(self) -> str:
        return self.since if self.since and self.since == self.until else f"{self.since}..{self.until}"


_NAME = r"[a-z]([-a-z0-9]*[a-z0-9])?|(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})"


def is_release(name: str) -> bool:
    """Return whether a name is that of a release rather than of an API version."""
    return parse_release(name) is not None


def _get_order_key(name: str) -> tuple[object, ...]:
    return parse_release(name) or get_age_key(name)


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
    ends = normalize_kubernetes(kubernetes).replace("..", " ")
    minors = [int(digits) for digits in re.findall(r"(?<![0-9.])1\.([0-9]{1,9})", ends)]
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
    version_range = VersionRange.parse(normalize_kubernetes(kubernetes))
    first, last = (
        parse_release(version_range.since or f"1.{OLDEST}"),
        parse_release(version_range.until or f"1.{NEWEST}"),
    )
    if first is None or last is None or first > last or (first[0], last[0]) != (1, 1):
        raise ValueError(f'invalid Kubernetes version "{kubernetes}", expected a version such as 1.30')
    return range(first[1], last[1] + 1)


def listed(names: Sequence[str], order: Mapping[str, int]) -> str:
    """Return API versions as a phrase: `v3, v2 and v1`, of many `v9 to v5, v3 and v1`.

    `order` numbers the versions that a run such as `v9 to v5` may go through; of many runs only the first are named.
    """
    items = list(names)
    if len(items) > _MOST_LISTED:
        runs: list[list[str]] = []
        for name in names:
            if runs and order[name] == order[runs[-1][-1]] + 1:
                runs[-1].append(name)
            else:
                runs.append([name])
        items = [f"{run[0]} to {run[-1]}" if len(run) > 1 else run[0] for run in runs[:_MOST_LISTED]]
        if rest := sum(map(len, runs[_MOST_LISTED:])):
            items.append(f"{rest} more")
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


def format_minors(minors: Sequence[int]) -> str:
    """Format versions of Kubernetes as a phrase: `1.25 to 1.29 and 1.31`."""
    runs: list[list[int]] = []
    for minor in minors:
        if runs and runs[-1][-1] == minor - 1:
            runs[-1].append(minor)
        else:
            runs.append([minor])
    return " and ".join(f"1.{run[0]} to 1.{run[-1]}" if len(run) > 1 else f"1.{run[0]}" for run in runs)
