"""JSON with an indent is that of the standard library, for shared parts as well."""

import json
import random
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest

from protoc_gen_crd.emit.json_formatter import JsonFormatter

_SCALARS: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -7,
    2**63,
    1.0,
    1e300,
    "",
    "a",
    'quote " and \\',
    "line\nbreak",
    "\u2028 \x7f",
    "ä",
    {},
    [],
    (),
)


def _draw(random_source: random.Random, pool: list[Any], depth: int) -> Any:
    """Return a value that contains parts of the pool several times, and add it to the pool."""
    if depth == 0 or random_source.random() < 0.2:
        return random_source.choice(_SCALARS)
    if pool and random_source.random() < 0.3:
        return random_source.choice(pool)
    parts = [_draw(random_source, pool, depth - 1) for _ in range(random_source.randrange(4))]
    kind = random_source.choice((list, tuple, dict))
    value = {f"key {index}": part for index, part in enumerate(parts)} if kind is dict else kind(parts)
    pool.append(value)
    return value


@pytest.mark.parametrize("seed", range(100))
def test_equals_standard_library(seed: int) -> None:
    """One formatter formats several values that share parts."""
    random_source = random.Random(seed)  # noqa: S311 - not for security
    pool: list[Any] = []
    values = [_draw(random_source, pool, 5) for _ in range(5)]
    formatter = JsonFormatter()
    assert [formatter.format(value) for value in values] == [
        json.dumps(value, indent=2, ensure_ascii=False) for value in values
    ]


@pytest.mark.parametrize("nest", [lambda value: {"a": value}, lambda value: [value]])
def test_memory_grows_with_output(nest: Callable[[Any], Any]) -> None:
    """The output of a deep value grows with the square of its depth; one string for each level with the cube."""
    value: Any = 1
    for _ in range(300):
        value = nest(value)
    tracemalloc.start()
    try:
        formatted = JsonFormatter().format(value)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5 * len(formatted)


def test_indent_of_deep_levels_does_not_grow() -> None:
    value: Any = 1
    for _ in range(450):
        value = {"a": value}
    formatted = JsonFormatter().format(value)
    assert json.loads(formatted) == value
    assert max(map(len, formatted.splitlines())) < 250
