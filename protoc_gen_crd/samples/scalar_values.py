"""Scalar values, the most plausible first: by example, format, name, pattern, bounds and factors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice

from protoc_gen_crd.regex import syntax_check
from protoc_gen_crd.samples.format_examples import FORMAT_EXAMPLES
from protoc_gen_crd.samples.logical_branches import NodeShape
from protoc_gen_crd.samples.property_examples import (
    GENERAL_STRINGS,
    get_booleans,
    get_hints,
    get_numbers,
    get_strings,
    is_unspecified,
)
from protoc_gen_crd.samples.sample_validator import SampleValidator
from protoc_gen_crd.schema.schema import INT_OR_STRING, PRESERVE, Json

_MAX_VALUES = 200  # values of a node that are considered
_MAX_LENGTH = 100_000
_MAX_FACTOR = 2.0**62  # multiples of a factor
_MAX_MATCHES = 50  # strings that match patterns
_STATES_PER_PART = 10  # states that take as long as the validation of a part of a value
_MAX_SUFFIX = 16  # strings with a numeric suffix, for sets


def generate_scalars(shape: NodeShape, name: str, validator: SampleValidator) -> Iterator[Json]:
    """Generate distinct valid values of a node that is neither a list nor an object with properties.

    `name` is the name of its property.
    """
    strings, others = set[str](), list[Json]()
    for value in islice(_list_examples(shape, name, validator), _MAX_VALUES):
        is_seen = value in strings if isinstance(value, str) else any(_is_same(value, other) for other in others)
        if is_seen or not all(validator.is_valid(schema, value) for schema in shape.schemas):
            continue
        if isinstance(value, str):
            strings.add(value)
        else:
            others.append(value)
        yield value


def _is_same(value: Json, other: Json) -> bool:
    return value is other or (type(value) is type(other) and bool(value == other))


def _list_examples(shape: NodeShape, name: str, validator: SampleValidator) -> Iterator[Json]:
    for keyword in ("example", "default"):
        yield from (value for value in shape.get_values(keyword) if value is not None)
    for choices in shape.get_values("enum"):
        yield from sorted(choices, key=is_unspecified) if isinstance(choices, list | tuple) else ()
    schema = shape.schema
    if schema.get(INT_OR_STRING):
        yield from _interleave(
            _generate_numbers(shape, name, whole=True), ("50%", *_generate_strings(shape, name, validator))
        )
        return
    match schema.type:
        case "string":
            yield from _generate_strings(shape, name, validator)
        case "integer" | "number" as kind:
            yield from _generate_numbers(shape, name, whole=kind == "integer")
        case "boolean":
            yield from get_booleans(name)
        case _ if schema.get(PRESERVE) or not schema.type:
            yield from ({"key": "value"}, {}, "value", 1)
    if schema.get("nullable"):
        yield None


def _interleave(some: Iterable[Json], others: Iterable[Json]) -> Iterator[Json]:
    """Yield values of both in turn, up to the end of the shorter one."""
    for pair in zip(some, others, strict=False):
        yield from pair


def _generate_strings(shape: NodeShape, name: str, validator: SampleValidator) -> Iterator[str]:
    if "byte" in shape.get_values("format"):
        from protoc_gen_crd.samples.byte_values import generate_bytes  # noqa: PLC0415 - few fields contain bytes

        yield from generate_bytes(shape)
    likely = (*get_hints(name), *_generate_formatted(shape), *get_strings(name), *GENERAL_STRINGS)
    yield from likely
    yield from (f"{string}-{number}" for string in get_strings(name)[-3:] for number in range(1, _MAX_SUFFIX))
    least = int(shape.get_bound("minLength") or 0)
    most = shape.get_bound("maxLength")
    patterns = tuple(
        [value for value in shape.get_values("pattern") if isinstance(value, str) and not syntax_check.check(value)]
    )
    if patterns and validator.remaining_budget > 0:
        from protoc_gen_crd.samples.pattern_strings import find_matches  # noqa: PLC0415 - many strings have no pattern

        matches = find_matches(patterns, min(least, _MAX_LENGTH), None if most is None else int(most), _MAX_MATCHES)
        validator.remaining_budget -= matches.visited_states // _STATES_PER_PART
        yield from matches.strings
    elif not patterns:
        yield from _fit_length(likely, least, most)


def _generate_formatted(shape: NodeShape) -> Iterator[str]:
    for name in shape.get_values("format"):
        yield from FORMAT_EXAMPLES.get(str(name).replace("-", ""), ())


def _fit_length(likely: Iterable[str], least: int, most: int | float | None) -> Iterator[str]:
    """Truncate or extend strings to the bounds."""
    if least > _MAX_LENGTH:
        return
    for string in likely:
        extended = string + string[-1] * (least - len(string))
        yield extended if most is None else extended[: int(most)]
    yield from (chr(97 + index) for index in range(26))


def _generate_numbers(shape: NodeShape, name: str, *, whole: bool) -> Iterator[int | float]:
    low, high = shape.get_bound("minimum"), shape.get_bound("maximum")
    numbers: list[float] = [*get_numbers(name), 1, 0, 2, 3, 10, *range(4, 20), 0.5, -1, 100]
    for bound, step in ((low, 1), (high, -1)):
        if bound is not None:
            numbers += [bound, bound + step, *_list_interior(low, high), bound + step * 0.5]
    for factor in shape.get_values("multipleOf"):
        if isinstance(factor, int | float) and factor and abs(low or 0) < _MAX_FACTOR * abs(factor):
            start = math.ceil((low or 0) / factor)
            numbers += [factor * count for count in range(start, start + 20)]
            numbers += _list_multiples(high, factor)
    for number in numbers:
        if not whole or number == math.floor(number):
            yield int(number) if number == math.floor(number) and abs(number) < 1 << 62 else number


def _list_multiples(high: int | float | None, factor: int | float) -> list[float]:
    """Return the largest multiples of a factor within an upper bound."""
    if high is None or abs(high) >= _MAX_FACTOR * abs(factor):
        return []
    last = math.floor(high / abs(factor))
    return [abs(factor) * count for count in range(last, last - 3, -1)]


def _list_interior(low: int | float | None, high: int | float | None) -> list[float]:
    return [] if low is None or high is None else [low + (high - low) / 2, math.floor(low + (high - low) / 2)]
