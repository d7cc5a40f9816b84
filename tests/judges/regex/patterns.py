"""Patterns and texts to ask about: nasty ones by hand, and any number by seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from protoc_gen_crd.regex.character_set_names import ASCII_SETS, CATEGORIES, LOOSE_NAMES, SCRIPTS

BY_HAND = Path(__file__).with_name("by_hand.txt").read_text(encoding="utf-8").split("\n")[:-1]

# Long s, Kelvin and final sigma fold in odd ways; U+0378 is no character, U+0345 a mark that folds to letters.
_ODD = "\xe9 \xdf \u017f \u212a \u0130 \u03c3 \u03c2 \u03a3 \u01c5 \u01c6 \u6f22 \U0001f600 \u0345 \u0378 \u2028"
_PLAIN = "a b c x A K S k s 0 9 _ - , : = < > / } ] # & ~ ! \" ' % @ ;"
_ESCAPES = r". ^ $ \A \z \b \B \d \D \s \S \w \W \n \t \. \\ \* \x41 \x{3b1} \101 \0 \Qa.b\E"
_BROKEN = r"\ \C \Z \1 \8 \p \p{ \pq \x \x{ \xz ( ) [ [^ [: :] (? (?P (?P< (?< (?: (?i (?=a) (?!a) { {, {1 {1,2 {2,1}"
_MORE_BROKEN = r"{1001} } ] \E \Q * + ? ** | || & (?x) \é"
_QUANTIFIERS = "* + ? *? +? ?? {2} {0} {0,1} {1,} {2,5} {3}? {0,0} {1} {0,} {2,}? {10} {1000}"
_GROUPS = "( ( ( (?: (?: (?P<n> (?<m> (?i: (?s: (?m: (?U: (?-i: (?is-m: (?U-i: ((?i) ((?m-s)"

ODD = _ODD.split(" ")
ATOMS = [*_PLAIN.split(" "), *ODD, *_ESCAPES.split(" "), " ", "\t", "\n", "\r", "\x00", "\x7f", "\x85", "\U0010ffff"]
BROKEN = [*_BROKEN.split(" "), *_MORE_BROKEN.split(" ")]
QUANTIFIERS = _QUANTIFIERS.split(" ")
GROUPS = _GROUPS.split(" ")
FLAGS = ["(?i)", "(?s)", "(?m)", "(?U)", "(?-i)", "(?im-s)"]
SETS = [sorted(CATEGORIES), sorted(SCRIPTS), sorted(LOOSE_NAMES)]
RESPELT: list[Callable[[str], str]] = [
    str,
    str,
    str.lower,
    str.upper,
    "^{}".format,
    lambda name: name.replace("_", " "),
]
TEXT_CHARACTERS = "abcxABCKSks019_-,.:\n\t\r \x00\x7f" + "".join(ODD)


class Patterns:
    """An endless supply; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 - what was found must be found again
        self.choice = self.random.choice
        self.makers: dict[Callable[[], str], int] = {
            lambda: self.pattern(self.random.randint(0, 4)): 50,
            lambda: self.mutated(self.pattern(self.random.randint(0, 3))): 25,
            lambda: self.mutated(self.choice(BY_HAND)): 15,
            self.soup: 10,
        }

    def one(self) -> str:
        """The next pattern."""
        [make] = self.random.choices(list(self.makers), list(self.makers.values()))
        return make()

    def texts(self, pattern: str, count: int) -> list[str]:
        """Texts of characters that the pattern may care for."""
        characters = TEXT_CHARACTERS + pattern
        return ["".join(self.random.choices(characters, k=self.choice((0, 1, 2, 3, 5, 9)))) for _ in range(count)]

    def pattern(self, depth: int) -> str:
        """A pattern that is mostly well formed."""
        branches = ["".join(self.part(depth) for _ in range(self.choice((0, 1, 1, 2, 2, 3, 4))))]
        while self.random.random() < 0.25:
            branches.append("".join(self.part(depth) for _ in range(self.choice((0, 1, 1, 2, 3)))))
        return "|".join(branches)

    def part(self, depth: int) -> str:
        """A group, class, character or mistake, perhaps repeated."""
        kind = self.random.random()
        if depth and kind < 0.35:
            atom = self.choice(GROUPS) + self.pattern(depth - 1) + ")"
        elif kind < 0.55:
            atom = self.character_class()
        elif kind < 0.6:
            atom = self.unicode_set()
        elif kind < 0.64:
            atom = self.choice(BROKEN if kind < 0.62 else FLAGS)
        else:
            atom = self.choice(ATOMS)
        return atom + (self.choice(QUANTIFIERS) if self.random.random() < 0.35 else "")

    def unicode_set(self) -> str:
        """Some spelling of a name, not always known."""
        name = self.choice(RESPELT)(self.choice(self.choice(SETS)))
        return self.choice(("\\p", "\\P")) + (name if len(name) == 1 else f"{{{name}}}")

    def character_class(self) -> str:
        """Any members in brackets."""
        members = "".join(self.member() for _ in range(self.choice((1, 1, 2, 3, 4))))
        return "[" + self.choice(("", "", "^")) + members + self.choice(("", "", "", "-")) + "]"

    def member(self) -> str:
        """A range, mostly in order, a set or a character."""
        kind = self.random.random()
        if kind < 0.35:
            bounds = self.random.choices(TEXT_CHARACTERS + "aazzAAZZ0099", k=2)
            return "-".join(sorted(bounds) if kind < 0.33 else bounds)
        if kind < 0.45:
            return self.choice(sorted(ASCII_SETS)).replace("[:", self.choice(("[:", "[:", "[:^")))
        if kind < 0.52:
            return self.unicode_set() if kind < 0.5 else self.choice(BROKEN)
        return self.choice(ATOMS)

    def mutated(self, pattern: str) -> str:
        """A pattern with a few characters lost, doubled, moved or put in."""
        for _ in range(self.choice((1, 1, 2, 3))):
            at, to = sorted(self.random.randint(0, len(pattern)) for _ in range(2))
            head, middle, tail = pattern[:at], pattern[at:to], pattern[to:]
            added = self.choice(self.choice((BROKEN, ATOMS, QUANTIFIERS)))
            changed = (head + tail, head + middle * 2 + tail, middle + head + tail, head + middle[1:] + tail)
            pattern = self.choice((*changed, head + added + middle + tail, head + added + middle + tail))[:400]
        return pattern

    def soup(self) -> str:
        """Pieces in any order."""
        pieces = [*BROKEN, *QUANTIFIERS, *"abc(((())))||[[[]]]^^--::,,{}19\\\\\\"]
        return "".join(self.random.choices(pieces, k=self.random.randint(1, 12)))
