"""The comparison with cel-python: its known differences, and the detection of others."""

from __future__ import annotations

import pytest

from tests.fuzz import second_opinion
from tests.fuzz.harness import PropertyError
from tests.fuzz.second_opinion import DIFFERENCES, Difference, compile_subset, find_known_differences, ours, theirs
from tests.fuzz.surfaces import expressions


@pytest.mark.parametrize("row", DIFFERENCES, ids=lambda row: row.example)
def test_a_known_difference_is_one(row: Difference) -> None:
    checked = compile_subset(row.example)
    assert checked is not None
    assert row in find_known_differences(checked)
    assert ours(row.example) != theirs(row.example), row.reason


def test_a_difference_that_is_not_listed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    fuzzer = expressions.SecondOpinions()
    assert fuzzer.run(b"1 + 1") == "{'int': 2} {'int': 2}"
    monkeypatch.setattr(expressions, "ours", lambda _: {"int": 3})
    with pytest.raises(PropertyError, match=r"1 \+ 1 is {'int': 3}, but {'int': 2} for cel-python"):
        fuzzer.run(b"1 + 1")


def test_a_row_explains_only_its_calls() -> None:
    checked = compile_subset("string(1) == 'a'")
    assert checked is not None
    assert second_opinion.find_known_differences(checked) == []
