"""Puts calls of library functions to servers' code and records the answers, or compares ours with them.

See README.md.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.judges.celtypes.evaluated import answered, normal

from .expressions import GENERATORS
from .maker import Maker

TABLE = Path(__file__).parents[3] / "testdata" / "cel" / "functions.jsonl"
EDGES = Path(__file__).parent / "edges.txt"
RECORDED = 80  # random expressions of each library


def expression(name: str, seed: int) -> str:
    """A random call of a library."""
    return GENERATORS[name](Maker(f"{name}{seed}"))


def theirs(server: str, expressions: list[str]) -> list[dict[str, Any]]:
    """A server's answers, without estimates."""
    lines = "\n".join([json.dumps({"op": "cel", "expr": each}) for each in expressions])
    output = subprocess.run([server], input=lines + "\n", capture_output=True, text=True, check=True).stdout
    return [plain(normal(json.loads(line))) for line in output.split("\n") if line]


def ours(text: str, minor: int) -> dict[str, Any]:
    """Our answer, as JSON has it."""
    found = answered({"expr": text}, minor)
    if "compile" in found:
        found.pop("cost", None)
    made: dict[str, Any] = plain(found)
    return made


def plain(value: Any) -> Any:
    """An answer such that equal ones are equal in Python: answers have types, which distinguish 1 from 1.0."""
    if isinstance(value, dict):
        return {
            key: float(each) if key == "double" and isinstance(each, int) else plain(each)
            for key, each in value.items()
        }
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [plain(each) for each in value] if isinstance(value, list) else value


def record(servers: dict[int, str]) -> None:
    """Writes the table; a version that answers as the one before is left out."""
    asked = EDGES.read_text("utf-8").splitlines()
    asked += [expression(name, seed) for name in GENERATORS for seed in range(RECORDED)]
    asked = list(dict.fromkeys(asked))
    answers = {minor: theirs(server, asked) for minor, server in sorted(servers.items())}
    with TABLE.open("w", encoding="utf-8") as table:
        for place, text in enumerate(asked):
            answer: dict[str, Any] = {}
            for minor, found in answers.items():
                if found[place] != next(reversed(answer.values()), None):
                    answer[str(minor)] = found[place]
            table.write(json.dumps([text, answer], sort_keys=True) + "\n")


def compare(minor: int, server: str, first: int, count: int) -> None:
    """Tries random expressions and prints what differs."""
    for name in GENERATORS:
        asked = [expression(name, seed) for seed in range(first, first + count)]
        pairs = list(zip(asked, theirs(server, asked), strict=True))
        wrong = [(text, answer, found) for text, answer in pairs if (found := ours(text, minor)) != answer]
        rejected = sum("compile" in answer for _, answer in pairs)
        failed = sum("error" in answer for _, answer in pairs)
        sys.stdout.write(f"{name}: {count} expressions, {rejected} rejected, {failed} failed, {len(wrong)} differ\n")
        for text, answer, found in wrong[:5]:
            sys.stdout.write(f"  {text}\n    server {answer}\n    ours   {found}\n")


def main(arguments: list[str]) -> None:
    """`record 29=SERVER ...` or `compare 37=SERVER FIRST COUNT`."""
    mode, *rest = arguments
    servers = {int(minor): path for minor, _, path in (each.partition("=") for each in rest if "=" in each)}
    if mode == "record":
        record(servers)
        return
    first, count = map(int, rest[1:])
    for minor, server in servers.items():
        compare(minor, server, first, count)


if __name__ == "__main__":
    main(sys.argv[1:])
