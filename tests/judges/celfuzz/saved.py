"""The corpus of what has once differed: requests with the answers of all servers.

python -m tests.judges.celfuzz.saved PROBES.jsonl 29=SERVER 32=SERVER ... makes kept probes small and adds them to it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.judges.asking import Judge
from tests.judges.celtypes.ours import Request
from tests.judges.finds import Campaign

from . import answers
from .__main__ import Expressions
from .shrink import shrunk

CORPUS = Path(__file__).parents[3] / "testdata" / "cel" / "evaluated.jsonl"


def recorded(requests: list[Request], judges: dict[int, Judge]) -> list[list[Any]]:
    """Lines of the corpus: a request, and the answers by version, left out where they are as those before."""
    columns = {minor: _answers(judge, requests) for minor, judge in sorted(judges.items())}
    rows = []
    for place, request in enumerate(requests):
        answers_by_minor: dict[str, Any] = {}
        last: Any = Ellipsis
        for minor, column in columns.items():
            if column[place] != last:
                answers_by_minor[str(minor)] = last = column[place]
        rows.append([request, answers_by_minor])
    return rows


def _answers(judge: Judge, requests: list[Request]) -> list[Any]:
    return [
        answers.theirs(question) for question in judge.answers([{"op": "cel", **question} for question in requests])
    ]


def keep(rows: list[list[Any]]) -> None:
    """Adds lines to the corpus."""
    known = CORPUS.read_text("utf-8").splitlines() if CORPUS.exists() else []
    lines = [_line(row) for row in rows]
    CORPUS.write_text("".join([f"{line}\n" for line in (*known, *[new for new in lines if new not in known])]), "utf-8")


def _line(row: list[Any]) -> str:
    """A row as JSON on what is one line to Python, too."""
    text = json.dumps(row, ensure_ascii=False, sort_keys=True)
    return "".join([json.dumps(char)[1:-1] if len(f"a{char}a".splitlines()) > 1 else char for char in text])


def smallest(request: Request, campaigns: dict[int, Campaign]) -> Request:
    """A small request that differs on the first server that this one differs on; itself where it differs on none."""
    for minor, campaign in campaigns.items():

        def differs(other: Request, campaign: Campaign = campaign) -> bool:
            pair = campaign.differs({"op": "cel", "id": "", "input": other})
            return pair is not None and campaign.subject.known(*pair) is None

        if differs(request):
            return shrunk(request, minor, differs)
    return request


def main(probes: Path, servers: list[str]) -> None:
    """Adds a file of probes."""
    judges = {int(minor): Judge(path) for minor, _, path in [argument.partition("=") for argument in servers]}
    campaigns = {minor: Campaign(judge, Expressions(minor)) for minor, judge in judges.items()}
    requests = [json.loads(line)["input"] for line in probes.read_text("utf-8").splitlines()]
    keep(recorded([smallest(question, campaigns) for question in requests], judges))
    for judge in judges.values():
        judge.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
