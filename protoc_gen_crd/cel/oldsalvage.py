"""What cel-go 0.12 says of a text that is no expression, whose grammar has no optional syntax.

Source: cel-go v0.12 `parser/gen/CEL.g4`, `parser/parser.go`.
"""

from __future__ import annotations

from collections.abc import Callable

from .ast import NO_PLACE, Expr, Ident, ListExpr, MapExpr, Select, StructExpr, Unspecified
from .grammar import RULES, Choice, Element, Fold, Grammar, Loop, Match, Option, Use, arguments, between
from .lexer import Tokens
from .reader import Dialect
from .recovery import BRACKETS, Node, Recovery
from .salvage import VISITS, _Visitor


def _called() -> Option:
    return Option(*arguments())


def _member() -> Loop:
    return Loop(
        Choice(
            "suffix",
            select=(Fold("left"), Match(".", label="op"), Match("ident", label="id"), _called()),
            index=(Fold("left"), Match("[", label="op"), Use("expr", "right"), Match("]")),
            message=(Fold("left"), *between("{", "fieldInitializerList", "}")),
        ),
        decide="member",
    )


def _primary() -> Choice:
    return Choice(
        "primary",
        ident=(Option(Match(".", label="dot")), Match("ident", label="id"), _called()),
        nested=(Match("("), Use("expr", "e"), Match(")")),
        list=between("[", "exprList", "]"),
        map=between("{", "mapInitializerList", "}"),
        constant=(Use("literal", "e"),),
    )


def _entries(key: Callable[[], Element]) -> tuple[Element, ...]:
    one, more = [(key(), Match(":", label="colons"), Use("expr", "values")) for _ in range(2)]
    return (*one, Loop(Match(","), *more, decide="item"))


_OLD = Grammar({
    **RULES,
    "member": (Use("primary", "e"), _member()),
    "primary": (_primary(),),
    "exprList": (Use("expr", "values"), Loop(Match(","), Use("expr", "values"), decide="item")),
    "fieldInitializerList": _entries(lambda: Match("ident", label="keys")),
    "mapInitializerList": _entries(lambda: Use("expr", "keys")),
})  # fmt: skip


class _Recovery(Recovery):
    """ANTLR's parser of the older grammar, in which the next token decides nearly everything."""

    grammar = _OLD

    def member(self) -> bool:
        return self.look() in _SUFFIXES

    def suffix(self) -> str:
        return _SUFFIXES[self.look()]

    def primary(self) -> str:
        kind = self.first_of_member()
        return "ident" if kind in (".", "ident") else BRACKETS.get(kind, "constant")

    def item(self) -> bool:
        first = {"ident"} if self.node.rule == "fieldInitializerList" else self.grammar.start["expr"].next_tokens()
        return self.look() == "," and self.look(1) in first


class _Older(_Visitor):
    """cel-go's visitor of that parser's nodes."""

    __slots__ = ()

    def __init__(self, dialect: Dialect) -> None:
        super().__init__(dialect)
        self.visits = {**VISITS, **_VISITS}

    def selected(self, node: Node) -> Expr:
        """A field, or a call."""
        operand = self.visit(node.first("left"))
        names = node.leaves("id")
        if not names:
            return Unspecified(self.fresh(), node.at)
        if node.leaves("open"):
            return self.called(node, [operand])
        return Select(self.fresh(), node.leaves("op")[0].at, operand, names[0].text)

    def identifier(self, node: Node) -> Expr:
        """A name, or a call."""
        if node.leaves("open"):
            node.alternative = "global_call"
        return self.name(node)

    def elements(self, node: Node) -> Expr:
        items = [item for part in node.nodes("items") for item in self.all(part.nodes("values"))]
        return ListExpr(self.fresh(), node.leaves("op")[0].at, tuple(items))

    def entries(self, node: Node) -> Expr:
        for part in node.nodes("items"):
            for key, value in zip(part.nodes("keys"), part.nodes("values"), strict=False):
                self.visit(key)
                self.visit(value)
        return MapExpr(self.fresh(), node.at, ())

    def fields(self, node: Node) -> Expr:
        if self.qualified(self.visit(node.first("left"))):
            for part in node.nodes("items"):
                self.all(part.nodes("values"))
        brace = node.leaves("op")
        return StructExpr(self.fresh(), brace[0].at if brace else NO_PLACE, "", ())

    def qualified(self, name: Expr) -> bool:
        """Whether what stands before a brace is a name; every part that is none is reported."""
        if isinstance(name, Ident) or (isinstance(name, Select) and self.qualified(name.operand)):
            return True
        self.refuse("expected a qualified name", name.at)
        return False

    def unfit(self, node: Node) -> Expr:
        return self.refuse("invalid primary expression", node.at)


def tools(text: str, tokens: Tokens, dialect: Dialect) -> tuple[Recovery, _Visitor]:
    """What reads such a text, and what looks into what was read."""
    return _Recovery(text, tokens), _Older(dialect)


_SUFFIXES = {".": "select", "[": "index", "{": "message"}
_VISITS: dict[tuple[str, str], Callable[..., Expr]] = {
    ("member", "select"): _Older.selected,
    ("member", "message"): _Older.fields,
    ("primary", ""): _Older.unfit,
    ("primary", "ident"): _Older.identifier,
    ("primary", "list"): _Older.elements,
    ("primary", "map"): _Older.entries,
}
