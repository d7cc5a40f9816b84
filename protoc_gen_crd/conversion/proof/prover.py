"""Test conversions on sample and random objects: round trips and stale-client updates, in both directions.

An object that violates a law is shrunk as long as it still violates it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.checks.list_keys import find_lists_without_keys
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
        # A status subresource is validated with the rest: its updates must be valid as well.
        versions = tuple([version.replace(served=True, status=False) for version in plan.crd.versions])
        served = plan.crd.replace(versions=versions)
        for pair in plan.pairs:
            for way, back in pair.get_directions():
                yield self._prove_direction(ProofCase(plan, served, way, back, convert), user_objects)

    def _prove_direction(self, case: ProofCase, given: Sequence[dict[str, Any]]) -> Proof:
        search = _ViolationSearch(case, self._sampler, self._seed)
        objects = search.generate_objects(
            [obj for obj in given if obj.get("apiVersion") == case.api_version], self._count
        )
        found: dict[str, LawViolation] = {}
        count = 0
        for obj in objects:
            count += 1
            for broken in search.find_violations(obj, skip=found):
                found[broken.law] = search.shrink(broken)
        lists = (step.source for step, _ in find_lists_without_keys(case.direction, case.reverse))
        ends = case.direction.source, case.direction.target
        return Proof(*ends, count, tuple(found.values()), tuple(map(format_path, lists)))


class _ViolationSearch:
    """The objects of one direction, and their checks."""

    def __init__(self, case: ProofCase, sampler: Sampler, seed: int) -> None:
        self._case, self._sampler, self._source = case, sampler, SeededSource(seed)
        told, ways = case.describe_direction(), (case.direction, case.reverse)
        self.laws = RoundTripLaws(told, case.convert, self._find_errors)
        self._lists = [(each.source, [key for key, _ in each.keys]) for each in told.keyed]
        self._metadata, there = (MetadataSampler(*ends, case.convert, self._source) for ends in (ways, ways[::-1]))
        self._target_metadata = there

    def _find_errors(self, obj: dict[str, Any]) -> Sequence[str]:
        return self._sampler.find_errors(self._case.served, obj)

    def generate_objects(self, given: Sequence[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
        """Generate the user's objects, samples and random objects, all of them valid."""
        bases = [*given, *self._generate_samples(self._case.direction.source)]
        yield from bases
        several = [
            each for base in bases[-1:] for each in extend_lists(base, self._lists) if not self._find_errors(each)
        ]
        self._metadata.collect_values(self._generate_random(self._case.direction.target, _METADATA_SAMPLES))
        made = self._generate_random(self._case.direction.source, count - len(bases), [*bases, *several])
        marked = map(self._metadata.set_random_metadata, made)
        yield from self._collect_metadata(obj for obj in marked if not self._find_errors(obj))

    def _collect_metadata(self, objects: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Yield the objects, and use their metadata for objects of the other version."""
        for obj in objects:
            self._target_metadata.collect_values([obj])
            yield obj

    def _generate_samples(self, name: str) -> list[dict[str, Any]]:
        version = self._case.find_version(name)
        samples = [self._sampler.make_sample(self._case.served, version, full=full) for full in (False, True)]
        return [sample.object for sample in samples if not sample.errors]

    def _generate_random(self, name: str, count: int, bases: Sequence[dict[str, Any]] = ()) -> Iterator[dict[str, Any]]:
        """Generate random objects of a version, valid or not."""
        schema, bases = self._case.find_version(name).schema, bases or self._generate_samples(name)
        if bases and schema is not None:
            chance = RandomDocumentGenerator(self._sampler.generators, schema, self._source)
            yield from (chance.generate_document(bases, beyond=False) for _ in range(count))

    def find_violations(self, obj: dict[str, Any], skip: dict[str, LawViolation]) -> Iterator[LawViolation]:
        """Yield the laws that an object violates, without those in `skip`."""
        made = self.laws.convert_forward(obj)
        if isinstance(made, LawViolation):
            yield from [made] if made.law not in skip else []
        if made is None or isinstance(made, LawViolation):
            return
        edited = self._generate_client_update(made)
        found = [self.laws.check_round_trip(obj, made), self.laws.check_stability(obj, made)]
        found += (
            [self.laws.check_client_update(edited), self.laws.check_kept_after_update(obj, made, edited)]
            if edited is not None
            else []
        )
        found += self._check_list_edits(obj, made)
        found += [
            self.laws.check_computed_edit(made, each)
            for each in self.laws.generate_field_edits(made)
            if not self._find_errors(each)
        ]
        yield from (each for each in found if each is not None and each.law not in skip)

    def _check_list_edits(self, obj: dict[str, Any], made: dict[str, Any]) -> Iterator[LawViolation | None]:
        """Check list edits by a client of the other version."""
        yield from (
            self.laws.check_kept_items(obj, edit)
            for edit in self.laws.generate_list_edits(made)
            if not self._find_errors(edit[-1])
        )

    def _generate_client_update(self, made: dict[str, Any]) -> dict[str, Any] | None:
        """Return the object after an update by a client of the other version; None if the update is invalid."""
        version = self._case.find_version(self._case.direction.target)
        if version.schema is None:
            return None
        chance = RandomDocumentGenerator(self._sampler.generators, version.schema, self._source)
        edited = {**chance.generate_document([made], beyond=False), "metadata": made.get("metadata", {})}
        edited = self._target_metadata.set_random_metadata(edited)
        return edited if not self._find_errors(edited) else None

    def shrink(self, broken: LawViolation) -> LawViolation:
        """Find the smallest object that violates the same law."""
        again = self._make_recheck(broken)
        for _ in range(_MAX_TRIES):
            simpler = (each for each in _generate_smaller(broken.object) if not self._find_errors(each))
            found = next((one for each in simpler if (one := again(each)) is not None), None)
            if found is None:
                break
            broken = found
        return broken

    def _make_recheck(self, broken: LawViolation) -> Callable[[dict[str, Any]], LawViolation | None]:
        """Return a function that checks whether another object violates the same law."""

        def recheck(obj: dict[str, Any]) -> LawViolation | None:
            if broken.source != self._case.direction.source:
                one = self.laws.check_client_update(obj)
                return one if one is not None and one.law == broken.law else None
            made = self.laws.convert_forward(obj)
            if made is None or isinstance(made, LawViolation):
                return made if made is not None and made.law == broken.law else None
            found = (
                self.laws.check_round_trip(obj, made),
                self.laws.check_stability(obj, made),
                *self._check_list_edits(obj, made),
            )
            return next((one for one in found if one is not None and one.law == broken.law), None)

        return recheck


def _generate_smaller(obj: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the object without one part, large parts first, then with one long string halved."""
    for path in sorted(_iterate_paths(obj, ()), key=lambda path: (len(path), str(path))):
        yield apply_changes(obj, (PathChange(path, NOTHING),))
    for path, text in _iterate_long_strings(obj, ()):
        yield apply_changes(obj, (PathChange(path, text[: len(text) // 2]),))


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
