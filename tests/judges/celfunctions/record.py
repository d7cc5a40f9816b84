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
    lines = "\n".join([json.dumps({"op": "cel", "expr": expression_text}) for expression_text in expressions])
    output = subprocess.run([server], input=lines + "\n", capture_output=True, text=True, check=True).stdout
    return [plain(normal(json.loads(line))) for line in output.split("\n") if line]


def ours(text: str, minor: int) -> dict[str, Any]:
    """Our answer, as JSON has it."""
    own_answer = answered({"expr": text}, minor)
    if "compile" in own_answer:
        own_answer.pop("cost", None)
    normalized: dict[str, Any] = plain(own_answer)
    return normalized


def plain(value: Any) -> Any:
    """An answer such that equal ones are equal in Python: answers have types, which distinguish 1 from 1.0."""
    if isinstance(value, dict):
        return {
            key: float(item) if key == "double" and isinstance(item, int) else plain(item)
            for key, item in value.items()
        }
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return [plain(item) for item in value] if isinstance(value, list) else value


def record(servers: dict[int, str]) -> None:
    """Writes the table; a version that answers as the one before is left out."""
    expressions = EDGES.read_text("utf-8").splitlines()
    expressions += [expression(name, seed) for name in GENERATORS for seed in range(RECORDED)]
    expressions = list(dict.fromkeys(expressions))
    answers = {minor: theirs(server, expressions) for minor, server in sorted(servers.items())}
    with TABLE.open("w", encoding="utf-8") as table:
        for place, text in enumerate(expressions):
            answer: dict[str, Any] = {}
            for minor, version_answers in answers.items():
                if version_answers[place] != next(reversed(answer.values()), None):
                    answer[str(minor)] = version_answers[place]
            table.write(json.dumps([text, answer], sort_keys=True) + "\n")


def compare(minor: int, server: str, first: int, count: int) -> None:
    """Tries random expressions and prints what differs."""
    for name in GENERATORS:
        expressions = [expression(name, seed) for seed in range(first, first + count)]
        pairs = list(zip(expressions, theirs(server, expressions), strict=True))
        wrong = [(text, answer, own_answer) for text, answer in pairs if (own_answer := ours(text, minor)) != answer]
        rejected = sum("compile" in answer for _, answer in pairs)
        failed = sum("error" in answer for _, answer in pairs)
        sys.stdout.write(f"{name}: {count} expressions, {rejected} rejected, {failed} failed, {len(wrong)} differ\n")
        for text, answer, own_answer in wrong[:5]:
            sys.stdout.write(f"  {text}\n    server {answer}\n    ours   {own_answer}\n")


def main(arguments: list[str]) -> None:
    """`record 29=SERVER ...` or `compare 37=SERVER FIRST COUNT`."""
    mode, *rest = arguments
    servers = {int(minor): path for minor, _, path in (argument.partition("=") for argument in rest if "=" in argument)}
    if mode == "record":
        record(servers)
        return
    first, count = map(int, rest[1:])
    for minor, server in servers.items():
        compare(minor, server, first, count)


if __name__ == "__main__":
    main(sys.argv[1:])
