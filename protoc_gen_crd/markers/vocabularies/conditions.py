"""Expressions of protovalidate that give a text, empty where all is well: as a condition, and the text that tells.

The condition alone costs a server less, and what the text is made of does not keep a rule from being affordable.
"""

from __future__ import annotations

import re

from protoc_gen_crd.cel.ast import Call, Expr, Literal

_CHOICE = "_?_:_"
_DIRECTIVE = r"%(?:\.[0-9]+)?[a-zA-Z]"


def is_text(node: Expr) -> bool:
    """Whether an expression gives a text."""
    if isinstance(node, Call) and node.function == _CHOICE:
        return any(is_text(branch) for branch in node.args[1:])
    if isinstance(node, Call) and node.function in ("_+_", "format"):
        return any(is_text(part) for part in (*node.args, *((node.target,) if node.target else ())))
    return isinstance(node, Literal) and isinstance(node.value, str)


def holds(text: Expr) -> Expr:
    """The condition that a text is empty."""
    if not (isinstance(text, Call) and text.function == _CHOICE):
        known = _is_empty(text)
        return Call(0, 0, "_==_", (text, Literal(0, 0, ""))) if known is None else Literal(0, 0, known)
    condition = text.args[0]
    yes, no = (holds(branch) for branch in text.args[1:])
    if (_value(yes), _value(no)) == (True, False):
        return condition
    if (_value(yes), _value(no)) == (False, True):
        return Call(0, 0, "!_", (condition,))
    return Call(0, 0, _CHOICE, (condition, yes, no))


def told(text: Expr) -> Expr:
    """The text where it is not empty."""
    if isinstance(text, Call) and text.function == _CHOICE:
        for branch, other in (text.args[1:], text.args[:0:-1]):
            if _is_empty(branch):
                return told(other)
    return text


def _value(node: Expr) -> object:
    return node.value if isinstance(node, Literal) else None


def _is_empty(text: Expr) -> bool | None:
    """Whether a text is empty, None where that is not seen."""
    if isinstance(text, Literal):
        return not text.value
    if isinstance(text, Call) and text.function == "_+_" and any(_is_empty(part) is False for part in text.args):
        return False
    if isinstance(text, Call) and text.function == "format" and isinstance(text.target, Literal):
        return False if re.sub(_DIRECTIVE, "", str(text.target.value)) else None
    return None
