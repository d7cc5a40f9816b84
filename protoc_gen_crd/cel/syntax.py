"""CEL text -> tree, or what is wrong with the text. Knows no types; macros are handed in as a table.

The language is what cel-go v0.29 accepts (`parser/gen/CEL.g4`, `parser/parser.go`) with the limits that Kubernetes
leaves alone: 100,000 code points, 250 levels. Ids and offsets of nodes are cel-go's too.
"""

from __future__ import annotations

from collections.abc import Callable

from . import literals
from .ast import (
    OPERATORS,
    Ast,
    Call,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapEntry,
    MapExpr,
    Select,
    StructExpr,
    StructField,
    make_room,
)
from .expansion import TooLargeError
from .issues import Issue, Refusal
from .lexer import RESERVED
from .reader import DEFAULT, DEPTH_LIMIT, SIZE_LIMIT, Dialect, Reader, T, TooDeepError, UnreadableError, deeper

_RELATIONS = {row.symbol: row.function for row in OPERATORS if row.precedence == 5}
_SUMS = {row.symbol: row.function for row in OPERATORS if row.precedence == 4}
_PRODUCTS = {row.symbol: row.function for row in OPERATORS if row.precedence == 3}
_PREFIXES = {row.symbol: row.function for row in OPERATORS if row.arity == 1}
SIGNED = ("int", "float")


def parse(text: str, dialect: Dialect = DEFAULT) -> Ast | Refusal:
    """The tree of a text, with its macros expanded, or everything that is wrong with it."""
    if len(text) > SIZE_LIMIT:
        size = f"expression code point size exceeds limit: size: {len(text)}, limit {SIZE_LIMIT}"
        return Refusal(text, (Issue(size),))
    parser = _Parser(text, dialect) if dialect.current else _older(text, dialect)
    try:
        root = parser.whole()
    except UnreadableError:
        from . import salvage  # noqa: PLC0415 - only a text with a mistake pays for it

        return Refusal(text, salvage.issues(text, parser.tokens, dialect))
    except TooDeepError:
        return Refusal(text, (Issue(f"expression recursion limit exceeded: {DEPTH_LIMIT}"),))
    except TooLargeError as error:
        return Refusal(text, (Issue(str(error)),))
    make_room(parser.next_id)
    if parser.height > DEPTH_LIMIT:
        return Refusal(text, (Issue("max recursion depth exceeded"),))
    return Refusal(text, tuple(parser.issues)) if parser.issues else Ast(text, root, parser.calls)


def _older(text: str, dialect: Dialect) -> _Parser:
    from .older import older  # noqa: PLC0415 - few ask these servers

    return older(text, dialect)


