"""The errors of cel-go 0.12 for an expression with syntax errors; its grammar has no optional syntax.

Source: cel-go v0.12 `parser/gen/CEL.g4`, `parser/parser.go`.
"""

from __future__ import annotations

from collections.abc import Callable

from .antlr_grammar import (
    RULES,
    Alternatives,
    Grammar,
    GrammarElement,
    LeftRecursion,
    OptionalElement,
    Repetition,
    RuleReference,
    TokenMatch,
    make_arguments,
    make_bracketed,
)
from .ast import NO_PLACE, Expr, Ident, ListExpr, MapExpr, Select, StructExpr, Unspecified
from .error_visitor import VISITS, _ErrorVisitor
from .lexer import TokenStream
from .parser_options_and_limits import ParserOptions
from .recovery import BRACKETS, ParseTreeNode, RecoveringParser


def _make_call() -> OptionalElement:
    return OptionalElement(*make_arguments())


def _make_member() -> Repetition:
    return Repetition(
        Alternatives(
            "suffix",
            select=(LeftRecursion("left"), TokenMatch(".", label="op"), TokenMatch("ident", label="id"), _make_call()),
            index=(LeftRecursion("left"), TokenMatch("[", label="op"), RuleReference("expr", "right"), TokenMatch("]")),
            message=(LeftRecursion("left"), *make_bracketed("{", "fieldInitializerList", "}")),
        ),
        decide="member",
    )


def _make_primary() -> Alternatives:
    return Alternatives(
        "primary",
        ident=(OptionalElement(TokenMatch(".", label="dot")), TokenMatch("ident", label="id"), _make_call()),
        nested=(TokenMatch("("), RuleReference("expr", "e"), TokenMatch(")")),
        list=make_bracketed("[", "exprList", "]"),
        map=make_bracketed("{", "mapInitializerList", "}"),
        constant=(RuleReference("literal", "e"),),
    )


def _make_entries(key: Callable[[], GrammarElement]) -> tuple[GrammarElement, ...]:
    first, following = [(key(), TokenMatch(":", label="colons"), RuleReference("expr", "values")) for _ in range(2)]
    return (*first, Repetition(TokenMatch(","), *following, decide="item"))


_OLD = Grammar({
    **RULES,
    "member": (RuleReference("primary", "e"), _make_member()),
    "primary": (_make_primary(),),
    "exprList": (RuleReference("expr", "values"), Repetition(TokenMatch(","), RuleReference("expr", "values"),
    decide="item")),
    "fieldInitializerList": _make_entries(lambda: TokenMatch("ident", label="keys")),
    "mapInitializerList": _make_entries(lambda: RuleReference("expr", "keys")),
})  # fmt: skip


class _CelGo12RecoveringParser(RecoveringParser):
    """ANTLR's parser of the older grammar, in which the next token decides nearly everything."""

    grammar = _OLD

    def member(self) -> bool:
        return self.peek_kind() in _SUFFIXES

    def suffix(self) -> str:
        return _SUFFIXES[self.peek_kind()]

    def primary(self) -> str:
        kind = self.peek_member_start()
        return "ident" if kind in (".", "ident") else BRACKETS.get(kind, "constant")

    def item(self) -> bool:
        first = {"ident"} if self.node.rule == "fieldInitializerList" else self.grammar.start["expr"].next_tokens()
        return self.peek_kind() == "," and self.peek_kind(1) in first


class _CelGo12ErrorVisitor(_ErrorVisitor):
    """cel-go's visitor of that parser's nodes."""

    __slots__ = ()

    def __init__(self, dialect: ParserOptions) -> None:
        super().__init__(dialect)
        self.visits = {**VISITS, **_VISITS}

    def visit_select(self, node: ParseTreeNode) -> Expr:
        """Visit a field selection or a member call."""
        operand = self.visit(node.get_first("left"))
        names = node.get_leaves("id")
        if not names:
            return Unspecified(self.new_id(), node.at)
        if node.get_leaves("open"):
            return self.visit_call(node, [operand])
        return Select(self.new_id(), node.get_leaves("op")[0].at, operand, names[0].text)

    def visit_identifier(self, node: ParseTreeNode) -> Expr:
        """Visit an identifier or a call."""
        if node.get_leaves("open"):
            node.alternative = "global_call"
        return self.visit_name(node)

    def visit_elements(self, node: ParseTreeNode) -> Expr:
        items = [item for part in node.get_nodes("items") for item in self.visit_all(part.get_nodes("values"))]
        return ListExpr(self.new_id(), node.get_leaves("op")[0].at, tuple(items))

    def visit_entries(self, node: ParseTreeNode) -> Expr:
        for part in node.get_nodes("items"):
            for key, value in zip(part.get_nodes("keys"), part.get_nodes("values"), strict=False):
                self.visit(key)
                self.visit(value)
        return MapExpr(self.new_id(), node.at, ())

    def visit_fields(self, node: ParseTreeNode) -> Expr:
        if self.check_qualified(self.visit(node.get_first("left"))):
            for part in node.get_nodes("items"):
                self.visit_all(part.get_nodes("values"))
        brace = node.get_leaves("op")
        return StructExpr(self.new_id(), brace[0].at if brace else NO_PLACE, "", ())

    def check_qualified(self, name: Expr) -> bool:
        """Check that the expression before a brace is a qualified name; every part that is not is reported."""
        if isinstance(name, Ident) or (isinstance(name, Select) and self.check_qualified(name.operand)):
            return True
        self.report_error("expected a qualified name", name.at)
        return False

    def report_unfit(self, node: ParseTreeNode) -> Expr:
        return self.report_error("invalid primary expression", node.at)


def make_tools(source: str, tokens: TokenStream, dialect: ParserOptions) -> tuple[RecoveringParser, _ErrorVisitor]:
    """Return the parser that recovers from syntax errors, and the visitor of its tree."""
    return _CelGo12RecoveringParser(source, tokens), _CelGo12ErrorVisitor(dialect)


_SUFFIXES = {".": "select", "[": "index", "{": "message"}
_VISITS: dict[tuple[str, str], Callable[..., Expr]] = {
    ("member", "select"): _CelGo12ErrorVisitor.visit_select,
    ("member", "message"): _CelGo12ErrorVisitor.visit_fields,
    ("primary", ""): _CelGo12ErrorVisitor.report_unfit,
    ("primary", "ident"): _CelGo12ErrorVisitor.visit_identifier,
    ("primary", "list"): _CelGo12ErrorVisitor.visit_elements,
    ("primary", "map"): _CelGo12ErrorVisitor.visit_entries,
}
