"""Pairs of versions of which the versions between them say more than the two: each names its neighbour alone.

A field that would be lost between two versions is followed through those between them, by age. What it is made of step
by step becomes one declaration, as if it stood at the field and named the other version.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from protoc_gen_crd.base.diagnostics import Finding, Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import age_key
from protoc_gen_crd.conversion.chains.links import Link, Words, joined, link
from protoc_gen_crd.conversion.check.lost import unaccounted
from protoc_gen_crd.conversion.derive.declared import Declared, placed
from protoc_gen_crd.conversion.derive.sides import same
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Pair
from protoc_gen_crd.conversion.plan.steps import Default, Keep
from protoc_gen_crd.conversion.rules.given import Directions
from protoc_gen_crd.conversion.rules.ruled import derive
from protoc_gen_crd.conversion.rules.rules import RuleFile
from protoc_gen_crd.schema.types import CONVERSION, Schema

Said = dict[tuple[str, Path], tuple[Declared, ...]]  # what a field of a version says, instead of what stands there


class Chain(Record):
    """A field of one version followed to another: the versions on the way, and what it is in each."""

    versions: tuple[str, ...]
    links: tuple[Link, ...]


class Chains:
    """The pairs of versions of a kind."""

    def __init__(self, schemas: Mapping[str, Schema], rules: RuleFile | None) -> None:
        self._schemas, self._rules = schemas, rules
        self._known: dict[tuple[str, str], tuple[Pair, Sequence[Finding]]] = {}

    @property
    def many(self) -> bool:
        """Whether there are other versions than those of one pair."""
        return len(self._schemas) > len(("spoke", "hub"))

    def derive(self, ends: tuple[str, str], said: Said) -> tuple[Pair, Sequence[Finding]]:
        """The steps of a pair, whose fields say something else than what stands at them."""
        found = Problems()
        one, other = (
            _saying(self._schemas[name], {path: given for (at, path), given in said.items() if at == name})
            for name in ends
        )
        pair = derive(ends, (one, other), found, self.given(ends))
        return pair, found.findings

    def given(self, ends: tuple[str, str]) -> Directions:
        """The rules of a pair."""
        rules = self._rules
        return (rules.direction(*ends), rules.direction(ends[1], ends[0])) if rules is not None else (None, None)

    def derived(self, one: str, other: str) -> tuple[Pair, Sequence[Finding]]:
        """The steps of a pair as it stands."""
        if (one, other) not in self._known:
            self._known[one, other] = self.derive((one, other), {})
        return self._known[one, other]

    def at(self, version: str, path: Path) -> Schema | None:
        """The schema at a path of a version."""
        return paths.at(self._schemas[version], path)

    def placed(self, version: str) -> Iterator[tuple[Path, Declared]]:
        """What fields of a version say."""
        return placed(self._schemas[version])

    def lost(self, pair: Pair) -> Iterator[tuple[str, Path]]:
        """The fields of both versions that would be lost."""
        for ways in pair.ways():
            version = ways[0].source
            for path, _ in unaccounted(ways, self._schemas[version]):
                if (version, path) not in pair.faults:
                    yield version, path

    def about(self, version: str, one: Declared) -> Sequence[str]:
        """The versions between which and its own something comes of a declaration."""
        known = {name: self._ordered(version, name)[0].ways() for name in self._schemas if name != version}
        return [
            name
            for name, ways in known.items()
            if any(step.origin == one.origin for way, _ in ways for step in way.steps)
        ]

    def holding(self, heard: Collection[Place]) -> Iterator[Place]:
        """What is said of versions that it does not name, by which two others convert."""
        for version in self._schemas if self.many else ():
            for _, one in self.placed(version):
                if not one.named and one.origin not in heard and self.about(version, one):
                    yield one.origin

    def _ordered(self, one: str, other: str) -> tuple[Pair, Sequence[Finding]]:
        """The steps of a pair, the older version first: they are asked for from both."""
        return self.derived(*((one, other) if age_key(one) < age_key(other) else (other, one)))

    def between(self, one: str, other: str) -> Sequence[str]:
        """The versions between two by age, those next to the other one first."""
        low, high = sorted((age_key(one), age_key(other)))
        found = sorted((name for name in self._schemas if low < age_key(name) < high), key=age_key)
        return found if age_key(other) == low else found[::-1]

    def trace(self, version: str, path: Path, other: str, *, first: bool = True) -> Chain | None:
        """A field of a version followed to another; None where it leads nowhere there."""
        absent = None
        for name in (*(() if first else (other,)), *self.between(version, other)):
            found = link(self._ordered(version, name)[0], version, path, self.at)
            if found is None:
                continue
            if name == other or (
                not found.there and found.places
            ):  # what has no place next to it has none further away
                chain = Chain((version, other), (found,))
            elif len(found.there) == 1 and (rest := self.trace(name, found.there[0], other, first=False)):
                chain = Chain((version, *rest.versions), (found, *rest.links))
            elif len(found.there) > 1 and (rest := self._all(name, found, other)):
                chain = Chain((version, *rest.versions), (found.replace(there=rest.links[-1].there),))
            else:
                continue
            if chain.links[-1].there:
                return chain
            absent = absent or chain
        return absent

    def followed(self, version: str, path: Path, other: str) -> Chain | None:
        """A field followed through all versions on the way; None where one of them has none or several for it."""
        names, links, here = [version, *self.between(version, other)[::-1], other], list[Link](), path
        for one, following in pairwise(names):
            found = link(self._ordered(one, following)[0], one, here, self.at)
            if found is None or len(found.there) != 1:
                return None
            links.append(found)
            here = found.there[0]
        return Chain(tuple(names), tuple(links))

    def named(self, one: str, other: str) -> set[Path]:
        """The fields of which versions next to each other, from one to another, say what they are there."""
        names = [one, *self.between(one, other)[::-1], other]
        ways = [way for pair in pairwise(names) for way in self._ordered(*pair)[0].ways()]
        steps = [
            step for way, _ in ways for step in way.steps if step.declared and not isinstance(step, Keep | Default)
        ]
        return {paths.bare(end) for step in steps for end in (step.source, step.target)}

    def _all(self, version: str, found: Link, other: str) -> Chain | None:
        """Where several fields are that another one is made of, each as it is."""
        rests = [self.trace(version, each, other, first=False) for each in found.there]
        known = [rest for rest in rests if rest is not None and self.words(rest) == {} and rest.links[-1].there]
        if not known or len(known) < len(rests):
            return None
        ends = tuple([rest.links[-1].there[0] for rest in known])
        return Chain(known[0].versions, (found.replace(there=ends),))

    def words(self, chain: Chain) -> Words | None:
        """What a chain says; None where there are no words for it."""
        made: Words | None = {}
        for each in chain.links:
            made = joined(made, each.words) if made is not None else None
        opaque = made is not None and bool(made.keys() & {"cel", "function"})
        return None if opaque and not self._alike(chain) else made

    def _alike(self, chain: Chain) -> bool:
        """Whether values that a chain carries as they are have one type on the way."""
        at = chain.links[-1].there
        ends = [each.there[0] for each in chain.links[:-1] if each.there]
        steps = zip(chain.versions[1:], (*ends, *at), chain.links, strict=False)
        known = [(self.at(version, path), each) for version, path, each in steps]
        return all(
            one is not None and other is not None and same(one, other)
            for (one, _), (other, each) in pairwise(known)
            if not each.words
        )


def _saying(schema: Schema, said: Mapping[Path, tuple[Declared, ...]]) -> Schema:
    """A schema some of whose fields say something else."""
    if not said:
        return schema
    keywords, facts = dict(schema.keywords), schema.facts
    below: dict[str, dict[Path, tuple[Declared, ...]]] = {}
    for path, given in said.items():
        if path:
            below.setdefault(path[0], {})[path[1:]] = given
        else:
            facts = {**(facts or {}), CONVERSION: tuple([(one.values, one.origin, one.owner) for one in given])}
    keywords["properties"] = dict(schema.properties)
    for step, inner in below.items():
        child = _saying(paths.child(schema, step) or schema, inner)
        if step in _KEYWORDS:
            keywords[_KEYWORDS[step]] = child
        else:
            keywords["properties"][step] = child
    return Schema(keywords, schema.origin, schema.marks, facts)


_KEYWORDS = {ITEM: "items", VALUE: "additionalProperties"}
