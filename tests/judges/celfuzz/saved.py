"""The corpus of what has once differed: requests with the answers of all servers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.judges.asking import Judge
from tests.judges.celtypes.ours import Request

from . import answers

CORPUS = Path(__file__).parents[3] / "testdata" / "cel" / "evaluated.jsonl"


def recorded(requests: list[Request], servers: dict[int, str]) -> list[list[Any]]:
    """Lines of the corpus: a request, and the answers by version, left out where they are as those before."""
    columns = {minor: _answers(servers[minor], requests) for minor in sorted(servers)}
    rows = []
    for place, request in enumerate(requests):
        told: dict[str, Any] = {}
        last: Any = Ellipsis
        for minor, column in columns.items():
            if column[place] != last:
                told[str(minor)] = last = column[place]
        rows.append([request, told])
    return rows


def _answers(program: str, requests: list[Request]) -> list[Any]:
    judge = Judge(program)
    found = [answers.theirs(each) for each in judge.answers([{"op": "cel", **each} for each in requests])]
    judge.close()
    return found


def keep(rows: list[list[Any]]) -> None:
    """Adds lines to the corpus."""
    known = CORPUS.read_text("utf-8").splitlines() if CORPUS.exists() else []
    lines = [_line(row) for row in rows]
    CORPUS.write_text("".join([f"{line}\n" for line in (*known, *[new for new in lines if new not in known])]), "utf-8")


def _line(row: list[Any]) -> str:
    """A row as JSON on what is one line to Python, too."""
    text = json.dumps(row, ensure_ascii=False, sort_keys=True)
    return "".join([json.dumps(char)[1:-1] if len(f"a{char}a".splitlines()) > 1 else char for char in text])
