"""The rules of a file that are about one pair of versions, and what they say together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Location, Place, Problems
from protoc_gen_crd.conversion.derive.fits import CONTAINERS, OBJECT, alike, fits, loose, narrowed, shape, strange
from protoc_gen_crd.conversion.derive.sides import HUB, SPOKE, meets
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS, ITEM, VALUE, WITHIN, Path
from protoc_gen_crd.conversion.rules.constants import FIRST, fixed
from protoc_gen_crd.conversion.rules.entries import parted
from protoc_gen_crd.conversion.rules.placing import Placing
from protoc_gen_crd.conversion.rules.rules import Direction, Rule
from protoc_gen_crd.schema.types import Schema

Directions = tuple[Direction | None, Direction | None]  # to the hub, from the hub


class Given(Placing):
    """One pair of versions, and the rules of each way. Rules of a side lead away from it."""

    def __init__(
        self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems, given: Directions
    ) -> None:
        super().__init__(names, schemas, problems)
        self.given = given
        said = self._read(SPOKE), self._read(HUB)
        known = tuple([(*said[side], *self._carried_back(side, said)) for side in (SPOKE, HUB)])
        self.fixed = fixed(known[SPOKE], self.roots), fixed(known[HUB], (self.roots[HUB], self.roots[SPOKE]))
        apart = tuple([[one.rule for one in each] for each in self.fixed])
        self._known = tuple([
            tuple([rule for rule in rules if rule not in aside]) for rules, aside in zip(known, apart, strict=True)
        ])  # fmt: skip
        self.around = tuple(
            [{around for rule in known for around in paths.containers(rule.field)} for known in self._known]
        )
        self.plain = tuple([
            {(rule.field, rule.destination): rule for rule in reversed(known) if _is_plain(rule)}
            for known in self._known
        ])  # fmt: skip

    def rules_of(self, side: int) -> tuple[Rule, ...]:
        """The rules of a side, but for those of one item or entry."""
        return self._known[side]

    def _read(self, side: int) -> tuple[Rule, ...]:
        """The rules of a side, what they say of parts of objects that functions make as of objects by themselves."""
        found = self.given[side]
        rules = found.rules if found is not None else ()
        hands = [rule for rule in rules if rule.function]
        return tuple([
            part
            for rule in rules
            for part in parted(
                rule.replace(field=within(rule.field, hands, "field"),
                             destination=within(rule.destination, hands, "destination")), self.roots[side])
        ])  # fmt: skip

    def _carried_back(self, side: int, said: Sequence[Sequence[Rule]]) -> list[Rule]:
        """Rules for what the other way alone makes of itself: here it is carried, since no rule writes it."""
        ends = [bare(end) for rule in said[side] for end in (rule.field, rule.destination)]
        ends += [path for at in (SPOKE, HUB) for path, _ in self._listed(at, "drop")]
        made = [rule for rule in said[1 - side] if isinstance(rule.transformation, str)]
        return [
            Rule(rule.destination, rule.destination, rule.origin, carried=True)
            for rule in made
            if rule.destination[: len(rule.field)] == rule.field
            and rule.destination[:1] != paths.METADATA
            and not any(paths.overlap(rule.destination, end) for end in ends)
            and self._takes_back(side, rule.destination)
        ]

    def _listed(self, side: int, name: str) -> Sequence[tuple[Path, Location]]:
        found = self.given[side]
        return getattr(found, name) if found is not None else ()

    def is_by_hand(self, side: int, rule: Rule) -> bool:
        """Whether functions make the objects of both versions."""
        ends = self.at(side, rule.field), self.at(1 - side, rule.destination)
        objects = all(end is not None and shape(end) == OBJECT for end in ends)
        back = any(one.mirrors(rule) and one.function for one in self.rules_of(1 - side))
        return objects and bool(rule.function) and back

    def said(self, side: int) -> list[Path]:
        """The fields that are put aside or lost on purpose on the way from a side."""
        found = self.given[side]
        return [path for path, _ in (*found.preserve, *found.drop)] if found is not None else []

    def meets(self, side: int, pair: tuple[Path, Path]) -> bool:
        """Whether lists or maps are gone through by themselves, or with what is around: both have objects, or none."""
        ends = [self.at(at, path) for at, path in zip((side, 1 - side), pair, strict=True)]
        inner = [paths.child(end, step) for end in ends if end is not None for step in (ITEM, VALUE)]
        within = pair[0][-1] in BRACKETS and pair[1][-1] in BRACKETS
        return (within or pair[0] == pair[1]) and len({shape(one) == OBJECT for one in inner if one is not None}) < 2

    def is_again(self, side: int, rule: Rule) -> bool:
        """Whether nothing leads back from what a rule writes: the other version keeps or loses what it has there."""
        back = any(one.field == rule.destination for one in self.rules_of(1 - side))
        return bool(rule.field) and rule.destination in self.said(1 - side) and not back

    def filled(self) -> tuple[tuple[str, Path, Place], ...]:
        """The places that rules write which no law asks for: the version, the path and the rule."""
        known = [(self.names[1 - side], rule) for side in (SPOKE, HUB) for rule in self.rules_of(side)
                 if self._makes_more(side, rule)]  # fmt: skip
        return tuple([(version, bare(rule.destination), rule.origin) for version, rule in known])

    def _makes_more(self, side: int, rule: Rule) -> bool:
        """Whether nothing need come back of what a rule makes."""
        return isinstance(rule.transformation, str) or self.is_again(side, rule) or self.stays(side, rule)

    def stays(self, side: int, rule: Rule) -> bool:
        """Whether what a rule reads is carried all the same, as kcp copies what has the same name."""
        said = (*self.said(side), *self.said(1 - side))
        if self.at(1 - side, rule.field) is None or rule.field[:1] == paths.METADATA or rule.field in said:
            return False
        return self.is_again(side, rule) or self._is_looked_at(side, rule)

    def _is_looked_at(self, side: int, rule: Rule) -> bool:
        """Whether a rule makes another value of what both versions have and no rule of either way writes."""
        back = any(one.field == rule.destination for one in self.rules_of(1 - side))
        if not (isinstance(rule.transformation, str) or (_is_plain(rule) and not back)):
            return False
        return self.is_carried(side, rule.field)

    def is_carried(self, side: int, path: Path) -> bool:
        """Whether both versions have what a path leads to, and no rule writes it."""
        ends = [bare(one.destination) for at in (side, 1 - side) for one in self.rules_of(at)]
        return self._meets(path) and not any(path[: len(end)] == end for end in ends)

    def _meets(self, path: Path) -> bool:
        """Whether both versions have what a path leads to, and it can be carried."""
        ends = [self.at(side, path) for side in (SPOKE, HUB)]
        return ends[0] is not None and ends[1] is not None and meets(ends[0], ends[1])

    def namesakes(self, side: int) -> Iterator[tuple[Path, Location]]:
        """The fields that are copied under their name alone, as kcp copies them, to where rules lead elsewhere from."""
        found = self.given[1 - side]
        written = [bare(one.destination) for one in self.rules_of(side)]
        dropped = [path for path, _ in self._listed(side, "drop")]
        for path, origin in uncovered((*found.preserve, *found.drop)) if found is not None else ():
            ends = self.at(side, path), self.at(1 - side, path)
            apart = path in self.claimed[side] or path in self.claimed[1 - side]
            if not apart or paths.scope(path) or path[:1] == paths.METADATA:
                continue
            if any(paths.overlap(path, one) for one in (*written, *dropped)):
                continue
            if ends[0] is not None and ends[1] is not None and _may_take(ends[1], ends[0], self.names):
                yield path, origin

    def _takes_back(self, side: int, path: Path) -> bool:
        """Whether what a path of a side leads to can be carried, be it that way alone."""
        own, other = self.at(side, path), self.at(1 - side, path)
        if own is None or other is None or meets(own, other):
            return own is not None and other is not None
        return shape(own) not in CONTAINERS and shape(other) not in CONTAINERS and fits(own, other)

    def is_identical(self, side: int, rule: Rule) -> bool:
        """Whether a rule says of one way what goes without saying, and no rule says anything else of the other way."""
        back = [*self.said(1 - side), *(end for one in self.rules_of(1 - side) for end in (one.field, one.destination))]
        return rule.field == rule.destination and not any(paths.overlap(rule.field, end) for end in back if end)

    def at(self, side: int, path: Path) -> Schema | None:
        """The schema at a path of a side."""
        return paths.at(self.roots[side], path)


def _is_plain(rule: Rule) -> bool:
    """Whether a rule takes a value as it is."""
    return rule.transformation is None and not rule.function and rule.default is None


def _may_take(target: Schema, source: Schema, names: Sequence[str]) -> bool:
    """Whether a field may take any value of another one."""
    fewer = bool(target.get("enum")) and (not source.get("enum") or strange(source, target))
    if fewer or loose(source, target) or narrowed(source, target):
        return False
    return alike(target, source, names) or (shape(source) not in CONTAINERS and fits(source, target))


def bare(path: Path) -> Path:
    """A path without the number of an item at its end."""
    return path[:-1] if len(path) > 1 and path[-1] == FIRST else path


def entered(path: Path) -> Path:
    """The map whose entries a path leads to, else the path."""
    return path[:-1] if path[-1:] == (VALUE,) else path


def uncovered(entries: Sequence[tuple[Path, Location]]) -> list[tuple[Path, Location]]:
    """The fields of a list, once each, without those in a field that it names as well, as kcp takes such lists."""
    known = dict(reversed(entries))
    return [
        (path, origin) for path, origin in known.items() if not any(path[:cut] in known for cut in range(1, len(path)))
    ][::-1]


def within(path: Path, hands: Sequence[Rule], end: str) -> Path:
    """A path, through the object that a function makes, if it leads into one."""
    for rule in hands:
        around: Path = getattr(rule, end)
        if len(path) > len(around) and path[: len(around)] == around:
            return (*around, WITHIN, *path[len(around) :])
    return path
