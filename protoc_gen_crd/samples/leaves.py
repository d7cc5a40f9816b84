"""Values of leaves, the likeliest first: texts by example, format, name and pattern, numbers by bounds and factors."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice

from protoc_gen_crd.regex import syntax
from protoc_gen_crd.samples.judge import Judge
from protoc_gen_crd.samples.octets import octets
from protoc_gen_crd.samples.patterns import found
from protoc_gen_crd.samples.shapes import Shape
from protoc_gen_crd.samples.words import FORMATS, GENERAL, hints_for, numbers_for, switches_for, texts_for, untold
from protoc_gen_crd.schema.types import INT_OR_STRING, PRESERVE, Json

_TRIED = 200  # values of a leaf that are looked at
_LONGEST = 100_000
_LARGEST = 2.0**62  # how many times a factor is taken
_MATCHING = 50  # texts that match patterns
_STATES_OF_A_PART = 10  # that are looked at while a part of a value could be judged
_COUNTED = 16  # texts with a number behind, for sets


def leaves(shape: Shape, name: str, judge: Judge) -> Iterator[Json]:
    """Values of a node that is no list and no object with properties, none twice; `name` is its property's."""
    seen: list[Json] = []
    for value in islice(_given(shape, name, judge), _TRIED):
        if not any(value is each or (type(value) is type(each) and value == each) for each in seen) and all(
            judge.fits(schema, value) for schema in shape.schemas
        ):
            seen.append(value)
            yield value


def _given(shape: Shape, name: str, judge: Judge) -> Iterator[Json]:
    for keyword in ("example", "default"):
        yield from (value for value in shape.all(keyword) if value is not None)
    for choices in shape.all("enum"):
        yield from sorted(choices, key=untold) if isinstance(choices, list | tuple) else ()
    schema = shape.schema
    if schema.get(INT_OR_STRING):
        yield from _mixed(_numbers(shape, name, whole=True), ("50%", *_texts(shape, name, judge)))
        return
    match schema.type:
        case "string":
            yield from _texts(shape, name, judge)
        case "integer" | "number" as kind:
            yield from _numbers(shape, name, whole=kind == "integer")
        case "boolean":
            yield from switches_for(name)
        case _ if schema.get(PRESERVE) or not schema.type:
            yield from ({"key": "value"}, {}, "value", 1)
    if schema.get("nullable"):
        yield None


def _mixed(some: Iterable[Json], others: Iterable[Json]) -> Iterator[Json]:
    """Values of both, in turns."""
    for pair in zip(some, others, strict=False):
        yield from pair


def _texts(shape: Shape, name: str, judge: Judge) -> Iterator[str]:
    if "byte" in shape.all("format"):
        yield from octets(shape)
    likely = (*hints_for(name), *_of_format(shape), *texts_for(name), *GENERAL)
    yield from likely
    yield from (f"{text}-{number}" for text in texts_for(name)[-3:] for number in range(1, _COUNTED))
    least = int(shape.bound("minLength") or 0)
    most = shape.bound("maxLength")
    patterns = tuple([each for each in shape.all("pattern") if isinstance(each, str) and not syntax.check(each)])
    if patterns and judge.patience > 0:
        searched = found(patterns, min(least, _LONGEST), None if most is None else int(most), _MATCHING)
        judge.patience -= searched.looked // _STATES_OF_A_PART
        yield from searched.texts
    elif not patterns:
        yield from _of_length(likely, least, most)


def _of_format(shape: Shape) -> Iterator[str]:
    for name in shape.all("format"):
        yield from FORMATS.get(str(name).replace("-", ""), ())


def _of_length(likely: Iterable[str], least: int, most: int | float | None) -> Iterator[str]:
    """Texts cut or lengthened to the bounds."""
    if least > _LONGEST:
        return
    for text in likely:
        longer = text + text[-1] * (least - len(text))
        yield longer if most is None else longer[: int(most)]
    yield from (chr(97 + index) for index in range(26))


def _numbers(shape: Shape, name: str, *, whole: bool) -> Iterator[int | float]:
    low, high = shape.bound("minimum"), shape.bound("maximum")
    found: list[float] = [*numbers_for(name), 1, 0, 2, 3, 10, *range(4, 20), 0.5, -1, 100]
    for bound, step in ((low, 1), (high, -1)):
        if bound is not None:
            found += [bound, bound + step, *_inside(low, high), bound + step * 0.5]
    for factor in shape.all("multipleOf"):
        if isinstance(factor, int | float) and factor and abs(low or 0) < _LARGEST * abs(factor):
            start = math.ceil((low or 0) / factor)
            found += [factor * count for count in range(start, start + 20)]
            found += _below(high, factor)
    for number in found:
        if not whole or number == math.floor(number):
            yield int(number) if number == math.floor(number) and abs(number) < 1 << 62 else number


def _below(high: int | float | None, factor: int | float) -> list[float]:
    """The largest multiples of a factor within an upper bound."""
    if high is None or abs(high) >= _LARGEST * abs(factor):
        return []
    last = math.floor(high / abs(factor))
    return [abs(factor) * count for count in range(last, last - 3, -1)]


def _inside(low: int | float | None, high: int | float | None) -> list[float]:
    return [] if low is None or high is None else [low + (high - low) / 2, math.floor(low + (high - low) / 2)]
