"""The two orders of API versions: Kubernetes' priority and age. Ranges build on them.

Source: k8s.io/apimachinery pkg/version helpers.go (CompareKubeAwareVersionStrings).
"""

from __future__ import annotations

import re

_KUBE = re.compile(r"v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?\Z")
_STAGES = {"alpha": 0, "beta": 1, None: 2}


def parse_version(name: str) -> tuple[int, int, int] | None:
    """(major, stage, number) of a kube-like version, stage 0 alpha, 1 beta, 2 stable; None for any other name."""
    match = _KUBE.match(name)
    if match is None:
        return None
    major, stage, number = match.groups()
    return int(major), _STAGES[stage], int(number or 0)


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
