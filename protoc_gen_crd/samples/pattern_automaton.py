"""The finite automaton of a Go pattern, used to generate strings. Word boundaries are left to the matcher.

Counted repetitions are expanded, so automata can be large. Patterns that need too many states are rejected.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.regex.character_classes import Ranges
from protoc_gen_crd.regex.pattern_parser import PatternParser
from protoc_gen_crd.regex.pattern_tokens import Token
from protoc_gen_crd.regex.syntax_check import LATEST_GO
from protoc_gen_crd.regex.token_assembly import ANY, assemble

_SURROGATES = (0xD800, 0xDFFF)  # surrogates are not valid in strings
_MAX_STATES = 20_000

START, END = "start", "end"
_CONDITIONS = {"^": START, "\\A": START, "$": END, "\\z": END}


class TooLarge(Exception):  # noqa: N818 - an expected result, not a failure
    """The automaton would have too many states."""


class CharacterSet(Record):
    """One character of these ranges."""

    ranges: Ranges


class PositionAssertion(Record):
    """An assertion about the position in the string; an empty one is always true."""

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
    """Return the parts of a pattern, None if Go rejects it."""
    parsed = PatternParser(pattern, go).parse()
    return assemble(parsed.tokens, _PatternPartFactory()) if parsed.error is None else None


class _PatternPartFactory:
    """A factory that makes pattern parts of tokens."""

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
    """The states by number: transitions without a character under a condition, and by a character of some ranges.

    The automaton reads a whole string that contains a match. Raises TooLarge beyond the limit of states.
    """

    def __init__(self, part: PatternPart) -> None:
        self.has_word_boundaries = False  # whether the pattern contains word boundaries
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
        """Add the states of a part that continues in the state `after`; return its first state."""
        match part:
            case PartSequence():
                for child in reversed(part.parts):
                    after = self._build_part(child, after)
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
                self.epsilon_transitions[state] += [("", self._build_part(child, after)) for child in part.parts]
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
        """Return the states and all states reached from them without a character.

        `places` are the assertions that are true at the current position.
        """
        reached, pending = set(states), list(states)
        while pending:
            for place, after in self.epsilon_transitions[pending.pop()]:
                if after not in reached and (not place or place in places):
                    reached.add(after)
                    pending.append(after)
        return frozenset(reached)
