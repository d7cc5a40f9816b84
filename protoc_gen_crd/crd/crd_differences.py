"""Differences between the manifests of two CRDs, by path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.normalized_manifest import make_manifest
from protoc_gen_crd.schema.go_type_decoder import Path, format_path


def find_spec_difference(expected: Crd, actual: Crd) -> str:
    """Return the path of the first difference between the specs of two CRDs; empty if servers treat them alike."""
    differences = _compare(make_manifest(expected)["spec"], make_manifest(actual)["spec"], ("spec",), set())
    return next((format_path(path) for path, _ in differences), "")


def find_differences(expected: Any, actual: Any) -> Iterator[tuple[Path, str]]:
    """Yield the path of each difference with its description: missing, added, or a changed value."""
    return _compare(expected, actual, (), set())


def _compare(expected: Any, actual: Any, path: Path, equal: set[tuple[int, int]]) -> Iterator[tuple[Path, str]]:
    """Compare two values, unless both are objects or lists that are `equal` at another path: versions share schemas."""
    key = id(expected), id(actual)
    if key in equal:
        return
    is_different = False
    for difference in _compare_parts(expected, actual, path, equal):
        is_different = True
        yield difference
    if isinstance(expected, dict | list) and not is_different:
        equal.add(key)


def _compare_parts(expected: Any, actual: Any, path: Path, equal: set[tuple[int, int]]) -> Iterator[tuple[Path, str]]:
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            if key not in actual:
                yield (*path, key), "is missing"
            elif key not in expected:
                yield (*path, key), "is added"
            else:
                yield from _compare(expected[key], actual[key], (*path, key), equal)
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual, strict=True)):
            yield from _compare(*pair, (*path, index), equal)
    elif expected != actual or isinstance(expected, bool) != isinstance(actual, bool):
        yield path, "differs"
