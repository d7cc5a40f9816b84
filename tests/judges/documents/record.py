"""Ask the oracle what servers say of the documents of testdata/validate: `record.py 1.29=ORACLE 1.37=ORACLE ...`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[3]))

from tests.support.documents import ANSWERS, Judged, judged

KEPT = ("errors", "warnings", "strict", "decode", "status")


def request(document: Judged) -> dict[str, Any]:
    """The document as a request of its own."""
    expected = document.case.expectation
    question = {"op": "create", "crd": document.crd, "obj": document.case.object}
    if expected.old is not None:
        question |= {"op": "update", "old": expected.old}
    return question | ({"subresource": "status"} if expected.status else {})


def main() -> None:
    """Write the answers of all oracles, as `MINOR=BINARY` each."""
    rows = []
    for version, _, binary in (argument.partition("=") for argument in sys.argv[1:]):
        minor = int(version.partition(".")[2])
        with subprocess.Popen([binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as oracle:
            assert oracle.stdin
            assert oracle.stdout
            for document in judged(minor):
                oracle.stdin.write(json.dumps(request(document)) + "\n")
                oracle.stdin.flush()
                answer = json.loads(oracle.stdout.readline())
                kept = {key: answer[key] for key in KEPT if answer.get(key)}
                failed = {"failed": answer["failed"]} if "failed" in answer else {}
                rows.append({"place": document.place, "minor": minor, **kept, **failed})
            oracle.stdin.close()
    ANSWERS.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), "utf-8")


if __name__ == "__main__":
    main()
