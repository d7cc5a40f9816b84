"""Evaluates paths with client-go and with this project, and writes some answers of client-go to testdata/jsonpath."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator

from tests.support.jsonpaths import ROWS, shown

_PARTS = (
    ".", "..", ".a", ".b-c", "[", "]", "[0]", "[-1]", "[1:3]", "[*]", "['k']", "['a.b']", "[?(", ")]", "@", "$", "==",
    "!=", '"x"', "'y'", '"', "'", ",", " ", "{", "}", "\\", "\\.", "1", "-", "+1.5", "true", "range", "*", ":", "(",
    ")", "é", "\\u00e9", "\n", "_", "[a]", "[0,1]", "[?(@.t==\"R\")]", "[?(@.t)]", "::", "9" * 20, "!", "٣",
)  # fmt: skip


def drawn(seed: int, count: int) -> Iterator[str]:
    """Paths by seed."""
    source = random.Random(seed)  # noqa: S311 - paths, no secrets
    for _ in range(count):
        yield "." * source.randrange(2) + "".join(source.choices(_PARTS, k=source.randint(1, 7)))


def main(judge: str, seed: int, count: int, kept: int) -> None:
    """Compare; print what differs; write the rows by hand and the first of the others."""
    known = [json.loads(line)["path"] for line in ROWS.read_text("utf-8").splitlines()] if ROWS.exists() else []
    paths = list(dict.fromkeys([*known, *sys.stdin.read().splitlines(), *drawn(seed, count)]))
    path_lines = "".join(json.dumps(path) + "\n" for path in paths)
    lines = subprocess.run([judge], input=path_lines, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    wrong = [row for row in rows if shown(row["path"]) != row.get("nodes")]
    for row in wrong[:40]:
        sys.stdout.write(f"{json.dumps(row, ensure_ascii=False)} {shown(row['path'])}\n")
    taken = sum("nodes" in row for row in rows)
    sys.stdout.write(f"{len(rows)} paths, {taken} of them taken, {len(wrong)} differ\n")
    ROWS.parent.mkdir(exist_ok=True)
    ROWS.write_text("".join(f"{line}\n" for line in lines[: max(kept, len(known))]), "utf-8")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:5]))
