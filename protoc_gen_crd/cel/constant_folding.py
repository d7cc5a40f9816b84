"""Calls that a server evaluates when it creates a program, because their arguments are constants.

Source: cel-go v0.29 `interpreter/decorators.go` (decOptimize), `interpreter/optimizations.go`.
"""

from __future__ import annotations

from collections.abc import Set

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import TYPE
from protoc_gen_crd.cel.library.declarations.messages import ENUMS
from protoc_gen_crd.cel.parser.ast import Call, Expr, Ident, ListExpr, Literal, MapExpr, Select

CONVERSIONS: Set[str] = frozenset((
    "bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint",
))  # fmt: skip
PATTERN_FUNCTIONS: Set[str] = frozenset(("matches", "find", "findAll"))
INDEXES = {"_[_]": False, "_[?_]": True, "_?._": True}  # index operators, and whether the key is optional


def is_constant_name(node: Expr, checked: CheckedAst) -> bool:
    """Check whether a node names a type or an enum value, or is a variable that holds a type."""
    reference = checked.references.get(node.id)
    if not isinstance(node, Ident | Select) or reference is None:
        return False
    return checked.types[node.id].kind == TYPE or reference.name.removeprefix(".") in ENUMS


def may_be_constant(node: Expr, checked: CheckedAst) -> bool:
    """Check whether a program may have a constant for a node. If False, it never has one."""
    if isinstance(node, ListExpr):
        return all(may_be_constant(element, checked) for element in node.elements)
    if isinstance(node, MapExpr):
        return all(may_be_constant(part, checked) for entry in node.entries for part in (entry.key, entry.value))
    if isinstance(node, Call) and node.function in CONVERSIONS and len(node.args) == 1:
        return may_be_constant(node.args[0], checked)
    if isinstance(node, Call) and node.function == "@in":
        return may_be_constant(node.args[-1], checked)
    return isinstance(node, Literal) or is_constant_name(node, checked)
