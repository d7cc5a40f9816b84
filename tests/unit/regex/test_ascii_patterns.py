"""Patterns that match only ASCII strings."""

from __future__ import annotations

import pytest

from protoc_gen_crd.regex.ascii_patterns import matches_only_ascii
from protoc_gen_crd.regex.matcher import compile as compile_pattern

ASCII = [
    "^$",
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    "^a$|^b$",
    r"\A(a|b\d)+\z",
    "^[[:alpha:]]{1,3}$",
    r"^\x41\Q.*\E$",
]
OTHERS = [
    "",
    "a",
    "^a",
    "a$",
    "^*a$",
    "^a$*",
    "^a|b$",
    "^a$|",
    "^.$",
    "^[^a]$",
    r"^\D$",
    r"^[\D]$",
    "^[[:^alpha:]]$",
    r"^\pL$",
    "^é$",
    "^[a-é]$",
    r"^\x{e9}$",
    "(?i)^k$",
    "(?m)^a$",
    "^(",
]


@pytest.mark.parametrize("pattern", ASCII)
def test_ascii(pattern: str) -> None:
    assert matches_only_ascii(pattern)
    assert not any(compile_pattern(pattern).search(string) for string in ("é", "aé", "éa", "a\né", "\u212a", "\u017f"))


@pytest.mark.parametrize("pattern", OTHERS)
def test_others(pattern: str) -> None:
    assert not matches_only_ascii(pattern)
