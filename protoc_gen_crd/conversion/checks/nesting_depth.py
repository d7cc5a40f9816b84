"""The depth of values and schemas: Python allows 200 nested parentheses in a generated module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import CopyWithDefault, Default
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema

MAX_DEPTH = 64  # levels; each is up to two parentheses


def check_depth(plan: Plan, problems: Problems) -> None:
    """Report values and schemas that are nested deeper than generated Python can be."""
    reported = set()
    directions = [direction for pair in plan.pairs for direction, _ in pair.get_directions()]
    steps = [(step, direction.target) for direction in directions for step in direction.steps]
    for step, version in steps:
        if isinstance(step, Default | CopyWithDefault) and get_depth(step.value) > MAX_DEPTH:
            field, at = paths.format_path(step.target), step.origin
            problem = f'the default of "{field}" in {version} is nested more than {MAX_DEPTH} levels deep'
            problems.report("conversion-depth", problem, at, path=at.find_owner() if at else "")
    for version, schema in plan.schemas.items():
        for path, deep in _find_deep_schemas(schema):
            if id(deep) not in reported:
                reported.add(id(deep))
                problem = f'"{paths.format_path(path)}" of {version} is nested more than {MAX_DEPTH} levels deep'
                problems.report("conversion-depth", problem, deep.origin or plan.crd.origin, path=plan.name)


def get_depth(value: Any) -> int:
    """Return the number of lists and mappings around the innermost value."""
    deepest = 0
    waiting = [(value, 0)]
    while waiting:
        part, around = waiting.pop()
        deepest = max(deepest, around)
        if isinstance(part, dict | list | tuple):
            inner = part.values() if isinstance(part, dict) else part
            waiting += ((child, around + 1) for child in inner or (None,))
    return deepest


def _find_deep_schemas(root: Schema) -> Iterator[tuple[Path, Schema]]:
    """Yield lists and maps that directly nest too many lists and maps, and enums with deep values, with their paths."""
    seen: set[tuple[int, int]] = set()
    waiting: list[tuple[Path, Schema, int]] = [((), root, 0)]
    while waiting:
        path, schema, around = waiting.pop()
        if (id(schema), around) in seen:
            continue
        seen.add((id(schema), around))
        if around > MAX_DEPTH or any(get_depth(value) > MAX_DEPTH for value in schema.get("enum") or ()):
            yield path, schema
            continue
        for step in (ITEM, VALUE):
            child = paths.get_child(schema, step)
            if child is not None:
                waiting.append(((*path, step), child, around + 1))
        waiting += (((*path, name), child, 0) for name, child in schema.properties.items())
