"""Translated rules tried out: whether the newest servers take one on a schema, and whether the zero value keeps it."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.base.versions import NEWEST
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.check import Checked, compiled
from protoc_gen_crd.cel.issues import Refusal
from protoc_gen_crd.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DYN,
    INT,
    STRING,
    Declarations,
    Declared,
    Type,
    list_of,
    map_of,
)
from protoc_gen_crd.cel.values import Map, Value
from protoc_gen_crd.markers.vocabularies.rows import Target
from protoc_gen_crd.markers.vocabularies.shapes import INTEGERS
from protoc_gen_crd.schema.types import Schema

_COSTED = (NEWEST, 32)  # versions before and since variables have sizes of their own
_ZEROES: Mapping[str, tuple[Type, Value]] = {
    "bool": (BOOL, False),
    "bytes": (BYTES, b""),
    "double": (DOUBLE, 0.0),
    "float": (DOUBLE, 0.0),
    "map": (map_of(STRING, DYN), Map({})),
    "repeated": (list_of(DYN), []),
    "string": (STRING, ""),
}


def misfit(rule: str, schema: Schema) -> str:
    """Why a rule is none that the newest servers take on a schema; empty if it is one."""
    found = _on(rule, schema)
    if isinstance(found, str):
        return found
    return "" if found[0].type == BOOL else "it is no condition"


def text_misfit(text: str, schema: Schema) -> str:
    """Why the text of a rule is none that servers take on a schema; empty if it is one."""
    from protoc_gen_crd.cel.cost import limits  # noqa: PLC0415 - few rules have such a text
    from protoc_gen_crd.cel.cost.estimate import estimate  # noqa: PLC0415

    found = _on(text, schema)
    if isinstance(found, str):
        return found
    checked, declared = found
    if checked.type != STRING:
        return "it is no text"
    most = max(estimate(checked, minor, declared)[1] for minor in _COSTED)
    return "it may cost more than API servers allow" if most > limits.RULE else ""


def _on(text: str, schema: Schema) -> tuple[Checked, Declared] | str:
    """An expression compiled for a schema, with what that is to it; or why it is none."""
    declared = Declarations(environment.sizes(NEWEST)).of(schema)
    if declared is None:
        return "the CEL of API servers cannot see the value"
    kind = declared.typed("object")
    found = compiled(text, environment.new(NEWEST), {"self": kind, "oldSelf": kind})
    if isinstance(found, Refusal):
        return f"it does not compile for API servers: {found.issues[0].message}"
    return found, declared


def refuses_zero(rule: str, target: Target) -> bool:
    """Whether a rule is broken by the zero value of the kind that it is about."""
    from protoc_gen_crd.cel.evaluate import Fault, program  # noqa: PLC0415 - rules of protovalidate alone are run here

    kind, value = _zero_value(target)
    within = environment.new(NEWEST)
    found = compiled(rule, within, {"self": kind})
    made = Fault("") if isinstance(found, Refusal) else program(found, within, ("self",))
    return not isinstance(made, Fault) and made.run({"self": value}).value is False


def _zero_value(target: Target) -> tuple[Type, Value]:
    if target.kind == "enum":
        names = [value.name for value in target.enum.values if not value.number] if target.enum else []
        return DYN if target.numbered else STRING, names[0] if names else ""
    if target.kind in INTEGERS:
        return INT, 0
    return _ZEROES.get(target.kind, (DYN, None))
