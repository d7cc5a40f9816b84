"""Random workloads for the arguments of markers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import get_args

from protoc_gen_crd.markers.marker_argument_parser import (
    CT_0_20,
    CT_0_23,
    DEFAULT,
    Argument,
    ArgumentType,
    MarkerDefinition,
    parse_marker,
)
from tests.property.workloads.draws import Outcome

_DEFINITION = MarkerDefinition((
    Argument("rule", "STRING"),
    Argument("message", "STRING", optional=True),
    Argument("many", "STRINGS", optional=True),
    Argument("flag", "BOOL", optional=True),
))  # fmt: skip
_NUMBERS = tuple([MarkerDefinition((Argument("", kind),)) for kind in get_args(ArgumentType)])
_DIGITS = (
    "0", "1", "9", "10", "007", "253", "65536", "-1", "+5", "1e3", "1.0", "0x1f", "1_0", "\u0663", "", " 1", "1 ",
    "999999999999999", "9007199254740993", "99999999999999999999",
)  # fmt: skip
_NAMES = ("rule", "rule", "rule", "message", "message", "many", "flag", "rul", "élan", "_rule", "r1")
_VALUES = (
    '"a"', '"a"', '"self.a > 1, b"', '""', '"é"', '"a;b"', '"a:b}"', "\"it's\"", "`a`", "a", "a b", "'a'", "true",
    r'"a\nb"', r'"\x41"', r'"\\"', r'"a\"b"', r'"\\\""', r'"\q"', '"a', '"a"b', '"a" ', ' "a"', '"\0"', '"a\rb"',
    '"a\ufeffb"', '"[a"',
)  # fmt: skip
_SEPARATORS = (",", ",", ",", ",", ", ", " ,", "", ",,", ";")


def _draw_arguments(random: Random) -> str:
    """The text after the name of a marker: mostly quoted strings, some of them invalid or in another form."""
    text = random.choice((":", ":", ":", ":", ": ", "", "=", ":\ufeff"))
    for _ in range(random.randint(1, 3)):
        equals = random.choice(("=", "=", "=", "=", " =", "= ", "=="))
        text += f"{random.choice(_NAMES)}{equals}{random.choice(_VALUES)}{random.choice(_SEPARATORS)}"
    return text if random.random() < 0.1 else text.rstrip(", ;")


def parse_arguments(seeds: Iterable[int]) -> Iterator[Outcome]:
    """The values, errors and notes of random arguments in all dialects."""
    for seed in seeds:
        random = Random(seed)
        texts = [_draw_arguments(random) for _ in range(100)]
        for text in texts:
            parsed = [parse_marker(text, _DEFINITION, dialect) for dialect in (DEFAULT, CT_0_23, CT_0_20)]
            yield repr([each.values for each in parsed]), [repr((each.errors, each.notes)) for each in parsed]


def parse_numbers(seeds: Iterable[int]) -> Iterator[Outcome]:
    """The values, errors and notes of numbers as arguments of all types, in all dialects."""
    for seed in seeds:
        random = Random(seed)
        text = f"{random.choice(('=', '=', '=', ':', ''))}{random.choice((*_DIGITS, str(random.randrange(10**17))))}"
        for definition in _NUMBERS:
            parsed = [parse_marker(text, definition, dialect) for dialect in (DEFAULT, CT_0_23, CT_0_20)]
            yield repr([each.values for each in parsed]), [repr((each.errors, each.notes)) for each in parsed]
