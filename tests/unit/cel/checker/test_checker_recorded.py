"""Types and compile errors recorded from API servers (`testdata/cel/checked.jsonl`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.judges.celtypes.ours import Request, answer

DATA = Path(__file__).parents[4] / "testdata" / "cel" / "checked.jsonl"
VERSIONS = (29, 32, 35, 37)


def rows(minor: int) -> list[tuple[Request, list[str]]]:
    """Return requests with the answers of the version."""
    requests = []
    for line in DATA.read_text("utf-8").splitlines():
        request, recorded = json.loads(line)
        answers = [answer for version, answer in recorded.items() if int(version) <= minor]
        if answers[-1] is not None:
            requests.append((request, answers[-1]))
    return requests


@pytest.mark.parametrize("minor", VERSIONS)
def test_as_the_server(minor: int) -> None:
    requests = rows(minor)
    assert len(requests) > 600
    differing = {
        request["expr"]: (actual, expected)
        for request, expected in requests
        if (actual := answer(request, minor)) != expected
    }
    assert differing == {}


def test_a_wrong_answer_is_seen() -> None:
    assert answer({"expr": "1"}, 37) == ["type", "int"] != ["type", "uint"]
