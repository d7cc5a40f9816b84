"""Expressions of protovalidate that return a message, empty for a valid value: as a condition and a message expression.

The condition alone is cheaper, so the cost of the message does not count for the rule.
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


def make_condition(text: Expr) -> Expr:
    """Make the condition that a string is empty."""
    if not (isinstance(text, Call) and text.function == _CHOICE):
        known = _is_empty_string(text)
        return Call(0, 0, "_==_", (text, Literal(0, 0, ""))) if known is None else Literal(0, 0, known)
    condition = text.args[0]
    yes, no = (make_condition(branch) for branch in text.args[1:])
    if (_get_constant(yes), _get_constant(no)) == (True, False):
        return condition
    if (_get_constant(yes), _get_constant(no)) == (False, True):
        return Call(0, 0, "!_", (condition,))
    return Call(0, 0, _CHOICE, (condition, yes, no))


def make_message_expression(text: Expr) -> Expr:
    """Make the expression of the string if it is not empty."""
    if isinstance(text, Call) and text.function == _CHOICE:
        for branch, other in (text.args[1:], text.args[:0:-1]):
            if _is_empty_string(branch):
                return make_message_expression(other)
    return text


def _get_constant(node: Expr) -> object:
    return node.value if isinstance(node, Literal) else None


def _is_empty_string(text: Expr) -> bool | None:
    """Return whether a string is empty, None if unknown."""
    if isinstance(text, Literal):
        return not text.value
    if isinstance(text, Call) and text.function == "_+_" and any(_is_empty_string(part) is False for part in text.args):
        return False
    if isinstance(text, Call) and text.function == "format" and isinstance(text.target, Literal):
        return False if re.sub(_DIRECTIVE, "", str(text.target.value)) else None
    return None
