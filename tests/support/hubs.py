"""Kinds of which any version may be the hub: cases of testdata/conversion with a copy of one version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

from protoc_gen_crd.conversion.codegen.module_compiler import load_converter
from protoc_gen_crd.conversion.codegen.module_generator import DirectionWriter
from protoc_gen_crd.conversion.codegen.python_types import Tables
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.conversion_data_entries import ConversionDataEntry, find_conversion_data
from protoc_gen_crd.conversion.plan.copy_steps import Drop
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.proof.data_comparison import find_difference, is_outside_containers, remove_paths
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert
from protoc_gen_crd.conversion.runtime.conversion_data import same
from protoc_gen_crd.conversion.runtime.runtime import MISSING, ConversionError
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.samples.random_documents import RandomDocumentGenerator
from protoc_gen_crd.samples.random_source import SeededSource
from protoc_gen_crd.samples.sampler import Sampler
from tests.support.conversion import LIST_KEYS, Case, Object, bare

# A value of the object that is converted from list items also appears in items that other clients add.
SPREAD = "from-outside"
LIKE = "c"  # after the name of a version: the name of its copy
_SAMPLER = Sampler()


class Trip(NamedTuple):
    """The conversion of an object under one hub, whose conversion data is then read under another hub."""

    own: str
    old: str
    shown: str
    new: str


class Moves:
    """A kind under each hub that its declarations allow."""

    def __init__(self, case: Case, liked: Sequence[str]) -> None:
        self.case = case
        versions = [version.replace(storage=False, served=True) for version in case.crd.versions if version.schema]
        versions += [version.replace(name=version.name + LIKE) for version in versions if version.name in liked]
        versions[0] = versions[0].replace(storage=True)
        self.crd: Crd = case.crd.replace(versions=tuple(versions), hub="")
        self.names = [version.name for version in versions]
        self._asides_by_hub: dict[tuple[str, str], set[paths.Path]] = {}
        self._objects: dict[tuple[str, int], list[Object]] = {}

    def drop_direct(self) -> Moves:
        """Return the same kind without direct conversions between spokes: all go through the hub."""
        others = copy(self)
        vars(others)["plans"] = {hub: plan.replace(direct=(), gaps=()) for hub, plan in self.plans.items()}
        vars(others).pop("converters", None)
        return others

    @cached_property
    def plans(self) -> dict[str, Plan]:
        """Return the plans without errors, by hub."""
        plans_by_hub = {}
        for name in self.names:
            problems = Problems()
            plan = build_plan(self.crd.replace(hub=name), problems)
            if plan is not None and {finding.rule for finding in problems.findings} <= {LIST_KEYS}:
                plans_by_hub[name] = plan
        return plans_by_hub

    @cached_property
    def converters(self) -> dict[str, Convert]:
        """The function of each module, by hub."""
        return {name: load_converter(plan, str(self.case.folder)) for name, plan in self.plans.items()}

    def trips(self) -> Iterator[Trip]:
        """Return the round trips without values that the old hub shows and the new one does not."""
        for old, new in permutations(self.plans, 2):
            for own, requested in permutations(self.names, 2):
                if not self._asides(own, new) - self._asides(own, old):
                    yield Trip(own, old, requested, new)

    def _ways(self, own: str, hub: str) -> tuple[Direction, Direction] | None:
        pairs = (pair for pair in self.plans[hub].pairs if pair.spoke == own)
        return next(((pair.to_hub, pair.from_hub) for pair in pairs), None)

    def _entries(self, own: str, hub: str) -> tuple[ConversionDataEntry, ...]:
        ways = self._ways(own, hub)
        return find_conversion_data(*ways) if ways else ()

    def _asides(self, own: str, hub: str) -> set[paths.Path]:
        if (own, hub) not in self._asides_by_hub:
            self._asides_by_hub[own, hub] = {entry.path for entry in self._entries(own, hub)}
        return self._asides_by_hub[own, hub]

    @cached_property
    def dropped(self) -> list[paths.Path]:
        """The fields that are lost on purpose."""
        ways = [way for plan in self.plans.values() for pair in plan.pairs for way, _ in pair.get_directions()]
        return [paths.strip_object_scopes(step.source) for way in ways for step in way.steps if isinstance(step, Drop)]

    def kept(self, own: str, hub: str) -> Iterator[tuple[paths.Path, int]]:
        """The fields that only the conversion data has, and how many of the objects around them must exist."""
        ways = self._ways(own, hub)
        if ways:
            back = DirectionWriter(self.plans[hub], ways[1], ways[0], Tables())
            alone = (
                entry
                for entry in find_conversion_data(*ways)
                if entry.inverse is None and not entry.empty and not entry.absent
            )
            yield from (
                (entry.path, back.count_carried_parents(entry.path))
                for entry in alone
                if is_outside_containers(entry.path)
            )

    def objects(self, name: str, count: int) -> list[Object]:
        """The objects of the case in a version, its samples and random ones."""
        if (name, count) not in self._objects:
            self._objects[name, count] = list(self._generate_objects(name, count))
        return self._objects[name, count]

    def _generate_objects(self, name: str, count: int) -> Iterator[Object]:
        version = next(crd_version for crd_version in self.crd.versions if crd_version.name == name)
        known = {f"{self.crd.group}/{version_name}" for version_name in (name, name.removesuffix(LIKE))}
        for source, target, _ in self.case.conversions():
            yield from ({**obj, "apiVersion": f"{self.crd.group}/{name}"} for obj in (source, target)
                        if obj["apiVersion"] in known)  # fmt: skip
        samples = [_SAMPLER.make_sample(self.crd, version, full=full) for full in (False, True)]
        bases = [sample.object for sample in samples if not sample.errors]
        yield from bases
        yield from self._by_chance(version, bases, count)

    def _by_chance(self, version: CrdVersion, bases: Sequence[Object], count: int) -> Iterator[Object]:
        if bases and version.schema is not None:
            chance = RandomDocumentGenerator(_SAMPLER.generators, version.schema, SeededSource(count))
            documents = (chance.generate_document(bases, beyond=False) for _ in range(count))
            yield from (obj for obj in documents if not _SAMPLER.find_errors(self.crd, obj))

    def edited(self, converted: Object) -> Object | None:
        """Return an object as a client may change it."""
        name = converted["apiVersion"].rpartition("/")[2]
        version = next(crd_version for crd_version in self.crd.versions if crd_version.name == name)
        document = next(self._by_chance(version, [converted], 1), None)
        return document and {**document, "metadata": converted["metadata"]}


def broken(moves: Moves, trip: Trip, obj: Object) -> str:
    """Return the values that an object loses on a round trip."""
    old, new = moves.converters[trip.old], moves.converters[trip.new]
    try:
        converted = old(obj, trip.shown)
        if not _alike(old, new, converted, trip):
            return ""
    except ConversionError:
        return ""
    for end in (new(converted, trip.own), new(new(converted, trip.new), trip.own)):
        expected, other = (remove_paths(bare(version_object), moves.dropped) for version_object in (obj, end))
        difference = find_difference(expected, other)
        if difference:
            return f"{difference} of {obj} as {converted}"
    if moves.case.name == SPREAD or not same(bare(new(end, trip.shown)), bare(converted)):
        return ""  # more than the old hub showed
    edited = moves.edited(converted)
    return _edited(moves, trip, obj, edited) if edited else ""


def _alike(old: Convert, new: Convert, converted: Object, trip: Trip) -> bool:
    """Return true if both hubs convert an object without conversion data, and the result, in the same way."""
    results = [convert(bare(converted), trip.own) for convert in (old, new)]
    again = [convert(bare(end), trip.shown) for convert, end in zip((old, new), results, strict=True)]
    return same(*map(bare, results)) and same(*map(bare, again))


def _edited(moves: Moves, trip: Trip, obj: Object, edited: Object) -> str:
    old, new = moves.converters[trip.old], moves.converters[trip.new]
    try:
        expected = old(old(edited, trip.own), trip.shown)
        if not same(bare(expected), bare(edited)) or not _alike(old, new, edited, trip):
            return ""
    except ConversionError:
        return ""
    end = new(edited, trip.own)
    difference = find_difference(_plain(bare(edited)), _plain(bare(new(end, trip.shown))))
    if difference:
        return f"{difference} of {edited} as {end}"
    for path, entry in moves.kept(trip.own, trip.old) if trip.old == trip.shown else ():
        known, kept = (_at(version_object, path) for version_object in (obj, end))
        inside = _at(end, path[:entry]) is not MISSING and path not in moves.dropped
        if inside and not same(known, kept):
            return f"{paths.format_path(path)} of {obj} in {end}"
    return ""


def _plain(value: Any) -> Any:
    """Return plain data with 1 for 1.0: a conversion without a factor may change one to the other."""
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_plain(part) for part in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _at(value: Object, path: paths.Path) -> object:
    nested: object = value
    for name in path:
        nested = nested.get(name, MISSING) if isinstance(nested, dict) else MISSING
    return nested
