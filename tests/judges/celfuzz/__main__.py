"""Puts random expressions on random data to a server's code and to ours, and tells what differs; see README.md."""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.judges.celtypes.evaluated import answered, normal
from tests.judges.celtypes.ours import Request, surroundings

from .expressions import Evaluated
from .schemas import Schemas

CORPUS = Path(__file__).parents[3] / "testdata" / "cel" / "evaluated.jsonl"
LIMIT = "operation cancelled: actual cost limit exceeded"
UNTOLD = "kubernetes.NamedFormat"  # prints as an address
BUG = "internal error: "
BATCH, AGAIN = 500, 12
MEMORY = 4 << 30
FAULTS = (0, 0, 0.01, 0.05)


def theirs(server: str, requests: list[Request]) -> list[dict[str, Any] | None]:
    """The server's answers, None where it could not be asked or told, or broke down."""
    lines = "".join([json.dumps({"op": "cel", **request}) + "\n" for request in requests])
    asked = subprocess.run([server], input=lines, capture_output=True, text=True, check=False, preexec_fn=_bounded)
    if asked.returncode:
        middle = len(requests) // 2
        return [*theirs(server, requests[:middle]), *theirs(server, requests[middle:])] if middle else [None]
    answers = [json.loads(line) for line in asked.stdout.splitlines()]
    odd = ["failed" in answer or UNTOLD in json.dumps(answer.get("result")) for answer in answers]
    return [None if each else comparable(normal(answer)) for each, answer in zip(odd, answers, strict=True)]


def _bounded() -> None:
    """Some servers make lists as long as they are asked to."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def comparable(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what does not matter: what it cost where that was too much, how a server's bug is told."""
    error = answer.get("error", "")
    if error == LIMIT or error.startswith(BUG):
        return {"type": answer["type"], "error": LIMIT if error == LIMIT else BUG}
    return answer


def ours(request: Request, minor: int) -> dict[str, Any]:
    """Our answer, a crash as an error."""
    try:
        found = answered(request, minor)
    except Exception as error:  # noqa: BLE001 - that is what it looks for
        return {"crash": f"{type(error).__name__}: {error}"}
    return comparable(json.loads(json.dumps(found)))


def made_up(minor: int, seed: int, used: Counter[str]) -> Request:
    """A random request."""
    schemas = Schemas(seed)
    schema = schemas.object(3)
    request: Request = {"expr": "", "schema": schema, "self": schemas.data(schema), "oldSelf": schemas.data(schema)}
    if seed % 7 == 0:
        request["optionalOldSelf"] = True
        if seed % 14 == 0:
            del request["oldSelf"]
    if seed % 5 == 0:
        request["env"] = "new"
    maker = Evaluated(seed, *surroundings(request, minor), faults=FAULTS[seed % len(FAULTS)])
    request["expr"] = maker.any(1 + seed % 5)
    used.update(maker.used)
    return request


def differing(server: str, minor: int, requests: list[Request]) -> list[tuple[Request, dict[str, Any], dict[str, Any]]]:
    """The requests that are answered otherwise, however often the server is asked: what Go's maps decide is chance."""
    found = []
    for request, told in zip(requests, theirs(server, requests), strict=True):
        if told is None:
            continue
        mine = ours(request, minor)
        if mine != told and mine not in theirs(server, [request] * AGAIN):
            found.append((request, mine, told))
    return found


def main() -> None:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("server", help="the oracle")
    parser.add_argument("minor", type=int)
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--keep", action="store_true", help="write shrunk disagreements to the corpus")
    options = parser.parse_args()
    used, wrong = Counter[str](), 0
    for first in range(options.first, options.first + options.count, BATCH):
        seeds = range(first, min(first + BATCH, options.first + options.count))
        requests = [made_up(options.minor, seed, used) for seed in seeds]
        for request, mine, told in differing(options.server, options.minor, requests):
            wrong += 1
            row = {"expr": request["expr"], "ours": mine, "theirs": told}
            sys.stdout.write(json.dumps(row, ensure_ascii=False)[:1500] + "\n")
    sys.stdout.write(f"{options.count} expressions, {wrong} differ, {len(used)} overloads used\n")


if __name__ == "__main__":
    main()
