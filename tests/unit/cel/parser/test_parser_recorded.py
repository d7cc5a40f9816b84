"""cel-go's own answers (`testdata/cel`): printed forms, trees with ids and offsets, errors to the letter."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.judges.cel.ours import answer

DATA = Path(__file__).parents[4] / "testdata" / "cel"
PARTS = {"printed": ("printed",), "trees": ("printed", "tree"), "refused": ("error",)}


def rows(name: str) -> list[list[str]]:
    """Text, switches and answers."""
    return [json.loads(line) for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def differing(name: str) -> list[object]:
    """The rows of a file to which we answer something else."""
    answers = [(row, answer(*row[:2])) for row in rows(name)]
    return [(row, given) for row, given in answers if [given.get(part) for part in PARTS[name]] != row[2:]]


@pytest.mark.parametrize("name", PARTS)
def test_as_cel_go(name: str) -> None:
    assert len(rows(name)) > 200
    assert differing(name) == []


def test_a_wrong_answer_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "rows", lambda _: [["a+b", "", "a+b"], ["a+b", "", "a + b"]])
    assert differing("printed") == [(["a+b", "", "a+b"], answer("a+b", ""))]


def test_printing_again_changes_nothing() -> None:
    """But for signs of signs: cel-go prints `!(!a)` as `!!a`, and reads that as `a`."""
    printed = [row[1:3] for row in rows("printed") + rows("trees") if not re.search("[!-][!-]", row[2])]
    assert len(printed) > 1000
    assert [text for switches, text in printed if answer(text, switches).get("printed") != text] == []
