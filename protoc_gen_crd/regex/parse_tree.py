"""The nodes of Go's parse tree."""

from __future__ import annotations

EMPTY, LITERAL, CLASS, ANY_BUT_NEWLINE, ANY, ASSERTION, CAPTURE, STAR, PLUS, QUEST, COUNTED, CONCAT, ALTERNATE = range(
    13
)
PAREN, VERTICAL_BAR = 128, 129


class RegexNode:
    """One node: `runes` are the characters of a literal or the bounds of a class, `low` and `high` those of a count."""

    __slots__ = ("captures", "flags", "high", "low", "op", "runes", "subs")

    def __init__(self) -> None:
        self.reset(EMPTY)

    def reset(self, op: int, flags: int = 0) -> None:
        """Set the operator and the flags, and clear everything else."""
        self.op = op
        self.flags = flags
        self.runes: list[int] = []
        self.subs: list[RegexNode] = []
        self.low = self.high = 0
        self.captures = False
