"""The errors of cel-go 0.16 to 0.22 for an expression with syntax errors; their grammar has no names in backticks.

Source: cel-go v0.22 `parser/gen/CEL.g4`, `parser/parser.go`.
"""

from __future__ import annotations

from collections.abc import Callable

from . import error_messages
from .antlr_grammar import (
    RULES,
    Alternatives,
    Grammar,
    LeftRecursion,
    OptionalElement,
    Repetition,
    RuleReference,
    TokenMatch,
    make_arguments,
)
from .ast import NO_PLACE, Call, Expr, Literal, Select, StructExpr, Unspecified
from .error_visitor import VISITS, _ErrorVisitor
from .lexer import TokenStream
from .parser_options_and_limits import ParserOptions
from .recovery import ParseTreeNode, RecoveringParser


def _make_optional() -> OptionalElement:
    return OptionalElement(TokenMatch("?", label="opt"))


_MIDDLE = Grammar({
    **RULES,
    "member": (
        RuleReference("primary", "e"),
        Repetition(
            Alternatives(
                "suffix",
                select=(LeftRecursion("left"), TokenMatch(".", label="op"), _make_optional(), TokenMatch("ident",
                label="id")),
                call=(LeftRecursion("left"), TokenMatch("."), TokenMatch("ident", label="id"), *make_arguments()),
                index=(LeftRecursion("left"), TokenMatch("[", label="op"), _make_optional(), RuleReference("expr",
                "right"), TokenMatch("]")),
            ),
            decide="member",
        ),
    ),
    "optField": (_make_optional(), TokenMatch("ident", label="id")),
})  # fmt: skip


class _CelGo16RecoveringParser(RecoveringParser):
    """ANTLR's parser of that grammar."""

    grammar = _MIDDLE


class _CelGo16ErrorVisitor(_ErrorVisitor):
    """cel-go's visitor of that parser's nodes."""

    __slots__ = ()

    def __init__(self, dialect: ParserOptions) -> None:
        super().__init__(dialect)
        self.visits = {**VISITS, **_VISITS}

    def visit_select(self, node: ParseTreeNode) -> Expr:
        operand, names = self.visit(node.get_first("left")), node.get_leaves("id")
        if not names:
            return Unspecified(self.new_id(), node.at)
        at, field = node.get_leaves("op")[0].at, names[0].text
        if not node.get_leaves("opt"):
            return Select(self.new_id(), at, operand, field)
        if not self.dialect.optionals:
            return self.report_error(error_messages.OPTIONAL_SELECT, at)
        return Call(self.new_id(), at, "_?._", (operand, Literal(self.new_id(), names[0].at, field)))

    def visit_message(self, node: ParseTreeNode) -> Expr:
        for items in node.get_nodes("items"):
            for key, value in zip(items.get_nodes("keys"), items.get_nodes("values"), strict=False):
                if key.get_leaves("opt") and not self.dialect.optionals:
                    self.report_error(error_messages.OPTIONAL_ENTRY, key.at)
                    continue
                if not key.get_leaves("id"):
                    break
                self.visit(value)
        brace = node.get_leaves("op")
        return StructExpr(self.new_id(), brace[0].at if brace else NO_PLACE, "", ())


def make_tools(source: str, tokens: TokenStream, dialect: ParserOptions) -> tuple[RecoveringParser, _ErrorVisitor]:
    """Return the parser that recovers from syntax errors, and the visitor of its tree."""
    return _CelGo16RecoveringParser(source, tokens), _CelGo16ErrorVisitor(dialect)


_VISITS: dict[tuple[str, str], Callable[..., Expr]] = {
    ("member", "select"): _CelGo16ErrorVisitor.visit_select,
    ("primary", "message"): _CelGo16ErrorVisitor.visit_message,
}
