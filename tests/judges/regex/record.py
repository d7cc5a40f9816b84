"""Records what Go answers, for tests without Go: see README.md."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from protoc_gen_crd.regex.syntax_check import LATEST_GO
from tests.judges.regex.campaign import by_hand, by_seed, sets
from tests.judges.regex.judge import Question, ask_go, digest
from tests.judges.regex.large_patterns import DEEP, FILLS, UNITS, rejected_from
from tests.judges.regex.patterns import BY_HAND

TESTDATA = Path(__file__).parents[3] / "testdata" / "regex"
BEFORE_LOOSE_NAMES = 24
Parts = list[tuple[str, int]]


def main() -> None:
    """Arguments are `<minor version>=<judge>`, with every version from 19 to the latest."""
    judges = {int(version): judge for version, _, judge in (argument.partition("=") for argument in sys.argv[1:])}
    write("verdicts", verdicts(judges[LATEST_GO]))
    write("limits", limits(judges[LATEST_GO]))
    write("sets", characters(judges))
    write("versions", versions(judges))


def write(name: str, rows: Iterable[object]) -> None:
    """One file of rows."""
    lines = (json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    (TESTDATA / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")


def verdicts(judge: str) -> Iterator[object]:
    """Patterns with Go's text, or with texts and all that is found in each."""
    short = (question for question in by_seed(1, 3) if len(question["pattern"]) < 60)
    questions = [*by_hand(1, 4), *islice(short, 1500)]
    for question, answer in zip(questions, ask_go(judge, questions), strict=True):
        if "error" in answer:
            yield {"pattern": question["pattern"], "error": answer["error"]}
        else:
            yield {**question, "all": answer["all"]}


def limits(judge: str) -> Iterator[object]:
    """Patterns as texts and how often each is repeated, with Go's error for the whole pattern, or null."""
    edges = [parts for grown in growing() for parts in edge(grown)]
    questions: list[Question] = [{"pattern": spelt(parts)} for parts in edges]
    for parts, question, answer in zip(edges, questions, ask_go(judge, questions), strict=True):
        reason = (
            answer.get("error", "").removeprefix("error parsing regexp: ").removesuffix(f": `{question['pattern']}`")
        )
        yield {"parts": parts, "reason": reason or None}


def growing() -> Iterator[Callable[[int], Parts]]:
    """Patterns that are rejected from some size on."""
    for opening, closing, _ in DEEP:
        yield partial(_nested, opening, "ab|ac", closing)
    for fill in FILLS[::3]:
        yield partial(_filled, fill)
    for unit in [unit for unit in UNITS if "{" not in unit][::3]:
        yield partial(_repeated, unit)


def _nested(opening: str, inner: str, closing: str, size: int) -> Parts:
    return [(opening, size), (inner, 1), (closing, size)]


def _filled(fill: str, size: int) -> Parts:
    return [("(?:xy|x", 1), ("[ab]{1000}", 3354), (fill, size), (")", 1)]


def _repeated(unit: str, size: int) -> Parts:
    return [("(?:xy|x", 1), (f"(?:{unit * 9}){{1000}}", size), (")", 1)]


def edge(grown: Callable[[int], Parts]) -> Iterator[Parts]:
    """The largest accepted and the smallest rejected size of a pattern, for Go to confirm."""
    smallest = rejected_from(lambda size: spelt(grown(size)), 1100)
    yield from (grown(smallest - 1), grown(smallest))


def spelt(parts: Parts) -> str:
    """The pattern."""
    return "".join(text * count for text, count in parts)


def characters(judges: dict[int, str]) -> Iterator[object]:
    """A digest of every set, and of those that were others before Go 1.25."""
    latest: dict[str, str] = {}
    for version in (LATEST_GO, BEFORE_LOOSE_NAMES):
        questions = [question for question in sets(0, 0) if "\\P" not in question["pattern"]]
        for question, answer in zip(questions, ask_go(judges[version], questions), strict=True):
            pattern, digested = question["pattern"], digest(answer.get("characters", []))
            if "error" not in answer and latest.get(pattern) != digested:
                yield {"go": version, "pattern": pattern, "digest": digested}
                latest[pattern] = digested


def versions(judges: dict[int, str]) -> Iterator[object]:
    """Patterns of which versions of Go think differently: each text, or null, by the first version that gives it."""
    patterns = dict.fromkeys(
        [*BY_HAND, *(question["pattern"] for question in sets(0, 0) if question["pattern"].startswith("\\p"))]
    )
    questions: list[Question] = [{"pattern": pattern} for pattern in patterns]
    answers = [[answer.get("error") for answer in ask_go(judges[version], questions)] for version in sorted(judges)]
    for pattern, errors in zip(patterns, zip(*answers, strict=True), strict=True):
        changes = [at for at in range(len(errors)) if at == 0 or errors[at] != errors[at - 1]]
        if len(changes) > 1:
            yield {"pattern": pattern, "errors": {sorted(judges)[at]: errors[at] for at in changes}}


if __name__ == "__main__":
    main()
