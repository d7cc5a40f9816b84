"""Conversions proven on samples and on objects by chance: there and back, edited there, from every version to the hub.

An object that breaks a law is made smaller as long as it breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.code.alternatives import alternatives
from protoc_gen_crd.conversion.code.codegen import WayWriter
from protoc_gen_crd.conversion.code.kinds import Tables
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Cel
from protoc_gen_crd.conversion.plan.containers import ByHand, Own, ToList
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Default, Defaulted, Drop, Fields, Keep
from protoc_gen_crd.conversion.proof.laws import Broken, Convert, Kept, Laws, Told, plain
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.samples.chance import Chance
from protoc_gen_crd.samples.changes import NOTHING, Change, Steps, changed
from protoc_gen_crd.samples.sample import Sampler
from protoc_gen_crd.samples.source import Seeded

_TRIES = 2_000  # objects that are looked at to make one smaller
_SHORT = 16  # characters of a text that need not be made shorter
_OWN = ("apiVersion", "kind", "metadata")


class Proof(Record):
    """What came of a way: the objects that were converted, and the laws that were broken, each once."""

    source: str
    target: str
    count: int
    broken: tuple[Broken, ...]


class Prover:
    """Proves the plans of kinds, with so many objects for each way, the same for the same seed."""

    def __init__(self, count: int, seed: int) -> None:
        self._count, self._seed = count, seed
        self._sampler = Sampler()

    def prove(self, plan: Plan, convert: Convert, given: Sequence[dict[str, Any]] = ()) -> Iterator[Proof]:
        """The proof of each way of a plan; `given` are objects of the user."""
        versions = tuple([version.replace(served=True) for version in plan.crd.versions])
        served = plan.crd.replace(versions=versions)
        for pair in plan.pairs:
            for way, back in pair.ways():
                yield self._way(_Case(plan, served, way, back, convert), given)

    def _way(self, case: _Case, given: Sequence[dict[str, Any]]) -> Proof:
        search = _Search(case, self._sampler, self._seed)
        objects = search.objects([obj for obj in given if obj.get("apiVersion") == case.api_version], self._count)
        found: dict[str, Broken] = {}
        count = 0
        for obj in objects:
            count += 1
            for broken in search.broken(obj, skip=found):
                found[broken.law] = search.smaller(broken)
        return Proof(case.way.source, case.way.target, count, tuple(found.values()))


class _Case:
    """One way of a plan, ready to be tried."""

    def __init__(self, plan: Plan, served: Crd, way: Way, back: Way, convert: Convert) -> None:
        self.plan, self.served, self.way, self.back, self.convert = plan, served, way, back, convert
        self.api_version = f"{plan.crd.group}/{way.source}"

    def version(self, name: str) -> Version:
        """A version of the kind."""
        return next(version for version in self.served.versions if version.name == name)

    def told(self) -> Told:
        """What the plan says of the way."""
        ways = self.way, self.back
        dropped, back = (
            tuple([paths.bare(step.source) for step in way.steps if isinstance(step, Drop)]) for way in ways
        )
        ends = self.way.source, self.way.target
        given = (*self._defaults(), *self._emptied())
        group, one_way = self.plan.crd.group, tuple(self._one_way())
        return Told(group, ends, tuple(self._kept()), dropped, back, one_way, given, tuple(self._around()))

    def _defaults(self) -> Iterator[tuple[Path, Any]]:
        """What fields that are missing come back with."""
        yield from ((paths.bare(step.source), step.value) for step in self.back.steps if isinstance(step, Defaulted))

    def _emptied(self) -> Iterator[tuple[Path, Any]]:
        """The objects that come of defaults on the way back, and that nothing is in on the way here again."""
        held = [step for step in self.way.steps if type(step) is Fields]
        read = [step.source for step in self.way.steps if isinstance(step, Defaulted)]
        for step in held:
            if any(path[: len(step.source)] == step.source for path in read):
                yield paths.bare(step.target), {}

    def _around(self) -> Iterator[tuple[Path, str]]:
        """What the way back makes with a look at the whole object, but in lists whose order comes back."""
        writer = WayWriter(self.plan, self.back, self.way, Tables())
        lists = [step.made for step in self.back.steps if type(step) is ToList]
        for step in self.back.steps:
            if any(step.target[: len(made)] == made for made in lists):
                continue
            if isinstance(step, Cel) and writer.looks_around(step, back=False):
                yield paths.bare(step.target), step.text
            elif isinstance(step, Own):
                yield paths.bare(step.target), " ".join(self._given(step))

    def _given(self, own: Own) -> Iterator[str]:
        """The fields of the object of which a function of the way back makes one."""
        for step in self.back.steps:
            if isinstance(step, ByHand) and step.target == own.target[: len(step.target)]:
                around = paths.at(self.plan.schema(self.way.target), step.source)
                yield from around.properties if around else ()

    def _one_way(self) -> Iterator[Path]:
        """The fields of the target that are made of others and that nothing reads on the way back."""
        read = {path for step in self.back.steps if not isinstance(step, Keep) for path in step.reads()}
        for step in self.way.steps:
            if not isinstance(step, Fields | Default | Own) and step.writes() and step.target not in read:
                yield paths.bare(step.target)

    def _kept(self) -> list[Kept]:
        """The fields that nothing else speaks of, outside lists and maps."""
        writer = WayWriter(self.plan, self.way, self.back, Tables())
        back = WayWriter(self.plan, self.back, self.way, Tables())
        alone = (each.path for each in writer.aside if each.back is None and not each.empty and not each.made)
        kept = [path for path in map(paths.bare, alone) if plain(path)]
        root = self.plan.schema(self.way.source)
        return [Kept(path, back.held(path), alternatives(root, path)) for path in kept]


class _Search:
    """Objects of one way, and the laws they are put to."""

    def __init__(self, case: _Case, sampler: Sampler, seed: int) -> None:
        self._case, self._sampler, self._source = case, sampler, Seeded(seed)
        self.laws = Laws(case.told(), case.convert, self._errors)

    def _errors(self, obj: dict[str, Any]) -> Sequence[str]:
        return self._sampler.errors(self._case.served, obj)

    def objects(self, given: Sequence[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
        """The user's objects, the samples, and objects by chance, all of them valid."""
        case, version = self._case, self._case.version(self._case.way.source)
        samples = [self._sampler.sample(case.served, version, full=full) for full in (False, True)]
        bases = [*given, *(sample.object for sample in samples if not sample.errors)]
        yield from bases
        if bases and version.schema is not None:
            chance = Chance(self._sampler.makers, version.schema, self._source)
            made = (chance.document(bases, beyond=False) for _ in range(count - len(bases)))
            yield from (obj for obj in made if not self._errors(obj))

    def broken(self, obj: dict[str, Any], skip: dict[str, Broken]) -> Iterator[Broken]:
        """The laws that an object breaks, less those that are known to be broken."""
        made = self.laws.there(obj)
        if isinstance(made, Broken):
            yield from [made] if made.law not in skip else []
        if made is None or isinstance(made, Broken):
            return
        edited = self._edited(made)
        found = [self.laws.back(obj, made), self.laws.settled(obj, made)]
        found += [self.laws.edited(edited), self.laws.survives(obj, edited)] if edited is not None else []
        found += [self.laws.wins(made, each) for each in self.laws.edits(made) if not self._errors(each)]
        yield from (each for each in found if each is not None and each.law not in skip)

    def _edited(self, made: dict[str, Any]) -> dict[str, Any] | None:
        """The object as a client of the other version may leave it; None where no server would take that."""
        version = self._case.version(self._case.way.target)
        if version.schema is None:
            return None
        chance = Chance(self._sampler.makers, version.schema, self._source)
        edited = {**chance.document([made], beyond=False), "metadata": made.get("metadata", {})}
        return edited if not self._errors(edited) else None

    def smaller(self, broken: Broken) -> Broken:
        """The smallest object that is found to break the same law."""
        again = self._again(broken)
        for _ in range(_TRIES):
            simpler = (each for each in _simpler(broken.object) if not self._errors(each))
            found = next((one for each in simpler if (one := again(each)) is not None), None)
            if found is None:
                break
            broken = found
        return broken

    def _again(self, broken: Broken) -> Callable[[dict[str, Any]], Broken | None]:
        """What tells whether another object breaks the same law."""

        def again(obj: dict[str, Any]) -> Broken | None:
            if broken.source != self._case.way.source:
                one = self.laws.edited(obj)
                return one if one is not None and one.law == broken.law else None
            made = self.laws.there(obj)
            if made is None or isinstance(made, Broken):
                return made if made is not None and made.law == broken.law else None
            found = (self.laws.back(obj, made), self.laws.settled(obj, made))
            return next((one for one in found if one is not None and one.law == broken.law), None)

        return again


def _simpler(obj: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The object with one part less each, large parts first, then with half of a long text each."""
    for path in sorted(_paths(obj, ()), key=lambda path: (len(path), str(path))):
        yield changed(obj, (Change(path, NOTHING),))
    for path, text in _texts(obj, ()):
        yield changed(obj, (Change(path, text[: len(text) // 2]),))


def _texts(value: Any, path: Steps) -> Iterator[tuple[Steps, str]]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        here: Steps = (*path, step)
        if isinstance(part, str) and len(part) > _SHORT and here[0] not in _OWN:
            yield here, part
        yield from _texts(part, here)


def _paths(value: Any, path: Steps) -> Iterator[Steps]:
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, part in parts:
        here: Steps = (*path, step)
        if not (len(here) == 1 and step in _OWN) and here[:2] != ("metadata", "name"):
            yield here
        if here not in (("apiVersion",), ("kind",)):
            yield from _paths(part, here)
