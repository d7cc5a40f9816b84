"""Scalar values, the most plausible first: by example, format, name, pattern, bounds and factors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice

from protoc_gen_crd.regex import syntax_check
from protoc_gen_crd.samples.byte_values import generate_bytes
from protoc_gen_crd.samples.example_values import (
    FORMATS,
    GENERAL_STRINGS,
    get_booleans,
    get_hints,
    get_numbers,
    get_strings,
    is_unspecified,
)
from protoc_gen_crd.samples.junctor_branches import NodeShape
from protoc_gen_crd.samples.pattern_strings import find_matches
from protoc_gen_crd.samples.sample_validator import SampleValidator
from protoc_gen_crd.schema.schema import INT_OR_STRING, PRESERVE, Json

_MAX_TRIED = 200  # values of a leaf that are looked at
_MAX_LENGTH = 100_000
_MAX_NUMBER = 2.0**62  # how many times a factor is taken
_MATCHING = 50  # texts that match patterns
_STATES_OF_A_PART = 10  # that are looked at while a part of a value could be judged
_COUNTED = 16  # texts with a number behind, for sets


def generate_scalars(shape: NodeShape, name: str, validator: SampleValidator) -> Iterator[Json]:
    """Values of a node that is no list and no object with properties, none twice; `name` is its property's."""
    seen: list[Json] = []
    for value in islice(_list_examples(shape, name, validator), _MAX_TRIED):
        if not any(value is each or (type(value) is type(each) and value == each) for each in seen) and all(
            validator.is_valid(schema, value) for schema in shape.schemas
        ):
            seen.append(value)
            yield value


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
    """Values of both, in turns."""
    for pair in zip(some, others, strict=False):
        yield from pair


def _generate_strings(shape: NodeShape, name: str, validator: SampleValidator) -> Iterator[str]:
    if "byte" in shape.get_values("format"):
        yield from generate_bytes(shape)
    likely = (*get_hints(name), *_generate_formatted(shape), *get_strings(name), *GENERAL_STRINGS)
    yield from likely
    yield from (f"{text}-{number}" for text in get_strings(name)[-3:] for number in range(1, _COUNTED))
    least = int(shape.get_bound("minLength") or 0)
    most = shape.get_bound("maxLength")
    patterns = tuple(
        [each for each in shape.get_values("pattern") if isinstance(each, str) and not syntax_check.check(each)]
    )
    if patterns and validator.remaining_budget > 0:
        searched = find_matches(patterns, min(least, _MAX_LENGTH), None if most is None else int(most), _MATCHING)
        validator.remaining_budget -= searched.visited_states // _STATES_OF_A_PART
        yield from searched.strings
    elif not patterns:
        yield from _fit_length(likely, least, most)


def _generate_formatted(shape: NodeShape) -> Iterator[str]:
    for name in shape.get_values("format"):
        yield from FORMATS.get(str(name).replace("-", ""), ())


def _fit_length(likely: Iterable[str], least: int, most: int | float | None) -> Iterator[str]:
    """Texts cut or lengthened to the bounds."""
    if least > _MAX_LENGTH:
        return
    for text in likely:
        longer = text + text[-1] * (least - len(text))
        yield longer if most is None else longer[: int(most)]
    yield from (chr(97 + index) for index in range(26))


def _generate_numbers(shape: NodeShape, name: str, *, whole: bool) -> Iterator[int | float]:
    low, high = shape.get_bound("minimum"), shape.get_bound("maximum")
    found: list[float] = [*get_numbers(name), 1, 0, 2, 3, 10, *range(4, 20), 0.5, -1, 100]
    for bound, step in ((low, 1), (high, -1)):
        if bound is not None:
            found += [bound, bound + step, *_list_interior(low, high), bound + step * 0.5]
    for factor in shape.get_values("multipleOf"):
        if isinstance(factor, int | float) and factor and abs(low or 0) < _MAX_NUMBER * abs(factor):
            start = math.ceil((low or 0) / factor)
            found += [factor * count for count in range(start, start + 20)]
            found += _list_multiples(high, factor)
    for number in found:
        if not whole or number == math.floor(number):
            yield int(number) if number == math.floor(number) and abs(number) < 1 << 62 else number


def _list_multiples(high: int | float | None, factor: int | float) -> list[float]:
    """The largest multiples of a factor within an upper bound."""
    if high is None or abs(high) >= _MAX_NUMBER * abs(factor):
        return []
    last = math.floor(high / abs(factor))
    return [abs(factor) * count for count in range(last, last - 3, -1)]


def _list_interior(low: int | float | None, high: int | float | None) -> list[float]:
    return [] if low is None or high is None else [low + (high - low) / 2, math.floor(low + (high - low) / 2)]
