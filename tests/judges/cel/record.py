"""Ask the judge: `record JUDGE` writes its answers for the tests, `compare JUDGE COUNT SEED` compares made-up texts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.judges.cel.expressions import expression
from tests.judges.cel.ours import answer

HERE = Path(__file__).parent
DATA = HERE.parents[2] / "testdata" / "cel"
SWITCHES = ("m", "", "m", "e", "m", "s")  # by seed
LONGEST = 80  # characters of a recorded text
ROW_COUNTS = {"printed": 1500, "trees": 250, "rejected": 600}
# cel-go v0.29 itself panics on a field that it rejects inside optMap.
BREAKDOWN = "PANIC: runtime error: invalid memory address or nil pointer dereference"

Row = tuple[str, str, dict[str, str]]


def judged(judge: str, texts: Iterable[tuple[str, str]]) -> Iterator[Row]:
    """Each text and its switches with the judge's answer."""
    questions = list(texts)
    lines = [json.dumps({"text": text, "switches": switches}) for text, switches in questions]
    process = subprocess.run(
        [judge], input="\n".join(lines), capture_output=True, text=True, encoding="utf-8", check=True
    )
    for (text, switches), line in zip(questions, process.stdout.split("\n"), strict=False):
        yield text, switches, json.loads(line)


def made_up(first: int, count: int) -> Iterator[tuple[str, str]]:
    """Texts of seeds, with switches."""
    for seed in range(first, first + count):
        yield expression(seed), SWITCHES[seed % len(SWITCHES)]


def by_hand() -> Iterator[tuple[str, str]]:
    """Texts that people write."""
    for line in (HERE / "by_hand.txt").read_text("utf-8").splitlines():
        yield json.loads(line), "m"


def record(judge: str) -> None:
    """Write short texts with their answers: how they are printed, with a tree for some, and errors."""
    rows: dict[str, list[str]] = {name: [] for name in ROW_COUNTS}
    own = list(by_hand())
    for text, switches, theirs in judged(judge, [*own, *dict.fromkeys(made_up(0, 20_000))]):
        kind = "rejected" if "error" in theirs else "trees" if len(rows["trees"]) < ROW_COUNTS["trees"] else "printed"
        kept = (text, switches) in own or len(text) <= LONGEST
        if kept and len(rows[kind]) < ROW_COUNTS[kind] and theirs.get("error") != BREAKDOWN:
            parts = {"rejected": ["error"], "trees": ["printed", "tree"], "printed": ["printed"]}[kind]
            rows[kind].append(json.dumps([text, switches, *[theirs[part] for part in parts]], ensure_ascii=False))
    DATA.mkdir(exist_ok=True)
    for name, lines in rows.items():
        (DATA / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")


def compare(judge: str, count: int, seed: int) -> None:
    """Print where the judge and we differ, and how often we do not."""
    tally: Counter[str] = Counter()
    for text, switches, theirs in judged(judge, made_up(seed, count)):
        if theirs.get("error") == BREAKDOWN:
            tally["the judge broke down"] += 1
        elif theirs == (ours := answer(text, switches)):
            tally["same error" if "error" in theirs else "same tree and print"] += 1
        else:
            tally["DIFFERENT"] += 1
            sys.stdout.write(f"{text!r} {switches}\nJUDGE {theirs}\nOURS  {ours}\n")
    sys.stdout.write(f"{dict(tally)}\n")


if __name__ == "__main__":
    if sys.argv[1] == "record":
        record(sys.argv[2])
    else:
        compare(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
