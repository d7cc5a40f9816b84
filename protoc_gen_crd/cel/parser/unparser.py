"""Print a tree as cel-go does. Macros are not expanded or recognized; kept calls are printed as calls.

Strings are double-quoted, bytes are octal, parentheses are printed where the tree needs them (and around calls with
two or more arguments before `?`, as in cel-go), and a line ends after the first `&&` or `||` past column 80.

Source: cel-go v0.29 `parser/unparser.go` with its defaults. Up to v0.28 it printed 1e6 as `1e+06.0`, which is not CEL.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from .ast import OPERATORS, Ast, Call, Expr, Ident, ListExpr, Literal, MapExpr, Operator, Select, StructExpr, Uint

WRAP_COLUMN = 80  # bytes of UTF-8 since the operator at the last inserted line end, with four more for this operator
_ASSOCIATIVE = ("_&&_", "_||_")
_WRAPPED = (" && ", " || ")
_OPERATORS = {row.function: row for row in OPERATORS}
_UNARY_PRECEDENCE = 2


def unparse(ast: Ast) -> str:
    """Return the expression of a tree."""
    return wrap_lines(list_fragments(ast))


def list_fragments(ast: Ast) -> list[str]:
    """Return the parts of the expression of a tree, without line ends. Each operator is a part of its own."""
    printer = _Unparser(ast.calls)
    printer.visit(ast.root)
    return printer.parts


def wrap_lines(fragments: Iterable[str]) -> str:
    """Join the parts of an expression, with a line end after the first `&&` or `||` past the column."""
    parts: list[str] = []
    length = 0
    for fragment in fragments:
        if length >= WRAP_COLUMN - len(fragment) and fragment in _WRAPPED:
            parts.append(f"{fragment[:-1]}\n")
            length = len(fragment)
        else:
            parts.append(fragment)
            length += len(fragment) if fragment.isascii() else len(fragment.encode())
    return "".join(parts)


class _Unparser:
    """Writes nodes to `parts`."""

    __slots__ = ("calls", "parts", "write")

    def __init__(self, calls: dict[int, Call]) -> None:
        self.calls = calls
        self.parts: list[str] = []
        self.write = self.parts.append

    def visit(self, node: Expr) -> None:
        node = self.calls.get(node.id, node)
        _PRINTERS[type(node)](self, node)

    def visit_maybe_nested(self, node: Expr, *, parens: bool) -> None:
        if not parens:
            self.visit(node)
            return
        self.write("(")
        self.visit(node)
        self.write(")")

    def visit_series(self, items: Iterable[tuple[str, Expr]], closing: str) -> None:
        """Print items between commas, each with its prefix."""
        comma = ""
        for before, value in items:
            self.write(comma + before)
            self.visit(value)
            comma = ", "
        self.write(closing)

    def visit_literal(self, node: Literal) -> None:
        self.write(_CONSTANTS[type(node.value)](node.value))

    def visit_ident(self, node: Ident) -> None:
        self.write(node.name)

    def visit_select(self, node: Select) -> None:
        self.write("has(" if node.test_only else "")
        self.visit_maybe_nested(node.operand, parens=not node.test_only and _is_operation(node.operand))
        self.write(f".{_format_field(node.field)}{')' if node.test_only else ''}")

    def visit_list(self, node: ListExpr) -> None:
        self.write("[")
        self.visit_series([("?" if at in node.optionals else "", value) for at, value in enumerate(node.elements)], "]")

    def visit_map(self, node: MapExpr) -> None:
        self.write("{")
        comma = ""
        for entry in node.entries:
            self.write(comma + ("?" if entry.optional else ""))
            self.visit(entry.key)
            self.write(": ")
            self.visit(entry.value)
            comma = ", "
        self.write("}")

    def visit_struct(self, node: StructExpr) -> None:
        self.write(node.name + "{")
        self.visit_series(
            [(f"{'?' * field.optional}{_format_field(field.name)}: ", field.value) for field in node.fields], "}"
        )

    def visit_call(self, node: Call) -> None:
        row = _OPERATORS.get(node.function)
        if row is None or node.target is not None:
            self.visit_call_function(node)
        elif row.symbol:
            (self.visit_call_binary if row.arity == 2 else self.visit_call_unary)(node, row)
        elif row.arity == 3:
            self.visit_call_conditional(node)
        else:
            self.visit_call_index(node)

    def visit_call_function(self, node: Call) -> None:
        if node.target is not None:
            self.visit_maybe_nested(node.target, parens=_is_operation(node.target))
            self.write(".")
        self.write(node.function + "(")
        self.visit_series([("", value) for value in node.args], ")")

    def visit_call_unary(self, node: Call, row: Operator) -> None:
        self.write(row.symbol)
        self.visit_maybe_nested(node.args[0], parens=_is_complex(node.args[0]))

    def visit_call_binary(self, node: Call, row: Operator) -> None:
        left, right = node.args
        self.visit_maybe_nested(left, parens=_get_precedence(left) > row.precedence)
        self.write(f" {row.symbol} ")
        is_left_associative = node.function not in _ASSOCIATIVE
        self.visit_maybe_nested(right, parens=_get_precedence(right) >= row.precedence + (not is_left_associative))

    def visit_call_conditional(self, node: Call) -> None:
        condition, then, otherwise = node.args
        self.visit_maybe_nested(condition, parens=_is_complex(condition))
        self.write(" ? ")
        self.visit_maybe_nested(then, parens=_is_complex(then))
        self.write(" : ")
        self.visit_maybe_nested(otherwise, parens=_is_complex(otherwise))

    def visit_call_index(self, node: Call) -> None:
        """Print `a[b]`, `a[?b]`, or `a.?b`."""
        operand, key = node.args
        self.visit_maybe_nested(operand, parens=_is_operation(operand))
        if node.function == "_?._" and isinstance(key, Literal):
            self.write(f".?{_format_field(str(key.value))}")
            return
        self.write("[?" if node.function == "_[?_]" else "[")
        self.visit(key)
        self.write("]")


def _get_precedence(node: Expr) -> int:
    """Return the precedence of an operation; 0 for anything else."""
    row = _OPERATORS.get(node.function) if isinstance(node, Call) else None
    return row.precedence if row else 0


def _is_complex(node: Expr) -> bool:
    """Check whether a node is a call or operation with two or more arguments."""
    return isinstance(node, Call) and len(node.args) > 1


def _is_operation(node: Expr) -> bool:
    """Check whether a node is printed with a binary or ternary operator between operands."""
    return isinstance(node, Call) and len(node.args) > 1 and _get_precedence(node) > _UNARY_PRECEDENCE


def _format_field(name: str) -> str:
    return name if name.isascii() and name.isidentifier() and name != "in" else f"`{name}`"


def _quote(string: str) -> str:
    if string.isascii() and string.isprintable() and '"' not in string and "\\" not in string:
        return f'"{string}"'
    return f'"{re.sub(_SPECIAL, _escape, string)}"'


def _escape(match: re.Match[str]) -> str:
    """Escape a character as Go's `strconv.Quote` does."""
    char = match[0]
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if code < 0x80:
        return f"\\x{code:02x}"
    if char.isprintable():
        return char
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _format_double(value: float) -> str:
    """Format a double with the fewest digits, with an exponent from a million on (Python's starts at 1e16)."""
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
    float: _format_double,
    str: _quote,
    bytes: lambda value: f'b"{"".join([f"{chr(92)}{byte:03o}" for byte in value])}"',
}
_PRINTERS: dict[type, Callable[..., None]] = {
    Literal: _Unparser.visit_literal,
    Ident: _Unparser.visit_ident,
    Select: _Unparser.visit_select,
    Call: _Unparser.visit_call,
    ListExpr: _Unparser.visit_list,
    MapExpr: _Unparser.visit_map,
    StructExpr: _Unparser.visit_struct,
}
