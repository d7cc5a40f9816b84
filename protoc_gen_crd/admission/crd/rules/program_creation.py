"""Expressions that compile, and of which a server can still make no program: constants that cannot be converted,
constant patterns that are none, types that have no value.

Source: cel-go v0.29 `interpreter/planner.go`, `interpreter/optimizations.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.scopes import SCALARS
from protoc_gen_crd.cel.checker.validators import list_children
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.library.messages import NAMELESS
from protoc_gen_crd.cel.parser.ast import Call, Ident, Literal, Select
from protoc_gen_crd.cel.version_range import MinorRange

_CONVERSIONS = ("bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint")
_PATTERNS = ("find", "findAll", "matches")
_VALIDATED = ("duration", "matches", "timestamp")  # where literals are validated, these are known to be right
_PREPARED = frozenset((*_CONVERSIONS, *_PATTERNS, "_[_]", "_[?_]"))


def find_instantiation_error(checked: CheckedAst, within: Environment, versions: MinorRange) -> str | None:
    """Why no program can be made, None for nearly all: only then a program is made to see, for one server."""
    if not _can_fail(checked, within):
        return None
    versions.narrow(within.minor, within.minor + 1)
    from protoc_gen_crd.cel.interpreter.program import ProgramError, make_program  # noqa: PLC0415 - few expressions hold such constants

    made = make_program(checked, within)
    return f"instantiation failed: {made.message}" if isinstance(made, ProgramError) else None


def _can_fail(checked: CheckedAst, within: Environment) -> bool:
    """Whether there are constants that a program would be made with, or names of types that it may not find."""
    waiting, found = [checked.ast.root], False
    while waiting:
        node = waiting.pop()
        if isinstance(node, Call) and node.function in _PREPARED and not (within.literals and _is_validated(node)):
            found = found or any(isinstance(arg, Literal) for arg in node.args)
        found = found or (isinstance(node, Ident) and node.name.removeprefix(".") in SCALARS)
        reference = checked.references.get(node.id) if isinstance(node, Select) else None
        found = found or (reference is not None and reference.name.removeprefix(".") in NAMELESS)
        waiting += list_children(node)
    return found


def _is_validated(node: Call) -> bool:
    if node.function in ("_[_]", "_[?_]"):
        return isinstance(node.args[1], Literal) and isinstance(node.args[1].value, str | int)
    return node.function in _VALIDATED and (node.target is not None or len(node.args) == 1)
