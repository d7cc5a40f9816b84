"""The recorded answers of API servers: a file for each kind of question and version, written by tests/judges/verdicts.

The files of the newest version are complete; those of older versions have the answers that differ from the next one.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.record import Record

FOLDER = Path(__file__).parents[2] / "testdata" / "verdicts"
NAMES = ("crd", "create", "update", "cel", "cost", "yaml")

Answer = dict[str, Any]


class Row(Record):
    """A probe and the answers of a server; answers that depend on the order of a Go map are listed."""

    id: str
    op: str
    input: dict[str, Any]
    answers: list[Answer]


def file(name: str, minor: int) -> Path:
    """Return the path of the answers of a version to one kind of question."""
    return FOLDER / f"1.{minor}" / f"{name}.jsonl"


def recorded(name: str) -> list[int]:
    """Return the recorded minor versions, oldest first."""
    return sorted(int(path.parent.name.partition(".")[2]) for path in FOLDER.glob(f"*/{name}.jsonl"))


@cache
def table(name: str, minor: int) -> list[Row]:
    """Return all rows of a recorded version."""
    lines = [json.loads(line) for line in file(name, minor).read_text(encoding="utf-8").splitlines()]
    if minor == recorded(name)[-1]:
        return [Row(line["id"], line["op"], line["input"], line["answers"]) for line in lines]
    changed = {line["id"]: line["answers"] for line in lines}
    newer = table(name, min(newer_minor for newer_minor in recorded(name) if newer_minor > minor))
    return [row.replace(answers=changed.get(row.id, row.answers)) for row in newer]
