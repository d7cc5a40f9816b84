"""Detection of compiled expressions of which a server cannot create a program.

The causes are constants that cannot be converted, invalid constant patterns, and types without a value.

Source: cel-go v0.29 `interpreter/planner.go`, `interpreter/optimizations.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.literal_validators import list_children
from protoc_gen_crd.cel.constant_folding import (
    CONVERSIONS,
    INDEXES,
    PATTERN_FUNCTIONS,
    is_constant_name,
    may_be_constant,
)
from protoc_gen_crd.cel.environment import Environment
from protoc_gen_crd.cel.library.declarations.messages import NAMELESS
from protoc_gen_crd.cel.parser.ast import Call, Expr, Literal
from protoc_gen_crd.kubernetes.shared_results import Switches

_VALIDATED = ("duration", "matches", "timestamp")  # functions whose first argument the compiler validates, if literal
_EVALUATED = CONVERSIONS | PATTERN_FUNCTIONS | INDEXES.keys()


def find_instantiation_error(checked: CheckedAst, within: Environment, versions: Switches) -> str | None:
    """Return why no program can be created, None for nearly all.

    A program is created only where that can fail, and then for one version.
    Shortcut certain-programs: creating a program evaluates only names of types and calls with constant arguments.
    """
    if not can_program_fail(checked, within):
        return None
    versions.narrow(within.minor, within.minor + 1)
    from protoc_gen_crd.cel.interpreter.program import ProgramError, make_program  # noqa: PLC0415 - few expressions hold such constants

    program = make_program(checked, within)
    return f"instantiation failed: {program.message}" if isinstance(program, ProgramError) else None


def can_program_fail(checked: CheckedAst, within: Environment) -> bool:
    """Return true if an expression has constants that a program evaluates, or type names that it may not resolve."""
    pending = [checked.ast.root]
    while pending:
        node = pending.pop()
        if _is_evaluated(node, checked, within) or _is_unknown_type(node, checked, within):
            return True
        pending += list_children(node)
    return False


def _is_evaluated(node: Expr, checked: CheckedAst, within: Environment) -> bool:
    if not isinstance(node, Call) or node.function not in _EVALUATED or not node.args:
        return False
    argument = node.args[0 if node.target is not None else -1]
    return may_be_constant(argument, checked) and not _is_right(node, argument, within)


def _is_right(node: Call, argument: Expr, within: Environment) -> bool:
    if not isinstance(argument, Literal):
        return False
    if node.function in INDEXES:
        return isinstance(argument.value, str | int)
    return within.literals and node.function in _VALIDATED and argument is node.args[0]


def _is_unknown_type(node: Expr, checked: CheckedAst, within: Environment) -> bool:
    if not is_constant_name(node, checked):
        return False
    name = checked.references[node.id].name.removeprefix(".")
    return name in NAMELESS or name not in within.types
