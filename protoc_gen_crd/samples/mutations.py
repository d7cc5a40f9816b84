"""Mutations of the value of a schema node: tables of functions that return alternative values for a target.

Mutations in WITHIN intend to keep the value valid, those in BEYOND to make it invalid, mostly in one respect. The
simplest are first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.environment import get_stored_environment
from protoc_gen_crd.cel.parser.ast import Ast
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.samples.cel_function_hints import vary_value
from protoc_gen_crd.samples.logical_branches import NodeShape
from protoc_gen_crd.samples.path_changes import NOTHING, ValuePath, apply_changes
from protoc_gen_crd.samples.rule_solver import RuleSolver, collect_literals
from protoc_gen_crd.samples.value_generator import ValueGenerator
from protoc_gen_crd.samples.value_repair import resolve_field, resolve_path
from protoc_gen_crd.schema.schema import PRESERVE, Json, Schema

_MAX_LENGTH = 5_000  # characters, items or entries of values that exceed a bound
_MAX_VALUES = 6
_EDGE_NUMBERS = (0, -1, 1, 2**31 - 1, 2**31, -(2**31) - 1, 2**63 - 1, 0.5, 1e300)
_EDGE_STRINGS = ("a", " ", "\n", "é", "a\u0000", "0", "true", "null", "-", ".", "/", "%", "A", "\U0001f600")
_TYPE_EXAMPLES: tuple[Json, ...] = ("text", 1, True, [], {}, 1.5)


class MutationTarget(Record):
    """A node of a document: its path, schema and value. `generators` by whether their values are full."""

    path: ValuePath
    schema: Schema
    value: Any
    generators: Mapping[bool, ValueGenerator]

    @property
    def generator(self) -> ValueGenerator:
        """Return the generator of minimal values."""
        return self.generators[False]

    @property
    def name(self) -> str:
        """Return the name of the property that contains the node."""
        return next((step for step in reversed(self.path) if isinstance(step, str)), "")


Mutation = Callable[[MutationTarget], Iterator[Any]]  # yields values that may share parts, and must be copied


def _replace_value(target: MutationTarget) -> Iterator[Any]:
    """Yield other valid values."""
    if not isinstance(target.value, dict | list):
        yield from islice(target.generator.list_scalars(target.schema, target.name), _MAX_VALUES)


def add_part(target: MutationTarget) -> Iterator[Any]:
    """Yield the value with another property, entry or item."""
    shape = NodeShape((target.schema,))
    for generator in (target.generators[False], target.generators[True]):
        if isinstance(target.value, dict):
            for key, child in target.schema.properties.items():
                if key not in target.value:
                    yield {**target.value, key: generator.generate_property(child, key).value}
            if (entries := shape.additional) is not None:
                yield {
                    **target.value,
                    f"key-{len(target.value)}": generator.generate_shared(entries, target.name).value,
                }
        elif isinstance(target.value, list) and (items := shape.items) is not None:
            yield [*target.value, generator.generate_shared(items, target.name).value]


def _choose_enum_value(target: MutationTarget) -> Iterator[Any]:
    """Yield the values of an enum."""
    yield from target.schema.get("enum") or ()


def _replace_with_bound(target: MutationTarget) -> Iterator[Any]:
    """Yield the bounds of a number and values just beyond them."""
    if isinstance(target.value, int | float) and not isinstance(target.value, bool):
        for keyword in ("minimum", "maximum", "multipleOf"):
            bound = target.schema.get(keyword)
            if isinstance(bound, int | float):
                yield from (bound, bound + 1, bound - 1)


def _replace_with_extreme(target: MutationTarget) -> Iterator[Any]:
    """Yield numbers at the limits of types."""
    if isinstance(target.value, int | float) and not isinstance(target.value, bool):
        yield from _EDGE_NUMBERS


def _change_length(target: MutationTarget) -> Iterator[Any]:
    """Resize the value to the bounds of its length or count, and just beyond them."""
    value = target.value
    unit = "Length" if isinstance(value, str) else "Items" if isinstance(value, list) else "Properties"
    for side in ("min", "max"):
        bound = target.schema.get(side + unit)
        for size in (bound, bound + 1, bound - 1) if isinstance(bound, int) else ():
            if 0 <= size <= _MAX_LENGTH:
                yield from resize(value, size, target.schema.items)


def resize(value: Any, size: int, items: Schema | None) -> Iterator[Any]:
    """Yield a string, list or object with more or fewer characters, items or entries."""
    choices = items.get("enum") if items else None
    if isinstance(value, str):
        yield (value + (value[-1:] or "a") * size)[:size]
    elif isinstance(value, list) and choices:
        yield list(islice(cycle(choices), size))
    elif isinstance(value, list) and value:
        yield [*value, *(vary_value(value[-1], index) for index in range(1, size))][:size]
    elif isinstance(value, dict) and value:
        first = next(iter(value.values()))
        yield dict(islice({**value, **{f"key-{index}": first for index in range(size)}}.items(), size))


def _change_type(target: MutationTarget) -> Iterator[Any]:
    """Yield values of other types."""
    yield from (value for value in _TYPE_EXAMPLES if type(value) is not type(target.value))


def _remove_value(_target: MutationTarget) -> Iterator[Any]:
    """Remove the value."""
    yield NOTHING


def _replace_with_null(_target: MutationTarget) -> Iterator[Any]:
    """Replace the value with null."""
    yield None


def _add_unknown_field(target: MutationTarget) -> Iterator[Any]:
    """Add a field that is not in the schema."""
    if isinstance(target.value, dict):
        yield {**target.value, "unknownField": 1}


def _duplicate_item(target: MutationTarget) -> Iterator[Any]:
    """Duplicate an item of a list."""
    if isinstance(target.value, list):
        yield from ([*target.value, item] for item in target.value[:_MAX_VALUES])


def _corrupt_enum_value(target: MutationTarget) -> Iterator[Any]:
    """Yield near misses of enum values."""
    for member in (target.schema.get("enum") or ())[:_MAX_VALUES]:
        if isinstance(member, str):
            yield from (member.lower(), member.upper(), member[:-1], f"{member} ")
        elif isinstance(member, int | float):
            yield from (member + 1, str(member))


def _corrupt_string(target: MutationTarget) -> Iterator[Any]:
    """Yield slightly different strings."""
    if isinstance(target.value, str):
        value = target.value
        yield from ("", f"{value}!", f" {value}", value.upper(), value[:-1], f"{value}{value}")


def _replace_string(target: MutationTarget) -> Iterator[Any]:
    """Yield edge cases of patterns and formats."""
    if isinstance(target.value, str):
        yield from (*_EDGE_STRINGS, f"{target.value}\n")


def _apply_rule_plans(target: MutationTarget) -> Iterator[Any]:
    """Apply changes that satisfy or violate the rules of the node."""
    dialect = get_stored_environment(target.generator.validator.switches.minor).dialect

    def fill(path: ValuePath) -> Iterator[Json]:
        shape = resolve_path(target.schema, path)
        if shape is not None:
            yield target.generator.generate(shape, str(path[-1]) if path else "").value

    asts = [ast for rule in target.schema.rules if isinstance(ast := parse(rule.rule, dialect), Ast)]
    literals = collect_literals(asts)
    for ast in asts:
        planner = RuleSolver(ast, target.value, fill, partial(resolve_field, target.schema), literals)
        for expected in (False, True):
            plans = filter(None, planner.plan_result(ast.root, expected, {"self": ()}))
            yield from (apply_changes(target.value, plan) for plan in islice(plans, _MAX_VALUES))


def _use_allowances(target: MutationTarget) -> Iterator[Any]:
    """Yield null if the schema accepts it, and an unknown field if the schema preserves unknown fields."""
    if target.schema.get("nullable"):
        yield None
    if target.schema.get(PRESERVE):
        yield from _add_unknown_field(target)


def _replace_with_type_limit(target: MutationTarget) -> Iterator[Any]:
    """Yield the limits of a type within the bounds of the schema; for strings, the shortest and a long one."""
    schema = target.schema
    if schema.type == "string" and not any(schema.get(keyword) for keyword in ("enum", "format", "pattern")):
        lower, upper = schema.get("minLength") or 0, schema.get("maxLength")
        longest = min(_MAX_LENGTH if upper is None else upper, _LONG_LENGTH)
        yield from ("a" * size for size in (lower, longest) if lower <= size <= longest)
    elif schema.type in _TYPE_LIMITS:
        limits = _TYPE_LIMITS[schema.type]
        lower, upper = (schema.get(keyword) for keyword in ("minimum", "maximum"))
        for limit in limits[:_INT32_LIMITS] if schema.get("format") == "int32" else limits:
            at_least = limit if lower is None else max(limit, lower)
            yield at_least if upper is None else min(at_least, upper)


_LONG_LENGTH = 1_000  # characters
_INT32_LIMITS = 3
_TYPE_LIMITS: Mapping[str, Sequence[int | float]] = {
    "integer": (0, -(2**31), 2**31 - 1, 2**31, -(2**31) - 1, 2**53 + 1, -(2**63), 2**63 - 1),
    "number": (0, 1, 2**53, 1e-300, -1e300, 1e300),
}
WITHIN: tuple[Mutation, ...] = (_replace_value, add_part, _choose_enum_value)
VALID: tuple[Mutation, ...] = (*WITHIN, _use_allowances, _replace_with_type_limit)
BEYOND: tuple[Mutation, ...] = (
    _corrupt_string, _replace_with_bound, _replace_with_extreme, _change_length, _remove_value, _corrupt_enum_value,
    _replace_with_null, _apply_rule_plans, _replace_string, _duplicate_item, _change_type, _add_unknown_field,
)  # fmt: skip
