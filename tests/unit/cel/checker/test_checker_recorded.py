"""Types and compile errors as API servers gave them (`testdata/cel/checked.jsonl`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.judges.celtypes.ours import Request, answer

DATA = Path(__file__).parents[4] / "testdata" / "cel" / "checked.jsonl"
VERSIONS = (29, 32, 35, 37)


def rows(minor: int) -> list[tuple[Request, list[str]]]:
    """Requests with what the version answered."""
    found = []
    for line in DATA.read_text("utf-8").splitlines():
        request, told = json.loads(line)
        known = [answers for version, answers in told.items() if int(version) <= minor]
        if known[-1] is not None:
            found.append((request, known[-1]))
    return found


@pytest.mark.parametrize("minor", VERSIONS)
def test_as_the_server(minor: int) -> None:
    asked = rows(minor)
    assert len(asked) > 600
    differing = {
        request["expr"]: (given, wanted) for request, wanted in asked if (given := answer(request, minor)) != wanted
    }
    assert differing == {}


def test_a_wrong_answer_is_seen() -> None:
    assert answer({"expr": "1"}, 37) == ["type", "int"] != ["type", "uint"]
