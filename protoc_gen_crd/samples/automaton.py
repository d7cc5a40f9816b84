"""The finite automaton of a Go pattern, used to generate strings. Word boundaries are left to the validator.

Counted repetitions are written out, so that an automaton may grow; it is refused beyond a bound.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.regex.character_classes import Ranges
from protoc_gen_crd.regex.pattern_parser import PatternParser
from protoc_gen_crd.regex.pattern_tokens import Token
from protoc_gen_crd.regex.syntax_check import LATEST_GO
from protoc_gen_crd.regex.token_assembly import ANY, assemble

_SURROGATES = (0xD800, 0xDFFF)  # which are no characters of a text
_MAX_STATES = 20_000

START, END = "start", "end"
_CONDITIONS = {"^": START, "\\A": START, "$": END, "\\z": END}


class TooLarge(Exception):  # noqa: N818 - an answer, not a failure
    """The automaton would have too many states."""


class CharacterSet(Record):
    """One character of these ranges."""

    ranges: Ranges


class PositionAssertion(Record):
    """A place in the text; an empty one always holds."""

    place: str


class PartSequence(Record):
    """Parts one after the other."""

    parts: tuple[PatternPart, ...]


class PartAlternation(Record):
    """One of the parts."""

    parts: tuple[PatternPart, ...]


class PartRepetition(Record):
    """A part several times, `high` None for no limit."""

    part: PatternPart
    low: int
    high: int | None


PatternPart = CharacterSet | PositionAssertion | PartSequence | PartAlternation | PartRepetition

_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def parse_pattern(pattern: str, go: int = LATEST_GO) -> PatternPart | None:
    """The parts of a pattern, None for one that Go refuses."""
    reading = PatternParser(pattern, go).parse()
    return assemble(reading.tokens, _PatternPartFactory()) if reading.error is None else None


class _PatternPartFactory:
    """Makes parts of tokens."""

    def make_class(self, ranges: Ranges) -> PatternPart:
        below = [(low, min(high, _SURROGATES[0] - 1)) for low, high in ranges if low < _SURROGATES[0]]
        above = [(max(low, _SURROGATES[1] + 1), high) for low, high in ranges if high > _SURROGATES[1]]
        return CharacterSet((*below, *above))

    def make_assertion(self, token: Token) -> PatternPart:
        return PositionAssertion(_CONDITIONS.get(token.text, ""))

    def make_repetition(self, part: PatternPart, token: Token) -> PatternPart:
        low, high = _COUNTS.get(token.text, (token.low, token.high if token.high >= 0 else None))
        return PartRepetition(part, low, high)

    def make_alternation(self, alternatives: list[list[PatternPart]]) -> PatternPart:
        options = [PartSequence(tuple(parts)) for parts in alternatives]
        return options[0] if len(options) == 1 else PartAlternation(tuple(options))


class Automaton:
    """States by number: what is reached without a character, if a condition holds, and by a character of some ranges.

    It reads a whole text, in which the pattern is found somewhere. Raises TooLarge.
    """

    def __init__(self, part: PatternPart) -> None:
        self.has_word_boundaries = False  # whether words and what is between them make a difference
        self.epsilon_transitions: list[list[tuple[str, int]]] = []
        self.edges: list[tuple[Ranges, int] | None] = []
        anything = PartRepetition(_PatternPartFactory().make_class(ANY), 0, None)
        self.final = self._add_state()
        self.start = self._build_part(PartSequence((anything, part, anything)), self.final)

    def _add_state(self) -> int:
        if len(self.epsilon_transitions) >= _MAX_STATES:
            raise TooLarge
        self.epsilon_transitions.append([])
        self.edges.append(None)
        return len(self.epsilon_transitions) - 1

    def _build_part(self, part: PatternPart, after: int) -> int:
        """The state in which a part begins that leads to a state."""
        match part:
            case PartSequence():
                for each in reversed(part.parts):
                    after = self._build_part(each, after)
                return after
            case PartRepetition():
                return self._build_repetition(part, after)
        state = self._add_state()
        match part:
            case CharacterSet():
                self.edges[state] = part.ranges, after
            case PositionAssertion():
                self.epsilon_transitions[state].append((part.place, after))
                self.has_word_boundaries |= not part.place
            case PartAlternation():
                self.epsilon_transitions[state] += [("", self._build_part(each, after)) for each in part.parts]
        return state

    def _build_repetition(self, part: PartRepetition, after: int) -> int:
        if part.high is None:
            loop = self._add_state()
            self.epsilon_transitions[loop] += [("", after), ("", self._build_part(part.part, loop))]
            after = loop
        else:
            end = after
            for _ in range(part.high - part.low):
                state = self._add_state()
                self.epsilon_transitions[state] += [("", end), ("", self._build_part(part.part, after))]
                after = state
        for _ in range(part.low):
            after = self._build_part(part.part, after)
        return after

    def compute_closure(self, states: frozenset[int], places: tuple[str, ...]) -> frozenset[int]:
        """The states and all that they reach without a character, where the text is at these places."""
        found, pending = set(states), list(states)
        while pending:
            for place, after in self.epsilon_transitions[pending.pop()]:
                if after not in found and (not place or place in places):
                    found.add(after)
                    pending.append(after)
        return frozenset(found)
