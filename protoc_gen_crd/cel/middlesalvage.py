"""What cel-go 0.16 to 0.22 says of a text that is no expression, whose grammar has no names in backticks.

Source: cel-go v0.22 `parser/gen/CEL.g4`, `parser/parser.go`.
"""

from __future__ import annotations

from collections.abc import Callable

from .ast import NO_PLACE, Call, Expr, Literal, Select, StructExpr, Unspecified
from .grammar import RULES, Choice, Fold, Grammar, Loop, Match, Option, Use, arguments
from .lexer import Tokens
from .reader import Dialect
from .recovery import Node, Recovery
from .salvage import VISITS, _Visitor


def _optional() -> Option:
    return Option(Match("?", label="opt"))


_MIDDLE = Grammar({
    **RULES,
    "member": (
        Use("primary", "e"),
        Loop(
            Choice(
                "suffix",
                select=(Fold("left"), Match(".", label="op"), _optional(), Match("ident", label="id")),
                call=(Fold("left"), Match("."), Match("ident", label="id"), *arguments()),
                index=(Fold("left"), Match("[", label="op"), _optional(), Use("expr", "right"), Match("]")),
            ),
            decide="member",
        ),
    ),
    "optField": (_optional(), Match("ident", label="id")),
})  # fmt: skip


class _Recovery(Recovery):
    """ANTLR's parser of that grammar."""

    grammar = _MIDDLE


class _Middle(_Visitor):
    """cel-go's visitor of that parser's nodes."""

    __slots__ = ()

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.visits = {**VISITS, **_VISITS}

    def selected(self, node: Node) -> Expr:
        operand, names = self.visit(node.first("left")), node.leaves("id")
        if not names:
            return Unspecified(self.fresh(), node.at)
        at, field = node.leaves("op")[0].at, names[0].text
        if not node.leaves("opt"):
            return Select(self.fresh(), at, operand, field)
        if not self.dialect.optionals:
            return self.refuse("unsupported syntax '.?'", at)
        return Call(self.fresh(), at, "_?._", (operand, Literal(self.fresh(), names[0].at, field)))

    def message(self, node: Node) -> Expr:
        for items in node.nodes("items"):
            for key, value in zip(items.nodes("keys"), items.nodes("values"), strict=False):
                if key.leaves("opt") and not self.dialect.optionals:
                    self.refuse("unsupported syntax '?'", key.at)
                    continue
                if not key.leaves("id"):
                    break
                self.visit(value)
        brace = node.leaves("op")
        return StructExpr(self.fresh(), brace[0].at if brace else NO_PLACE, "", ())


def tools(text: str, tokens: Tokens, dialect: Dialect) -> tuple[Recovery, _Visitor]:
    """What reads such a text, and what looks into what was read."""
    return _Recovery(text, tokens), _Middle(dialect)


_VISITS: dict[tuple[str, str], Callable[..., Expr]] = {
    ("member", "select"): _Middle.selected,
    ("primary", "message"): _Middle.message,
}
