"""API versions in priority and age order.

Source: k8s.io/apimachinery pkg/version helpers.go (CompareKubeAwareVersionStrings).
"""

from __future__ import annotations

from functools import lru_cache

_GREATEST = 2**63 - 1  # Kubernetes reads the numbers as Go's int
_STAGES = {"alpha": 0, "beta": 1}


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
