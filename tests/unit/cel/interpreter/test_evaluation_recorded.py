"""Values, errors and costs of random expressions, recorded from API servers (`testdata/cel/evaluated.jsonl`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.test_cel import normalize
from tests.judges.celfuzz.answers import ours
from tests.judges.celfuzz.explained import explanation

DATA = Path(__file__).parents[4] / "testdata" / "cel" / "evaluated.jsonl"
VERSIONS = (25, 27, 28, 29, 32, 35, 37)

_OPTIONAL_KEYS = ("estimate", "type")  # missing in some answers


@pytest.mark.parametrize("minor", VERSIONS)
def test_as_the_server(minor: int) -> None:
    wrong, compared = [], 0
    for line in DATA.read_text("utf-8").splitlines():
        request, recorded = json.loads(line)
        answers = [answer for version, answer in recorded.items() if int(version) <= minor]
        if not answers or answers[-1] is None:
            continue
        compared += 1
        expected = normalize(answers[-1], minor)
        actual = {
            key: value for key, value in ours(request, minor)[0].items() if key in expected or key not in _OPTIONAL_KEYS
        }
        if actual != expected and explanation(minor, actual, expected) is None:
            wrong.append((request["expr"], actual, expected))
    assert not wrong, f"{len(wrong)} differ, as {wrong[0]}"
    assert compared > 50
