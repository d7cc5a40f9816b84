"""Values, errors and costs of random expressions as API servers gave them (`testdata/cel/evaluated.jsonl`)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.judges.celfuzz.answers import ours
from tests.judges.celfuzz.explained import explanation

DATA = Path(__file__).parents[3] / "testdata" / "cel" / "evaluated.jsonl"
VERSIONS = (29, 32, 35, 37)


@pytest.mark.parametrize("minor", VERSIONS)
def test_as_the_server(minor: int) -> None:
    wrong, asked = [], 0
    for line in DATA.read_text("utf-8").splitlines():
        request, told = json.loads(line)
        known = [answer for version, answer in told.items() if int(version) <= minor]
        if known[-1] is None:
            continue
        asked += 1
        given = {key: value for key, value in ours(request, minor)[0].items() if key in known[-1] or key != "estimate"}
        if given != known[-1] and explanation(minor, given, known[-1]) is None:
            wrong.append((request["expr"], given, known[-1]))
    assert not wrong, f"{len(wrong)} differ, as {wrong[0]}"
    assert asked > 200
