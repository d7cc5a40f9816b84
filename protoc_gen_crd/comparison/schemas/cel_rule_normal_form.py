"""The normal form of CEL rules: equal for rules that differ only in how they are written.

Blanks, comments, quotes and parentheses have no effect, nor have the names of the variables of macros, the sides of a
comparison, the order of the operands of && and ||, and whether size is called as a function or as a method. Operands
with macros keep their order: it decides how much of an expensive one is evaluated, and the cost of an evaluation is
limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.parser.ast import (
    Ast,
    Call,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapExpr,
    Select,
    StructExpr,
)
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.kubernetes.supported_versions import NEWEST

_LOGICAL = frozenset(("_&&_", "_||_"))
_SYMMETRIC = frozenset(("_==_", "_!=_"))
_MIRRORED = {"_>_": "_<_", "_>=_": "_<=_"}
_VARIABLES = {
    **dict.fromkeys(("filter", "map", "sortBy"), 1),
    **dict.fromkeys(
        ("all", "exists", "existsOne", "exists_one", "transformList", "transformMap", "transformMapEntry"), 2
    ),
}  # the most variables that a macro declares in its first arguments
_NEGATED = {"_==_": "_!=_", "_!=_": "_==_"}


def normalize_rule(expression: str) -> str:
    """Return the normal form of an expression; an expression that cannot be parsed stays as it is."""
    tree = parse_rule(expression)
    return RuleFormatter(tree).format(tree.root) if tree else expression


def parse_rule(expression: str) -> Ast | None:
    """Return the tree of an expression, None for one that cannot be parsed."""
    tree = parse(expression, environment.get_new_environment(NEWEST).dialect)
    return None if isinstance(tree, Rejection) else tree


class RuleFormatter:
    """Formats nodes as nested lists. A variable of a macro is written as the number of variables around it."""

    def __init__(self, tree: Ast) -> None:
        self.calls = tree.calls
        self.macros = 0  # that are formatted
        self._variables: tuple[str, ...] = ()

    def format(self, node: Expr) -> str:
        """Return the normal form of a node."""
        if (call := self.calls.get(node.id)) is not None:
            return self._format_macro(call)
        if isinstance(node, Literal):
            return f"{type(node.value).__name__} {node.value!r}"
        if isinstance(node, Ident):
            return self._format_ident(node.name)
        if isinstance(node, Call):
            return self._format_operation(node)
        return self._format_parts(node)

    def _format_macro(self, call: Call) -> str:
        """Format a macro. Its variables are visible in its arguments."""
        target = self.format(call.target) if call.target else ""
        with self.declare_variables(call):
            return _join(call.function, target, *[self.format(argument) for argument in call.args])

    @contextmanager
    def declare_variables(self, call: Call) -> Iterator[None]:
        """Declare the variables of a macro, as long as its arguments are formatted."""
        outer, count = self._variables, _VARIABLES.get(call.function, 0)
        written = [argument.name for argument in call.args[:-1] if isinstance(argument, Ident)]
        if call.target and count:
            self.macros += 1
            self._variables += tuple(written[: min(count, len(call.args) - 1)])
        yield
        self._variables = outer

    def _format_ident(self, name: str) -> str:
        depths = [depth for depth, variable in enumerate(self._variables) if variable == name]
        return f"#{depths[-1]}" if depths else name

    def _format_operation(self, call: Call) -> str:
        if call.function == "!_" and isinstance(call.args[0], Call) and call.args[0].function in _NEGATED:
            call = call.args[0].replace(function=_NEGATED[call.args[0].function])
        if call.function == "size" and len(call.args) == 1 and call.target is None:
            call = call.replace(args=(), target=call.args[0])
        operands = list(list_operands(call)) if call.function in _LOGICAL else call.args
        macros = self.macros
        formatted = [self.format(operand) for operand in operands]
        if call.function in _SYMMETRIC or (call.function in _LOGICAL and self.macros == macros):
            formatted.sort()
        elif call.function in _MIRRORED:
            return _join(_MIRRORED[call.function], "", *reversed(formatted))
        return _join(call.function, self.format(call.target) if call.target else "", *formatted)

    def _format_parts(self, node: Expr) -> str:
        if isinstance(node, Select):
            return _join("has" if node.test_only else "select", self.format(node.operand), repr(node.field))
        if isinstance(node, ListExpr):
            return _join("list", repr(node.optionals), *[self.format(element) for element in node.elements])
        if isinstance(node, MapExpr):
            entries = [(self.format(entry.key), self.format(entry.value), entry.optional) for entry in node.entries]
            return _join("map", *map(repr, entries))
        if isinstance(node, StructExpr):
            fields = [(field.name, self.format(field.value), field.optional) for field in node.fields]
            return _join("struct", node.name, *map(repr, fields))
        return repr(node)


def list_operands(call: Call) -> Iterator[Expr]:
    """Yield the operands of a chain of one logical operator, in their order."""
    for argument in call.args:
        if isinstance(argument, Call) and argument.function == call.function:
            yield from list_operands(argument)
        else:
            yield argument


def _join(*parts: str) -> str:
    return f"[{', '.join(parts)}]"
