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
from .shrink import shrunk

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


def made_up(minor: int, seed: int, used: Counter[str], deepest: int = 5) -> Request:
    """A random request."""
    schemas = Schemas(seed)
    schema = schemas.object(min(deepest, 3))
    request: Request = {"expr": "", "schema": schema, "self": schemas.data(schema), "oldSelf": schemas.data(schema)}
    if seed % 7 == 0:
        request["optionalOldSelf"] = True
        if seed % 14 == 0:
            del request["oldSelf"]
    if seed % 5 == 0:
        request["env"] = "new"
    maker = Evaluated(seed, *surroundings(request, minor), faults=FAULTS[seed % len(FAULTS)])
    request["expr"] = maker.any(1 + seed % deepest)
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


def recorded(requests: list[Request], servers: dict[int, str]) -> list[list[Any]]:
    """Lines of the corpus: a request, and the answers by version, left out where they are as those before."""
    by_version = {minor: theirs(servers[minor], requests) for minor in sorted(servers)}
    rows = []
    for place, request in enumerate(requests):
        told: dict[str, Any] = {}
        last: Any = Ellipsis
        for minor, answers in by_version.items():
            if answers[place] != last:
                told[str(minor)] = last = answers[place]
        rows.append([request, told])
    return rows


def keep(rows: list[list[Any]]) -> None:
    """Adds lines to the corpus."""
    known = CORPUS.read_text("utf-8").splitlines() if CORPUS.exists() else []
    lines = [json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows]
    CORPUS.write_text("".join([f"{line}\n" for line in (*known, *[new for new in lines if new not in known])]), "utf-8")


def main() -> None:
    """Runs it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="+", help="the judges, as 37=PROGRAM; the last one is compared with")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many expressions")
    parser.add_argument("--depth", type=int, default=5, help="how deep expressions may be")
    parser.add_argument("--keep", action="store_true", help="make what differs small and add it to the corpus")
    parser.add_argument("--record", action="store_true", help="add all expressions to the corpus")
    options = parser.parse_args()
    servers = {int(minor): path for minor, _, path in [each.partition("=") for each in options.servers]}
    minor, server = list(servers.items())[-1]
    used, wrong, rows = Counter[str](), 0, []
    for first in range(options.first, options.first + options.count, BATCH):
        seeds = range(first, min(first + BATCH, options.first + options.count))
        requests = [made_up(minor, seed, used, options.depth) for seed in seeds]
        rows += recorded(requests, servers) if options.record else []
        for request, mine, told in differing(server, minor, requests):
            wrong += 1
            row = {"expr": request["expr"], "ours": mine, "theirs": told}
            sys.stdout.write(json.dumps(row, ensure_ascii=False)[:1500] + "\n")
            if options.keep:
                small = shrunk(request, minor, lambda other: bool(differing(server, minor, [other])))
                rows += recorded([small], servers)
    keep(rows)
    sys.stdout.write(f"{options.count} expressions, {wrong} differ, {len(used)} overloads used\n")


if __name__ == "__main__":
    main()
