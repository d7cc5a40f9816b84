"""Documents drawn and shrunk by hypothesis, which only this module imports; it is an extra that need not be there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.value_generator import ValueGenerator
from protoc_gen_crd.schema.schema import Schema

os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", tempfile.gettempdir())  # or it would write into this folder

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

Draw = Callable[[st.SearchStrategy[int]], int]


class DifferenceFound(Exception):  # noqa: N818 - what is looked for
    """A document shows a difference; each kind of difference has a subclass, which hypothesis shrinks by itself."""


class _HypothesisSource:
    """Numbers from hypothesis."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw

    def draw(self, count: int) -> int:
        return self._draw(_make_integers(count))


@lru_cache(maxsize=1024)
def _make_integers(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


@lru_cache(maxsize=1024)
def _make_exception(kind: str) -> type[DifferenceFound]:
    return type("DifferenceFound", (DifferenceFound,), {"__doc__": kind})


def search_differences(
    makers: Mapping[bool, ValueGenerator],
    schema: Schema,
    bases: Sequence[dict[str, Any]],
    differs: Callable[[dict[str, Any]], str | None],
    *,
    number: int,
    count: int,
) -> None:
    """Draw documents until so many were looked at, then ever smaller ones of each kind that differs.

    `differs` is told of all of them and gives the kind of a difference. `number` is the seed. What `differs` raises
    that is no Exception ends the search.
    """

    @st.composite
    def documents(draw: Draw) -> dict[str, Any]:
        return RandomDocumentGenerator(makers, schema, _HypothesisSource(draw)).generate_document(bases)

    @seed(number)
    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
    )
    @given(documents())
    def run(document: dict[str, Any]) -> None:
        kind = differs(document)
        if kind is not None:
            raise _make_exception(kind)

    try:
        run()
    except (DifferenceFound, Flaky):
        pass
    except ExceptionGroup as group:
        if group.split((DifferenceFound, Flaky))[1] is not None:
            raise
