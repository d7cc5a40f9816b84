"""Asks the Go judge beside this file what Kubernetes' YAML writer prints.

python -m tests.judges.yaml.record                 write testdata/yamlwrite/recorded.jsonl
python -m tests.judges.yaml.record 200000 [SEED]   compare that many fresh values with our writer
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from protoc_gen_crd.yaml.writer import dump
from tests.judges.yaml.values import TESTDATA, values

HERE = Path(__file__).parent
RECORDED = TESTDATA / "recorded.jsonl"
BATCH = 20_000
REPEATS = 20
LONGEST = 1500  # characters of a recorded row


def judged(questions: list[object]) -> list[dict[str, str]]:
    """The judge's answers: `text`, and `refused` if the conversion through JSON fails."""
    lines = "".join(json.dumps(value) + "\n" for value in questions)
    run = subprocess.run(["go", "run", "."], cwd=HERE, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def unsteady(value: object) -> bool:
    """Whether the judge disagrees with itself: go-yaml's order of keys has cycles, v10 < v1a < v2 < v10 among them."""
    return len({answer["text"] for answer in judged([value] * REPEATS)}) > 1


def record() -> None:
    """Write the recorded answers: short ones, of values that get the same one each time."""
    questions = list(values(seed=1, count=1200))
    answers = judged(questions * REPEATS)
    rows = []
    for at, value in enumerate(questions):
        same = answers[at :: len(questions)]
        row = json.dumps({"value": value, **same[0]}) + "\n"
        if len(row) <= LONGEST and all(answer == same[0] for answer in same):
            rows.append(row)
    RECORDED.write_text("".join(rows))


def compare(count: int, seed: int) -> str:
    """Compare fresh values, print the differences, return how many there are."""
    different = undecided = 0
    for start in range(0, count, BATCH):
        questions = list(values(seed + start, min(BATCH, count - start)))
        for value, answer in zip(questions, judged(questions), strict=True):
            if dump(value) == answer["text"]:
                continue
            if unsteady(value):
                undecided += 1
                continue
            different += 1
            sys.stdout.write(f"{value!r}\n  go   {answer}\n  ours {dump(value)!r}\n")
    return f"{different} differences in {count} values, {undecided} undecided by go-yaml itself"


if __name__ == "__main__":
    if sys.argv[1:]:
        numbers = [int(argument) for argument in sys.argv[1:]]
        sys.stdout.write(compare(numbers[0], numbers[1] if numbers[1:] else 1000) + "\n")
    else:
        record()
