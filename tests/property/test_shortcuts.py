"""Shortcuts against the code that they skip, on random schemas, rules, objects and APIs."""

from __future__ import annotations

import re
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest

import protoc_gen_crd
from tests.property.shortcuts import SHORTCUTS, Shortcut
from tests.property.workloads import Outcome, Workload

SEEDS = range(60)
_FOLDERS = ("admission", "cel", "generation")
_WITHOUT_STATE = {"pure-functions": "tested below"}


@cache
def outcomes(work: Workload) -> list[Outcome]:
    return list(work(SEEDS))


@pytest.mark.parametrize("shortcut", SHORTCUTS, ids=lambda shortcut: shortcut.name)
def test_around_a_shortcut_every_outcome_is_the_same(shortcut: Shortcut, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = outcomes(shortcut.work)
    shortcut.around(monkeypatch)
    found = list(shortcut.work(SEEDS))
    assert [pair for pair in zip_longest(expected, found) if pair[0] != pair[1]][:1] == []


def fails(shortcut: Shortcut, expected: list[Outcome]) -> bool:
    try:
        return any(one != other for one, other in zip_longest(expected, shortcut.work(SEEDS)))
    except Exception:
        return True


@pytest.mark.parametrize("shortcut", SHORTCUTS, ids=lambda shortcut: shortcut.name)
def test_a_broken_shortcut_is_found(shortcut: Shortcut, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = outcomes(shortcut.work)
    shortcut.broken(monkeypatch)
    assert fails(shortcut, expected)


def test_every_shortcut_has_a_sentence_beside_its_code_and_a_row_here() -> None:
    package = Path(protoc_gen_crd.__file__).parent
    files = [path for folder in _FOLDERS for path in (package / folder).rglob("*.py")]
    written = [name for path in files for name in re.findall(r"Shortcut ([a-z-]+): ", path.read_text("utf-8"))]
    assert sorted(written) == sorted([*(shortcut.name for shortcut in SHORTCUTS), *_WITHOUT_STATE])
