"""Expressions that compile, and of which a server can still make no program: constants that cannot be converted,
constant patterns that are none, types that have no value.

Source: cel-go v0.29 `interpreter/planner.go`, `interpreter/optimizations.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.ast import Call, Ident, Literal, Select
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.cel.library.messages import NAMELESS
from protoc_gen_crd.cel.names import SCALARS
from protoc_gen_crd.cel.validators import children

_CONVERSIONS = ("bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint")
_PATTERNS = ("find", "findAll", "matches")
_VALIDATED = ("duration", "matches", "timestamp")  # where literals are validated, these are known to be right
_PREPARED = frozenset((*_CONVERSIONS, *_PATTERNS, "_[_]", "_[?_]"))


def instantiation_fault(checked: Checked, within: Environment, era: Era) -> str | None:
    """Why no program can be made, None for nearly all: only then a program is made to see, for one server."""
    if not _doubtful(checked, within):
        return None
    era.narrow(within.minor, within.minor + 1)
    from protoc_gen_crd.cel.evaluate import Fault, program  # noqa: PLC0415 - few expressions hold such constants

    made = program(checked, within)
    return f"instantiation failed: {made.text}" if isinstance(made, Fault) else None


def _doubtful(checked: Checked, within: Environment) -> bool:
    """Whether there are constants that a program would be made with, or names of types that it may not find."""
    waiting, found = [checked.ast.root], False
    while waiting:
        node = waiting.pop()
        if isinstance(node, Call) and node.function in _PREPARED and not (within.literals and _validated(node)):
            found = found or any(isinstance(arg, Literal) for arg in node.args)
        found = found or (isinstance(node, Ident) and node.name.removeprefix(".") in SCALARS)
        reference = checked.references.get(node.id) if isinstance(node, Select) else None
        found = found or (reference is not None and reference.name.removeprefix(".") in NAMELESS)
        waiting += children(node)
    return found


def _validated(node: Call) -> bool:
    if node.function in ("_[_]", "_[?_]"):
        return isinstance(node.args[1], Literal) and isinstance(node.args[1].value, str | int)
    return node.function in _VALIDATED and (node.target is not None or len(node.args) == 1)
