"""The finite automaton of a Go pattern, as far as texts are to be made of it. Word boundaries are left to who checks.

Counted repetitions are written out, so that an automaton may grow; it is refused beyond a bound.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.regex.assembly import ANY, assembled
from protoc_gen_crd.regex.classes import Ranges
from protoc_gen_crd.regex.reader import Reader
from protoc_gen_crd.regex.syntax import LATEST_GO
from protoc_gen_crd.regex.tokens import Token

_SURROGATES = (0xD800, 0xDFFF)  # which are no characters of a text
_MOST = 20_000

START, END = "start", "end"
_CONDITIONS = {"^": START, "\\A": START, "$": END, "\\z": END}


class TooLarge(Exception):  # noqa: N818 - an answer, not a failure
    """The automaton would have too many states."""


class Chars(Record):
    """One character of these ranges."""

    ranges: Ranges


class Condition(Record):
    """A place in the text; an empty one always holds."""

    place: str


class Chain(Record):
    """Parts one after the other."""

    parts: tuple[Part, ...]


class Choice(Record):
    """One of the parts."""

    parts: tuple[Part, ...]


class Repeat(Record):
    """A part several times, `high` None for no limit."""

    part: Part
    low: int
    high: int | None


Part = Chars | Condition | Chain | Choice | Repeat

_COUNTS = {"*": (0, None), "+": (1, None), "?": (0, 1)}


def parsed(pattern: str, go: int = LATEST_GO) -> Part | None:
    """The parts of a pattern, None for one that Go refuses."""
    reading = Reader(pattern, go).read()
    return assembled(reading.tokens, _Parts()) if reading.error is None else None


class _Parts:
    """Makes parts of tokens."""

    def chars(self, ranges: Ranges) -> Part:
        below = [(low, min(high, _SURROGATES[0] - 1)) for low, high in ranges if low < _SURROGATES[0]]
        above = [(max(low, _SURROGATES[1] + 1), high) for low, high in ranges if high > _SURROGATES[1]]
        return Chars((*below, *above))

    def assertion(self, token: Token) -> Part:
        return Condition(_CONDITIONS.get(token.text, ""))

    def repeated(self, part: Part, token: Token) -> Part:
        low, high = _COUNTS.get(token.text, (token.low, token.high if token.high >= 0 else None))
        return Repeat(part, low, high)

    def choice(self, alternatives: list[list[Part]]) -> Part:
        options = [Chain(tuple(parts)) for parts in alternatives]
        return options[0] if len(options) == 1 else Choice(tuple(options))


class Automaton:
    """States by number: what is reached without a character, if a condition holds, and by a character of some ranges.

    It reads a whole text, in which the pattern is found somewhere. Raises TooLarge.
    """

    def __init__(self, part: Part) -> None:
        self.worded = False  # whether words and what is between them make a difference
        self.free: list[list[tuple[str, int]]] = []
        self.edges: list[tuple[Ranges, int] | None] = []
        anything = Repeat(_Parts().chars(ANY), 0, None)
        self.final = self._state()
        self.start = self._made(Chain((anything, part, anything)), self.final)

    def _state(self) -> int:
        if len(self.free) >= _MOST:
            raise TooLarge
        self.free.append([])
        self.edges.append(None)
        return len(self.free) - 1

    def _made(self, part: Part, after: int) -> int:
        """The state in which a part begins that leads to a state."""
        match part:
            case Chain():
                for each in reversed(part.parts):
                    after = self._made(each, after)
                return after
            case Repeat():
                return self._repeat(part, after)
        state = self._state()
        match part:
            case Chars():
                self.edges[state] = part.ranges, after
            case Condition():
                self.free[state].append((part.place, after))
                self.worded |= not part.place
            case Choice():
                self.free[state] += [("", self._made(each, after)) for each in part.parts]
        return state

    def _repeat(self, part: Repeat, after: int) -> int:
        if part.high is None:
            loop = self._state()
            self.free[loop] += [("", after), ("", self._made(part.part, loop))]
            after = loop
        else:
            end = after
            for _ in range(part.high - part.low):
                state = self._state()
                self.free[state] += [("", end), ("", self._made(part.part, after))]
                after = state
        for _ in range(part.low):
            after = self._made(part.part, after)
        return after

    def closure(self, states: frozenset[int], places: tuple[str, ...]) -> frozenset[int]:
        """The states and all that they reach without a character, where the text is at these places."""
        found, pending = set(states), list(states)
        while pending:
            for place, after in self.free[pending.pop()]:
                if after not in found and (not place or place in places):
                    found.add(after)
                    pending.append(after)
        return frozenset(found)
