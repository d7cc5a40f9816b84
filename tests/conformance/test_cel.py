"""Expressions against the recorded answers of API servers: type or why it does not compile, result or error, cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.crd_verdicts import listed
from tests.conformance.tables import recorded, table
from tests.judges.celtypes.evaluated import answered, normal

EXPECTED_FAILURES = Path(__file__).with_name("expected_cel_failures.txt")
SPELLED = 29  # the first version whose judge spells types as servers do


def expected_failures(minor: int) -> set[str]:
    """Return the names of the expected differences of a version."""
    return {name for name, versions in listed(EXPECTED_FAILURES).items() if minor in versions}


def normalize(answer: dict[str, Any], minor: int) -> dict[str, Any]:
    """Return an answer without the members that the judge of a version does not report."""
    return {key: value for key, value in answer.items() if key != "type" or minor >= SPELLED}


@pytest.mark.parametrize("minor", recorded("cel"))
def test_answers_are_those_of_the_server(minor: int) -> None:
    wrong = {}
    for row in table("cel", minor):
        if "failed" in row.answers[0]:
            continue  # this version does not support it
        ours = normalize(json.loads(json.dumps(answered(row.input, minor))), minor)
        theirs = [normalize(normal(answer), minor) for answer in row.answers]
        if ours not in theirs:
            wrong[row.id] = row.input["expr"], ours, theirs
    examples = "\n".join(f"{name}: {row}" for name, row in list(wrong.items())[:5])
    assert wrong.keys() == expected_failures(minor), f"{len(wrong)} answers differ, as\n{examples}"


def test_a_wrong_answer_is_found() -> None:
    assert answered({"expr": "1 + 1"}, 37) == {"type": "int", "cost": 1, "result": {"int": 2}}
