"""Check the results of multiplication against the range of the target field."""

from __future__ import annotations

import math
from fractions import Fraction

from protoc_gen_crd.conversion.derivation.schema_compatibility import get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.conversion.plan.value_steps import Divide, Multiply
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema

NumberRange = tuple[Fraction | None, Fraction | None]  # None: unbounded


def check_range(direction: Direction, step: Multiply, had: Schema, has: Schema, problems: Problems) -> None:
    """Report values that a factor moves out of the range of the target field."""
    source_range, target_range = _get_range(had), _get_range(has)
    result_range = _multiply_range(source_range, step)
    fits = [
        _is_within(result_range[0], target_range[0], low=True),
        _is_within(result_range[1], target_range[1], low=False),
    ]
    if all(fits):
        return
    at = step.origin
    bounds_of_source = [_invert_bound(end, step, low=low) for end, low in zip(target_range, (True, False), strict=True)]
    least, most = reversed(bounds_of_source) if step.factor < 0 else bounds_of_source
    if least == most == 0:
        problem = f'factor {step.factor} for "{paths.format_path(step.target)}" allows no value but 0'
        problems.report("conversion-type", problem, at, path=at.find_owner() if at else "")
        return
    bounds = [f"{name} {value}" for name, value in (("minimum", least), ("maximum", most)) if value is not None]
    problem = f'"{paths.format_path(step.target)}" of {direction.target} rejects values of '
    problem += f'"{paths.format_path(step.source)}" in {direction.source}, {_OPERATOR_WORDS[type(step)]} {step.factor}'
    hint = f'bound "{paths.format_path(step.source)}" in {direction.source}: {", ".join(bounds)}'
    problems.report("conversion-narrowed", problem, at, path=at.find_owner() if at else "", hint=hint)


_OPERATOR_WORDS: dict[type, str] = {Multiply: "multiplied by", Divide: "divided by"}


def _get_range(schema: Schema) -> NumberRange:
    """Return the range that the bounds and the format of a number allow."""
    bounds = [None if schema.get(name) is None else Fraction(schema.get(name)) for name in ("minimum", "maximum")]
    if get_shape(schema) != "integer":
        return bounds[0], bounds[1]
    size = Fraction(2 ** (31 if schema.get("format") == "int32" else 63))
    least, most = -size if bounds[0] is None else bounds[0], size - 1 if bounds[1] is None else bounds[1]
    return max(least, -size), min(most, size - 1)


def _multiply_range(source_range: NumberRange, step: Multiply) -> NumberRange:
    bounds = [None if end is None else _multiply_bound(end, step) for end in source_range]
    return (bounds[1], bounds[0]) if step.factor < 0 else (bounds[0], bounds[1])


def _multiply_bound(end: Fraction, step: Multiply) -> Fraction:
    if not isinstance(step, Divide):
        return end * Fraction(step.factor)
    quotient = end / Fraction(step.factor)
    return Fraction(math.trunc(quotient)) if isinstance(step.factor, int) else quotient


def _is_within(bound: Fraction | None, limit: Fraction | None, *, low: bool) -> bool:
    if limit is None:
        return True
    return bound is not None and (bound >= limit if low else bound <= limit)


def _invert_bound(end: Fraction | None, step: Multiply, *, low: bool) -> int | float | None:
    """Return the value that converts to an end of a range."""
    if end is None:
        return None
    back = end * Fraction(step.factor) if isinstance(step, Divide) else end / Fraction(step.factor)
    whole = math.ceil(back) if low == (step.factor > 0) else math.floor(back)
    return whole if isinstance(step.factor, int) else float(back)
