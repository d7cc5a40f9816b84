"""The two orders of API versions, Kubernetes' priority and age; and which versions of Kubernetes itself are known.

Source: k8s.io/apimachinery pkg/version helpers.go (CompareKubeAwareVersionStrings).
"""

from __future__ import annotations

import re

OLDEST, NEWEST = 25, 37  # minor versions of Kubernetes 1 whose servers this tool knows

_KUBE = re.compile(r"v([1-9][0-9]{,18})(?:(alpha|beta)([1-9][0-9]{,18}))?\Z")
_GREATEST = 2**63 - 1  # Kubernetes reads the numbers as Go's int
_STAGES = {"alpha": 0, "beta": 1, None: 2}


def parse_version(name: str) -> tuple[int, int, int] | None:
    """(major, stage, number) of a kube-like version, stage 0 alpha, 1 beta, 2 stable; None for any other name."""
    match = _KUBE.match(name)
    if match is None:
        return None
    major, number = int(match[1]), int(match[3] or 0)
    return (major, _STAGES[match[2]], number) if max(major, number) <= _GREATEST else None


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
