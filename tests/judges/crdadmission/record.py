"""Puts the probes of testdata/verdicts to judges of all versions and writes down what they answer.

python -m tests.judges.crdadmission.record FOLDER [PROBES.jsonl ...]

FOLDER holds the judges as `1.25` to `1.37`. Without further files, the recorded probes are put again.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.switches import NEWEST, OLDEST
from tests.conformance.crd_verdicts import FOLDER, normal, table

TIMES = 4  # a server walks maps in no order, so one question may have several answers
Row = dict[str, Any]


def asked(judge: Path, probes: list[Row]) -> list[Row]:
    """One answer for each probe."""
    lines = "".join(json.dumps({"op": probe["op"], **probe["input"]}) + "\n" for probe in probes)
    done = subprocess.run([judge], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def answers(judge: Path, probes: list[Row]) -> Iterator[list[Row]]:
    """The different answers to each probe."""
    rounds = [asked(judge, probes) for _ in range(TIMES)]
    for given in zip(*rounds, strict=True):
        kept: list[Row] = []
        for answer in given:
            if normal(answer) not in kept:
                kept.append(normal(answer))
        yield sorted(kept, key=lambda answer: json.dumps(answer, sort_keys=True))


def main(folder: Path, files: list[Path]) -> None:
    """Record; rows of an older version are those whose answers differ from the next newer one's."""
    lines = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    probes = lines or [{"id": row.id, "op": row.op, "input": row.input} for row in table(NEWEST)]
    newer: list[list[Row]] = []
    for minor in range(NEWEST, OLDEST - 1, -1):
        found = list(answers(folder / f"1.{minor}", probes))
        rows = [
            ({**probe} if minor == NEWEST else {"id": probe["id"]}) | {"answers": given}
            for index, (probe, given) in enumerate(zip(probes, found, strict=True))
            if not newer or given != newer[index]
        ]
        newer = found
        path = FOLDER / f"1.{minor}" / "crd.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row, sort_keys=True) + "\n" for row in rows), encoding="utf-8")
        sys.stdout.write(f"{path}: {len(rows)} rows\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
