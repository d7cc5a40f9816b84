"""Puts expressions to a server's code and records its answers, or compares ours with them; see README.md."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from protoc_gen_crd.cel.checker.overloads import Overload
from protoc_gen_crd.cel.environment import get_new_environment, get_stored_environment

from .expressions import Expressions
from .ours import Request, answer, surroundings

TABLE = Path(__file__).parents[3] / "testdata" / "cel" / "checked.jsonl"
SERVER = "program instantiation failed"
_TEXT: dict[str, Any] = {"type": "string"}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "s": _TEXT,
        "i": {"type": "integer"},
        "d": {"type": "number"},
        "b": {"type": "boolean"},
        "by": {**_TEXT, "format": "byte"},
        "du": {**_TEXT, "format": "duration"},
        "t": {**_TEXT, "format": "date-time"},
        "ios": {"x-kubernetes-int-or-string": True},
        "ls": {"type": "array", "items": _TEXT},
        "lo": {"type": "array", "items": {"type": "object", "properties": {"s": _TEXT, "i": {"type": "integer"}}}},
        "m": {"type": "object", "additionalProperties": {"type": "integer"}},
        "mm": {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": _TEXT}},
        "o": {"type": "object", "properties": {"namespace": _TEXT, "a-b": _TEXT}},
    },
}
FAULTS = (0, 0.01, 0.05, 0.2)


def theirs(server: str, requests: list[Request]) -> list[list[str] | None]:
    """The server's answers; None where its constants fold to an error, or where it could not be asked."""
    lines = "\n".join([json.dumps({"op": "cel", **request}) for request in requests])
    output = subprocess.run([server], input=lines + "\n", capture_output=True, text=True, check=True).stdout
    answers: list[list[str] | None] = []
    for line in output.splitlines():
        recorded = json.loads(line)
        rejection = recorded.get("compile", "")
        failed = "failed" in recorded or rejection.startswith(SERVER)
        answers.append(None if failed else ["refused", rejection] if rejection else ["type", recorded["type"]])
    return answers


def made_up(minor: int, first: int, count: int) -> tuple[list[Request], Counter[str]]:
    """Random requests, half of them of new expressions, and how often each overload is used."""
    requests, used = [], Counter[str]()
    for seed in range(first, first + count):
        request: Request = {"expr": "", "env": ("stored", "new")[seed % 2], "schema": SCHEMA}
        maker = Expressions(seed, *surroundings(request, minor), faults=FAULTS[seed // 2 % len(FAULTS)])
        request["expr"] = maker.any(1 + seed % 4)
        if len(request["expr"]) <= 1500:
            requests.append(request)
            used.update(maker.used)
    return requests, used


def compare(server: str, minor: int, first: int, count: int) -> int:
    """Print what differs; the number of differences."""
    requests, used = made_up(minor, first, count)
    differences = 0
    for request, recorded in zip(requests, theirs(server, requests), strict=True):
        own_answer = answer(request, minor)
        if recorded is not None and own_answer != recorded:
            differences += 1
            sys.stdout.write(f"{json.dumps(request['expr'])}\n  ours {own_answer}\n  server {recorded}\n")
    known: list[Overload] = [
        *get_stored_environment(minor).list_overloads(),
        *get_new_environment(minor).list_overloads(),
    ]
    unused = sorted({overload.id for overload in known} - set(used))
    sys.stdout.write(f"{len(requests)} expressions, {differences} differ; never used: {', '.join(unused)}\n")
    return differences


def record(servers: dict[int, str], requests: list[Request]) -> None:
    """Write the table: requests, each with answers by version; one that is as the version's before is left out."""
    columns = {minor: theirs(server, requests) for minor, server in sorted(servers.items())}
    rows = []
    for index, request in enumerate(requests):
        answers_by_minor: dict[str, list[str] | None] = {}
        for minor, column in columns.items():
            if not answers_by_minor or column[index] != list(answers_by_minor.values())[-1]:
                answers_by_minor[str(minor)] = column[index]
        rows.append(json.dumps([request, answers_by_minor], sort_keys=True))
    TABLE.write_text("\n".join(rows) + "\n", encoding="utf-8")


def main(args: list[str]) -> int:
    """`compare 37=SERVER FIRST COUNT`, or `record 29=SERVER 37=SERVER ... < REQUESTS`."""
    servers = {int(name): path for name, _, path in [arg.partition("=") for arg in args[1:] if "=" in arg]}
    if args[0] == "record":
        record(servers, [json.loads(line) for line in sys.stdin])
        return 0
    first, count = (int(arg) for arg in args[-2:])
    return 1 if sum([compare(path, minor, first, count) for minor, path in servers.items()]) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
