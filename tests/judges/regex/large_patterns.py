"""Patterns about as deep or as large as Go allows, with alternatives that it rearranges while it counts."""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.regex.syntax_check import check
from tests.judges.regex.patterns import ATOMS, BROKEN, QUANTIFIERS, Patterns

# What nests, and by how much in Go's tree.
DEEP = [
    ("(", ")", 1),
    ("(?:a", ")", 1),
    ("(?:", ")*", 1),
    ("(", ")*", 2),
    ("(?:b|a", ")", 2),
    ("(?:a|a", ")", 2),
    ("(?:ab|a", ")", 2),
    ("(?:", "|b)", 1),
    ("(?:", "|bc)", 1),
    ("(?:a", "|ab)", 2),
    ("(", "|b)", 2),
    ("(?:[ab]", "|[ab]c)", 2),
    ("(?:x", ")?y", 2),
    ("(?:", "a)+", 2),
    ("(?:", "){1}", 1),
    ("(?i:k", ")", 1),
    ("(?:", ")", 1),
    ("a(?:b|", ")", 2),
]
INNER = ["a", "", "ab", "[ab]", "a|b", "a|bc", "ab|ac", "a*", "x{2}", ".", "\\pL", "(?i)k", "(a)", "(a|ab)"]
UNITS = [
    *("a", "ab", "[ab]", "(a)", "(?:a|bc)", "(?:ab|ac)", "(?:a*)", "(?i:k)", "(?:a|bc|bd)"),
    *("(?:[ab]c|[ab]d)", "(?:ab{2}|ac)", "(?:x|(?:a|b)c|(?:a|b)d)", "(?:)", "(?:a||b)"),
    *("[A-a]", "[Aa]", "[Kk]", "[K]", "(?i:[a])", "(?i:[k])", "[Ā-ā]", "(?:a|A)", "(?:a|(?s)a)", "(?:.|a|\\n)"),
]
FILLS = [
    *("a", "ab", "[ab]", "(a)", "(?:a|bc)", "(?:ab|acd|ae)", "a*", "(?i:k)", "a{2}"),
    *("(?:[ab]c|[ab]dd)", "(?:a{3}|a{3}b)", "[A-a]", "[Kk]", "[Ā-ā]", "(?i:a)b", "(?:a|(?s)a)", "(?:)", "\\d"),
]
STEPS = [
    "a",
    "ab",
    "[ab]",
    "a[bc]",
    "(a)",
    "a*",
    ".",
    "(?i:a)",
    "a{2}",
    "\\w",
    "ab{3}",
    "[A-a]",
    "[Aa]",
    "(?i:b)c",
    "(?:a|b)",
]
COUNTS = [1, 2, 3, 9, 10, 31, 32, 33, 63, 99, 100, 101, 333, 500, 998, 999, 1000]


class LargePatterns(Patterns):
    """An endless supply; the same for the same seed, as long as this project answers the same."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.makers = {
            self.deep: 3,
            self.bushy: 3,
            self.counted: 3,
            self.prefixes: 2,
            self.mixed: 2,
            self.edge_of_depth: 2,
            self.edge_of_size: 3,
        }

    def deep(self) -> str:
        """Nested about a thousand times, in one of many ways."""
        opening, closing, height = self.choice(DEEP)
        depth = max(0, (1000 + self.random.randint(-6, 6)) // height + self.choice((-1, 0, 0, 1)))
        rest = self.choice(("", "", "z", "|z", "|(", ")", "*"))
        return self.choice(("", "", "a", "(b)", "b|")) + opening * depth + self.choice(INNER) + closing * depth + rest

    def prefixes(self) -> str:
        """Alternatives of which each begins like the one before."""
        step, tail = self.choice(STEPS), self.choice(("", "x", "[xy]", "(x)", "|"))
        count = self.choice((3, 40, 330, 500, 700, 1000, 1003)) // self.choice((1, 2, 3, 8))
        texts = [step * at + tail for at in range(1, count + 1)]
        if self.random.random() < 0.3:
            self.random.shuffle(texts)
        opening, closing = self.choice((("", ""), ("(", ")"), ("(?:", ")*"), ("(((", "){10}){10}){10}")))
        return (opening + "|".join(texts) + closing)[:60000]

    def counted(self) -> str:
        """Counts that multiply to about what Go allows."""
        opening = "(" * self.random.randint(0, 2)
        part = opening + self.choice(UNITS) * self.choice((1, 2, 5, 30, 70)) + ")" * len(opening)
        while self.random.random() < 0.9 and len(part) < 30000:
            count = self.choice(COUNTS)
            counts = f"{{{count}}}", f"{{{count},}}", f"{{0,{count}}}", f"{{{count // 2},{count}}}"
            shape = self.choice(("(?:{}){}", "({}){}", "{1}({0}){1}", "(?:{0}|x){1}", "(?:x{0}|xy){1}", "{0}{0}{0}"))
            part = shape.format(part, self.choice((*counts, "*", "?")))
        return part * self.choice((1, 1, 1, 2, 3, 4, 30, 300)) if len(part) < 300 else part

    def bushy(self) -> str:
        """A long pattern of some depth."""
        parts = [self.pattern(self.random.randint(1, 4)) for _ in range(self.choice((20, 60, 200)))]
        return self.choice(("|", "")).join(part for part in parts if check(part) is None)[:20000]

    def mixed(self) -> str:
        """A large pattern with something else put in."""
        pattern = self.choice((self.deep, self.prefixes, self.counted, self.bushy))()
        at = self.random.randint(0, len(pattern))
        return pattern[:at] + self.choice([*BROKEN, *QUANTIFIERS, *ATOMS]) + pattern[at:]

    def edge_of_depth(self) -> str:
        """A pattern just below or at the rejected nesting depth."""
        (opening, closing, _), (outer, end, _) = self.choice(DEEP), self.choice(DEEP)
        inner, rest, levels = self.choice(INNER), self.choice(("", "z", "|z", "|ab")), self.choice((0, 1, 3, 90))
        return self.edge(lambda size: outer * levels + opening * size + inner + closing * size + end * levels + rest)

    def edge_of_size(self) -> str:
        """A pattern just below or at the rejected size."""
        unit = self.choice(UNITS) + self.choice(("{1000}", "{999,}", "{10,1000}", "{0,500}"))
        opening, closing = self.choice((("", ""), ("(", ")"), ("(?:", "|x)"), ("(?:x|", ")*"), ("(?:xy|x", ")")))
        fill, units = self.choice(FILLS), rejected_from(lambda size: opening + unit * size + closing, 7000) - 1
        return self.edge(lambda size: opening + unit * units + fill * size + closing)

    def edge(self, grown: Callable[[int], str]) -> str:
        """One of the two patterns between which the answer changes."""
        return grown(rejected_from(grown, 3000) + self.choice((-1, 0)))


def rejected_from(grown: Callable[[int], str], most: int) -> int:
    """Return the smallest size from 1 on at which the pattern is rejected, at most `most`."""
    accepted = 0
    while most - accepted > 1:
        middle = (accepted + most) // 2
        accepted, most = (accepted, middle) if check(grown(middle)) else (middle, most)
    return most
