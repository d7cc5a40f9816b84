"""Records the answers of judges of several versions of Kubernetes to probes.

python -m tests.judges.verdicts.record FOLDER [PROBES.jsonl ...]

FOLDER contains judges by version, such as `1.29`. The recorded probes run again, and those of further files are added.
A version without a judge keeps its answers, unless there are new probes of that kind, which require all judges.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.conformance.crd_verdicts import normal
from tests.conformance.tables import NAMES, file, recorded, table

TIMES = {"cel": 12}  # a server walks maps in no order, so one question may have several answers
_TIMES = 4
_TABLES = {"crd-update": "crd"}  # the others are named after the operation
Row = dict[str, Any]
Column = list[list[Row]]


def asked(judge: Path, probes: list[Row]) -> list[Row]:
    """One answer for each probe."""
    lines = "".join(json.dumps({"op": probe["op"], **probe["input"]}) + "\n" for probe in probes)
    done = subprocess.run([judge], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def answers(name: str, judge: Path, probes: list[Row]) -> Iterator[list[Row]]:
    """The different answers to each probe."""
    rounds = [asked(judge, probes) for _ in range(TIMES.get(name, _TIMES))]
    for row_answers in zip(*rounds, strict=True):
        normalized = [normal(answer) if name in ("crd", "create", "update") else answer for answer in row_answers]
        distinct = {json.dumps(answer, sort_keys=True): answer for answer in normalized}
        yield [distinct[text] for text in sorted(distinct)]


def columns(name: str, folder: Path, probes: list[Row], *, added: bool) -> Iterator[tuple[int, Column]]:
    """Yield the answers of each version that has any, newest first; a judge may not know the operation."""
    judged = {int(path.name.partition(".")[2]) for path in folder.glob("1.*")}
    for minor in sorted(judged | set(recorded(name)), reverse=True):
        column = list(answers(name, folder / f"1.{minor}", probes)) if minor in judged else []
        if any("failed" not in row_answer[0] for row_answer in column):
            yield minor, column
        elif minor in recorded(name):
            if added:
                raise SystemExit(f"{name}: new probes require a judge of 1.{minor} too")
            yield minor, [row.answers for row in table(name, minor)]


def record(name: str, folder: Path, more: list[Row]) -> None:
    """Write one kind of answers; rows of an older version are those that differ from the next newer one's."""
    known = [{"id": row.id, "op": row.op, "input": row.input} for row in table(name, recorded(name)[-1])]
    probes = list({probe["id"]: probe for probe in known + more}.values())
    newer: Column = []
    for minor, column in list(columns(name, folder, probes, added=bool(more))):
        rows = [
            ({"id": probe["id"]} if newer else {**probe}) | {"answers": row_answers}
            for index, (probe, row_answers) in enumerate(zip(probes, column, strict=True))
            if not newer or row_answers != newer[index]
        ]
        newer = column
        path = file(name, minor)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row, sort_keys=True) + "\n" for row in rows), encoding="utf-8")
        sys.stdout.write(f"{path}: {len(rows)} rows\n")


def main(folder: Path, files: list[Path]) -> None:
    """Record all kinds."""
    lines = [json.loads(line) for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    probes = [{key: line[key] for key in ("id", "op", "input")} for line in lines]
    for name in NAMES:
        record(name, folder, [probe for probe in probes if _TABLES.get(probe["op"], probe["op"]) == name])


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
