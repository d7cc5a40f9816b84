"""Values, errors and costs of random expressions as API servers gave them (`testdata/cel/evaluated.jsonl`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.test_cel import normalize
from tests.judges.celfuzz.answers import ours
from tests.judges.celfuzz.explained import explanation

DATA = Path(__file__).parents[4] / "testdata" / "cel" / "evaluated.jsonl"
VERSIONS = (25, 27, 28, 29, 32, 35, 37)

_UNASKED = ("estimate", "type")  # which some answers lack


@pytest.mark.parametrize("minor", VERSIONS)
def test_as_the_server(minor: int) -> None:
    wrong, asked = [], 0
    for line in DATA.read_text("utf-8").splitlines():
        request, told = json.loads(line)
        known = [answer for version, answer in told.items() if int(version) <= minor]
        if not known or known[-1] is None:
            continue
        asked += 1
        theirs = normalize(known[-1], minor)
        given = {key: value for key, value in ours(request, minor)[0].items() if key in theirs or key not in _UNASKED}
        if given != theirs and explanation(minor, given, theirs) is None:
            wrong.append((request["expr"], given, theirs))
    assert not wrong, f"{len(wrong)} differ, as {wrong[0]}"
    assert asked > 50
