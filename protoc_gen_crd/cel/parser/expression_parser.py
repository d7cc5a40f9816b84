"""A recursive-descent parser of CEL expressions: the grammar of cel-go v0.29 (`parser/gen/CEL.g4`).

It checks no types, and macros are passed in as a table. Nodes have the ids and offsets that cel-go assigns.
"""

from __future__ import annotations

from collections.abc import Callable

from . import error_messages, literals
from .ast import (
    OPERATORS,
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
)
from .lexer import RESERVED, T, TokenReader, UnexpectedTokenError
from .parser_options_and_limits import enter_level

_RELATIONS = {row.symbol: row.function for row in OPERATORS if row.precedence == 5}
_SUMS = {row.symbol: row.function for row in OPERATORS if row.precedence == 4}
_PRODUCTS = {row.symbol: row.function for row in OPERATORS if row.precedence == 3}
_PREFIXES = {row.symbol: row.function for row in OPERATORS if row.arity == 1}
SIGNED = ("int", "float")


class _ExprParser(TokenReader):
    """A parser with one method per rule of the grammar."""

    __slots__ = ()

    def parse_whole(self) -> Expr:
        if self.tokens.errors:
            raise UnexpectedTokenError
        root = self.parse_expr()
        self.consume("end")
        return root

    # operators

    def parse_expr(self) -> Expr:
        self.depth = enter_level(self.depth)
        value = self.parse_disjunction()
        if self.kinds[self.pos] == "?":
            value = self.parse_conditional(value)
        self.depth -= 1
        return value

    def parse_conditional(self, condition: Expr) -> Expr:
        height, at, ident = self.height, self.consume("?"), self.new_id()
        then = self.parse_disjunction()
        height = max(height, self.height)
        self.consume(":")
        otherwise = self.parse_expr()
        self.height = max(height, self.height) + 1
        return Call(ident, at, "_?_:_", (condition, then, otherwise))

    def parse_disjunction(self) -> Expr:
        first = self.parse_conjunction()
        return (
            self.parse_logical_chain("||", "_||_", first, self.parse_conjunction)
            if self.kinds[self.pos] == "||"
            else first
        )

    def parse_conjunction(self) -> Expr:
        first = self.parse_relation()
        return (
            self.parse_logical_chain("&&", "_&&_", first, self.parse_relation)
            if self.kinds[self.pos] == "&&"
            else first
        )

    def parse_logical_chain(self, symbol: str, function: str, first: Expr, operand: Callable[[], Expr]) -> Expr:
        """Parse terms joined by one logical operator into a balanced tree."""
        terms, places, height = [first], [], self.height
        while self.kinds[self.pos] == symbol:
            at = self.consume(symbol)
            terms.append(operand())
            places.append((self.new_id(), at))
            height = max(height, self.height)
        self.height = height
        return _balance(function, terms, places)

    def parse_relation(self) -> Expr:
        self.relations = enter_level(self.relations)
        value = self.parse_sum()
        while (function := _RELATIONS.get(self.kinds[self.pos])) is not None:
            self.relations = enter_level(self.relations)
            value = self.parse_binary(function, value, self.parse_sum)
            self.relations -= 1
        self.relations -= 1
        return value

    def parse_sum(self) -> Expr:
        self.calcs = enter_level(self.calcs)
        value = self.parse_product()
        while (function := _SUMS.get(self.kinds[self.pos])) is not None:
            self.calcs = enter_level(self.calcs)
            value = self.parse_binary(function, value, self.parse_product)
            self.calcs -= 1
        self.calcs -= 1
        return value

    def parse_product(self) -> Expr:
        value = self.parse_unary()
        while (function := _PRODUCTS.get(self.kinds[self.pos])) is not None:
            self.calcs = enter_level(self.calcs)
            value = self.parse_binary(function, value, self.parse_unary)
            self.calcs -= 1
        return value

    def parse_binary(self, function: str, left: Expr, operand: Callable[[], Expr]) -> Expr:
        height, at, ident = self.height, self.starts[self.pos], self.new_id()
        self.pos += 1
        right = operand()
        self.height = max(height, self.height) + 1
        return Call(ident, at, function, (left, right))

    def parse_unary(self) -> Expr:
        """Parse a member with signs: an even number cancels out, a single minus before a number is part of it."""
        symbol, start = self.kinds[self.pos], self.pos
        if symbol not in _PREFIXES:
            return self.parse_member()
        while self.kinds[self.pos] == symbol:
            self.pos += 1
        count = self.pos - start
        if symbol == "-" and count == 1 and self.kinds[self.pos] in SIGNED:
            self.pos = start
        elif count % 2:
            ident = self.new_id()
            return Call(ident, self.starts[start], _PREFIXES[symbol], (self.parse_member(),))
        return self.parse_member()

    # members

    def parse_member(self) -> Expr:
        value = _PRIMARIES.get(self.kinds[self.pos], _ExprParser.report_unexpected_token)(self)
        while True:
            kind = self.kinds[self.pos]
            if kind == ".":
                value = self.parse_selection(value)
            elif kind == "[":
                value = self.parse_index(value)
            else:
                return value
            self.height += 1

    def parse_selection(self, operand: Expr) -> Expr:
        at, optional = self.consume("."), self.consume_if("?")
        place = self.starts[self.pos]
        escaped = self.kinds[self.pos] == "escaped"
        name = self.parse_field_name()
        if not (optional or escaped) and self.kinds[self.pos] == "(":
            return self.parse_call(name, operand)
        if escaped and not self.dialect.backticks:
            self.report_error(error_messages.QUOTED_FIELD, place)
        if not optional:
            return Select(self.new_id(), at, operand, name)
        if not self.dialect.optionals:
            return self.report_error(error_messages.OPTIONAL_SELECT, at)
        field = Literal(self.new_id(), place, name)
        return Call(self.new_id(), at, "_?._", (operand, field))

    def parse_field_name(self) -> str:
        """Parse the name of a field and return it without backticks."""
        spelling = self.texts[self.pos]
        if self.consume_if("escaped"):
            return spelling[1:-1]
        self.consume("ident")
        return spelling

    def parse_index(self, target: Expr) -> Expr:
        height, at, ident = self.height, self.consume("["), self.new_id()
        optional = self.consume_if("?")
        key = self.parse_expr()
        self.consume("]")
        self.height = max(height, self.height)
        if optional and not self.dialect.optionals:
            return self.report_error(error_messages.OPTIONAL_INDEX, at)
        return Call(ident, at, "_[?_]" if optional else "_[_]", (target, key))

    def parse_call(self, name: str, target: Expr | None) -> Expr:
        """Parse a call from its parenthesis on, and expand it if it is a macro."""
        height = 0 if target is None else self.height
        at, ident = self.consume("("), self.new_id()
        args = self.parse_series(self.parse_expr, ")")
        self.height = max(height, self.height)
        if name in self.macros:
            self.at = at
            expanded = self.expand_macro(name, args if target is None else [target, *args], method=target is not None)
            if expanded is not None:
                return expanded
        return Call(ident, at, name, tuple(args), target)

    # primaries

    def report_unexpected_token(self) -> Expr:
        raise UnexpectedTokenError

    def parse_name(self) -> Expr:
        """Parse an identifier, a call, or a message literal, with or without a leading dot."""
        start, dot = self.starts[self.pos], "." if self.consume_if(".") else ""
        brace = self.find_message_brace() if self.messages else 0
        if brace:
            return self.parse_message(dot, brace)
        spelling = self.texts[self.pos]
        place = self.consume("ident")
        self.height = 0
        called = self.kinds[self.pos] == "("
        if spelling in RESERVED:
            wrong = error_messages.format_reserved_identifier(spelling)
            return self.parse_ignoring_issues(lambda: called and self.parse_call(spelling, None), wrong, start)
        return self.parse_call(dot + spelling, None) if called else Ident(self.new_id(), place, dot + spelling)

    def find_message_brace(self) -> int:
        """Return the index of the brace if a message literal starts here, or 0."""
        at = self.pos
        while self.kinds[at] == "ident":
            if self.kinds[at + 1] == "{":
                return at + 1
            if self.kinds[at + 1] != ".":
                return 0
            at += 2
        return 0

    def parse_message(self, dot: str, brace: int) -> Expr:
        name = dot + "".join(self.texts[self.pos : brace])
        self.pos = brace
        at, ident = self.consume("{"), self.new_id()
        first = self.starts[self.pos]
        fields = self.parse_series(lambda: self.parse_struct_field(first), "}")
        return StructExpr(ident, at, name, tuple(fields))

    def parse_struct_field(self, first: int) -> StructField:
        start, ident = self.starts[self.pos], self.new_id()
        optional = self.consume_if("?")
        wrong: tuple[str, int] | None = None
        if optional and not self.dialect.optionals:
            wrong = error_messages.OPTIONAL_ENTRY, start
        elif self.kinds[self.pos] == "escaped" and not self.dialect.backticks:
            wrong = error_messages.QUOTED_FIELD, first
        if wrong:
            return StructField(
                ident, start, "", self.parse_ignoring_issues(lambda: self.parse_pair(self.parse_field_name), *wrong)
            )
        name, at, value = self.parse_pair(self.parse_field_name)
        return StructField(ident, at, name, value, optional)

    def parse_map(self) -> Expr:
        at, ident = self.consume("{"), self.new_id()
        return MapExpr(ident, at, tuple(self.parse_series(self.parse_map_entry, "}")))

    def parse_map_entry(self) -> MapEntry:
        start, ident = self.starts[self.pos], self.new_id()
        optional = self.consume_if("?")
        if optional and not self.dialect.optionals:
            wrong = self.parse_ignoring_issues(
                lambda: self.parse_pair(self.parse_expr), error_messages.OPTIONAL_ENTRY, start
            )
            return MapEntry(ident, start, wrong, wrong)
        key, at, value = self.parse_pair(self.parse_expr)
        return MapEntry(ident, at, key, value, optional)

    def parse_pair(self, key: Callable[[], T]) -> tuple[T, int, Expr]:
        """Parse `key: value`, and return key, offset of the colon, and value."""
        self.height = 0
        parsed = key()
        height, at = self.height, self.consume(":")
        value = self.parse_expr()
        self.height = max(height, self.height)
        return parsed, at, value

    def parse_list(self) -> Expr:
        at, ident = self.consume("["), self.new_id()
        items = self.parse_series(self.parse_element, "]")
        optionals = [place for place, (_, optional) in enumerate(items) if optional]
        return ListExpr(ident, at, tuple([value for value, _ in items]), tuple(optionals))

    def parse_element(self) -> tuple[Expr, bool]:
        at, optional = self.starts[self.pos], self.consume_if("?")
        value = self.parse_expr()
        if optional and not self.dialect.optionals:
            self.report_error(error_messages.OPTIONAL_ENTRY, at)
        return value, optional

    def parse_nested(self) -> Expr:
        self.consume("(")
        value = self.parse_expr()
        self.consume(")")
        return value

    def parse_constant(self) -> Expr:
        """Parse a constant; only numbers may have a sign before them."""
        at = self.starts[self.pos]
        sign = "-" if self.consume_if("-") else ""
        kind, spelling = self.kinds[self.pos], sign + self.texts[self.pos]
        if sign and kind not in SIGNED:
            raise UnexpectedTokenError
        self.pos += 1
        self.height = 0
        try:
            return Literal(self.new_id(), at, literals.get_parsers(modern=self.dialect.modern)[kind](spelling))
        except ValueError as error:
            self.next_id -= 1
            return self.report_error(str(error), at)


def _balance(function: str, terms: list[Expr], places: list[tuple[int, int]]) -> Expr:
    """Return the balanced tree that cel-go builds from a chain, split in the middle recursively."""
    if not places:
        return terms[0]
    middle = len(places) // 2
    left = _balance(function, terms[: middle + 1], places[:middle])
    right = _balance(function, terms[middle + 1 :], places[middle + 1 :])
    return Call(*places[middle], function, (left, right))


_PRIMARIES: dict[str, Callable[[_ExprParser], Expr]] = {
    "ident": _ExprParser.parse_name,
    ".": _ExprParser.parse_name,
    "(": _ExprParser.parse_nested,
    "[": _ExprParser.parse_list,
    "{": _ExprParser.parse_map,
    "-": _ExprParser.parse_constant,
    **dict.fromkeys(literals.PARSERS, _ExprParser.parse_constant),
}
