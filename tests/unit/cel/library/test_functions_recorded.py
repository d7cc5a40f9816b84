"""Results of library functions, recorded from API servers (`testdata/cel/functions.jsonl`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cel.environment import get_stored_environment
from protoc_gen_crd.cel.library.declarations.authorization import LIBRARY, SELECTORS
from tests.judges.celfunctions.record import ours

DATA = Path(__file__).parents[4] / "testdata" / "cel" / "functions.jsonl"
VERSIONS = (29, 32, 35, 37)
EVALUATED = (
    "conditional", "logical_", "not_", "__not_", "equals", "index_", "select_", "list_optindex", "map_optindex",
    "optional_",
)  # fmt: skip


def rows(minor: int) -> list[tuple[str, dict[str, Any]]]:
    """Return expressions with the answers of the version."""
    results = []
    for line in DATA.read_text("utf-8").splitlines():
        expression, recorded = json.loads(line)
        answers = [answer for version, answer in sorted(recorded.items()) if int(version) <= minor]
        results.append((expression, answers[-1]))
    return results


@pytest.mark.parametrize("minor", VERSIONS)
def test_as_the_server(minor: int) -> None:
    recorded = rows(minor)
    assert len(recorded) > 1200
    differing = {
        expression: (expected, actual)
        for expression, expected in recorded
        if (actual := ours(expression, minor)) != expected
    }
    assert not differing, list(differing.items())[:5]


def test_a_wrong_answer_is_seen() -> None:
    assert ours("quantity('1').add(1)", 37) == {
        "type": "kubernetes.Quantity",
        "cost": 2,
        "result": {"kubernetes.Quantity": "2"},
    }
    assert ours("ip('1')", 37)["error"] != ours("ip('2')", 37)["error"]


@pytest.mark.parametrize("minor", range(25, 38))
def test_every_function_has_a_body(minor: int) -> None:
    """Operators of the interpreter and functions of the authorizer, which rules do not have, are exempt."""
    missing = {
        overload.id
        for overload in get_stored_environment(minor).list_overloads()
        if not callable(overload.load_binding())
    }
    asking = {overload.id for library in (LIBRARY, SELECTORS) for overload in library.overloads}
    assert {ident for ident in missing - asking if not ident.startswith(EVALUATED)} == set()
