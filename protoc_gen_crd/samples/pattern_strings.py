"""Texts that match several patterns at once and have a length within bounds: the shortest, in the likeliest characters.

The automata of the patterns are walked side by side. What comes out is checked by the matcher, which has the last word.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.regex import matcher
from protoc_gen_crd.regex.character_classes import Ranges
from protoc_gen_crd.samples.automaton import END, START, Automaton, TooLarge, parse_pattern

_STEPS = 20_000
_STATES = 400_000  # states of automata that are looked at
_VISITS = 3  # ways into one place that are followed, since not all that is checked is known to the automata
_LIKELY = "abcdefghijklmnopqrstuvwxyz0123456789-./:_ABCDEFGHIJKLMNOPQRSTUVWXYZ@*,=%+# $&()[]{}!?;<>|~^'\"`\\\n"
_WORD: Ranges = tuple((ord(low), ord(high)) for low, high in ("09", "AZ", "__", "az"))
_Sets = tuple[frozenset[int], ...]


class _SearchStep(Record):
    """A place of the walk: the states of all automata, and the text that led there, from its end."""

    sets: _Sets
    length: int
    char: str = ""
    before: _SearchStep | None = None

    @property
    def text(self) -> str:
        chars: list[str] = []
        step: _SearchStep | None = self
        while step is not None:
            chars.append(step.char)
            step = step.before
        return "".join(reversed(chars))


class MatchingStrings(Record):
    """Texts, shorter ones first, and how much was looked at for them: states of automata."""

    strings: tuple[str, ...]
    visited_states: int


def find_shortest_match(patterns: Sequence[str], least: int = 0, most: int | None = None) -> str | None:
    """The shortest text of so many characters that matches all patterns, None where none is found."""
    return next(iter(find_matches(tuple(patterns), least, most, 1).strings), None)


@lru_cache(maxsize=1024)
def find_matches(patterns: tuple[str, ...], least: int, most: int | None, count: int) -> MatchingStrings:
    """As many texts that match all patterns, or fewer where the search is not worth it."""
    machines = [_get_automaton(pattern) for pattern in patterns]
    if None in machines:
        return MatchingStrings((), 0)
    searches = [matcher.compile(pattern).search for pattern in patterns]
    walk = _StringSearch([machine for machine in machines if machine], least, most)
    right = (text for text in walk.generate_strings() if all(search(text) for search in searches))
    return MatchingStrings(tuple(islice(right, count)), walk.visited_states)


@lru_cache(maxsize=256)
def _get_automaton(pattern: str) -> Automaton | None:
    part = parse_pattern(pattern)
    try:
        return None if part is None else Automaton(part)
    except TooLarge:
        return None


class _StringSearch:
    """A walk of all automata through texts. `visited_states` counts the states that were looked at."""

    def __init__(self, machines: Sequence[Automaton], least: int, most: int | None) -> None:
        self.machines, self.least, self.most = machines, least, most
        self.visited_states = 0

    def generate_strings(self) -> Iterator[str]:
        """What all automata take, until that was enough."""
        first = tuple(machine.compute_closure(frozenset((machine.start,)), (START,)) for machine in self.machines)
        pending = deque([_SearchStep(first, 0)])
        seen = {(first, 0, False): 1}
        words = any(machine.has_word_boundaries for machine in self.machines)
        steps = 0
        while pending and steps < _STEPS and self.visited_states < _STATES:
            steps += 1
            step = pending.popleft()
            self.visited_states += sum(map(len, step.sets))
            if step.length >= self.least and _is_accepting(self.machines, step):
                yield step.text
            if self.most is not None and step.length >= self.most:
                continue
            for char, sets in _iterate_transitions(self.machines, step.sets):
                key = sets, min(step.length + 1, self.least), words and _is_word(char)
                seen[key] = seen.get(key, 0) + 1
                if seen[key] <= _VISITS:
                    pending.append(_SearchStep(sets, step.length + 1, char, step))


def _is_word(char: str) -> bool:
    return any(low <= ord(char) <= high for low, high in _WORD)


def _is_accepting(machines: Sequence[Automaton], step: _SearchStep) -> bool:
    places = (END,) if step.length else (START, END)
    return all(
        machine.final in machine.compute_closure(states, places)
        for machine, states in zip(machines, step.sets, strict=True)
    )


def _iterate_transitions(machines: Sequence[Automaton], sets: _Sets) -> Iterator[tuple[str, _Sets]]:
    """The next characters, one of each kind that the automata tell apart, and where they lead."""
    edges = [
        [edge for state in states if (edge := machine.edges[state])]
        for machine, states in zip(machines, sets, strict=True)
    ]
    words = {_WORD} if any(machine.has_word_boundaries for machine in machines) else set()
    kinds = sorted({ranges for found in edges for ranges, _ in found} | words)
    for char, held in _choose_representatives(tuple(kinds)):
        inside = dict(zip(kinds, held, strict=True))
        after = [frozenset(to for ranges, to in found if inside[ranges]) for found in edges]
        if all(after):
            yield (
                char,
                tuple(machine.compute_closure(states, ()) for machine, states in zip(machines, after, strict=True)),
            )


@lru_cache(maxsize=4096)
def _choose_representatives(kinds: tuple[Ranges, ...]) -> tuple[tuple[str, tuple[bool, ...]], ...]:
    """The likeliest character of each way to be in some of these ranges and not in others."""
    found: dict[tuple[bool, ...], str] = {}
    others = sorted({edge for ranges in kinds for low, high in ranges[:50] for edge in (low, high)})
    for char in (*map(ord, _LIKELY), *others):
        if not 0xD800 <= char <= 0xDFFF:
            held = tuple([any(low <= char <= high for low, high in ranges) for ranges in kinds])
            if any(held):
                found.setdefault(held, chr(char))
    return tuple((char, held) for held, char in found.items())
