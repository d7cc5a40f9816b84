"""Asks the judge: `record JUDGES` writes the recorded answers, `compare JUDGES COUNT SEED` tries made-up markers.

Run with `python -m tests.judges.controller_tools.record` from the root. JUDGES is the folder of its two binaries.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.markers.marker_argument_parser import CT_0_20, CT_0_23
from tests.judges.controller_tools.generate import Maker
from tests.judges.controller_tools.ours import Answer, explained, given, read, same

DATA = Path(__file__).parents[3] / "testdata" / "markers"
VERSIONS = ("0.20.1", "0.23.0")
RECORDED, SEED = 2500, 20
BLANKS = " \t\r\n"


def ask(judge: Path, requests: Iterable[Any]) -> list[Any]:
    """The judge's answers."""
    lines = "".join([json.dumps(request) + "\n" for request in requests])
    done = subprocess.run([judge], input=lines.encode(), capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def answers(judge: Path, markers: Iterable[str]) -> list[Answer]:
    """Return how controller-tools parses markers of its synthetic definitions."""
    return [_answer(row) for row in ask(judge, [{"target": "synthetic", "marker": marker} for marker in markers])]


def _answer(row: dict[str, Any]) -> Answer:
    if "error" in row:
        return None
    name = row.get("found")
    if not name:
        return "panic" if "panic" in row else "unknown"
    values = row.get("values", {})
    if name == "J":
        return {"": values["value"]}
    lists = {"L": ("",), "E": ("",), "a:X": ("sl", "enum")}.get(name, ())
    return given({key: [] if value is None and key in lists else value for key, value in values.items()})


def record(judges: Sequence[Path]) -> None:
    """Write what both versions know and read."""
    for version, judge in zip(VERSIONS, judges, strict=True):
        (definitions,) = ask(judge, [{"op": "registry"}])
        rows = ",\n".join([json.dumps(definition) for definition in definitions])
        (DATA / f"controller-tools-{version}.json").write_text(f"[\n{rows}\n]\n")
    examples = (DATA / "examples.txt").read_text().splitlines()
    markers = [line for line in examples if line and not line.startswith("# ")]
    markers += [marker.strip(BLANKS) for marker in Maker(SEED).markers(RECORDED)]
    old, new = [answers(judge, markers) for judge in judges]
    table = [[marker, a] if same(a, b) else [marker, a, b] for marker, a, b in zip(markers, old, new, strict=True)]
    text = "".join([json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in table])
    (DATA / "grammar.jsonl").write_text(text)


def compare(judges: Sequence[Path], count: int, seed: int) -> list[tuple[object, ...]]:
    """The unexplained differences; prints how many markers were parsed, rejected, and explained."""
    markers = list(Maker(seed).markers(count))
    wrong: list[tuple[object, ...]] = []
    seen: Counter[str] = Counter()
    for version, judge, dialect in zip(VERSIONS, judges, (CT_0_20, CT_0_23), strict=True):
        for marker, theirs in zip(markers, answers(judge, markers), strict=True):
            seen[
                f"{version}: " + (theirs if isinstance(theirs, str) else "read" if theirs is not None else "rejected")
            ] += 1
            ours, _ = read(marker, dialect)
            if not same(ours, theirs):
                wrong.append((version, marker, theirs, ours))
    trimmed = [marker.strip(BLANKS) for marker in markers]  # as every caller gives them
    for marker, theirs in zip(trimmed, answers(judges[-1], trimmed), strict=True):
        reason = explained(marker, theirs)
        seen[f"default: {'UNEXPLAINED' if reason is None else reason or 'as the newest'}"] += 1
        if reason is None:
            wrong.append(("default", marker, theirs, *read(marker)))
    sys.stdout.writelines([f"{number:8} {what}\n" for what, number in sorted(seen.items())])
    return wrong


def main(command: str, folder: str, *numbers: str) -> int:
    """Exit status: 1 if something differs without explanation."""
    judges = [Path(folder) / f"controller-tools-{version}" for version in VERSIONS]
    if command == "record":
        record(judges)
        return 0
    wrong = compare(judges, *map(int, numbers))
    sys.stdout.writelines([" ".join(map(repr, difference)) + "\n" for difference in wrong[:40]])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
