"""Expressions against the recorded answers of API servers: type or why it does not compile, result or error, cost."""

from __future__ import annotations

import json

import pytest

from protoc_gen_crd.admission.switches import NEWEST
from tests.conformance.tables import recorded, table
from tests.judges.celtypes.evaluated import answered, normal

# Known to differ, by the last version.
WRONG: dict[int, set[str]] = {NEWEST: set()}


@pytest.mark.parametrize("minor", recorded("cel"))
def test_answers_are_those_of_the_server(minor: int) -> None:
    wrong = {}
    for row in table("cel", minor):
        ours = json.loads(json.dumps(answered(row.input, minor)))
        theirs = [normal(answer) for answer in row.answers]
        if ours not in theirs:
            wrong[row.id] = row.input["expr"], ours, theirs
    shown = "\n".join(f"{name}: {row}" for name, row in list(wrong.items())[:5])
    assert wrong.keys() == WRONG[min(each for each in WRONG if each >= minor)], (
        f"{len(wrong)} answers differ, as\n{shown}"
    )


def test_a_wrong_answer_is_found() -> None:
    assert answered({"expr": "1 + 1"}, 37) == {"type": "int", "cost": 1, "result": {"int": 2}}
