"""Conversion of expressions that return a message, empty for valid values, to a rule and a message expression.

The rule contains only the condition, so that the cost of the message does not count for the rule.
"""

from __future__ import annotations

import re

from protoc_gen_crd.cel.parser.ast import Call, Expr, Literal

_CHOICE = "_?_:_"
_DIRECTIVE = r"%(?:\.[0-9]+)?[a-zA-Z]"


def is_string_expr(node: Expr) -> bool:
    """Return whether an expression returns a string."""
    if isinstance(node, Call) and node.function == _CHOICE:
        return any(is_string_expr(branch) for branch in node.args[1:])
    if isinstance(node, Call) and node.function in ("_+_", "format"):
        return any(is_string_expr(part) for part in (*node.args, *((node.target,) if node.target else ())))
    return isinstance(node, Literal) and isinstance(node.value, str)


def make_condition(string: Expr) -> Expr:
    """Make the condition that a string expression is empty."""
    if not (isinstance(string, Call) and string.function == _CHOICE):
        is_empty = _is_empty_string(string)
        return Call(0, 0, "_==_", (string, Literal(0, 0, ""))) if is_empty is None else Literal(0, 0, is_empty)
    condition = string.args[0]
    if_true, if_false = (make_condition(branch) for branch in string.args[1:])
    if (_get_constant(if_true), _get_constant(if_false)) == (True, False):
        return condition
    if (_get_constant(if_true), _get_constant(if_false)) == (False, True):
        return Call(0, 0, "!_", (condition,))
    return Call(0, 0, _CHOICE, (condition, if_true, if_false))


def make_message_expression(string: Expr) -> Expr:
    """Make the expression of the message for invalid values."""
    if isinstance(string, Call) and string.function == _CHOICE:
        for branch, alternative in (string.args[1:], string.args[:0:-1]):
            if _is_empty_string(branch):
                return make_message_expression(alternative)
    return string


def _get_constant(node: Expr) -> object:
    return node.value if isinstance(node, Literal) else None


def _is_empty_string(string: Expr) -> bool | None:
    """Return whether a string expression is empty, None if it is not constant."""
    if isinstance(string, Literal):
        return not string.value
    if (
        isinstance(string, Call)
        and string.function == "_+_"
        and any(_is_empty_string(part) is False for part in string.args)
    ):
        return False
    if isinstance(string, Call) and string.function == "format" and isinstance(string.target, Literal):
        return False if re.sub(_DIRECTIVE, "", str(string.target.value)) else None
    return None
