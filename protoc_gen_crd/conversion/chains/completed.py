"""A pair of versions, completed by what the versions between them say of their neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.base.diagnostics import Finding, Place, Problems
from protoc_gen_crd.conversion.chains.chains import Chains, Said
from protoc_gen_crd.conversion.chains.declaring import End, declaration, origin_of
from protoc_gen_crd.conversion.chains.links import Chain, Link, Words, link
from protoc_gen_crd.conversion.check.check import is_of_a_document
from protoc_gen_crd.conversion.derive.declared import ABSENT, Declared, declared
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Pair
from protoc_gen_crd.conversion.plan.steps import Copy, Fields, Keep, Loose, Step
from protoc_gen_crd.schema.types import Schema


class Completed:
    """The pair as it stands, then with what is found for fields that would be lost."""

    def __init__(self, chains: Chains, ends: tuple[str, str]) -> None:
        self._chains, self._ends = chains, ends
        self.pair, self.findings = chains.derived(*ends)
        self._said: Said = {}
        self._problems = Problems()
        self._heard: set[Place] = set()
        self._tried: set[End] = set()
        self._led: set[End] = set()  # what chains of other fields lead to
        self._faults: list[End] = []

    def grow(self) -> None:
        """Follow what would be lost until nothing is left that leads anywhere."""
        if self._yielded():
            self.pair, self.findings = self._chains.derive(self._ends, self._said)
        while self._more():
            self.pair, self.findings = self._chains.derive(self._ends, self._said)
        for end, chain in self._unmade():
            self._report(end, chain)
        self.findings = [*map(self._hinted, self.findings), *self._problems.findings]
        faults = (*self.pair.faults, *self._faults)
        heard, filled = self.pair.heard | self._heard, (*self.pair.filled, *self._filled())
        self.pair = self.pair.replace(heard=heard, faults=faults, filled=filled, silent=self._silent())

    def _filled(self) -> Iterator[tuple[str, Path, Place]]:
        """The fields that chains make, which no law asks for: the version, the path and what says it."""
        for way, _ in self.pair.ways():
            made = {paths.bare(path): step.origin for step in way.steps if step.declared for path in step.writes()}
            known = ((path, made.get(path)) for version, path in self._said if version == way.target)
            yield from ((way.target, path, origin) for path, origin in known if origin is not None)

    def _hinted(self, finding: Finding) -> Finding:
        """A finding on what holds between other versions, with what may be said of these."""
        if finding.rule != "conversion-path" or finding.hint:
            return finding
        for version in self._ends:
            said = [one for _, one in self._chains.placed(version) if one.origin == finding.at and not one.named]
            about = self._chains.about(version, said[0]) if said else ()
            if about:
                other = self._other(version)
                hint = f'say beside it what {other} has there, conversion {{versions: "{other}" ...}}: '
                return finding.replace(hint=f"{hint}this is about {' and '.join(about)}")
        return finding

    def _silent(self) -> frozenset[tuple[Path, Place]]:
        """What fields say that is left out."""
        ends = [(end, self._chains.at(*end), {one.origin for one in said}) for end, said in self._said.items()]
        known = ((end[1], one.origin, said) for end, schema, said in ends if schema for one in declared(schema))
        return frozenset((path, origin) for path, origin, said in known if origin not in said)

    def _kept(self, version: str) -> Mapping[Path, tuple[Declared, ...]]:
        """The fields that have no place in any version that lacks them, and what else they say."""
        way = next(way for way, _ in self.pair.ways() if way.source == version)
        kept = {step.origin for step in way.steps if isinstance(step, Keep)}
        known = [(path, one) for path, one in self._chains.placed(version) if one.origin in kept and _is_absent(one)]
        return {path: tuple([each for each in self._declared(version, path) if each != one]) for path, one in known}

    def _declared(self, version: str, path: Path) -> tuple[Declared, ...]:
        schema = self._chains.at(version, path)
        return declared(schema) if schema is not None else ()

    def _yielded(self) -> bool:
        """Leave out that a field has no place where one of the other version says that it is this one."""
        for way, back in self.pair.ways():
            made = {paths.bare(path) for step in back.steps if step.declared and step.reads() for path in step.writes()}
            for path, rest in self._kept(way.source).items():
                if path in made:
                    self._said[way.source, path] = rest
        return bool(self._said)

    def _carried(self) -> None:
        """Follow fields that nothing is said of, which are something else in the versions between."""
        silent = self._chains.between(*self._ends) and not any(self._chains.given(self._ends))
        faults = {path for _, path in self.pair.faults}
        named = sorted(self._chains.named(*self._ends) | faults) if silent else ()
        for version in self._ends[::-1]:
            for path in named:
                known = self._carried_to(version, path) if (version, path) not in self._tried else None
                other = self._other(version)
                chain = self._through(version, path, absent=path in faults) if known else None
                if known is not None and chain is not None and not self._stays(chain, known):
                    self._tried.add((version, path))
                    self._say((version, path), chain)
                    self._unsay([(version, path), *((other, there) for there in chain.links[-1].there)])

    def _through(self, version: str, path: Path, *, absent: bool) -> Chain | None:
        """A field followed through all versions on the way, or at least to what it is of several others."""
        found = self._chains.followed(version, path, self._other(version), absent=absent)
        traced = self._traced((version, path)) if found is None else None
        return traced if traced is not None and traced.links[-1].there else found

    def _unsay(self, ends: Sequence[End]) -> None:
        """Leave out what fields say of all versions where they are something else in these."""
        for end in ends:
            said = self._declared(*end)
            rest = tuple([one for one in said if one.named or one.origin not in self.pair.heard])
            if end not in self._said and len(rest) < len(said):
                self._said[end] = rest

    def _stays(self, chain: Chain, known: Link) -> bool:
        """Whether a chain leads to a field as it is known, or by what declarations say forth and back."""
        left: list[set[Place]] = []
        for each in filter(None, ({*one.places} for one in chain.links)):
            left = left[:-1] if left[-1:] == [each] else [*left, each]
        alike = left == ([{*known.places}] if known.places else []) or self._chains.words(chain) == known.words
        return chain.links[-1].there == known.there and alike

    def _carried_to(self, version: str, path: Path) -> Link | None:
        """What a field is of which nobody speaks, or not of these versions alone; None where anybody does."""
        said = [one for name in self._ends for one in self._declared(name, path)]
        if (version, path) in self.pair.faults:
            heard = [one for one in said if one.origin in self.pair.heard]
            wrong = Link((path,), {}, tuple([one.origin for one in heard]))
            return None if any(one.named for one in heard) else wrong
        way = next(way for way, _ in self.pair.ways() if way.source == version)
        for step in way.steps:
            if type(step) in (Copy, Loose) and len(step.source) < len(path) and step.source == path[: len(step.source)]:
                return Link(((*step.target, *path[len(step.source) :]),), {})
            if step.source == path and step.writes() and not self._is_named(step):
                return link(self.pair, version, path, self._chains.at)
        return None

    def _is_named(self, step: Step) -> bool:
        """Whether somebody speaks of these versions alone."""
        said = [one for name in self._ends for end in (step.source, step.target) for one in self._declared(name, end)]
        said += [one for given in self._said.values() for one in given]
        return any(one.named for one in said if one.origin == step.origin)

    def _more(self) -> bool:
        """Whether more is known of what fields say."""
        before = len(self._said)
        self._carried()
        if len(self._said) > before:
            return True
        lost = sorted(self._chains.lost(self.pair), key=lambda end: end[0] != self._ends[1])
        for end in (*lost, *(end for end, _ in self._unmade())):
            self._follow(end, lost)
        self._silence(lost)
        return len(self._said) > before

    def _follow(self, end: End, lost: Sequence[End]) -> None:
        """Say of a field that would be lost what it is in the other version, or of those below it."""
        if end in self._tried:
            return
        self._tried.add(end)
        version, path = end
        chain = self._chains.trace(version, path, self._other(version))
        if chain is not None and self._free(chain, lost):
            self._say(end, chain)
            return
        schema, before = self._chains.at(version, path), len(self._said)
        for step, child in _below(schema) if schema is not None else ():
            if child is not None:
                self._follow((version, (*path, step)), lost)
        if len(self._said) > before and schema is not None:
            self._leave(end, schema)

    def _other(self, version: str) -> str:
        return self._ends[self._ends[0] == version]

    def _free(self, chain: Chain, lost: Sequence[End]) -> bool:
        """Whether nothing else is said of the fields that a chain leads to, or they are only looked at."""
        if _looks(self._chains.words(chain)):
            return True
        other = chain.versions[-1]
        known = [path for version, path in (*lost, *self.pair.faults) if version == other]
        known += self._kept(other)
        if "part" in (self._chains.words(chain) or {}):
            known += [path for version, path in self._led if version == other]
        return all(
            there[:1] == paths.METADATA or any(paths.overlap(there, path) for path in known)
            for there in chain.links[-1].there
        )

    def _say(self, end: End, chain: Chain) -> None:
        """Put what a chain says at the field, or at the other end where it can be said there alone."""
        there = chain.links[-1].there
        self._heard.update(place for each in chain.links for place in each.places)
        if not _looks(self._chains.words(chain)):
            self._tried.update((chain.versions[-1], path) for path in there)
        self._led.update((chain.versions[-1], path) for path in there if path not in paths.NAMES)
        kept = self._kept(chain.versions[-1])
        self._said.update({(chain.versions[-1], path): kept[path] for path in there if path in kept})
        if self._put(end, chain):
            return
        back = self._chains.trace(chain.versions[-1], there[0], end[0]) if len(there) == 1 else None
        if back is None or back.links[-1].there != (end[1],) or not self._put((chain.versions[-1], there[0]), back):
            self._report(end, chain)

    def _put(self, end: End, chain: Chain) -> bool:
        """Put what a chain says at a field; whether an option says it."""
        made = declaration(self._chains, self.pair, end, chain)
        if made is not None:
            self._said[end] = (made,)
        return made is not None

    def _report(self, end: End, chain: Chain) -> None:
        """What is said in several steps, and cannot be in one."""
        (version, path), other = end, chain.versions[-1]
        origin = origin_of(self._chains, end, chain)
        found = ", ".join(
            f"{' and '.join(each.words) or 'a move'} in {name}"
            for name, each in zip(chain.versions[1:], chain.links, strict=False)
        )
        problem = f'what "{paths.shown(path)}" of {version} is in {other} must be one step, found {found}'
        ends = ", ".join(f'"{paths.shown(each)}"' for each in chain.links[-1].there)
        hint = f'say beside the rest what it is there, of {ends or "nothing"}: conversion {{versions: "{other}" ...}}'
        if is_of_a_document(origin):
            hint = f"give rules for {' and '.join(self._ends)}, both ways, too, of all that differs between the two"
        self._problems.report("conversion-chain", problem, origin, path=origin.owner(), hint=hint)
        self._leave(end, self._chains.at(*end))
        self._faults += [end, *((other, there) for there in chain.links[-1].there)]

    def _unmade(self) -> Sequence[tuple[End, Chain]]:
        """The fields that the versions between make of others, where nothing makes them here."""
        found = []
        for end in sorted(self._led.difference(self._faults)):
            way = next(way for way, _ in self.pair.ways() if way.target == end[0])
            written = [paths.bare(path) for step in way.steps if not isinstance(step, Fields) for path in step.writes()]
            made = any(paths.overlap(path, end[1]) for path in written)
            chain = None if made else self._traced(end)
            if chain is not None and chain.links[-1].there and all(map(_makes, chain.links)):
                found.append((end, chain))
        return found

    def _traced(self, end: End) -> Chain | None:
        """A field followed to the other version."""
        return self._chains.trace(*end, self._other(end[0]))

    def _silence(self, lost: Sequence[End]) -> None:
        """Leave out what fields say of other versions alone than these, where something else converts them."""
        wrong = self._wrong()
        for version in self._ends if wrong else ():
            for path, one in self._chains.placed(version):
                end = version, path
                about = one.origin in wrong and not one.named and end not in self._said
                if about and not any(_leads(each, end) for each in lost) and self._chains.about(version, one):
                    self._leave(end, self._chains.at(*end))

    def _wrong(self) -> set[Place | None]:
        """The places of what leads to fields that are not there."""
        return {finding.at for finding in self.findings if finding.rule == "conversion-path"}

    def _leave(self, end: End, schema: Schema | None) -> None:
        """Leave out what a field says that leads nowhere."""
        known, wrong = declared(schema) if schema is not None else (), self._wrong()
        left = [each for each in known if each.origin in wrong]
        if left:
            self._said[end] = tuple([each for each in known if each not in left])
            self._heard.update(each.origin for each in left if self._chains.about(end[0], each))


def _makes(one: Link) -> bool:
    """Whether a field is made of what it is in the next version, not only looked at there."""
    return all("from" in one.words[kind] for kind in ("cel", "function") if kind in one.words)


def _looks(words: Words | None) -> bool:
    """Whether a field is made of another one, of which nothing is made."""
    return words is not None and any({*words.get(kind, ())} == {"from"} for kind in ("cel", "function"))


def _is_absent(one: Declared) -> bool:
    """Whether a declaration says, of no version by name, that there is nothing in place of its field."""
    return not one.named and one.values.keys() <= {*ABSENT}


def _leads(end: End, other: End) -> bool:
    """Whether a field is another one, or around it."""
    return end[0] == other[0] and other[1][: len(end[1])] == end[1]


def _below(schema: Schema) -> Iterator[tuple[str, Schema | None]]:
    yield from schema.properties.items()
    yield ITEM, schema.items
    yield VALUE, schema.additional if isinstance(schema.additional, Schema) else None


def pair_of(chains: Chains, spoke: str, hub: str, problems: Problems) -> Pair:
    """The steps between a spoke and the hub."""
    made = Completed(chains, (spoke, hub))
    if chains.many:
        made.grow()
    problems.findings += made.findings
    return made.pair
