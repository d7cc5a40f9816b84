"""Test conversions on sample and random objects: round trips and stale-client updates, in both directions.

An object that violates a law is shrunk as long as it still violates it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.checks.lists_without_keys import find_lists_without_keys
from protoc_gen_crd.conversion.plan.paths import format_path
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.proof.proof_cases import ProofCase
from protoc_gen_crd.conversion.proof.random_objects import MetadataSampler, extend_lists
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert, LawViolation, RoundTripLaws
from protoc_gen_crd.samples.path_changes import NOTHING, PathChange, ValuePath, apply_changes
from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.random_source import SeededSource
from protoc_gen_crd.samples.sampler import Sampler

_MAX_TRIES = 2_000  # candidates to shrink an object
_MAX_REMEMBERED = 1 << 12  # verdicts on objects
_METADATA_SAMPLES = 30  # objects to collect label and annotation values from
_SHORT_STRING = 16  # strings up to this length are not shrunk
_COMMON_FIELDS = ("apiVersion", "kind", "metadata")


class Proof(Record):
    """The result for one direction: the number of converted objects, and each violated law once.

    `lists_without_keys` lose conversion data of later items if an item is removed.
    """

    source: str
    target: str
    count: int
    violations: tuple[LawViolation, ...]
    lists_without_keys: tuple[str, ...] = ()


class Prover:
    """Tests plans with a number of objects for each direction, reproducible by seed."""

    def __init__(self, count: int, seed: int) -> None:
        self._count, self._seed = count, seed
        self._sampler = Sampler()

    def prove(self, plan: Plan, convert: Convert, user_objects: Sequence[dict[str, Any]] = ()) -> Iterator[Proof]:
        """Test each direction of a plan, also with objects of the user."""
        for case in self._make_cases(plan, convert):
            yield self._prove_direction(case, user_objects)

    def _make_cases(self, plan: Plan, convert: Convert) -> Iterator[ProofCase]:
        # A status subresource is validated with the rest: its updates must be valid as well. No other version stores
        # the objects of a version, since servers convert them with the plan.
        versions = [version.replace(served=True, storage=True, status=False) for version in plan.crd.versions]
        crds = {version.name: plan.crd.replace(versions=(version,)) for version in versions}
        for pair in plan.pairs:
            for direction, reverse in pair.get_directions():
                yield ProofCase(plan, crds, direction, reverse, convert)

    def _prove_direction(self, case: ProofCase, user_objects: Sequence[dict[str, Any]]) -> Proof:
        search = _ViolationSearch(case, self._sampler, self._seed)
        own = [search.laws.remove_data(obj) for obj in user_objects if obj.get("apiVersion") == case.api_version]
        objects = search.generate_objects(own, self._count)
        violations: dict[str, LawViolation] = {}
        count = 0
        for obj in objects:
            count += 1
            for violation in search.find_violations(obj, skip=violations):
                violations[violation.law] = search.shrink(violation)
        lists = (step.source for step, _ in find_lists_without_keys(case.direction, case.reverse))
        versions = case.direction.source, case.direction.target
        return Proof(*versions, count, tuple(violations.values()), tuple(map(format_path, lists)))


class _ViolationSearch:
    """The objects of one direction, and their checks."""

    def __init__(self, case: ProofCase, sampler: Sampler, seed: int) -> None:
        self._case, self._sampler, self._source = case, sampler, SeededSource(seed)
        self._errors_by_object: dict[str, Sequence[str]] = {}
        facts, directions = case.describe_direction(), (case.direction, case.reverse)
        self.laws = RoundTripLaws(facts, case.convert, self._find_errors)
        self._lists = [(keyed_list.source, [key for key, _ in keyed_list.keys]) for keyed_list in facts.keyed]
        self._metadata, target_metadata = (
            MetadataSampler(*ends, case.convert, self._source) for ends in (directions, directions[::-1])
        )
        self._target_metadata = target_metadata

    def _find_errors(self, obj: dict[str, Any]) -> Sequence[str]:
        """Return the errors of an object, validated once for equal objects."""
        key = json.dumps(obj)
        if key not in self._errors_by_object:
            if len(self._errors_by_object) >= _MAX_REMEMBERED:
                self._errors_by_object.clear()
            crd = self._case.get_crd(str(obj.get("apiVersion")).rpartition("/")[2])
            self._errors_by_object[key] = self._sampler.find_errors(crd, obj)
        return self._errors_by_object[key]

    def generate_objects(self, user_objects: Sequence[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
        """Generate the user's objects, samples and random objects, all of them valid."""
        bases = [*user_objects, *self._generate_samples(self._case.direction.source)]
        yield from bases
        with_longer_lists = [
            variant
            for base in bases[-1:]
            for variant in extend_lists(base, self._lists)
            if not self._find_errors(variant)
        ]
        self._metadata.collect_values(self._generate_random(self._case.direction.target, _METADATA_SAMPLES))
        random_objects = self._generate_random(
            self._case.direction.source, count - len(bases), [*bases, *with_longer_lists]
        )
        with_metadata = map(self._metadata.set_random_metadata, random_objects)
        yield from self._collect_metadata(obj for obj in with_metadata if not self._find_errors(obj))

    def _collect_metadata(self, objects: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the objects, and use their metadata for objects of the other version."""
        for obj in objects:
            self._target_metadata.collect_values([obj])
            yield obj

    def _generate_samples(self, name: str) -> list[dict[str, Any]]:
        version = self._case.find_version(name)
        crd = self._case.get_crd(name)
        samples = [self._sampler.make_sample(crd, version, full=full) for full in (False, True)]
        return [sample.object for sample in samples if not sample.errors]

    def _generate_random(self, name: str, count: int, bases: Sequence[dict[str, Any]] = ()) -> Iterator[dict[str, Any]]:
        """Generate random objects of a version, valid or not."""
        schema, bases = self._case.find_version(name).schema, bases or self._generate_samples(name)
        if bases and schema is not None:
            chance = RandomDocumentGenerator(self._sampler.generators, schema, self._source)
            yield from (chance.generate_document(bases, beyond=False) for _ in range(count))

    def find_violations(self, obj: dict[str, Any], skip: dict[str, LawViolation]) -> Iterator[LawViolation]:
        """Yield the laws that an object violates, without those in `skip`."""
        converted = self.laws.convert_forward(obj)
        if isinstance(converted, LawViolation):
            yield from [converted] if converted.law not in skip else []
        if converted is None or isinstance(converted, LawViolation):
            return
        edited = self._generate_client_update(converted)
        violations = [self.laws.check_round_trip(obj, converted), self.laws.check_stability(obj, converted)]
        violations += [*self._check_update(obj, converted, edited)] if edited is not None else []
        violations += self._check_list_edits(obj, converted)
        violations += [
            self.laws.check_computed_edit(converted, field_edit)
            for field_edit in self.laws.generate_field_edits(converted)
            if not self._find_errors(field_edit)
        ]
        yield from (violation for violation in violations if violation is not None and violation.law not in skip)

    def _check_update(
        self, obj: dict[str, Any], converted: dict[str, Any], edited: dict[str, Any]
    ) -> Iterator[LawViolation | None]:
        """Check an update by a client of the other version."""
        returned = self.laws.convert_back(edited)
        yield self.laws.check_client_update(edited, returned)
        yield self.laws.check_kept_after_update(obj, converted, edited, returned)

    def _check_list_edits(self, obj: dict[str, Any], converted: dict[str, Any]) -> Iterator[LawViolation | None]:
        """Check list edits by a client of the other version."""
        yield from (
            self.laws.check_kept_items(obj, edit)
            for edit in self.laws.generate_list_edits(converted)
            if not self._find_errors(edit[-1])
        )

    def _generate_client_update(self, converted: dict[str, Any]) -> dict[str, Any] | None:
        """Return the object after an update by a client of the other version; None if the update is invalid."""
        version = self._case.find_version(self._case.direction.target)
        if version.schema is None:
            return None
        generator = RandomDocumentGenerator(self._sampler.generators, version.schema, self._source)
        edited = {**generator.generate_document([converted], beyond=False), "metadata": converted.get("metadata", {})}
        edited = self._target_metadata.set_random_metadata(edited)
        return edited if not self._find_errors(edited) else None

    def shrink(self, violation: LawViolation) -> LawViolation:
        """Find the smallest object that violates the same law."""
        recheck = self._make_recheck(violation)
        for _ in range(_MAX_TRIES):
            simpler = (obj for obj in _generate_smaller(violation.object) if not self._find_errors(obj))
            smaller = next((reduced for obj in simpler if (reduced := recheck(obj)) is not None), None)
            if smaller is None:
                break
            violation = smaller
        return violation

    def _make_recheck(self, violation: LawViolation) -> Callable[[dict[str, Any]], LawViolation | None]:
        """Return a function that checks whether another object violates the same law."""

        def recheck(obj: dict[str, Any]) -> LawViolation | None:
            if violation.source != self._case.direction.source:
                result = self.laws.check_client_update(obj, self.laws.convert_back(obj))
                return result if result is not None and result.law == violation.law else None
            converted = self.laws.convert_forward(obj)
            if converted is None or isinstance(converted, LawViolation):
                return converted if converted is not None and converted.law == violation.law else None
            results = (
                self.laws.check_round_trip(obj, converted),
                self.laws.check_stability(obj, converted),
                *self._check_list_edits(obj, converted),
            )
            return next((result for result in results if result is not None and result.law == violation.law), None)

        return recheck


def _generate_smaller(obj: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the object without one part, large parts first, then with one long string halved."""
    for path in sorted(_iterate_paths(obj, ()), key=lambda path: (len(path), str(path))):
        yield apply_changes(obj, (PathChange(path, NOTHING),))
    for path, string in _iterate_long_strings(obj, ()):
        yield apply_changes(obj, (PathChange(path, string[: len(string) // 2]),))


def _iterate_long_strings(value: Any, path: ValuePath) -> Iterator[tuple[ValuePath, str]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        here: ValuePath = (*path, step)
        if isinstance(part, str) and len(part) > _SHORT_STRING and here[0] not in _COMMON_FIELDS:
            yield here, part
        yield from _iterate_long_strings(part, here)


def _iterate_paths(value: Any, path: ValuePath) -> Iterator[ValuePath]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        here: ValuePath = (*path, step)
        if not (len(here) == 1 and step in _COMMON_FIELDS) and here[:2] != ("metadata", "name"):
            yield here
        if here not in (("apiVersion",), ("kind",)):
            yield from _iterate_paths(part, here)
