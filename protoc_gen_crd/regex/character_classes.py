"""Which characters a class holds: ranges, their folding and complement, with Unicode 15 as Go 1.21 to 1.26 have it.

Loads the Unicode tables when a class first needs them, and knows nothing of patterns beyond the members of a class.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache, lru_cache

from protoc_gen_crd.regex.character_sets import ASCII_SETS
from protoc_gen_crd.regex.pattern_tokens import Member

# Closed ranges in ascending order that neither overlap nor touch.
Ranges = tuple[tuple[int, int], ...]

_MAX_RUNE = 0x10FFFF
# Sets that are made of others: their parts.
UNIONS = {
    "C": "Cc Cf Cn Co Cs",
    "C without Cn": "Cc Cf Co Cs",
    "L": "Ll Lm Lo Lt Lu",
    "LC": "Ll Lt Lu",
    "M": "Mc Me Mn",
    "N": "Nd Nl No",
    "P": "Pc Pd Pe Pf Pi Po Ps",
    "S": "Sc Sk Sm So",
    "Z": "Zl Zp Zs",
    "Assigned": "Cc Cf Co Cs L M N P S Z",
}

# Go's tables of what folding adds to a set know nothing of it, so that (?i)\p{LC} lacks U+0345, which \p{L} has.
_NOT_FOLDED = ("LC",)


@lru_cache(maxsize=1024)
def resolve_class(members: tuple[Member, ...], *, negated: bool, fold: bool) -> Ranges:
    """The characters of a class; with `fold`, members hold every case of their characters before any negation."""
    held: list[tuple[int, int]] = []
    for name, other in members:
        if isinstance(name, str):
            ranges = _fold_ranges(_get_named_set(name)) if fold and name not in _NOT_FOLDED else _get_named_set(name)
            held += compute_complement(ranges) if other else ranges
        else:
            held += _fold_ranges(((name, other),)) if fold else ((name, other),)
    return compute_complement(merge_ranges(held)) if negated else merge_ranges(held)


def merge_ranges(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """The union of any ranges."""
    out: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if out and low <= out[-1][1] + 1:
            out[-1] = out[-1][0], max(high, out[-1][1])
        else:
            out.append((low, high))
    return tuple(out)


def compute_complement(ranges: Ranges) -> Ranges:
    """All other characters."""
    gaps, after = [], 0
    for low, high in ranges:
        if after < low:
            gaps.append((after, low - 1))
        after = high + 1
    return (*gaps, (after, _MAX_RUNE)) if after <= _MAX_RUNE else tuple(gaps)


def get_fold_orbit(char: int) -> tuple[int, ...]:
    """A character and all that differ from it in case alone, in ascending order."""
    return _read_orbits().get(char) or (char,)


def _fold_ranges(ranges: Ranges) -> Ranges:
    cased, orbits = _list_cased(), _read_orbits()
    found = [cased[bisect_left(cased, low) : bisect_right(cased, high)] for low, high in ranges]
    return merge_ranges([*ranges, *((other, other) for chars in found for char in chars for other in orbits[char])])


@cache
def _get_named_set(name: str) -> Ranges:
    if bounds := ASCII_SETS.get(name):
        return tuple((ord(bounds[at]), ord(bounds[at + 1])) for at in range(0, len(bounds), 2))
    if name == "Any":
        return ((0, _MAX_RUNE),)
    if name == "Cn":
        return compute_complement(_get_named_set("Assigned"))
    if parts := UNIONS.get(name):
        return merge_ranges(pair for part in parts.split() for pair in _get_named_set(part))
    return _decode_ranges(_read_entries()[name])


def _decode_ranges(words: str) -> Ranges:
    ranges, at = [], 0
    for word in words.split():
        gap, _, more = word.partition("+")
        low = at + int(gap, 36)
        at = low + int(more or "0", 36) + 1
        ranges.append((low, at - 1))
    return tuple(ranges)


@cache
def _read_entries() -> dict[str, str]:
    from protoc_gen_crd.regex.unicode_tables import SETS  # noqa: PLC0415 - few patterns need it

    named = (entry.split(maxsplit=1) for entry in SETS.split(";"))
    return dict(named)


@cache
def _read_orbits() -> dict[int, tuple[int, ...]]:
    from protoc_gen_crd.regex.unicode_tables import FOLDS  # noqa: PLC0415 - few patterns need it

    others: dict[int, list[int]] = {}
    for entry in FOLDS.split(";"):
        start, count, step, distance = (int(number, 36) for number in entry.split("+"))
        for char in range(start, start + count * step, step):
            others.setdefault(char, []).append(char + distance)
    orbits = [(char, *sorted(found)) for char, found in others.items()]
    return {char: chars for chars in orbits for char in chars}


@cache
def _list_cased() -> list[int]:
    return sorted(_read_orbits())
