"""The variables of an expression in a plan, and the ones that it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.derivation.schema_compatibility import OBJECT, get_shape
from protoc_gen_crd.conversion.expressions import ConversionExpression, encode_object_schema, encode_schema
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.expression_variables import find_scope_variables
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.value_steps import ComputedStep
from protoc_gen_crd.schema.schema import Schema

_EMPTY_SCHEMA = Schema({})


def build_variable_schemas(
    direction: Direction, step: ComputedStep, source: Schema, more: Sequence[str] = ()
) -> dict[str, dict[str, Any]]:
    """Return the schemas of the variables of an expression, with the keywords in `more`."""
    scope_schemas = find_scope_variables(direction, step).build_schemas(source)
    own = paths.find_schema(source, step.source) or _EMPTY_SCHEMA
    around = {name: encode_schema(schema, more) for name, schema in scope_schemas.items()}
    return {"self": encode_schema(own, more), "root": encode_object_schema(source, more), **around}


def find_expression_variables(direction: Direction, step: ComputedStep, source: Schema) -> tuple[str, ...]:
    """Return the variables that an expression reads in addition to its value; none for other steps."""
    return ConversionExpression(step.expression, build_variable_schemas(direction, step, source)).find_variables()


def is_of_object(step: ComputedStep, source: Schema) -> bool:
    """Return true if an expression converts an object as a whole."""
    own = paths.find_schema(source, step.source)
    return own is not None and get_shape(own) == OBJECT
