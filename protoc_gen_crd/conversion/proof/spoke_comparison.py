"""Compare conversions between two spokes with the conversion through the hub on random objects.

Composed changes of a value have no common form to compare, so both are run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.composition.spoke_consistency import SpokeStep
from protoc_gen_crd.conversion.plan.paths import strip_object_scopes
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.proof.data_comparison import iterate_values
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert
from protoc_gen_crd.conversion.runtime.conversion_data import same
from protoc_gen_crd.conversion.runtime.runtime import MISSING, ConversionError, Object
from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.random_source import SeededSource
from protoc_gen_crd.samples.sampler import Sampler

_OBJECTS = 100
_SEED = 1


class Difference(Record):
    """Values of a field that are converted directly and through the hub, with different results."""

    source: Any
    direct: Any
    composed: Any

    def __str__(self) -> str:
        source, direct, composed = map(_format, (self.source, self.direct, self.composed))
        return f"{source} becomes {direct} instead of {composed}"


def _format(value: Any) -> str:
    return "nothing" if value is MISSING else bounded_json.format_json(value)


def find_difference(plan: Plan, between: Plan, step: SpokeStep) -> Difference | None:
    """Return a value that a plan of two spokes converts differently than the plan of all versions.

    Returns None if random objects have no such value.
    """
    direct, composed = load_converter(between), load_converter(plan)
    objects = _generate_objects(plan, step.way.source)
    return next(filter(None, (_compare(step, (direct, composed), obj) for obj in objects)), None)


def _generate_objects(plan: Plan, name: str) -> Iterator[Object]:
    """Generate valid objects of a version."""
    sampler = Sampler()
    served = plan.crd.replace(
        versions=tuple([candidate.replace(served=True, status=False) for candidate in plan.crd.versions])
    )
    version = next(candidate for candidate in served.versions if candidate.name == name)
    bases = [sampler.make_sample(served, version, full=full).object for full in (False, True)]
    if version.schema is None:
        return
    source = RandomDocumentGenerator(sampler.generators, version.schema, SeededSource(_SEED))
    drawn = (source.generate_document(bases, beyond=False) for _ in range(_OBJECTS))
    yield from (obj for obj in (*bases, *drawn) if not sampler.find_errors(served, obj))


def _compare(step: SpokeStep, converters: Sequence[Convert], obj: Object) -> Difference | None:
    try:
        results = [convert(obj, step.way.target) for convert in converters]
    except ConversionError:
        return None  # a value that one of them rejects is not a contradiction
    path = strip_object_scopes(step.step.target)
    for direct, composed in zip(*([*iterate_values(end, path)] for end in results), strict=False):
        if not same(direct, composed):
            source = next(iter(iterate_values(obj, strip_object_scopes(step.step.source))), MISSING)
            return Difference(source, direct, composed)
    return None
