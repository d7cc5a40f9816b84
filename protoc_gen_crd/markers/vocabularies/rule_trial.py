"""Trial of translated rules: compiled for the newest API servers, and evaluated with the zero value."""

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
from protoc_gen_crd.cel.values.values import Map, Value
from protoc_gen_crd.cel.versions import VARIABLE_SIZES
from protoc_gen_crd.kubernetes.limits import RULE_COST
from protoc_gen_crd.kubernetes.versions import NEWEST
from protoc_gen_crd.markers.vocabularies.field_shapes import INTEGERS
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import Target
from protoc_gen_crd.schema.schema import Schema

_COSTED = (NEWEST, VARIABLE_SIZES.since - 1)  # versions before and since variables have sizes of their own
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
    found = _compile_on(rule, schema)
    if isinstance(found, str):
        return found
    return "" if found[0].type == BOOL else "it is not a boolean expression"


def find_message_problem(text: str, schema: Schema) -> str:
    """Return why API servers reject a message expression on a schema; empty if they accept it."""
    from protoc_gen_crd.cel.cost.cost_estimate import estimate  # noqa: PLC0415 - few rules have such a text

    found = _compile_on(text, schema)
    if isinstance(found, str):
        return found
    checked, declared = found
    if checked.type != STRING:
        return "it is not a string"
    most = max(estimate(checked, minor, declared)[1] for minor in _COSTED)
    return "it may cost more than API servers allow" if most > RULE_COST else ""


def _compile_on(text: str, schema: Schema) -> tuple[CheckedAst, Declaration] | str:
    """Compile an expression for a schema. Return the program and the declaration, or the problem."""
    declared = DeclarationFactory(environment.get_sizes(NEWEST)).declare(schema)
    if declared is None:
        return "the CEL of API servers cannot see the value"
    kind = declared.get_type("object")
    found = compile_text(text, environment.get_new_environment(NEWEST), {"self": kind, "oldSelf": kind})
    if isinstance(found, Rejection):
        return f"it does not compile for API servers: {found.issues[0].message}"
    return found, declared


def is_zero_rejected(rule: str, target: Target) -> bool:
    """Return whether a rule rejects the zero value of its kind."""
    from protoc_gen_crd.cel.interpreter.program import ProgramError, make_program  # noqa: PLC0415 - rules of protovalidate alone are run here

    kind, value = _get_zero_value(target)
    within = environment.get_new_environment(NEWEST)
    found = compile_text(rule, within, {"self": kind})
    made = ProgramError("") if isinstance(found, Rejection) else make_program(found, within, ("self",))
    return not isinstance(made, ProgramError) and made.evaluate({"self": value}).value is False


def _get_zero_value(target: Target) -> tuple[Type, Value]:
    if target.kind == "enum":
        names = [value.name for value in target.enum.values if not value.number] if target.enum else []
        return DYN if target.numbered else STRING, names[0] if names else ""
    if target.kind in INTEGERS:
        return INT, 0
    return _ZEROES.get(target.kind, (DYN, None))
