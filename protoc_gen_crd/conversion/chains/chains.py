"""Pairs of versions of which the versions between them say more than the two: each names its neighbour alone.

A field that would be lost between two versions is followed through those between them, by age. What it is made of step
by step becomes one declaration, as if it stood at the field and named the other version.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from protoc_gen_crd.base.diagnostics import Finding, Place, Problems
from protoc_gen_crd.base.versions import age_key
from protoc_gen_crd.conversion.chains.joined import joined
from protoc_gen_crd.conversion.chains.links import Chain, Link, Words, link
from protoc_gen_crd.conversion.chains.texts import is_escaped, looking
from protoc_gen_crd.conversion.check.lost import unaccounted
from protoc_gen_crd.conversion.derive.declared import Declared, placed
from protoc_gen_crd.conversion.derive.fits import OBJECT, shape
from protoc_gen_crd.conversion.derive.sides import same
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Pair
from protoc_gen_crd.conversion.plan.steps import Default, Keep
from protoc_gen_crd.conversion.rules.given import Directions
from protoc_gen_crd.conversion.rules.ruled import derive
from protoc_gen_crd.conversion.rules.rules import RuleFile
from protoc_gen_crd.schema.types import CONVERSION, Schema

_PAIR = 2  # versions, between which there are no others
Said = dict[tuple[str, Path], tuple[Declared, ...]]  # what a field of a version says, instead of what stands there


class Chains:
    """The pairs of versions of a kind."""

    def __init__(self, schemas: Mapping[str, Schema], rules: RuleFile | None) -> None:
        self._schemas, self._rules = schemas, rules
        self._known: dict[tuple[str, str], tuple[Pair, Sequence[Finding]]] = {}
        self._placed = {name: tuple(placed(schema)) for name, schema in schemas.items()} if len(schemas) > _PAIR else {}
        self._named = {one.origin for known in self._placed.values() for _, one in known if one.named}

    @property
    def many(self) -> bool:
        """Whether there are other versions than those of one pair."""
        return len(self._schemas) > _PAIR

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

    def placed(self, version: str) -> Sequence[tuple[Path, Declared]]:
        """What fields of a version say."""
        return self._placed[version]

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
        for name, found in self._onward(version, path, other, first=first):
            if name == other or (not found.there and found.places):
                chain = Chain((version, other), (found,), path)  # what has no place next to it has none further away
            elif len(found.there) == 1 and (rest := self.trace(name, found.there[0], other, first=False)):
                chain = Chain((version, *rest.versions), (found, *rest.links), path).taken_apart()
            elif len(found.there) > 1 and (rest := self._all(name, found, other)):
                chain = Chain((version, *rest.versions), rest.links, path)
            else:
                continue
            if chain.links[-1].there:
                return chain
            absent = absent or chain
        return absent

    def _onward(self, version: str, path: Path, other: str, *, first: bool) -> Iterator[tuple[str, Link]]:
        """What a field is in the versions up to another one: in those it names, the next one, then the rest.

        Further away than next to it nothing follows from a name alone.
        """
        names = [*(() if first else (other,)), *self.between(version, other)]
        known = [(name, link(self._ordered(version, name)[0], version, path, self.at)) for name in names]
        ranks = [
            (0 if self._is_named(version, name, found) else 1 if name == names[-1] else 2 if found.places else 3, name)
            for name, found in known
            if found is not None
        ]
        told = {name: found for name, found in known if found is not None}
        yield from ((name, told[name]) for rank, name in sorted(ranks, key=lambda each: each[0]) if rank < 3)

    def _is_named(self, one: str, other: str, found: Link) -> bool:
        """Whether somebody says of two versions, by their names, what a field is."""
        return any(self.given((one, other))) or not self._named.isdisjoint(found.places)

    def followed(self, version: str, path: Path, other: str, *, absent: bool = False) -> Chain | None:
        """A field followed through all versions on the way; None where one of them has none or several for it.

        What ends on the way is followed up to there if it has another name then, or what is `absent` is asked for.
        """
        names, links, here = [version, *self.between(version, other)[::-1], other], list[Link](), path
        for one, following in pairwise(names):
            found = link(self._ordered(one, following)[0], one, here, self.at)
            ends = found is not None and not found.there and bool(found.places) and (absent or here != path)
            if found is None or (len(found.there) != 1 and not ends):
                return None
            links.append(found)
            if ends:
                return Chain((*names[: len(links)], other), tuple(links), path)
            here = found.there[0]
        return Chain(tuple(names), tuple(links), path)

    def named(self, one: str, other: str) -> set[Path]:
        """The fields of which versions next to each other, from one to another, say what they are there."""
        names = [one, *self.between(one, other)[::-1], other]
        ways = [way for pair in pairwise(names) for way in self._ordered(*pair)[0].ways()]
        steps = [
            step for way, _ in ways for step in way.steps if step.declared and not isinstance(step, Keep | Default)
        ]
        return {paths.bare(end) for step in steps for end in (step.source, step.target)}

    def _all(self, version: str, found: Link, other: str) -> Chain | None:
        """Where several fields are that another one is made of: each as it is, or all of them in one, as before."""
        rests = [self.trace(version, each, other, first=False) for each in found.there]
        known = [rest for rest in rests if rest is not None]
        words = [self.words(rest) for rest in known]
        if not known or len(known) < len(rests):
            return None
        if not any(rest.links[-1].there for rest in known):
            same = all(each == words[0] for each in words)
            return Chain(known[0].versions, (known[0].links[-1],), ()) if same else None
        if not all(rest.links[-1].there for rest in known):
            return None
        ends = tuple([rest.links[-1].there[0] for rest in known])
        if words == [{}] * len(rests):
            return Chain(known[0].versions, (found.replace(there=ends),), ())
        separator = found.words.get("join", {}).get("separator")
        if len({*ends}) == 1 and words == [
            {"part": {"separator": separator, "index": index}} for index in range(len(ends))
        ]:
            return Chain(known[0].versions, (found.replace(there=ends[:1], words={}),), ())
        return None

    def words(self, chain: Chain) -> Words | None:
        """What a chain says; None where there are no words for it."""
        made: Words | None = {}
        for at in range(len(chain.links)):
            words = self._at_end(chain, at)
            made = joined(made, words) if made is not None and words is not None else None
        opaque = made is not None and bool(made.keys() & {"cel", "function"})
        return None if opaque and not self._alike(chain) else made

    def _at_end(self, chain: Chain, at: int) -> Words | None:
        """The words of a link, the fields that they name as they are called where the chain ends."""
        if self._looks(chain, at):
            text = looking(chain.links[at].words["cel"]["from"], lambda names: self._below(chain, at + 1, names))
            return {"cel": {"from": text}} if text else None
        return self._named_at_end(chain, at)

    def _looks(self, chain: Chain, at: int) -> bool:
        """Whether a link makes a field by an expression of an object that the chain goes on from."""
        words, there = chain.links[at].words, chain.links[at].there
        schema = self.at(chain.versions[at + 1], there[0]) if {*words.get("cel", ())} == {"from"} else None
        return at + 1 < len(chain.links) and schema is not None and shape(schema) == OBJECT

    def _below(self, chain: Chain, at: int, names: tuple[str, ...]) -> Sequence[str]:
        """What a field of an object on a chain is called below the one at its end; nothing where it is another one."""
        around, last = chain.links[at - 1].there[0], chain.links[-1].there[0]
        found = self.followed(chain.versions[at], (*around, *names), chain.versions[-1])
        if found is None or self.words(found) != {} or any(each.parts for each in found.links):
            return ()
        there = found.links[-1].there[0]
        below = there[len(last) :]
        return below if there[: len(last)] == last and not any(map(is_escaped, below)) else ()

    def _named_at_end(self, chain: Chain, at: int) -> Words | None:
        """The words of a link, those of items as they are called where the chain starts or ends."""
        words = chain.links[at].words
        named = {kind: self._called(chain, at, words[kind]) for kind in ("key", "value") if kind in words}
        return {**words, **named} if all(named.values()) else None

    def _called(self, chain: Chain, at: int, name: str) -> str:
        """A field of items on one side of a link, as it is called where the chain ends, or the next such link is."""
        ends = [(chain.start,), *(each.there for each in chain.links)]
        others = [other for other, each in enumerate(chain.links) if {"key", "value"} & each.words.keys()]
        last = min((other for other in others if other > at), default=len(chain.links))
        for side, far in ((at, at if at > others[0] else 0), (at + 1, last)):
            for bracket in (ITEM, VALUE):
                inside = (*ends[side][0], bracket, name)
                if self.at(chain.versions[side], inside) is None:
                    continue
                if not ends[far]:  # nothing is there
                    return name
                found = self.followed(chain.versions[side], inside, chain.versions[far]) if side != far else None
                there = found.links[-1].there if found else (inside,) * (side == far)
                plain = found is None or self.words(found) == {}
                return there[0][-1] if plain and there and there[0][:-1] == (*ends[far][0], bracket) else ""
        return ""

    def _alike(self, chain: Chain) -> bool:
        """Whether values that a chain carries as they are have one type on the way."""
        looked = next((at for at in range(len(chain.links)) if self._looks(chain, at)), len(chain.links))
        links = chain.links[: looked + 1]
        known = [self.at(name, each.there[0]) for name, each in zip(chain.versions[1:], links, strict=False)]
        carried = zip(known, known[1:], links[1:], strict=False)
        return not any(each.parts for each in links if not each.words) and all(
            one is not None and other is not None and same(one, other) for one, other, each in carried if not each.words
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
