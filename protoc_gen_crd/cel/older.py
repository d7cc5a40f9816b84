"""CEL text as cel-go 0.12 reads it (Kubernetes 1.25 to 1.27): without optional syntax, and with fewer levels.

Its visitor counts every rule on the way down, wrappers included, and its listener stops one level earlier. Otherwise
the language is the same. Source: cel-go v0.12 `parser/gen/CEL.g4`, `parser/parser.go`.
"""

from __future__ import annotations

from collections.abc import Callable

from .ast import Expr
from .reader import Dialect
from .syntax import SIGNED, _Parser


class _Older(_Parser):
    """Leaves in `height` what the older visitor counts: each method adds the rules that only wrap what it reads."""

    __slots__ = ()

    def __init__(self, text: str, dialect: Dialect) -> None:
        super().__init__(text, dialect)
        self.depth = self.relations = self.calcs = 1

    def skip(self, kind: str) -> bool:
        """Go past a token, but for those of optional syntax."""
        return kind != "?" and super().skip(kind)

    def _wrapped(self, read: Callable[[], Expr], levels: int = 1) -> Expr:
        value = read()
        self.height += levels
        return value

    def whole(self) -> Expr:
        return self._wrapped(super().whole)

    def expression(self) -> Expr:
        return self._wrapped(super().expression)

    def conditional(self, condition: Expr) -> Expr:
        made = super().conditional(condition)
        self.height -= 1  # expression counts it
        return made

    def disjunction(self) -> Expr:
        return self._wrapped(super().disjunction)

    def conjunction(self) -> Expr:
        return self._wrapped(super().conjunction)

    def sum(self) -> Expr:
        return self._wrapped(super().sum)

    def unary(self) -> Expr:
        sign, more = self.kinds[self.pos], self.kinds[self.pos + 1 : self.pos + 2]
        signed = sign == "!" or (sign == "-" and more[0] not in SIGNED)
        return self._wrapped(super().unary, 2 + signed)

    def index(self, target: Expr) -> Expr:
        before = self.height
        made = super().index(target)
        self.height = max(before, self.height - 1)
        return made

    def called(self, name: str, target: Expr | None) -> Expr:
        """A call, from its parenthesis on. What is called on something is a level above that alone."""
        before = self.height
        made = super().called(name, target)
        if target is not None:
            self.height = max(before, self.height - 1)
        return made

    def map_literal(self) -> Expr:
        at = self.pos
        made = super().map_literal()
        self.height += self.pos - at > 2  # the list of its entries
        return made

    def message(self, dot: str, brace: int) -> Expr:
        dots = self.kinds[self.pos : brace].count(".")
        made = super().message(dot, brace)
        self.height = max(self.height, dots + 1)
        return made


def older(text: str, dialect: Dialect) -> _Parser:
    """What reads a text as those servers do."""
    return _Older(text, dialect)
