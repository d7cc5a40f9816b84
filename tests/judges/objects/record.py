"""Puts probes to judges of several versions and writes down what they answer.

python -m tests.judges.objects.record FOLDER [PROBES.jsonl ...]

FOLDER holds the judges by minor version, as `1.29`; the newest must be among them. Without further files, the recorded
probes are put again; those of further files are added to them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from protoc_gen_crd.admission.switches import NEWEST
from tests.conformance.crd_verdicts import FOLDER
from tests.conformance.object_verdicts import FILES, table
from tests.judges.crdadmission.record import answers

Row = dict[str, Any]


def main(folder: Path, files: list[Path]) -> None:
    """Record; rows of an older version are those whose answers differ from the next newer one's."""
    known = [{"id": row.id, "op": row.op, "input": row.input} for row in table(NEWEST)] if _recorded() else []
    lines = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    added = [{key: line[key] for key in ("id", "op", "input")} for line in lines if line["op"] in ("create", "update")]
    probes = list({probe["id"]: probe for probe in known + added}.values())
    newer: list[list[Row]] = []
    for minor in sorted((int(path.name.partition(".")[2]) for path in folder.glob("1.*")), reverse=True):
        found = list(answers(folder / f"1.{minor}", probes))
        rows = [
            ({**probe} if not newer else {"id": probe["id"]}) | {"answers": given}
            for index, (probe, given) in enumerate(zip(probes, found, strict=True))
            if not newer or given != newer[index]
        ]
        newer = found
        _write(minor, rows, {probe["id"]: probe["op"] for probe in probes})


def _recorded() -> bool:
    return (FOLDER / f"1.{NEWEST}" / FILES[0]).exists()


def _write(minor: int, rows: list[Row], ops: dict[str, str]) -> None:
    for name in FILES:
        path = FOLDER / f"1.{minor}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        texts = [json.dumps(row, sort_keys=True) + "\n" for row in rows if ops[row["id"]] == name.partition(".")[0]]
        path.write_text("".join(texts), encoding="utf-8")
        sys.stdout.write(f"{path}: {len(texts)} rows\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]])