class _Parser(Reader):
    """One method a rule of the grammar."""

    __slots__ = ()

    def whole(self) -> Expr:
        if self.tokens.errors:
            raise UnreadableError
        root = self.expression()
        self.take("end")
        return root

    # operators

    def expression(self) -> Expr:
        self.depth = deeper(self.depth)
        value = self.disjunction()
        if self.kinds[self.pos] == "?":
            value = self.conditional(value)
        self.depth -= 1
        return value

    def conditional(self, condition: Expr) -> Expr:
        height, at, made = self.height, self.take("?"), self.fresh()
        then = self.disjunction()
        height = max(height, self.height)
        self.take(":")
        otherwise = self.expression()
        self.height = max(height, self.height) + 1
        return Call(made, at, "_?_:_", (condition, then, otherwise))

    def disjunction(self) -> Expr:
        first = self.conjunction()
        return self.chain("||", "_||_", first, self.conjunction) if self.kinds[self.pos] == "||" else first

    def conjunction(self) -> Expr:
        first = self.relation()
        return self.chain("&&", "_&&_", first, self.relation) if self.kinds[self.pos] == "&&" else first

    def chain(self, symbol: str, function: str, first: Expr, operand: Callable[[], Expr]) -> Expr:
        """Terms joined by one logical operator, as a balanced tree."""
        terms, places, height = [first], [], self.height
        while self.kinds[self.pos] == symbol:
            at = self.take(symbol)
            terms.append(operand())
            places.append((self.fresh(), at))
            height = max(height, self.height)
        self.height = height
        return _balanced(function, terms, places)

    def relation(self) -> Expr:
        self.relations = deeper(self.relations)
        value = self.sum()
        while (function := _RELATIONS.get(self.kinds[self.pos])) is not None:
            self.relations = deeper(self.relations)
            value = self.binary(function, value, self.sum)
            self.relations -= 1
        self.relations -= 1
        return value

    def sum(self) -> Expr:
        self.calcs = deeper(self.calcs)
        value = self.product()
        while (function := _SUMS.get(self.kinds[self.pos])) is not None:
            self.calcs = deeper(self.calcs)
            value = self.binary(function, value, self.product)
            self.calcs -= 1
        self.calcs -= 1
        return value

    def product(self) -> Expr:
        value = self.unary()
        while (function := _PRODUCTS.get(self.kinds[self.pos])) is not None:
            self.calcs = deeper(self.calcs)
            value = self.binary(function, value, self.unary)
            self.calcs -= 1
        return value

    def binary(self, function: str, left: Expr, operand: Callable[[], Expr]) -> Expr:
        height, at, made = self.height, self.starts[self.pos], self.fresh()
        self.pos += 1
        right = operand()
        self.height = max(height, self.height) + 1
        return Call(made, at, function, (left, right))

    def unary(self) -> Expr:
        """A member with signs before it: an even number of them is none, one before a number is part of it."""
        symbol, start = self.kinds[self.pos], self.pos
        if symbol not in _PREFIXES:
            return self.member()
        while self.kinds[self.pos] == symbol:
            self.pos += 1
        count = self.pos - start
        if symbol == "-" and count == 1 and self.kinds[self.pos] in SIGNED:
            self.pos = start
        elif count % 2:
            made = self.fresh()
            return Call(made, self.starts[start], _PREFIXES[symbol], (self.member(),))
        return self.member()

    # members

    def member(self) -> Expr:
        value = _PRIMARIES.get(self.kinds[self.pos], _Parser.nothing)(self)
        while True:
            kind = self.kinds[self.pos]
            if kind == ".":
                value = self.selection(value)
            elif kind == "[":
                value = self.index(value)
            else:
                return value
            self.height += 1

    def selection(self, operand: Expr) -> Expr:
        at, optional = self.take("."), self.skip("?")
        place = self.starts[self.pos]
        escaped = self.kinds[self.pos] == "escaped"
        name = self.field_name()
        if not (optional or escaped) and self.kinds[self.pos] == "(":
            return self.called(name, operand)
        if escaped and not self.dialect.backticks:
            self.refuse("unsupported syntax: '`'", place)
        if not optional:
            return Select(self.fresh(), at, operand, name)
        if not self.dialect.optionals:
            return self.refuse("unsupported syntax '.?'", at)
        field = Literal(self.fresh(), place, name)
        return Call(self.fresh(), at, "_?._", (operand, field))

    def field_name(self) -> str:
        """The name of a field, without its backticks."""
        spelling = self.texts[self.pos]
        if self.skip("escaped"):
            return spelling[1:-1]
        self.take("ident")
        return spelling

    def index(self, target: Expr) -> Expr:
        height, at, made = self.height, self.take("["), self.fresh()
        optional = self.skip("?")
        key = self.expression()
        self.take("]")
        self.height = max(height, self.height)
        if optional and not self.dialect.optionals:
            return self.refuse("unsupported syntax '[?'", at)
        return Call(made, at, "_[?_]" if optional else "_[_]", (target, key))

    def called(self, name: str, target: Expr | None) -> Expr:
        """A call, from its parenthesis on, or the expansion of the macro that it is."""
        height = 0 if target is None else self.height
        at, made = self.take("("), self.fresh()
        args = self.series(self.expression, ")")
        self.height = max(height, self.height)
        if name in self.macros:
            self.at = at
            expanded = self.apply(name, args if target is None else [target, *args], method=target is not None)
            if expanded is not None:
                return expanded
        return Call(made, at, name, tuple(args), target)

    # primaries

    def nothing(self) -> Expr:
        raise UnreadableError

    def name(self) -> Expr:
        """An identifier, a call, or a message literal, with or without leading dot."""
        start, dot = self.starts[self.pos], "." if self.skip(".") else ""
        brace = self.message_brace() if self.messages else 0
        if brace:
            return self.message(dot, brace)
        spelling = self.texts[self.pos]
        place = self.take("ident")
        self.height = 0
        called = self.kinds[self.pos] == "("
        if spelling in RESERVED:
            wrong = f"reserved identifier: {spelling}"
            return self.unseen(lambda: called and self.called(spelling, None), wrong, start)
        return self.called(dot + spelling, None) if called else Ident(self.fresh(), place, dot + spelling)

    def message_brace(self) -> int:
        """The position of the brace if a message literal starts here, or 0."""
        at = self.pos
        while self.kinds[at] == "ident":
            if self.kinds[at + 1] == "{":
                return at + 1
            if self.kinds[at + 1] != ".":
                return 0
            at += 2
        return 0

    def message(self, dot: str, brace: int) -> Expr:
        name = dot + "".join(self.texts[self.pos : brace])
        self.pos = brace
        at, made = self.take("{"), self.fresh()
        first = self.starts[self.pos]
        fields = self.series(lambda: self.struct_field(first), "}")
        return StructExpr(made, at, name, tuple(fields))

    def struct_field(self, first: int) -> StructField:
        start, made = self.starts[self.pos], self.fresh()
        optional = self.skip("?")
        wrong: tuple[str, int] | None = None
        if optional and not self.dialect.optionals:
            wrong = "unsupported syntax '?'", start
        elif self.kinds[self.pos] == "escaped" and not self.dialect.backticks:
            wrong = "unsupported syntax: '`'", first
        if wrong:
            return StructField(made, start, "", self.unseen(lambda: self.pair(self.field_name), *wrong))
        name, at, value = self.pair(self.field_name)
        return StructField(made, at, name, value, optional)

    def map_literal(self) -> Expr:
        at, made = self.take("{"), self.fresh()
        return MapExpr(made, at, tuple(self.series(self.map_entry, "}")))

    def map_entry(self) -> MapEntry:
        start, made = self.starts[self.pos], self.fresh()
        optional = self.skip("?")
        if optional and not self.dialect.optionals:
            wrong = self.unseen(lambda: self.pair(self.expression), "unsupported syntax '?'", start)
            return MapEntry(made, start, wrong, wrong)
        key, at, value = self.pair(self.expression)
        return MapEntry(made, at, key, value, optional)

    def pair(self, key: Callable[[], T]) -> tuple[T, int, Expr]:
        """`key: value`, and the offset of the colon."""
        self.height = 0
        found = key()
        height, at = self.height, self.take(":")
        value = self.expression()
        self.height = max(height, self.height)
        return found, at, value

    def list_literal(self) -> Expr:
        at, made = self.take("["), self.fresh()
        items = self.series(self.element, "]")
        optionals = [place for place, (_, optional) in enumerate(items) if optional]
        return ListExpr(made, at, tuple([value for value, _ in items]), tuple(optionals))

    def element(self) -> tuple[Expr, bool]:
        at, optional = self.starts[self.pos], self.skip("?")
        value = self.expression()
        if optional and not self.dialect.optionals:
            self.refuse("unsupported syntax '?'", at)
        return value, optional

    def nested(self) -> Expr:
        self.take("(")
        value = self.expression()
        self.take(")")
        return value

    def constant(self) -> Expr:
        """A constant; only numbers have a sign before them."""
        at = self.starts[self.pos]
        sign = "-" if self.skip("-") else ""
        kind, spelling = self.kinds[self.pos], sign + self.texts[self.pos]
        if sign and kind not in SIGNED:
            raise UnreadableError
        self.pos += 1
        self.height = 0
        try:
            return Literal(self.fresh(), at, literals.reads(modern=self.dialect.modern)[kind](spelling))
        except ValueError as error:
            self.next_id -= 1
            return self.refuse(str(error), at)


def _balanced(function: str, terms: list[Expr], places: list[tuple[int, int]]) -> Expr:
    """The tree that cel-go makes of a chain: split in the middle, again and again."""
    if not places:
        return terms[0]
    middle = len(places) // 2
    left = _balanced(function, terms[: middle + 1], places[:middle])
    right = _balanced(function, terms[middle + 1 :], places[middle + 1 :])
    return Call(*places[middle], function, (left, right))


_PRIMARIES: dict[str, Callable[[_Parser], Expr]] = {
    "ident": _Parser.name,
    ".": _Parser.name,
    "(": _Parser.nested,
    "[": _Parser.list_literal,
    "{": _Parser.map_literal,
    "-": _Parser.constant,
    **dict.fromkeys(literals.READ, _Parser.constant),
}
