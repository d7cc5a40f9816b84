"""Numbers that a factor makes, and whether they are within what their field takes."""

from __future__ import annotations

import math
from fractions import Fraction

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.derive.fits import shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Divide, Multiply
from protoc_gen_crd.conversion.plan.plan import Way
from protoc_gen_crd.schema.types import Schema

Range = tuple[Fraction | None, Fraction | None]  # None for no end


def check_range(way: Way, step: Multiply, had: Schema, has: Schema, problems: Problems) -> None:
    """Report values that a factor leads out of what the version takes."""
    given, wanted = _range(had), _range(has)
    made = _times(given, step)
    fits = [_within(made[0], wanted[0], low=True), _within(made[1], wanted[1], low=False)]
    if all(fits):
        return
    at = step.origin
    ends = [_bound(end, step, low=low) for end, low in zip(wanted, (True, False), strict=True)]
    least, most = reversed(ends) if step.factor < 0 else ends
    if least == most == 0:
        problem = f'a factor must leave room for more than 0, found {step.factor} for "{paths.shown(step.target)}"'
        problems.report("conversion-type", problem, at, path=at.owner() if at else "")
        return
    bounds = [f"{name} {value}" for name, value in (("minimum", least), ("maximum", most)) if value is not None]
    problem = f'a version should take what the other one takes, found "{paths.shown(step.target)}" in {way.target} '
    problem += f'without room for "{paths.shown(step.source)}" in {way.source} {_WORDS[type(step)]} {step.factor}'
    hint = f'bound "{paths.shown(step.source)}" in {way.source}: {", ".join(bounds)}'
    problems.report("conversion-narrowed", problem, at, path=at.owner() if at else "", hint=hint)


_WORDS: dict[type, str] = {Multiply: "times", Divide: "by"}


def _range(schema: Schema) -> Range:
    """What the bounds and the format of a number leave."""
    ends = [None if schema.get(name) is None else Fraction(schema.get(name)) for name in ("minimum", "maximum")]
    if shape(schema) != "integer":
        return ends[0], ends[1]
    size = Fraction(2 ** (31 if schema.get("format") == "int32" else 63))
    least, most = -size if ends[0] is None else ends[0], size - 1 if ends[1] is None else ends[1]
    return max(least, -size), min(most, size - 1)


def _times(given: Range, step: Multiply) -> Range:
    made = [None if end is None else _changed(end, step) for end in given]
    return (made[1], made[0]) if step.factor < 0 else (made[0], made[1])


def _changed(end: Fraction, step: Multiply) -> Fraction:
    if not isinstance(step, Divide):
        return end * Fraction(step.factor)
    made = end / Fraction(step.factor)
    return Fraction(math.floor(made)) if isinstance(step.factor, int) else made


def _within(made: Fraction | None, wanted: Fraction | None, *, low: bool) -> bool:
    if wanted is None:
        return True
    return made is not None and (made >= wanted if low else made <= wanted)


def _bound(end: Fraction | None, step: Multiply, *, low: bool) -> int | float | None:
    """The value that just becomes an end of a range."""
    if end is None:
        return None
    back = end * Fraction(step.factor) if isinstance(step, Divide) else end / Fraction(step.factor)
    whole = math.ceil(back) if low == (step.factor > 0) else math.floor(back)
    return whole if isinstance(step.factor, int) else float(back)
