"""Conversions proven on samples and on objects by chance: there and back, edited there, from every version to the hub.

An object that breaks a law is made smaller as long as it breaks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.proof.cases import Case
from protoc_gen_crd.conversion.proof.drawing import Marks, longer
from protoc_gen_crd.conversion.proof.laws import Broken, Convert, Laws
from protoc_gen_crd.samples.chance import Chance
from protoc_gen_crd.samples.changes import NOTHING, Change, Steps, changed
from protoc_gen_crd.samples.sample import Sampler
from protoc_gen_crd.samples.source import Seeded

_TRIES = 2_000  # objects that are looked at to make one smaller
_LEARNT = 30  # objects of which it is learnt what is shown for fields of the other version
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
        # A status with a subresource is judged with the rest: what is written to it must be as valid.
        versions = tuple([version.replace(served=True, status=False) for version in plan.crd.versions])
        served = plan.crd.replace(versions=versions)
        for pair in plan.pairs:
            for way, back in pair.ways():
                yield self._way(Case(plan, served, way, back, convert), given)

    def _way(self, case: Case, given: Sequence[dict[str, Any]]) -> Proof:
        search = _Search(case, self._sampler, self._seed)
        objects = search.objects([obj for obj in given if obj.get("apiVersion") == case.api_version], self._count)
        found: dict[str, Broken] = {}
        count = 0
        for obj in objects:
            count += 1
            for broken in search.broken(obj, skip=found):
                found[broken.law] = search.smaller(broken)
        return Proof(case.way.source, case.way.target, count, tuple(found.values()))


class _Search:
    """Objects of one way, and the laws they are put to."""

    def __init__(self, case: Case, sampler: Sampler, seed: int) -> None:
        self._case, self._sampler, self._source = case, sampler, Seeded(seed)
        told, ways = case.told(), (case.way, case.back)
        self.laws = Laws(told, case.convert, self._errors)
        self._lists = [(each.source, [key for key, _ in each.keys]) for each in told.keyed]
        self._marks, there = (Marks(*ends, case.convert, self._source) for ends in (ways, ways[::-1]))
        self._marks_there = there

    def _errors(self, obj: dict[str, Any]) -> Sequence[str]:
        return self._sampler.errors(self._case.served, obj)

    def objects(self, given: Sequence[dict[str, Any]], count: int) -> Iterator[dict[str, Any]]:
        """The user's objects, the samples, and objects by chance, all of them valid."""
        bases = [*given, *self._samples(self._case.way.source)]
        yield from bases
        several = [each for base in bases[-1:] for each in longer(base, self._lists) if not self._errors(each)]
        self._marks.learn(self._drawn(self._case.way.target, _LEARNT))
        made = self._drawn(self._case.way.source, count - len(bases), [*bases, *several])
        marked = map(self._marks.marked, made)
        yield from self._learning(obj for obj in marked if not self._errors(obj))

    def _learning(self, objects: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """The objects, as each of which those of the other version are marked from then on."""
        for obj in objects:
            self._marks_there.learn([obj])
            yield obj

    def _samples(self, name: str) -> list[dict[str, Any]]:
        version = self._case.version(name)
        samples = [self._sampler.sample(self._case.served, version, full=full) for full in (False, True)]
        return [sample.object for sample in samples if not sample.errors]

    def _drawn(self, name: str, count: int, bases: Sequence[dict[str, Any]] = ()) -> Iterator[dict[str, Any]]:
        """Objects of a version by chance, valid or not."""
        schema, bases = self._case.version(name).schema, bases or self._samples(name)
        if bases and schema is not None:
            chance = Chance(self._sampler.makers, schema, self._source)
            yield from (chance.document(bases, beyond=False) for _ in range(count))

    def broken(self, obj: dict[str, Any], skip: dict[str, Broken]) -> Iterator[Broken]:
        """The laws that an object breaks, less those that are known to be broken."""
        made = self.laws.there(obj)
        if isinstance(made, Broken):
            yield from [made] if made.law not in skip else []
        if made is None or isinstance(made, Broken):
            return
        edited = self._edited(made)
        found = [self.laws.back(obj, made), self.laws.settled(obj, made)]
        found += [self.laws.edited(edited), self.laws.survives(obj, made, edited)] if edited is not None else []
        found += self._listed(obj, made)
        found += [self.laws.wins(made, each) for each in self.laws.edits(made) if not self._errors(each)]
        yield from (each for each in found if each is not None and each.law not in skip)

    def _listed(self, obj: dict[str, Any], made: dict[str, Any]) -> Iterator[Broken | None]:
        """What breaks where a client of the other version does something to a list."""
        yield from (self.laws.stays(obj, edit) for edit in self.laws.listed(made) if not self._errors(edit[-1]))

    def _edited(self, made: dict[str, Any]) -> dict[str, Any] | None:
        """The object as a client of the other version may leave it; None where no server would take that."""
        version = self._case.version(self._case.way.target)
        if version.schema is None:
            return None
        chance = Chance(self._sampler.makers, version.schema, self._source)
        edited = {**chance.document([made], beyond=False), "metadata": made.get("metadata", {})}
        edited = self._marks_there.marked(edited)
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
            found = (self.laws.back(obj, made), self.laws.settled(obj, made), *self._listed(obj, made))
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
