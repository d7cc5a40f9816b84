"""Random probes put to a judge and to us: what differs is grouped, explained where it can be, and kept."""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
import traceback
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.record import Record
from tests.conformance.crd_verdicts import differing, normal
from tests.judges.asking import Judge

Answer = dict[str, Any]
Probe = dict[str, Any]  # as the tables of verdicts have it: id, op, input
AGAIN = 40  # times a judge is asked where Go's maps may decide
BATCH = 200
_MESSAGE_MEMBERS = ("errors", "decode", "status", "warnings", "strict", "compile", "error")


class Find(Record):
    """A probe with different answers: ours, the judge's, and the name of the known difference, if any."""

    probe: Probe
    ours: Answer
    theirs: Answer
    known: str | None


class Subject(ABC):
    """The subject of a fuzz campaign, for servers of `minor`."""

    def __init__(self, minor: int) -> None:
        self.minor = minor

    def meet(self, judge: Judge) -> None:  # noqa: B027 - for heirs
        """Query a judge before the campaign."""

    @abstractmethod
    def probe(self, seed: int) -> Probe:
        """Return the probe of a seed."""

    @abstractmethod
    def ours(self, probe: Probe) -> Answer:
        """Return our answer."""

    @abstractmethod
    def fate(self, theirs: Answer) -> str:
        """Return the outcome of a probe, which the report counts."""

    def normalize(self, answer: Answer | None) -> Answer | None:
        """Return a judge's answer in our form; None if the judge could not run the probe."""
        return None if answer is None or "failed" in answer else normal(answer)

    def known(self, ours: Answer, theirs: Answer) -> str | None:
        """Return the name of a known difference, None for an unknown one."""
        return None

    def agreed(self, probe: Probe, theirs: Answer) -> None:  # noqa: B027 - for heirs
        """Note a probe with equal answers."""

    def after(self) -> None:  # noqa: B027 - for heirs
        """Run after each batch."""

    def report(self) -> str:
        """Return the report at the end of a run."""
        return ""


class Campaign:
    """A run of probes, in batches that the judge and this project answer in parallel."""

    def __init__(self, judge: Judge, subject: Subject, keep: Path | None = None) -> None:
        self.judge, self.subject, self.keep = judge, subject, keep
        self.finds, self.fates = list[Find](), Counter[str]()

    def run(self, probes: Iterable[Probe]) -> None:
        """Run all probes; unknown differences are written to `keep` at once."""
        for batch in _batches(probes):
            coming = self.judge.validate([_sent(row) for row in batch])
            mine = [self._ours(row) for row in batch]
            for probe, ours, answer in zip(batch, mine, coming.result(), strict=True):
                self._compare(probe, ours, answer)
            self.subject.after()

    def differs(self, probe: Probe) -> tuple[Answer, Answer] | None:
        """Return our answer and the judge's, None if one of its answers is ours: the order of Go's maps is random."""
        mine = self._ours(probe)
        normalized = [self.subject.normalize(answer) for answer in self.judge.answers([_sent(probe)] * AGAIN)]
        answers = [answer for answer in normalized if answer is not None]
        return None if not answers or mine in answers else (mine, answers[0])

    def _ours(self, probe: Probe) -> Answer:
        try:
            return self.subject.ours(probe)
        except Exception:  # noqa: BLE001 - whatever it is, it is a find
            return {"raised": traceback.format_exc(limit=-4)}

    def _compare(self, probe: Probe, ours: Answer, answer: Answer | None) -> None:
        theirs = self.subject.normalize(answer)
        if theirs is None:
            reason = "it ended" if answer is None else str(answer["failed"]).partition("\n")[0][:60]
            self.fates[f"unanswered, {reason}"] += 1
            return
        self.fates[self.subject.fate(theirs)] += 1
        pair = self.differs(probe) if ours != theirs else None
        if pair is None:
            self.subject.agreed(probe, theirs)
            return
        self.finds.append(Find(probe, *pair, self.subject.known(*pair)))
        if self.keep and self.finds[-1].known is None:
            with self.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(probe) + "\n")

    def describe(self, limit: int) -> Iterator[str]:
        """Describe known differences by name, and others in groups with the smallest probes of each."""
        for name, count in Counter([find.known for find in self.finds if find.known]).items():
            yield f"known: {count} times {name}"
        groups: dict[str, list[Find]] = defaultdict(list)
        for find in self.unknown():
            groups[_signature(find.ours, find.theirs)].append(find)
        for name, finds in sorted(groups.items(), key=lambda item: -len(item[1])):
            yield f"{len(finds)} times {name}"
            for find in sorted(finds, key=lambda find: len(json.dumps(find.probe)))[:limit]:
                yield f"  {find.probe['id']} {json.dumps(find.probe['input'])[:2500]}"
                for key, (mine, other) in differing(find.ours, find.theirs).items():
                    yield f"    {key}\n      us  {mine!r}\n      srv {other!r}"[:1500]

    def unknown(self) -> list[Find]:
        """Return the differences without an explanation."""
        return [find for find in self.finds if find.known is None]


def _batches(probes: Iterable[Probe]) -> Iterator[list[Probe]]:
    coming = iter(probes)
    while batch := list(islice(coming, BATCH)):
        yield batch


def _sent(probe: Probe) -> Answer:
    return {"op": probe["op"], **probe["input"]}


def _signature(ours: Answer, theirs: Answer) -> str:
    if "raised" in ours:
        return str(ours["raised"]).strip().rsplit("\n", 1)[-1]
    members = differing(ours, theirs)
    pairs = [pair for key, pair in members.items() if key in _MESSAGE_MEMBERS]
    first, other = [{text for pair in pairs for text in _texts(pair[side])} for side in (0, 1)]
    words = [_gist(text) for text in sorted((first - other) | (other - first))[:2]]
    return f"{'+'.join(sorted(members))} {' | '.join(words)}"


def _texts(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    return [] if value is None else str(value).split("\n")


def _gist(text: str) -> str:
    return re.sub(r"\d+", "#", re.sub(r"'[^']*'|\"[^\"]*\"", "'...'", text.partition(": ")[2] or text))[:90]


def main(subject: Callable[[int], Subject], doc: str | None) -> int:
    """Run what the command line asks for; 1 if anything differs that is not known."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("judge", help="a program that answers a JSON line with a JSON line")
    parser.add_argument("minor", type=int, help="the minor version of the server")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--probes", type=Path, help="a file of probes to send instead of random ones")
    parser.add_argument("--keep", type=Path, help="a file to which differences are appended")
    parser.add_argument("--show", type=int, default=2, help="the number of differences to print per group")
    arguments = parser.parse_args()
    probe_source, judge, started = subject(arguments.minor), Judge(arguments.judge), time.monotonic()
    probe_source.meet(judge)
    probes = (probe_source.probe(seed) for seed in range(arguments.seed, arguments.seed + arguments.count))
    if arguments.probes:
        probes = (json.loads(line) for line in arguments.probes.read_text("utf-8").splitlines())
    campaign = Campaign(judge, probe_source, arguments.keep)
    campaign.run(probes)
    judge.close()
    wrong, spent = len(campaign.unknown()), time.monotonic() - started
    known = len(campaign.finds) - wrong
    end = f"1.{arguments.minor}: {dict(campaign.fates)} in {spent:.0f} s, {known} differ as known, {wrong} otherwise"
    sys.stdout.write("\n".join([*campaign.describe(arguments.show), probe_source.report(), end]) + "\n")
    return bool(wrong)
