"""Puts random expressions on random data to a server's code and to ours, and tells what differs; see README.md."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.check import Checked
from tests.judges.asking import Judge
from tests.judges.celtypes.ours import Request

from . import answers
from .answers import Answer
from .coverage import Coverage
from .explained import explanation
from .requests import request
from .saved import keep, recorded
from .shrink import shrunk

BATCH, AGAIN, SHOWN = 500, 40, 3


class Find(Record):
    """A request that is answered otherwise, and by which known difference, if it is one."""

    request: Request
    ours: Answer
    theirs: Answer
    known: str | None


def asked(judge: Judge, requests: list[Request]) -> list[Answer | None]:
    """A judge's answers."""
    return [answers.theirs(each) for each in judge.answers([{"op": "cel", **each} for each in requests])]


def differs(judge: Judge, minor: int, request: Request) -> tuple[Answer, Answer] | None:
    """Our answer and a server's, if none of its answers is ours: what Go's maps decide is chance."""
    mine, _ = answers.ours(request, minor)
    told = [each for each in asked(judge, [request] * AGAIN) if each is not None]
    return None if not told or mine in told else (mine, told[0])


class Campaign:
    """Seeds put to a judge batch by batch, ours answered meanwhile."""

    def __init__(self, judge: Judge, minor: int) -> None:
        self.judge, self.minor = judge, minor
        self.coverage, self.finds, self.unanswered = Coverage(minor), list[Find](), 0

    def run(self, seeds: range, deepest: int) -> None:
        """One batch."""
        requests, mine = list[Request](), list[tuple[Answer, Checked | None]]()
        for seed in seeds:
            requests.append(request(self.minor, seed, self.coverage.compiled, deepest))
            mine.append(answers.ours(requests[-1], self.minor))
        told = self.judge.answers([{"op": "cel", **each} for each in requests])
        for each, (answer, checked), raw in zip(requests, mine, told, strict=True):
            their = answers.theirs(raw)
            if their is None:
                self.unanswered += 1
            elif answer == their or not self._found(each):
                self.coverage.add(checked, their)

    def _found(self, each: Request) -> bool:
        pair = differs(self.judge, self.minor, each)
        if pair is not None:
            self.finds.append(Find(each, *pair, explanation(self.minor, each, *pair)))
        return pair is not None

    def report(self) -> str:
        """Differences by what they have in common."""
        groups: dict[str, list[Find]] = defaultdict(list)
        for find in self.finds:
            if find.known is None:
                groups[answers.signature(find.ours, find.theirs)].append(find)
        known = Counter([find.known for find in self.finds if find.known])
        lines = [f"explained: {name} {count}" for name, count in known.items()]
        for name, finds in sorted(groups.items(), key=lambda item: -len(item[1])):
            lines.append(f"{len(finds)} times {name}")
            for find in sorted(finds, key=lambda find: len(find.request["expr"]))[:SHOWN]:
                row = {"expr": find.request["expr"], "ours": find.ours, "theirs": find.theirs}
                lines.append("    " + json.dumps(row, ensure_ascii=False)[:1200])
        return "\n".join(lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("servers", nargs="+", help="the judges, as 37=PROGRAM; the last one is compared with")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--count", type=int, default=1000, help="how many expressions")
    parser.add_argument("--depth", type=int, default=5, help="how deep expressions may be")
    parser.add_argument("--keep", action="store_true", help="make what differs small and add it to the corpus")
    parser.add_argument("--finds", type=Path, help="a file for what differs")
    parser.add_argument("--coverage", type=Path, help="a file for the table of coverage")
    return parser.parse_args()


def main() -> int:
    """Runs it; 1 if anything differs that is not explained."""
    options = _arguments()
    servers = {int(minor): path for minor, _, path in [each.partition("=") for each in options.servers]}
    minor, path = list(servers.items())[-1]
    judge, started, end = Judge(path), time.monotonic(), options.first + options.count
    campaign = Campaign(judge, minor)
    for first in range(options.first, end, BATCH):
        campaign.run(range(first, min(first + BATCH, end)), options.depth)
    unexplained = [find for find in campaign.finds if find.known is None]
    if options.keep:
        small = [shrunk(each.request, minor, lambda other: bool(differs(judge, minor, other))) for each in unexplained]
        keep(recorded(small, servers))
    judge.close()
    if options.finds:
        options.finds.write_text("".join([json.dumps(_row(find)) + "\n" for find in campaign.finds]), "utf-8")
    if options.coverage:
        options.coverage.write_text(campaign.coverage.table() + "\n", "utf-8")
    spent = time.monotonic() - started
    sys.stdout.write(
        f"{campaign.report()}\n{options.count} expressions for 1.{minor} in {spent:.0f} s, {campaign.unanswered} "
        f"unanswered, {len(campaign.finds) - len(unexplained)} differ as explained, {len(unexplained)} otherwise\n"
        f"{campaign.coverage.summary()}\n"
    )
    return bool(unexplained)


def _row(find: Find) -> dict[str, object]:
    return {"request": find.request, "ours": find.ours, "theirs": find.theirs, "known": find.known}


if __name__ == "__main__":
    sys.exit(main())
