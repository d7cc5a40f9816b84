"""Rendering of steps as CEL, for platforms that only support expressions, and parsing of the result.

What is spelled here is read as the step again; any other text is an expression.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.conversion.derivation.schema_compatibility import get_shape
from protoc_gen_crd.conversion.plan.copy_steps import Default
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, Divide, Multiply, Split, ValueTable, Wrap
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import Schema

ANY_STRING_FIELD: Path = ("apiVersion",)  # what every object has: the field of a rule that reads nothing

_STRING_PATTERN = r'"(?:[^"\\]|\\.)*"'
_NUMBER_PATTERN = r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:e[-+]?[0-9]+)?"
_PAIR = re.compile(rf"self == (?P<old>{_STRING_PATTERN}) \? (?P<new>{_STRING_PATTERN}) : ")
_VALUES = re.compile(f"(?:{_PAIR.pattern.replace('?P<old>', '?:').replace('?P<new>', '?:')})+self")
_MULTIPLY = re.compile(rf"(?:self|double\(dyn\(self\)\)) \* (?P<factor>{_NUMBER_PATTERN})")
_INTEGER_DIVIDE = re.compile(r"self / (?P<factor>-?[1-9][0-9]*)")
_DIVIDE = re.compile(rf"double\(dyn\(self\)\) / (?P<factor>{_NUMBER_PATTERN})")
_PART = rf"self\.split\((?P<separator>{_STRING_PATTERN}), (?P<count>[0-9]+)\)"
_FIRST_PART = re.compile(rf"{_PART}\[0\]")
_LATER_PART = re.compile(
    rf"{_PART}\.size\(\) > (?P<index>[0-9]+) \? dyn\(self\.split\((?P=separator), (?P=count)\)\[(?P=index)\]\)"
    r" : dyn\(null\)"
)
_SOURCE_SHAPES: Mapping[type, tuple[str, ...]] = {
    Divide: ("integer", "number"),
    Multiply: ("integer", "number"),
    Split: ("string",),
    ValueTable: ("string",),
}
_DYNAMIC = re.compile(r'(?P<text>"(?:[^"\\]|\\.)*")|dyn\(|\)')


def render_step(step: Step, source: Schema | None) -> str:
    """Render a step as CEL; empty if that is impossible. `source` is the schema of the source."""
    write = _RENDERERS.get(type(step))
    return write(step, source) if write is not None else ""


def parse_step(expression: str, source: Path, target: Path, origin: Place | None, shape: str = "") -> Step:
    """Return the step that an expression renders, else a CEL expression step.

    Args:
        shape: the shape of the source, if it is known; expressions with `dyn` also accept values of other shapes.
    """
    step = _parse_rendered_step(expression, source, target, origin)
    if step is not None and (not shape or shape in _get_source_shapes(step, shape)):
        return step
    return CelExpression(source, target, origin, expression=expression)


def _get_source_shapes(step: Step, shape: str) -> tuple[str, ...]:
    """Return the shapes of values that the expression of a step accepts; `shape` if it accepts all."""
    if isinstance(step, Divide) and isinstance(step.factor, int):
        return ("integer",)
    return _SOURCE_SHAPES.get(type(step), (shape,))


def _parse_rendered_step(expression: str, source: Path, target: Path, origin: Place | None) -> Step | None:
    if source == ANY_STRING_FIELD:
        value = _parse_literal(expression)
        if value is not None:
            return Default((), target, origin, value=value)
    if expression == "[self]":
        return Wrap(source, target, origin)
    if _VALUES.fullmatch(expression):
        pairs = tuple([(json.loads(pair["old"]), json.loads(pair["new"])) for pair in _PAIR.finditer(expression)])
        return ValueTable(source, target, origin, pairs=pairs)
    for pattern, make in ((_MULTIPLY, Multiply), (_INTEGER_DIVIDE, Divide), (_DIVIDE, Divide)):
        if (match := pattern.fullmatch(expression)) and (factor := _parse_factor(match["factor"])):
            return make(source, target, origin, factor=factor)
    if match := _FIRST_PART.fullmatch(expression) or _LATER_PART.fullmatch(expression):
        parts = match.groupdict()
        separator, count = json.loads(parts["separator"]), int(parts["count"])
        return Split(source, target, origin, separator=separator, index=int(parts.get("index", 0)), count=count)
    return None


def _parse_literal(literal: str) -> Any:
    """Return the value of a literal; None for an expression."""
    try:
        if "dyn(" not in literal:
            return parse_json(literal)
        value = parse_json(_DYNAMIC.sub(lambda match: match["text"] or "", literal))
    except ValueError:
        return None
    return value if _render_constant(value) == literal else None


def _render_constant(value: Any) -> str:
    """Render a value as CEL. Values of different types in one list or map are wrapped in dyn(...)."""
    if not isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    parts = value if isinstance(value, list) else [value[name] for name in sorted(value)]
    mixed = len(set(map(_get_type_key, parts))) > 1
    rendered = [f"dyn({_render_constant(part)})" if mixed else _render_constant(part) for part in parts]
    if isinstance(value, list):
        return f"[{', '.join(rendered)}]"
    entries = [f"{_render_string(name)}: {part}" for name, part in zip(sorted(value), rendered, strict=True)]
    return f"{{{', '.join(entries)}}}"


def _get_type_key(value: Any) -> str:
    """Return the CEL type of a value, for comparison."""
    if isinstance(value, (dict, list)):
        inner = {*map(_get_type_key, value.values() if isinstance(value, dict) else value)}
        return f"{type(value).__name__} of {inner.pop() if len(inner) == 1 else 'any'}"
    return type(value).__name__


def _parse_factor(number: str) -> int | float:
    """Return the factor; zero for a number that no factor can be."""
    factor = int(number) if number.lstrip("-").isdigit() else float(number)
    return factor if isfinite(factor) else 0


def _render_value_table(step: ValueTable, _: Schema | None) -> str:
    return (
        "".join(f"self == {_render_string(old)} ? {_render_string(new)} : " for old, new in step.build_table().items())
        + "self"
    )


def _render_multiply(step: Multiply, source: Schema | None) -> str:
    if _is_integer(step, source):
        return f"self * {step.factor}"
    return f"double(dyn(self)) * {float(step.factor)}"


def _render_divide(step: Multiply, source: Schema | None) -> str:
    if not _is_integer(step, source):
        return f"double(dyn(self)) / {float(step.factor)}"
    return f"self / {step.factor}"


def _is_integer(step: Multiply, source: Schema | None) -> bool:
    return source is not None and get_shape(source) == "integer" and isinstance(step.factor, int)


def _render_split(step: Split, _: Schema | None) -> str:
    parts = f"self.split({_render_string(step.separator)}, {step.count})"
    if not step.index:
        return f"{parts}[0]"
    return f"{parts}.size() > {step.index} ? dyn({parts}[{step.index}]) : dyn(null)"


def _render_string(string: str) -> str:
    return json.dumps(string, ensure_ascii=False)


_RENDERERS: Mapping[type, Callable[[Any, Schema | None], str]] = {
    CelExpression: lambda step, _: str(step.expression),
    Default: lambda step, _: _render_constant(step.value),
    Divide: _render_divide,
    Multiply: _render_multiply,
    Split: _render_split,
    ValueTable: _render_value_table,
    Wrap: lambda _step, _source: "[self]",
}
