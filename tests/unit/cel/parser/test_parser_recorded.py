"""Recorded answers of cel-go (`testdata/cel`): printed forms, trees with ids and offsets, exact errors."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.judges.cel.ours import answer

DATA = Path(__file__).parents[4] / "testdata" / "cel"
PARTS = {"printed": ("printed",), "trees": ("printed", "tree"), "rejected": ("error",)}


def rows(name: str) -> list[list[str]]:
    """Return expressions, switches and answers."""
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def differing(name: str) -> list[object]:
    """Return the rows of a file with another answer than cel-go's."""
    answers = [(row, answer(*row[:2])) for row in rows(name)]
    return [(row, actual) for row, actual in answers if [actual.get(part) for part in PARTS[name]] != row[2:]]


@pytest.mark.parametrize("name", PARTS)
def test_as_cel_go(name: str) -> None:
    assert len(rows(name)) > 200
    assert differing(name) == []


def test_a_wrong_answer_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "rows", lambda _: [["a+b", "", "a+b"], ["a+b", "", "a + b"]])
    assert differing("printed") == [(["a+b", "", "a+b"], answer("a+b", ""))]


def test_printing_again_changes_nothing() -> None:
    """Repeated signs are exempt: cel-go prints `!(!a)` as `!!a`, and parses that as `a`."""
    printed = [row[1:3] for row in rows("printed") + rows("trees") if not re.search("[!-][!-]", row[2])]
    assert len(printed) > 1000
    assert [text for switches, text in printed if answer(text, switches).get("printed") != text] == []
