"""Labels and annotations that objects have of their own where a field of them becomes one of the same name."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.plan import Pair, Way, order
from protoc_gen_crd.conversion.plan.steps import Duplicate, Keep


def with_shadowed(pair: Pair) -> Pair:
    """A pair that puts them aside: in the other version they would be taken for the field."""
    return pair.replace(to_hub=_keeping(pair.to_hub), from_hub=_keeping(pair.from_hub))


def _keeping(way: Way) -> Way:
    """A way with a step for each."""
    return way.replace(steps=tuple(sorted((*way.steps, *_shadowed(way)), key=order)))


def _shadowed(way: Way) -> Iterator[Keep]:
    read = {path for step in way.steps if not isinstance(step, Duplicate) for path in step.reads()}
    written = {path: step for step in way.steps for path in step.writes() if paths.is_metadata(path)}
    yield from (Keep(path, (), step.origin, declared=False) for path, step in written.items() if path not in read)
