"""What else is wrong with a text that is no expression: cel-go looks into what ANTLR could make of it.

Follows the visitor of cel-go v0.29 `parser/parser.go` over nodes that may lack parts. The expressions it makes are
only good for macros to refuse; positions are all that must be right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from protoc_gen_crd.base.gotext import unfilled

from . import literals
from .ast import NO_PLACE, Call, Expr, Ident, ListExpr, Literal, MapExpr, Select, StructExpr, Unspecified, make_room
from .expansion import TooLargeError, Workshop
from .issues import Issue
from .lexer import RESERVED, Tokens
from .reader import DEPTH_LIMIT, Dialect
from .recovery import Node, Recovery

_FRAMES_EACH = 10  # of the walks here, for each that `make_room` reckons with
NOWHERE = -1  # where cel-go places what it has no place for: before the first column
_OPERATIONS = {"expr": "op", "conditionalOr": "ops", "conditionalAnd": "ops", "relation": "op", "calc": "op"}
_TRANSPARENT = {("unary", "member"), ("member", ""), ("primary", "nested"), ("primary", "constant")}


class _TooDeepError(Exception):
    """More levels than cel-go visits."""


def issues(text: str, tokens: Tokens, dialect: Dialect) -> tuple[Issue, ...]:
    """Everything that cel-go says of a text with syntax errors."""
    make_room(len(tokens.kinds) * _FRAMES_EACH)
    recovery, visitor = _tools(text, tokens, dialect)
    root = recovery.parse()
    found = recovery.issues if dialect.modern else [_as_before(issue) for issue in recovery.issues]
    if root is not None:
        try:
            visitor.visit(root.first("e"))
        except _TooDeepError:
            visitor.issues.append(Issue("max recursion depth exceeded"))
        except TooLargeError as error:
            visitor.issues.append(Issue(str(error)))
        found += visitor.issues
    return tuple(found)


def _tools(text: str, tokens: Tokens, dialect: Dialect) -> tuple[Recovery, _Visitor]:
    if dialect.modern:
        return Recovery(text, tokens), _Visitor(dialect)
    if dialect.current:
        from .middlesalvage import tools  # noqa: PLC0415 - few ask these servers
    else:
        from .oldsalvage import tools  # noqa: PLC0415

    return tools(text, tokens, dialect)


def _as_before(issue: Issue) -> Issue:
    """What an older server says: it knows no names in backticks, and takes its words for a format."""
    text = issue.message.replace("{IDENTIFIER, ESC_IDENTIFIER}", "IDENTIFIER").replace(", ESC_IDENTIFIER}", "}")
    return issue.replace(message=unfilled(text))


def _unnest(node: Node | None) -> Node | None:
    """The first node on the way down that is more than a wrapper."""
    while node is not None:
        label = _OPERATIONS.get(node.rule)
        if label in node.parts if label else (node.rule, node.alternative) not in _TRANSPARENT:
            return node
        node = node.first("e")
    return None


class _Visitor(Workshop):
    """One method a kind of node."""

    __slots__ = ("depth", "dialect", "visits")

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect.macros, placed=dialect.placed)
        self.dialect = dialect
        self.depth = 0
        self.visits = VISITS

    def visit(self, node: Node | None) -> Expr:
        node = _unnest(node)
        if node is None:
            return Unspecified(self.fresh(), NOWHERE)
        visit = self.visits.get((node.rule, node.alternative), _Visitor.nowhere)
        counted = node.rule in _COUNTED
        self.depth += counted
        if self.depth > DEPTH_LIMIT:
            raise _TooDeepError
        made = visit(self, node)
        self.depth -= counted
        return made

    def all(self, nodes: list[Node]) -> tuple[Expr, ...]:
        return tuple([self.visit(node) for node in nodes])

    def nowhere(self, _: Node) -> Expr:
        """A rule that failed before it was clear what it is."""
        return Unspecified(self.fresh(), NOWHERE)

    def unary(self, node: Node) -> Expr:
        return Literal(self.fresh(), node.at, "<<error>>")

    def operation(self, node: Node) -> Expr:
        """Operands of one operator or several; of several, the one in the middle gives the place."""
        operands = [self.visit(part) for parts in node.parts.values() for part in parts if isinstance(part, Node)]
        operators = node.leaves(_OPERATIONS[node.rule])
        return Call(self.fresh(), operators[len(operators) // 2].at, "", tuple(operands))

    def signed(self, node: Node) -> Expr:
        operand = self.visit(node.first("operand"))
        signs = node.leaves("ops")
        return Call(self.fresh(), signs[0].at, "", (operand,)) if len(signs) % 2 else operand

    def selection(self, node: Node) -> Expr:
        operand, name = self.visit(node.first("left")), node.first("id")
        if name is None:
            return Unspecified(self.fresh(), node.at)
        at = node.leaves("op")[0].at
        field = self.field_name(name, name.at) or ""
        if not node.leaves("opt"):
            return Select(self.fresh(), at, operand, field)
        if not self.dialect.optionals:
            return self.refuse("unsupported syntax '.?'", at)
        return Call(self.fresh(), at, "_?._", (operand, Literal(self.fresh(), name.at, field)))

    def field_name(self, name: Node | None, at: int) -> str | None:
        """The name of a field; if it is none, an issue at the given place and None."""
        if name is None or not name.alternative:
            self.refuse("unsupported ident kind", at)
            return None
        if name.alternative == "escaped" and not self.dialect.backticks:
            self.refuse("unsupported syntax: '`'", at)
            return None
        return name.leaves("id")[0].text.strip("`")

    def index(self, node: Node) -> Expr:
        at = node.leaves("op")[0].at
        operands = self.visit(node.first("left")), self.visit(node.first("right"))
        if node.leaves("opt") and not self.dialect.optionals:
            return self.refuse("unsupported syntax '[?'", at)
        return Call(self.fresh(), at, "_[_]", operands)

    def method_call(self, node: Node) -> Expr:
        target = self.visit(node.first("left"))
        return self.called(node, [target]) if node.leaves("id") else Unspecified(self.fresh(), node.at)

    def called(self, node: Node, targets: list[Expr]) -> Expr:
        """A call, or the expansion of the macro that it is."""
        function = "." * len(node.leaves("dot")) + node.leaves("id")[0].text
        arguments = node.first("args")
        operands = [*targets, *(self.all(arguments.nodes("values")) if arguments else ())]
        opening = node.leaves("open")
        self.at = opening[0].at if opening else NO_PLACE
        expanded = self.apply(function, operands, method=bool(targets))
        return expanded or Call(self.fresh(), self.at, function, tuple(operands))

    def name(self, node: Node) -> Expr:
        """An identifier or a call."""
        names = node.leaves("id")
        if not names:
            return Unspecified(self.fresh(), node.at)
        if names[0].text in RESERVED:
            return self.refuse(f"reserved identifier: {names[0].text}", node.at)
        if node.alternative == "global_call":
            return self.called(node, [])
        return Ident(self.fresh(), names[0].at, "." * len(node.leaves("dot")) + names[0].text)

    def list_literal(self, node: Node) -> Expr:
        made = []
        for item in [item for items in node.nodes("items") for item in items.nodes("values")]:
            made.append(self.visit(item.first("e")))
            for mark in item.leaves("opt"):
                if not self.dialect.optionals:
                    self.refuse("unsupported syntax '?'", mark.at)
        return ListExpr(self.fresh(), node.leaves("op")[0].at, tuple(made))

    def map_literal(self, node: Node) -> Expr:
        for items in node.nodes("items"):
            for key, value in zip(items.nodes("keys"), items.nodes("values"), strict=False):
                if key.leaves("opt") and not self.dialect.optionals:
                    self.refuse("unsupported syntax '?'", key.at)
                    continue
                self.visit(key.first("e"))
                self.visit(value)
        return MapExpr(self.fresh(), node.at, ())

    def message(self, node: Node) -> Expr:
        for items in node.nodes("items"):
            for key, value in zip(items.nodes("keys"), items.nodes("values"), strict=False):
                if key.leaves("opt") and not self.dialect.optionals:
                    self.refuse("unsupported syntax '?'", key.at)
                elif self.field_name(key.first("id"), items.at) is not None:
                    self.visit(value)
        brace = node.leaves("op")
        return StructExpr(self.fresh(), brace[0].at if brace else NO_PLACE, "", ())

    def constant(self, node: Node) -> Expr:
        token = node.leaves("token")[0]
        spelling = "-" * len(node.leaves("sign")) + token.text
        try:
            return Literal(self.fresh(), node.at, literals.reads(modern=self.dialect.modern)[token.kind](spelling))
        except ValueError as error:
            return self.refuse(str(error), node.at)


_COUNTED = {"expr", "relation", "calc", "member"}
VISITS: Mapping[tuple[str, str], Callable[[_Visitor, Node], Expr]] = {
    **dict.fromkeys([(rule, "") for rule in _OPERATIONS], _Visitor.operation),
    ("calc", "product"): _Visitor.operation,
    ("calc", "sum"): _Visitor.operation,
    ("unary", ""): _Visitor.unary,
    ("unary", "logical_not"): _Visitor.signed,
    ("unary", "negate"): _Visitor.signed,
    ("member", "select"): _Visitor.selection,
    ("member", "call"): _Visitor.method_call,
    ("member", "index"): _Visitor.index,
    ("primary", "ident"): _Visitor.name,
    ("primary", "global_call"): _Visitor.name,
    ("primary", "list"): _Visitor.list_literal,
    ("primary", "map"): _Visitor.map_literal,
    ("primary", "message"): _Visitor.message,
    **dict.fromkeys([("literal", kind) for kind in literals.READ], _Visitor.constant),
}
