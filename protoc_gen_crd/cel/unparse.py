"""Tree -> text in cel-go's form: one way to write every expression. Knows no macro; kept calls are printed as calls.

Strings are double-quoted, bytes are octal, parentheses stand where the tree needs them (and around calls with two or
more arguments before `?`, as cel-go has it), and a line ends behind the first `&&` or `||` past column 80.

Source: cel-go v0.29 `parser/unparser.go` with its defaults. Up to v0.28 it printed 1e6 as `1e+06.0`, which is no CEL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from .ast import (
    OPERATORS,
    Ast,
    Call,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapExpr,
    Operator,
    Select,
    StructExpr,
    Uint,
)

WRAP_COLUMN = 80  # bytes of UTF-8 since the last line end that was made
_WRAPPED = ("_&&_", "_||_")
_OPERATORS = {row.function: row for row in OPERATORS}
_UNARY_PRECEDENCE = 2


def unparse(ast: Ast) -> str:
    """The text of a tree."""
    printer = _Printer(ast.calls)
    printer.expr(ast.root)
    return "".join(printer.parts)


class _Printer:
    """Writes nodes to `parts`; `length` is what is written, `wrapped` what was when the last line end was made."""

    __slots__ = ("calls", "length", "parts", "wrapped")

    def __init__(self, calls: dict[int, Call]) -> None:
        self.calls = calls
        self.parts: list[str] = []
        self.length = self.wrapped = 0

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text) if text.isascii() else len(text.encode())

    def expr(self, node: Expr) -> None:
        node = self.calls.get(node.id, node)
        _PRINTERS[type(node)](self, node)

    def nested(self, node: Expr, *, parens: bool) -> None:
        if not parens:
            self.expr(node)
            return
        self.put("(")
        self.expr(node)
        self.put(")")

    def series(self, items: Iterable[tuple[str, Expr]], closing: str) -> None:
        """Items between commas, each with what stands before it."""
        comma = ""
        for before, value in items:
            self.put(comma + before)
            self.expr(value)
            comma = ", "
        self.put(closing)

    def literal(self, node: Literal) -> None:
        self.put(_CONSTANTS[type(node.value)](node.value))

    def ident(self, node: Ident) -> None:
        self.put(node.name)

    def select(self, node: Select) -> None:
        self.put("has(" if node.test_only else "")
        self.nested(node.operand, parens=not node.test_only and _is_operation(node.operand))
        self.put(f".{_field(node.field)}{')' if node.test_only else ''}")

    def list_literal(self, node: ListExpr) -> None:
        self.put("[")
        self.series([("?" if at in node.optionals else "", value) for at, value in enumerate(node.elements)], "]")

    def map_literal(self, node: MapExpr) -> None:
        self.put("{")
        comma = ""
        for entry in node.entries:
            self.put(comma + ("?" if entry.optional else ""))
            self.expr(entry.key)
            self.put(": ")
            self.expr(entry.value)
            comma = ", "
        self.put("}")

    def message(self, node: StructExpr) -> None:
        self.put(node.name + "{")
        self.series([(f"{'?' * field.optional}{_field(field.name)}: ", field.value) for field in node.fields], "}")

    def call(self, node: Call) -> None:
        row = _OPERATORS.get(node.function)
        if row is None or node.target is not None:
            self.function(node)
        elif row.symbol:
            (self.binary if row.arity == 2 else self.prefix)(node, row)
        elif row.arity == 3:
            self.conditional(node)
        else:
            self.access(node)

    def function(self, node: Call) -> None:
        if node.target is not None:
            self.nested(node.target, parens=_is_operation(node.target))
            self.put(".")
        self.put(node.function + "(")
        self.series([("", value) for value in node.args], ")")

    def prefix(self, node: Call, row: Operator) -> None:
        self.put(row.symbol)
        self.nested(node.args[0], parens=_is_complex(node.args[0]))

    def binary(self, node: Call, row: Operator) -> None:
        left, right = node.args
        self.nested(left, parens=_precedence(left) > row.precedence)
        self.operator(row)
        again = node.function not in _WRAPPED  # operators read from the left, `&&` and `||` from anywhere
        self.nested(right, parens=_precedence(right) >= row.precedence + (not again))

    def operator(self, row: Operator) -> None:
        wraps = row.function in _WRAPPED and self.length - self.wrapped + len(row.function) >= WRAP_COLUMN
        if wraps:
            self.wrapped = self.length
        self.put(f" {row.symbol}{chr(10) if wraps else ' '}")

    def conditional(self, node: Call) -> None:
        condition, then, otherwise = node.args
        self.nested(condition, parens=_is_complex(condition))
        self.put(" ? ")
        self.nested(then, parens=_is_complex(then))
        self.put(" : ")
        self.nested(otherwise, parens=_is_complex(otherwise))

    def access(self, node: Call) -> None:
        """`a[b]`, `a[?b]`, `a.?b`."""
        operand, key = node.args
        self.nested(operand, parens=_is_operation(operand))
        if node.function == "_?._" and isinstance(key, Literal):
            self.put(f".?{_field(str(key.value))}")
            return
        self.put("[?" if node.function == "_[?_]" else "[")
        self.expr(key)
        self.put("]")


def _precedence(node: Expr) -> int:
    """The precedence of an operation; 0 for anything else."""
    row = _OPERATORS.get(node.function) if isinstance(node, Call) else None
    return row.precedence if row else 0


def _is_complex(node: Expr) -> bool:
    """Whether this is a call or operation of two or more arguments."""
    return isinstance(node, Call) and len(node.args) > 1


def _is_operation(node: Expr) -> bool:
    """Whether this is written with a binary or ternary operator between operands."""
    return isinstance(node, Call) and len(node.args) > 1 and _precedence(node) > _UNARY_PRECEDENCE


def _field(name: str) -> str:
    return name if name.isascii() and name.isidentifier() and name != "in" else f"`{name}`"


def _quoted(text: str) -> str:
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f'"{re.sub(_SPECIAL, _escaped, text)}"'


def _escaped(match: re.Match[str]) -> str:
    """A character as Go's `strconv.Quote` writes it."""
    char = match[0]
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if code < 0x80:
        return f"\\x{code:02x}"
    if char.isprintable():
        return char
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _double(value: float) -> str:
    """The fewest digits that read back as the value, with an exponent from a million on (Python's starts at 1e16)."""
    text = repr(value)
    if "e" in text or abs(value) < 1e6:
        return text
    sign, digits = ("-", text[1:]) if value < 0 else ("", text)
    whole, _, fraction = digits.partition(".")
    significant = (whole + fraction).rstrip("0")
    point = "." if len(significant) > 1 else ""
    return f"{sign}{significant[0]}{point}{significant[1:]}e+{len(whole) - 1:02}"


_SPECIAL = r"[^ !#-\[\]-~]"
_SHORT = {
    "\a": r"\a",
    "\b": r"\b",
    "\f": r"\f",
    "\n": r"\n",
    "\r": r"\r",
    "\t": r"\t",
    "\v": r"\v",
    "\\": r"\\",
    '"': r"\"",
}
_CONSTANTS: dict[type, Callable[..., str]] = {
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: str,
    Uint: lambda value: f"{int(value)}u",
    float: _double,
    str: _quoted,
    bytes: lambda value: f'b"{"".join([f"{chr(92)}{byte:03o}" for byte in value])}"',
}
_PRINTERS: dict[type, Callable[..., None]] = {
    Literal: _Printer.literal,
    Ident: _Printer.ident,
    Select: _Printer.select,
    Call: _Printer.call,
    ListExpr: _Printer.list_literal,
    MapExpr: _Printer.map_literal,
    StructExpr: _Printer.message,
}
