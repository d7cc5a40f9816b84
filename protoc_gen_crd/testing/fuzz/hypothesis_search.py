"""Generation and shrinking of documents with hypothesis. Only this module imports it, since it is an optional extra."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.value_generator import ValueGenerator
from protoc_gen_crd.schema.schema import Schema

os.environ.setdefault(
    "HYPOTHESIS_STORAGE_DIRECTORY", tempfile.gettempdir()
)  # otherwise it would write into the working folder

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky

Draw = Callable[[st.SearchStrategy[int]], int]


class DifferenceFound(Exception):  # noqa: N818 - not an error, but the goal
    """A document shows a difference. Each kind has a subclass, so that hypothesis shrinks each kind separately."""


class _HypothesisSource:
    """Source of numbers from hypothesis."""

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
    generators: Mapping[bool, ValueGenerator],
    schema: Schema,
    seed_documents: Sequence[dict[str, Any]],
    classify: Callable[[dict[str, Any]], str | None],
    *,
    number: int,
    count: int,
) -> None:
    """Generate `count` documents, then shrink one of each kind of difference.

    `classify` is called for all documents and returns the kind of a difference, None if there is none. If it raises a
    BaseException, the search ends. `number` is the seed.
    """

    @st.composite
    def documents(draw: Draw) -> dict[str, Any]:
        return RandomDocumentGenerator(generators, schema, _HypothesisSource(draw)).generate_document(seed_documents)

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
        kind = classify(document)
        if kind is not None:
            raise _make_exception(kind)

    try:
        run()
    except (DifferenceFound, Flaky):
        pass
    except ExceptionGroup as group:
        if group.split((DifferenceFound, Flaky))[1] is not None:
            raise
