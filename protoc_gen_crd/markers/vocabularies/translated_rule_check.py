"""Checks of translated rules: compilation for the newest API servers, and evaluation with the zero value."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    INT,
    STRING,
    Declaration,
    DeclarationFactory,
    Type,
    make_list_type,
    make_map_type,
)
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.values.runtime_values import Map, Value
from protoc_gen_crd.cel.version_differences import VARIABLE_SIZES
from protoc_gen_crd.kubernetes.api_server_limits import RULE_COST
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.markers.vocabularies.field_shapes import INTEGERS
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import Target
from protoc_gen_crd.schema.schema import Schema

_COSTED = (NEWEST, VARIABLE_SIZES.since - 1)  # versions with and without separate sizes of variables
_ZEROES: Mapping[str, tuple[Type, Value]] = {
    "bool": (BOOL, False),
    "bytes": (BYTES, b""),
    "double": (DOUBLE, 0.0),
    "float": (DOUBLE, 0.0),
    "map": (make_map_type(STRING, DYN), Map({})),
    "repeated": (make_list_type(DYN), []),
    "string": (STRING, ""),
}


def find_rule_problem(rule: str, schema: Schema) -> str:
    """Return why the newest API servers reject a rule on a schema; empty if they accept it."""
    compiled = _compile_on(rule, schema)
    if isinstance(compiled, str):
        return compiled
    return "" if compiled[0].type == BOOL else "it is not a boolean expression"


def find_message_problem(expression: str, schema: Schema) -> str:
    """Return why API servers reject a message expression on a schema; empty if they accept it."""
    from protoc_gen_crd.cel.cost.cost_estimate import estimate  # noqa: PLC0415 - few rules have a message expression

    compiled = _compile_on(expression, schema)
    if isinstance(compiled, str):
        return compiled
    checked, declared = compiled
    if checked.type != STRING:
        return "it is not a string"
    cost = max(estimate(checked, minor, declared)[1] for minor in _COSTED)
    return "it may cost more than API servers allow" if cost > RULE_COST else ""


def _compile_on(expression: str, schema: Schema) -> tuple[CheckedAst, Declaration] | str:
    """Compile an expression for a schema. Return the program and the declaration, or the problem."""
    declaration = DeclarationFactory(environment.get_sizes(NEWEST)).declare(schema)
    if declaration is None:
        return "the CEL of API servers cannot see the value"
    self_type = declaration.get_type("object")
    compiled = compile_text(
        expression, environment.get_new_environment(NEWEST), {"self": self_type, "oldSelf": self_type}
    )
    if isinstance(compiled, Rejection):
        return f"it does not compile for API servers: {compiled.issues[0].message}"
    return compiled, declaration


def is_zero_rejected(rule: str, target: Target) -> bool:
    """Return whether a rule rejects the zero value of its target."""
    from protoc_gen_crd.cel.interpreter.program import ProgramError, make_program  # noqa: PLC0415 - only rules of protovalidate are evaluated here

    kind, value = _get_zero_value(target)
    env = environment.get_new_environment(NEWEST)
    checked = compile_text(rule, env, {"self": kind})
    program = ProgramError("") if isinstance(checked, Rejection) else make_program(checked, env, ("self",))
    return not isinstance(program, ProgramError) and program.evaluate({"self": value}).value is False


def _get_zero_value(target: Target) -> tuple[Type, Value]:
    if target.kind == "enum":
        names = [value.name for value in target.enum.values if not value.number] if target.enum else []
        return DYN if target.numbered else STRING, names[0] if names else ""
    if target.kind in INTEGERS:
        return INT, 0
    return _ZEROES.get(target.kind, (DYN, None))
