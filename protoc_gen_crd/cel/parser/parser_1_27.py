"""The CEL parser of cel-go 0.12 (Kubernetes 1.25 to 1.27): without optional syntax, and with fewer levels.

Its visitor counts every rule on the way down, wrappers included, and its listener stops one level earlier. Otherwise
the language is the same. Source: cel-go v0.12 `parser/gen/CEL.g4`, `parser/parser.go`.
"""

from __future__ import annotations

from collections.abc import Callable

from .ast import Expr
from .expression_parser import SIGNED, _ExprParser
from .parser_options_and_limits import ParserOptions


class _CelGo12Parser(_ExprParser):
    """A parser that sets `height` as the older visitor counts: each method adds the levels of wrapping rules."""

    __slots__ = ()

    def __init__(self, source: str, dialect: ParserOptions) -> None:
        super().__init__(source, dialect)
        self.depth = self.relations = self.calcs = 1

    def consume_if(self, kind: str) -> bool:
        """Consume a token of this kind, if it is the next one and not optional syntax."""
        return kind != "?" and super().consume_if(kind)

    def _parse_wrapped(self, read: Callable[[], Expr], levels: int = 1) -> Expr:
        value = read()
        self.height += levels
        return value

    def parse_whole(self) -> Expr:
        return self._parse_wrapped(super().parse_whole)

    def parse_expr(self) -> Expr:
        return self._parse_wrapped(super().parse_expr)

    def parse_conditional(self, condition: Expr) -> Expr:
        expr = super().parse_conditional(condition)
        self.height -= 1  # parse_expr counts it
        return expr

    def parse_disjunction(self) -> Expr:
        return self._parse_wrapped(super().parse_disjunction)

    def parse_conjunction(self) -> Expr:
        return self._parse_wrapped(super().parse_conjunction)

    def parse_sum(self) -> Expr:
        return self._parse_wrapped(super().parse_sum)

    def parse_unary(self) -> Expr:
        sign, more = self.kinds[self.pos], self.kinds[self.pos + 1 : self.pos + 2]
        signed = sign == "!" or (sign == "-" and more[0] not in SIGNED)
        return self._parse_wrapped(super().parse_unary, 2 + signed)

    def parse_index(self, target: Expr) -> Expr:
        before = self.height
        expr = super().parse_index(target)
        self.height = max(before, self.height - 1)
        return expr

    def parse_call(self, name: str, target: Expr | None) -> Expr:
        """Parse a call from its parenthesis on. The arguments of a member call count one level less."""
        before = self.height
        expr = super().parse_call(name, target)
        if target is not None:
            self.height = max(before, self.height - 1)
        return expr

    def parse_map(self) -> Expr:
        at = self.pos
        expr = super().parse_map()
        self.height += self.pos - at > 2  # the rule for the list of entries
        return expr

    def parse_message(self, dot: str, brace: int) -> Expr:
        dots = self.kinds[self.pos : brace].count(".")
        expr = super().parse_message(dot, brace)
        self.height = max(self.height, dots + 1)
        return expr


def make_parser(source: str, dialect: ParserOptions) -> _ExprParser:
    """Return the parser of those servers for an expression."""
    return _CelGo12Parser(source, dialect)
