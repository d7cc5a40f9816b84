"""Compares this project with Go on any number of patterns, and shows where they differ: see README.md."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from itertools import islice

from protoc_gen_crd.regex import syntax_check
from protoc_gen_crd.regex.character_set_names import ASCII_SETS, CATEGORIES, LOOSE_NAMES, SCRIPTS
from tests.judges.regex.judge import Question, ask_go, ask_here
from tests.judges.regex.large_patterns import LargePatterns
from tests.judges.regex.patterns import BY_HAND, Patterns


def by_seed(seed: int, texts: int) -> Iterator[Question]:
    """Patterns with texts, without end."""
    patterns = Patterns(seed)
    while True:
        pattern = patterns.one()
        yield {"pattern": pattern, "texts": patterns.texts(pattern, texts)}


def large(seed: int, _: int) -> Iterator[Question]:
    """Large patterns, without end; neither library likes to match them."""
    patterns = LargePatterns(seed)
    while True:
        yield {"pattern": patterns.one()}


def by_hand(seed: int, texts: int) -> Iterator[Question]:
    """The list, with texts."""
    patterns = Patterns(seed)
    for pattern in BY_HAND:
        yield {"pattern": pattern, "texts": patterns.texts(pattern, texts)}


def sets(_: int, __: int) -> Iterator[Question]:
    """Every set, as it is and folded: all characters of it."""
    names = [f"\\p{{{name}}}" for name in ["Any", *sorted(CATEGORIES), *sorted(SCRIPTS), *sorted(LOOSE_NAMES)]]
    for name in [*names, *(name.replace("p", "P", 1) for name in names), *(f"[{name}]" for name in ASCII_SETS)]:
        yield {"pattern": name, "characters": True}
        yield {"pattern": f"(?i){name}", "characters": True}


KINDS: dict[str, Callable[[int, int], Iterator[Question]]] = {
    "any": by_seed,
    "large": large,
    "hand": by_hand,
    "sets": sets,
}


def main() -> int:
    """Read the command line, compare, say how many differ."""
    parser = argparse.ArgumentParser()
    parser.add_argument("judge", help="the executable that `go build` makes here")
    parser.add_argument("--kind", choices=KINDS, default="any")
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--texts", type=int, default=4)
    parser.add_argument(
        "--go", type=int, default=syntax_check.LATEST_GO, help="the minor version that the judge is built with"
    )
    options = parser.parse_args()
    different = accepted = count = 0
    questions = islice(KINDS[options.kind](options.seed, options.texts), options.count)
    while batch := list(islice(questions, 2000)):
        for question, theirs in zip(batch, ask_go(options.judge, batch), strict=True):
            ours = ask_here(question, options.go)
            count, accepted, different = count + 1, accepted + ("error" not in theirs), different + (ours != theirs)
            if ours != theirs:
                sys.stdout.write(json.dumps({"asked": question, "go": theirs, "ours": ours}) + "\n")
    sys.stderr.write(f"{count} patterns, {accepted} accepted, {different} differences\n")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
