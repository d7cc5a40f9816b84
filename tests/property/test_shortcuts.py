"""Shortcuts against the code that they skip, on random schemas, rules, objects and APIs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from inspect import isfunction
from itertools import product, zip_longest
from pathlib import Path
from typing import Any

import pytest

import protoc_gen_crd
from protoc_gen_crd.cel.cost.function_costs import ROWS
from tests.property.shortcuts import SHORTCUTS, Shortcut
from tests.property.workloads.draws import MINORS, Outcome, Workload

# `make fuzz` compares the outcomes of random seeds. Most defects are found with few seeds.
COMPARED, MORE = range(20), range(60)
_FOLDERS = ("admission", "cel", "generation")
_PURE = "pure-functions"


@cache
def outcomes(work: Workload, seeds: range) -> list[Outcome]:
    return list(work(seeds))


@pytest.mark.parametrize("shortcut", SHORTCUTS, ids=lambda shortcut: shortcut.name)
def test_around_a_shortcut_every_outcome_is_the_same(shortcut: Shortcut, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = outcomes(shortcut.work, COMPARED)
    shortcut.around(monkeypatch)
    work = list(shortcut.work(COMPARED))
    assert work
    assert [pair for pair in zip_longest(expected, work) if pair[0] != pair[1]][:1] == []


def fails(shortcut: Shortcut, seeds: range) -> bool:
    expected = outcomes(shortcut.work, seeds)
    with pytest.MonkeyPatch.context() as patch:
        shortcut.broken(patch)
        try:
            return any(first != other for first, other in zip_longest(expected, shortcut.work(seeds)))
        except Exception:
            return True


@pytest.mark.parametrize("shortcut", SHORTCUTS, ids=lambda shortcut: shortcut.name)
def test_a_broken_shortcut_is_found(shortcut: Shortcut) -> None:
    assert fails(shortcut, COMPARED) or fails(shortcut, MORE)


ARGUMENTS: dict[str, list[tuple[Any, ...]]] = {
    "_build_environment": list(product(MINORS, MINORS)),
    "_build_equivalence_key": [(minor,) for minor in MINORS],
    "_find_first_version": [("ip",), ("two variables",), ("no such function",)],
    "_find_formula_with_range": list(product(("", "list_distinct", "cidr_contains_cidr"), ("max", "matches"), MINORS)),
    "_find_selected_fields": [("self.a.b > self.c",), ("index(self, a)",)],
    "_group_formulas": [
        ("equals", "_==_"),
        ("", "max"),
        ("matches", "matches"),
        ("cidr_contains_cidr", "containsCIDR"),
    ],
    "_list_type_suffixes": list(product(MINORS, MINORS)),
    "_load_zone": [("Europe/Paris",), ("America/New_York",)],
    "_make_unsized": [(row,) for row in ROWS],
    "list_function_names": [(minor,) for minor in MINORS],
}


def list_remembering_functions() -> Iterator[tuple[str, Any]]:
    """The functions that remember their results, in all modules."""
    package = Path(protoc_gen_crd.__file__).parent
    for path in sorted(path for folder in _FOLDERS for path in (package / folder).rglob("*.py")):
        module = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        for name, value in vars(import_module(module)).items():
            if hasattr(value, "cache_info") and value.__module__ == module:
                yield name, value


def test_functions_that_remember_are_pure() -> None:
    remembering_functions = dict(list_remembering_functions())
    assert remembering_functions.keys() == ARGUMENTS.keys()
    for name, rows in ARGUMENTS.items():
        for args in rows:
            remembered, again = remembering_functions[name](*args), remembering_functions[name].__wrapped__(*args)
            assert _show(remembered) == _show(again), name


def _show(value: Any) -> Any:
    """Return a value without parts that differ between equal ones: functions by their results."""
    if isfunction(value):
        return [value(seconds) for seconds in (0, 10**9, 1_700_000_000)]
    return re.sub(" at 0x[0-9a-f]+", "", f"{value!r} {getattr(value, '__dict__', '')}")


def test_every_shortcut_has_a_sentence_beside_its_code_and_a_row_here() -> None:
    package = Path(protoc_gen_crd.__file__).parent
    written = [
        name for path in package.rglob("*.py") for name in re.findall(r"Shortcut ([a-z-]+): ", path.read_text("utf-8"))
    ]
    assert sorted(written) == sorted([*(shortcut.name for shortcut in SHORTCUTS), _PURE])
