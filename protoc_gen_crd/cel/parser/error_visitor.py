"""cel-go's visitor over the parse tree that ANTLR recovers from an expression with syntax errors.

Follows the visitor of cel-go v0.29 `parser/parser.go` over nodes that may lack parts. The expressions that it returns
only serve macros to reject their arguments: nothing but their positions is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from . import error_messages, literals
from .ast import (
    NO_PLACE,
    Call,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapExpr,
    Select,
    StructExpr,
    Unspecified,
)
from .lexer import RESERVED
from .macro_expansion import ExprFactory
from .parser_options_and_limits import DEPTH_LIMIT, ParserOptions
from .recovery import ParseTreeNode

NOWHERE = -1  # where cel-go places errors without a position: before the first column
_OPERATIONS = {"expr": "op", "conditionalOr": "ops", "conditionalAnd": "ops", "relation": "op", "calc": "op"}
_TRANSPARENT = {("unary", "member"), ("member", ""), ("primary", "nested"), ("primary", "constant")}


class TooManyLevelsError(Exception):
    """The tree has more levels than cel-go visits."""


def _unnest(node: ParseTreeNode | None) -> ParseTreeNode | None:
    """Return the first node on the way down that is not just a wrapper."""
    while node is not None:
        label = _OPERATIONS.get(node.rule)
        if label in node.parts if label else (node.rule, node.alternative) not in _TRANSPARENT:
            return node
        node = node.get_first("e")
    return None


class _ErrorVisitor(ExprFactory):
    """cel-go's visitor with one method per kind of node."""

    __slots__ = ("depth", "dialect", "visits")

    def __init__(self, dialect: ParserOptions) -> None:
        super().__init__(dialect.macros, placed=dialect.placed)
        self.dialect = dialect
        self.depth = 0
        self.visits = VISITS

    def visit(self, node: ParseTreeNode | None) -> Expr:
        node = _unnest(node)
        if node is None:
            return Unspecified(self.new_id(), NOWHERE)
        visit = self.visits.get((node.rule, node.alternative), _ErrorVisitor.visit_failed_rule)
        counted = node.rule in _COUNTED
        self.depth += counted
        if self.depth > DEPTH_LIMIT:
            raise TooManyLevelsError
        expr = visit(self, node)
        self.depth -= counted
        return expr

    def visit_all(self, nodes: list[ParseTreeNode]) -> tuple[Expr, ...]:
        return tuple([self.visit(node) for node in nodes])

    def visit_failed_rule(self, _: ParseTreeNode) -> Expr:
        """Visit a rule that failed before its alternative was known."""
        return Unspecified(self.new_id(), NOWHERE)

    def visit_unary(self, node: ParseTreeNode) -> Expr:
        return Literal(self.new_id(), node.at, "<<error>>")

    def visit_operation(self, node: ParseTreeNode) -> Expr:
        """Visit the operands of an operator or an operator chain; the middle operator of a chain gives the offset."""
        operands = [
            self.visit(part) for parts in node.parts.values() for part in parts if isinstance(part, ParseTreeNode)
        ]
        operators = node.get_leaves(_OPERATIONS[node.rule])
        return Call(self.new_id(), operators[len(operators) // 2].at, "", tuple(operands))

    def visit_signed(self, node: ParseTreeNode) -> Expr:
        operand = self.visit(node.get_first("operand"))
        signs = node.get_leaves("ops")
        return Call(self.new_id(), signs[0].at, "", (operand,)) if len(signs) % 2 else operand

    def visit_selection(self, node: ParseTreeNode) -> Expr:
        operand, name = self.visit(node.get_first("left")), node.get_first("id")
        if name is None:
            return Unspecified(self.new_id(), node.at)
        at = node.get_leaves("op")[0].at
        field = self.get_field_name(name, name.at) or ""
        if not node.get_leaves("opt"):
            return Select(self.new_id(), at, operand, field)
        if not self.dialect.optionals:
            return self.report_error(error_messages.OPTIONAL_SELECT, at)
        return Call(self.new_id(), at, "_?._", (operand, Literal(self.new_id(), name.at, field)))

    def get_field_name(self, name: ParseTreeNode | None, at: int) -> str | None:
        """Return the name of a field; if it is invalid, report an issue at the given offset and return None."""
        if name is None or not name.alternative:
            self.report_error("unsupported ident kind", at)
            return None
        if name.alternative == "escaped" and not self.dialect.backticks:
            self.report_error(error_messages.QUOTED_FIELD, at)
            return None
        return name.get_leaves("id")[0].text.strip("`")

    def visit_index(self, node: ParseTreeNode) -> Expr:
        at = node.get_leaves("op")[0].at
        operands = self.visit(node.get_first("left")), self.visit(node.get_first("right"))
        if node.get_leaves("opt") and not self.dialect.optionals:
            return self.report_error(error_messages.OPTIONAL_INDEX, at)
        return Call(self.new_id(), at, "_[_]", operands)

    def visit_method_call(self, node: ParseTreeNode) -> Expr:
        target = self.visit(node.get_first("left"))
        return self.visit_call(node, [target]) if node.get_leaves("id") else Unspecified(self.new_id(), node.at)

    def visit_call(self, node: ParseTreeNode, targets: list[Expr]) -> Expr:
        """Visit a call, and expand it if it is a macro."""
        function = "." * len(node.get_leaves("dot")) + node.get_leaves("id")[0].text
        arguments = node.get_first("args")
        operands = [*targets, *(self.visit_all(arguments.get_nodes("values")) if arguments else ())]
        opening = node.get_leaves("open")
        self.at = opening[0].at if opening else NO_PLACE
        expanded = self.expand_macro(function, operands, method=bool(targets))
        return expanded or Call(self.new_id(), self.at, function, tuple(operands))

    def visit_name(self, node: ParseTreeNode) -> Expr:
        """Visit an identifier or a call."""
        names = node.get_leaves("id")
        if not names:
            return Unspecified(self.new_id(), node.at)
        if names[0].text in RESERVED:
            return self.report_error(error_messages.format_reserved_identifier(names[0].text), node.at)
        if node.alternative == "global_call":
            return self.visit_call(node, [])
        return Ident(self.new_id(), names[0].at, "." * len(node.get_leaves("dot")) + names[0].text)

    def visit_list(self, node: ParseTreeNode) -> Expr:
        elements = []
        for item in [item for items in node.get_nodes("items") for item in items.get_nodes("values")]:
            elements.append(self.visit(item.get_first("e")))
            for mark in item.get_leaves("opt"):
                if not self.dialect.optionals:
                    self.report_error(error_messages.OPTIONAL_ENTRY, mark.at)
        return ListExpr(self.new_id(), node.get_leaves("op")[0].at, tuple(elements))

    def visit_map(self, node: ParseTreeNode) -> Expr:
        for items in node.get_nodes("items"):
            for key, value in zip(items.get_nodes("keys"), items.get_nodes("values"), strict=False):
                if key.get_leaves("opt") and not self.dialect.optionals:
                    self.report_error(error_messages.OPTIONAL_ENTRY, key.at)
                    continue
                self.visit(key.get_first("e"))
                self.visit(value)
        return MapExpr(self.new_id(), node.at, ())

    def visit_message(self, node: ParseTreeNode) -> Expr:
        for items in node.get_nodes("items"):
            for key, value in zip(items.get_nodes("keys"), items.get_nodes("values"), strict=False):
                if key.get_leaves("opt") and not self.dialect.optionals:
                    self.report_error(error_messages.OPTIONAL_ENTRY, key.at)
                elif self.get_field_name(key.get_first("id"), items.at) is not None:
                    self.visit(value)
        brace = node.get_leaves("op")
        return StructExpr(self.new_id(), brace[0].at if brace else NO_PLACE, "", ())

    def visit_constant(self, node: ParseTreeNode) -> Expr:
        token = node.get_leaves("token")[0]
        spelling = "-" * len(node.get_leaves("sign")) + token.text
        try:
            return Literal(
                self.new_id(), node.at, literals.get_parsers(modern=self.dialect.modern)[token.kind](spelling)
            )
        except ValueError as error:
            return self.report_error(str(error), node.at)


_COUNTED = {"expr", "relation", "calc", "member"}
VISITS: Mapping[tuple[str, str], Callable[[_ErrorVisitor, ParseTreeNode], Expr]] = {
    **dict.fromkeys([(rule, "") for rule in _OPERATIONS], _ErrorVisitor.visit_operation),
    ("calc", "product"): _ErrorVisitor.visit_operation,
    ("calc", "sum"): _ErrorVisitor.visit_operation,
    ("unary", ""): _ErrorVisitor.visit_unary,
    ("unary", "logical_not"): _ErrorVisitor.visit_signed,
    ("unary", "negate"): _ErrorVisitor.visit_signed,
    ("member", "select"): _ErrorVisitor.visit_selection,
    ("member", "call"): _ErrorVisitor.visit_method_call,
    ("member", "index"): _ErrorVisitor.visit_index,
    ("primary", "ident"): _ErrorVisitor.visit_name,
    ("primary", "global_call"): _ErrorVisitor.visit_name,
    ("primary", "list"): _ErrorVisitor.visit_list,
    ("primary", "map"): _ErrorVisitor.visit_map,
    ("primary", "message"): _ErrorVisitor.visit_message,
    **dict.fromkeys([("literal", kind) for kind in literals.PARSERS], _ErrorVisitor.visit_constant),
}
