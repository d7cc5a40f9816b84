"""Strings that match several patterns and have a length within bounds: the shortest, of the likeliest characters.

The automata of the patterns run in parallel. The matcher validates every string that they accept.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.regex import matcher
from protoc_gen_crd.regex.character_classes import Ranges
from protoc_gen_crd.samples.pattern_automaton import END, START, Automaton, TooLarge, parse_pattern

_MAX_STEPS = 20_000
_MAX_STATES = 400_000  # states of automata that are visited
_MAX_RANGES = 50  # ranges of a class
_MAX_DIFFERENCES = 12  # strings that one pattern matches and another one does not
_LAST = 0x10FFFF
_MULTILINE = re.compile(r"\(\?[a-zA-Z-]*m")
_MAX_VISITS = 3  # visits of the same states, since the matcher can reject a string that the automata accept
_LIKELY = "abcdefghijklmnopqrstuvwxyz0123456789-./:_ABCDEFGHIJKLMNOPQRSTUVWXYZ@*,=%+# $&()[]{}!?;<>|~^'\"`\\\n"
_WORD: Ranges = tuple((ord(low), ord(high)) for low, high in ("09", "AZ", "__", "az"))
_StateSets = tuple[frozenset[int], ...]
_Representatives = tuple[tuple[str, tuple[bool, ...]], ...]  # characters with their membership in classes


class _SearchStep(Record):
    """A step of the search: the states of all automata, and the string that leads there as a linked list."""

    sets: _StateSets
    length: int
    char: str = ""
    before: _SearchStep | None = None

    @property
    def string(self) -> str:
        """Return the characters from the start to this step."""
        chars: list[str] = []
        step: _SearchStep | None = self
        while step is not None:
            chars.append(step.char)
            step = step.before
        return "".join(reversed(chars))


class MatchingStrings(Record):
    """Strings, shorter ones first, and the number of states of automata that were visited."""

    strings: tuple[str, ...]
    visited_states: int


def find_shortest_match(patterns: Sequence[str], least: int = 0, most: int | None = None) -> str | None:
    """Return the shortest string that matches all patterns, of `least` to `most` characters; None if none is found."""
    return next(iter(find_matches(tuple(patterns), least, most, 1).strings), None)


@lru_cache(maxsize=1024)
def find_matches(patterns: tuple[str, ...], least: int, most: int | None, count: int) -> MatchingStrings:
    """Return up to `count` strings that match all patterns; fewer if the search reaches its limits."""
    machines = [_get_automaton(pattern) for pattern in patterns]
    if None in machines:
        return MatchingStrings((), 0)
    matchers = [matcher.compile(pattern).search for pattern in patterns]
    search = _StringSearch([machine for machine in machines if machine], least, most)
    matches = (string for string in search.generate_strings() if all(match(string) for match in matchers))
    return MatchingStrings(tuple(islice(matches, count)), search.visited_states)


class PatternDifference(Record):
    """Strings that match some patterns and not another one, and whether there are certainly no others."""

    strings: tuple[str, ...]
    is_complete: bool


@lru_cache(maxsize=256)
def find_differences(
    patterns: tuple[str, ...], excluded: str, least: int = 0, most: int | None = None
) -> PatternDifference:
    """Return strings that match patterns, and that the excluded one does not match."""
    machines = [_get_automaton(pattern) for pattern in (*patterns, excluded)]
    if None in machines:
        return PatternDifference((), is_complete=False)
    search = _StringSearch([machine for machine in machines if machine], least, most, excluded=1)
    strings = tuple(islice(search.generate_strings(), _MAX_DIFFERENCES))
    matchers = [matcher.compile(pattern).search for pattern in patterns]
    unmatched = matcher.compile(excluded).search
    different = tuple(
        [string for string in strings if all(match(string) for match in matchers) and not unmatched(string)]
    )
    is_exact = not search.machines[-1].has_word_boundaries and not any(map(_MULTILINE.search, (*patterns, excluded)))
    return PatternDifference(different, is_complete=not strings and search.is_exhausted and is_exact)


@lru_cache(maxsize=256)
def _get_automaton(pattern: str) -> Automaton | None:
    part = parse_pattern(pattern)
    try:
        return None if part is None else Automaton(part)
    except TooLarge:
        return None


class _StringSearch:
    """A breadth-first search for strings that all automata accept. `visited_states` is its cost.

    The last `excluded` automata must not accept them. `is_exhausted` is true after a search that reached no limit.
    Classes of characters are numbered, because the ranges of a class can be hundreds.
    """

    def __init__(self, machines: Sequence[Automaton], least: int, most: int | None, excluded: int = 0) -> None:
        self.machines, self.least, self.most = machines, least, most
        self.included = len(machines) - excluded
        self.visited_states = 0
        self.is_exhausted = False
        numbers: dict[Ranges, int] = {}
        self._edges = [
            [edge and (numbers.setdefault(edge[0], len(numbers)), edge[1]) for edge in machine.edges]
            for machine in machines
        ]
        self._words: set[int] = set()
        if any(machine.has_word_boundaries for machine in machines):
            self._words.add(numbers.setdefault(_WORD, len(numbers)))
        self._classes = tuple(numbers)
        self._representatives: dict[tuple[int, ...], _Representatives] = {}

    def generate_strings(self) -> Iterator[str]:
        """Yield strings that the automata accept, until the limits of the search."""
        first = tuple(machine.compute_closure(frozenset((machine.start,)), (START,)) for machine in self.machines)
        pending = deque([_SearchStep(first, 0)])
        seen = {(first, 0, False): 1}
        steps = 0
        while pending and steps < _MAX_STEPS and self.visited_states < _MAX_STATES:
            steps += 1
            step = pending.popleft()
            self.visited_states += sum(map(len, step.sets))
            if step.length >= self.least and _is_accepting(self.machines, step, self.included):
                yield step.string
            if self.most is not None and step.length >= self.most:
                continue
            for char, sets in self._iterate_transitions(step.sets):
                key = sets, min(step.length + 1, self.least), bool(self._words) and _is_word(char)
                seen[key] = seen.get(key, 0) + 1
                if seen[key] <= _MAX_VISITS:
                    pending.append(_SearchStep(sets, step.length + 1, char, step))
        self.is_exhausted = not pending

    def _iterate_transitions(self, sets: _StateSets) -> Iterator[tuple[str, _StateSets]]:
        """Yield the next characters, one of each class that the automata distinguish, and the states after them."""
        edges = [
            [edge for state in states if (edge := machine_edges[state])]
            for machine_edges, states in zip(self._edges, sets, strict=True)
        ]
        numbers = tuple(sorted({number for machine_edges in edges for number, _ in machine_edges} | self._words))
        for char, membership in self._get_representatives(numbers):
            inside = dict(zip(numbers, membership, strict=True))
            after = [frozenset(to for number, to in machine_edges if inside[number]) for machine_edges in edges]
            if all(after[: self.included]):
                pairs = zip(self.machines, after, strict=True)
                yield char, tuple(machine.compute_closure(states, ()) for machine, states in pairs)

    def _get_representatives(self, numbers: tuple[int, ...]) -> _Representatives:
        """Return the representatives of classes by their numbers."""
        if numbers not in self._representatives:
            classes = tuple([self._classes[number] for number in numbers])
            is_complete = self.included < len(self.machines)
            self._representatives[numbers] = _choose_representatives(classes, is_complete=is_complete)
        return self._representatives[numbers]


def _is_word(char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in _WORD)


def _is_accepting(machines: Sequence[Automaton], step: _SearchStep, included: int) -> bool:
    places = (END,) if step.length else (START, END)
    return all(
        (machine.final in machine.compute_closure(states, places)) is (index < included)
        for index, (machine, states) in enumerate(zip(machines, step.sets, strict=True))
    )


@lru_cache(maxsize=4096)
def _choose_representatives(classes: tuple[Ranges, ...], *, is_complete: bool) -> _Representatives:
    """Return the likeliest character of each combination of ranges, with its membership in each of them.

    Unless `is_complete` is set, combinations of unlikely characters may be missing.
    """
    representatives: dict[tuple[bool, ...], str] = {}
    most = None if is_complete else _MAX_RANGES
    bounds = sorted({bound for ranges in classes for low, high in ranges[:most] for bound in (low, high)})
    if is_complete:  # all other characters are in the same ranges as one of these, or in no range
        bounds += sorted({high + 1 for ranges in classes for _, high in ranges if high < _LAST})
    starts_and_ends = [[char for low, high in ranges for char in (low, high + 1)] for ranges in classes]
    for char in (*map(ord, _LIKELY), *bounds):
        if not 0xD800 <= char <= 0xDFFF:
            membership = tuple([bisect_right(chars, char) % 2 == 1 for chars in starts_and_ends])
            if any(membership):
                representatives.setdefault(membership, chr(char))
    return tuple((char, membership) for membership, char in representatives.items())
