"""Differences between the manifests of two CRDs, by path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def find_differences(expected: Any, actual: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of each difference with its description: missing, added, or a changed value."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            step = f"{path}.{key}" if path else key
            if key not in actual:
                yield step, "is missing"
            elif key not in expected:
                yield step, "is added"
            else:
                yield from find_differences(expected[key], actual[key], step)
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual, strict=True)):
            yield from find_differences(*pair, f"{path}[{index}]")
    elif expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
        yield path, "differs"
