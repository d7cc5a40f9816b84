"""Expressions against the recorded answers of API servers: type or why it does not compile, result or error, cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.judges.celtypes.evaluated import answered, normal

VERDICTS = Path(__file__).parents[2] / "testdata" / "verdicts"
MINORS = (35, 37)

# What a server evaluates in the order of one of Go's maps costs it more or less by chance.
BY_CHANCE = {"cel/comprehensions/20"}

# Known to differ, by version.
WRONG: dict[int, set[str]] = {}


def rows(minor: int) -> dict[str, tuple[dict[str, Any], dict[str, Any]]]:
    """Requests and answers by id."""
    lines = (VERDICTS / f"1.{minor}" / "cel.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return {row["id"]: (row["input"], normal(row["answer"])) for row in found}


@pytest.mark.parametrize("minor", MINORS)
def test_answers_are_those_of_the_server(minor: int) -> None:
    asked = rows(minor)
    assert len(asked) == 700
    wrong = {}
    for name, (request, theirs) in asked.items():
        ours = json.loads(json.dumps(answered(request, minor)))
        if name in BY_CHANCE:
            ours["cost"] = theirs["cost"]
        if ours != theirs:
            wrong[name] = request["expr"], ours, theirs
    shown = "\n".join(f"{name}: {row}" for name, row in list(wrong.items())[:5])
    assert wrong.keys() == WRONG.get(minor, set()), f"{len(wrong)} answers differ, as\n{shown}"


def test_a_wrong_answer_is_found() -> None:
    assert answered({"expr": "1 + 1"}, 37) == {"type": "int", "cost": 1, "result": {"int": 2}}
