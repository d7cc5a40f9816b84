"""The two orders of API versions, Kubernetes' priority and age; and which versions of Kubernetes itself are known.

Source: k8s.io/apimachinery pkg/version helpers.go (CompareKubeAwareVersionStrings).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

OLDEST, NEWEST = 25, 37  # minor versions of Kubernetes 1 whose servers this tool knows

_GREATEST = 2**63 - 1  # Kubernetes reads the numbers as Go's int
_RANGE = r"1\.(\d+)(?:\.\.1\.(\d+))?"
_STAGES = {"alpha": 0, "beta": 1}


def parse_version(name: str) -> tuple[int, int, int] | None:
    """(major, stage, number) of a kube-like version, stage 0 alpha, 1 beta, 2 stable; None for any other name."""
    word = next((word for word in _STAGES if word in name), "")
    digits = name[1:].split(word) if word else [name[1:], "0"]
    if name[:1] != "v" or len(digits) != 2 or not (_is_number(digits[0]) and (not word or _is_number(digits[1]))):
        return None
    return int(digits[0]), _STAGES.get(word, 2), int(digits[1])


def _is_number(text: str) -> bool:
    """Whether these are digits of a number above zero that fits."""
    plain = text.isascii() and text.isdecimal() and text[0] != "0" and len(text) <= len(str(_GREATEST))
    return plain and int(text) <= _GREATEST


def priority_key(name: str) -> tuple[object, ...]:
    """Sort key that puts the preferred version first: stable, beta, alpha, newest first; other names last, by text."""
    parsed = parse_version(name)
    if parsed is None:
        return 1, name
    major, stage, number = parsed
    return 0, -stage, -major, -number


def age_key(name: str) -> tuple[object, ...]:
    """Sort key that puts the oldest version first: by major, then alpha, beta, stable, then number."""
    parsed = parse_version(name)
    return (1, name) if parsed is None else (0, *parsed)


def minors_of(kubernetes: str) -> range:
    """The minor versions of a range such as `1.28..1.37`; empty text means the newest known one."""
    match = re.fullmatch(_RANGE, kubernetes) if kubernetes else None
    if match is None:
        return range(NEWEST, NEWEST + 1)
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def worded(minors: Sequence[int]) -> str:
    """Versions of Kubernetes in words: `1.25 to 1.29 and 1.31`."""
    runs: list[list[int]] = []
    for minor in minors:
        if runs and runs[-1][-1] == minor - 1:
            runs[-1].append(minor)
        else:
            runs.append([minor])
    return " and ".join(f"1.{run[0]} to 1.{run[-1]}" if len(run) > 1 else f"1.{run[0]}" for run in runs)
