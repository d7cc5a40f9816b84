"""Values to print, of every kind and in every position, drawn from a seed: the same seed gives the same values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

TESTDATA = Path(__file__).parents[3] / "testdata" / "yamlwrite"


def _noted_in(name: str) -> list[object]:
    return [json.loads(line) for line in (TESTDATA / name).read_text().splitlines()]


# Strings with a meaning, an indicator or a character that some rule looks at. Each is drawn as it is and with changes.
NOTED = list(map(str, _noted_in("noted.jsonl")))

ALPHABETS = [
    "ab -:#?,[]{}&*!|>'\"%@`~=<$^()/\\_.",
    "0123456789+-._eExXoObB:TtZz ,",
    "ab \n",
    "ab \n\u2028\u2029",
    "ab '\u2028\u2029:",
    "aé中ü \xa0\u200b\u3000",
    'a \t\r\x00\x1f"\\',
    "a \x85\u2028",
    "a \ufeff😀",
    "a\x7f\x80\x9f\ufffe\uffff ",
    "a\ud800\udc00\udbff\udfff ",
    "truefalsnoyTRUEFALSNOY",
]
KEY_ALPHABETS = ["abAB", "ab01-", "a0019", "aZ_.-$/", "aé中0٣9", "ab \n", "09", "a1-é😀 :", "x\u2028\x85 'y"]

# Strings to fold where the lines start around and beyond the fold column.
BEYOND = ["a b  c d", " a b: c  d ", "a b\t  c d", "a\n b\n", "'\u2028a b"]


def strings(random: Random) -> str:
    """A string of some kind."""
    return random.choice((_noted, _changed, _soup, _soup, _prose, _prose, _lines, _near_fold, _moment, _digits))(random)


def _noted(random: Random) -> str:
    return random.choice(NOTED)


def _changed(random: Random) -> str:
    parts = [_noted(random), random.choice(("", "a", " ", "0", "_", ":", "\n", _noted(random)))]
    random.shuffle(parts)
    return "".join(parts)


def _soup(random: Random) -> str:
    return "".join(random.choices(random.choice(ALPHABETS), k=int(random.paretovariate(0.6)) % 200))


def _prose(random: Random) -> str:
    """Words up to several lines long, with what makes them quoted in some, and runs of blanks in some."""
    marks = random.choice(("", "", ": ", " #", "'", '"', "\t", "'\": ", "é", "😀", "- ", "\u2028"))
    gaps = random.choice((" ", " ", "  ", "     "))
    words = []
    for _ in range(random.randrange(1, random.choice((4, 20, 60)))):
        words.append("".join(random.choices("abcdefgh", k=random.randrange(1, random.choice((3, 9, 9, 40, 120))))))
        words.append(" " if random.random() < 0.9 else random.choice((gaps, marks, marks + " ")))
    return "".join(words).strip(random.choice(" \t"))


def _lines(random: Random) -> str:
    start = random.choice(("", " ", "  ", "\t", "- "))
    lines = [random.choice(("", start, start + _prose(random)[:90])) for _ in range(random.randrange(1, 6))]
    end = random.choice(("", "\n", "\n\n", " ", " \n", "\u2028"))
    return random.choice(("", "", "\n", " ")) + "\n".join(lines) + end


def _near_fold(random: Random) -> str:
    """A first word that ends around the fold column, wherever it starts."""
    text = "x" * random.randrange(55, 84) + random.choice((" ", "  ", " ' ", " \t ", " : ", ": "))
    text += " ".join("y" * random.randrange(1, 84) for _ in range(random.randrange(4)))
    return random.choice(("", " ")) + text + random.choice(("", " ", "z"))


def _moment(random: Random) -> str:
    def field(limit: int) -> str:
        return f"{random.randrange(limit + 2):0{random.choice((1, 2))}d}"

    zone = random.choice(("", "Z", "z", f"{random.choice('+-')}{field(25)}:{field(61)}"))
    clock = f"{field(24)}:{field(60)}:{field(60)}{random.choice(('', '.5', ',123456789012', '.'))}{zone}"
    date = f"{random.randrange(10000):04d}-{field(12)}-{field(31)}"
    return date + random.choice(("", "T" + clock, "t" + clock, " " + clock, "  " + clock))


def _digits(random: Random) -> str:
    choice = random.choice
    digits = choice(("0123456789", "01", "01234567", "0123456789abcdefA_"))
    body = "".join(random.choices(digits, k=random.randrange(1, 25)))
    return choice(("", "+", "-")) + choice(("", "0", "0x", "0o", "0b", ".")) + body + choice(("", "e5", ".5", ":30"))


def numbers(random: Random) -> int | float:
    """An integer or a float of any size."""
    edge = random.choice((2**53, 2**63, 2**64, 10**21, 10**6, 0)) * random.choice((1, -1)) + random.randrange(-2, 3)
    return random.choice(
        (
            edge,
            float(edge),
            random.randrange(-(10 ** random.randrange(1, 25)), 10 ** random.randrange(1, 25)),
            random.randrange(-1000, 1000) * 10.0 ** random.randrange(-12, 25),
            float(f"{random.uniform(-10, 10):.{random.randrange(17)}f}e{random.randrange(-320, 300)}"),
            random.uniform(-1e7, 1e7),
        )
    )


def keys(random: Random) -> str:
    """A key: mostly short, some that need quotes or the `? ` form."""
    kind = random.randrange(8)
    if kind == 0:
        return strings(random)
    if kind == 1:
        return random.choice(("é", "k", "' ", "\t")) * random.randrange(20, 135) + _noted(random)
    return "".join(random.choices(random.choice(KEY_ALPHABETS), k=random.randrange(1, 8)))


def leaves(random: Random) -> object:
    """A value without items."""
    kind = random.randrange(12)
    if kind == 0:
        return random.choice((None, True, False, {}, []))
    return numbers(random) if kind == 1 else strings(random)


def trees(random: Random, depth: int) -> object:
    """Maps and lists in each other, up to some levels deep."""
    kind = random.randrange(3) if depth else 0
    if kind == 0:
        return leaves(random)
    if kind == 1:
        return [trees(random, depth - 1) for _ in range(random.randrange(4))]
    return {keys(random): trees(random, depth - 1) for _ in range(random.randrange(5))}


def deep(random: Random) -> object:
    """A leaf at any depth, beyond the fold column in some."""
    value = leaves(random)
    for _ in range(random.choice((1, 2, 5, 15, 60))):
        value = random.choice([{"k": value}, {"key": value}, [value], [0, value], {"a" * 150: value}])
    return value


def _within_lists(text: str, depth: int) -> object:
    value: object = {"k": text}
    for _ in range(depth):
        value = [value]
    return value


def values(seed: int, count: int) -> Iterator[object]:
    """This many values, starting with every noted string as value, as key and as item, and with deep ones."""
    random = Random(seed)  # noqa: S311 - repeatable, not secret
    yield from _noted_in("noted-values.jsonl")
    yield from ({text: text, "list": [text, {text: [text]}]} for text in NOTED)
    yield from (_within_lists(text, depth) for text in BEYOND for depth in range(38, 43))
    positions: list[Callable[[], object]] = [
        lambda: leaves(random),
        lambda: {"description": strings(random)},
        lambda: {keys(random): strings(random)},
        lambda: [strings(random), [leaves(random)]],
        lambda: {keys(random): 1 for _ in range(random.randrange(1, 12))},
        lambda: trees(random, 4),
        lambda: deep(random),
    ]
    for _ in range(count):
        yield random.choice(positions)()
