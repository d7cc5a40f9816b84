"""Rules of rule files to steps: what goes the same way back is one declaration, what does not holds one way alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base import jsontext
from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.derive import spelled
from protoc_gen_crd.conversion.derive.declared import Declared
from protoc_gen_crd.conversion.derive.fits import CONTAINERS, LIST, MAP, OBJECT, alike, fits, loose, shape, strange
from protoc_gen_crd.conversion.derive.sides import HUB, SPOKE, Side, Sides, has_type, same
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Call, First, Wrap
from protoc_gen_crd.conversion.plan.containers import Entries, Gather, Items, Spread
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, WITHIN, Path
from protoc_gen_crd.conversion.plan.plan import Pair, Way, order
from protoc_gen_crd.conversion.plan.steps import Copy, Default, Defaulted, Drop, Duplicate, Keep, Loose, Namesake, Step
from protoc_gen_crd.conversion.rules.constants import FIRST
from protoc_gen_crd.conversion.rules.entries import is_of_entries, reads, writes
from protoc_gen_crd.conversion.rules.given import Directions, bare, entered, uncovered, within
from protoc_gen_crd.conversion.rules.keyed import Keyed
from protoc_gen_crd.conversion.rules.rules import Rule
from protoc_gen_crd.schema.types import Schema


def derive(
    names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems, given: Directions = (None, None)
) -> Pair:
    """The steps between a spoke and the hub. What cannot be read or does not fit is reported."""
    made = _Ruled(names, schemas, problems, given)
    made.run()
    to_hub, from_hub = (tuple(sorted(_once(steps), key=order)) for steps in made.steps)
    ways = Way(names[SPOKE], names[HUB], to_hub), Way(names[HUB], names[SPOKE], from_hub)
    return Pair(names[SPOKE], *ways, tuple(made.faults), frozenset(made.heard), made.filled(), meant=tuple(made.meant))


def _once(steps: Sequence[Step]) -> Iterator[Step]:
    """The steps, less what is said twice of what is kept or lost, or of what is in it."""
    known: dict[tuple[type[Step], Path], Step] = {}
    for step in steps:
        if isinstance(step, Keep):
            known.setdefault((type(step), step.source), step)
    for step in steps:
        said = [known.get((type(step), step.source[:cut])) for cut in range(1, len(step.source) + 1)]
        if not any(said) or next(filter(None, said)) is step:
            yield step


class _Ruled(Keyed):
    """One pair of versions, with what a rule file says of it."""

    def run(self) -> None:
        """Derive all steps: those of rules, then what fields declare, then what is carried."""
        for side in (SPOKE, HUB):
            self._claim(side)
        for side in (SPOKE, HUB):
            self.places(side)
        implied = self._containers(SPOKE), self._containers(HUB)
        for side in (SPOKE, HUB):
            for rule in implied[side]:
                self._rule(side, rule, implied=True)
            for rule in self.rules_of(side):
                if not self.is_by_hand(side, rule):
                    self._rule(side, rule)
            self._kept(side)
        for side in (SPOKE, HUB):
            for rule in self.rules_of(side):
                if self.is_by_hand(side, rule):
                    self._rule(side, rule)
        super().run()

    def _claim(self, side: int) -> None:
        """Learn which fields rules speak of, so that they are not carried."""
        for rule in self.rules_of(side):
            if not self.stays(side, rule):
                self.claimed[side].update((bare(rule.field), entered(rule.field)))
            self.claimed[1 - side].update((bare(rule.destination), entered(rule.destination)))

    def _kept(self, side: int) -> None:
        self.steps[side].extend(Namesake(path, path, origin) for path, origin in self.namesakes(side))
        found = self.given[side]
        hands = [rule for rule in self.rules_of(side) if self.is_by_hand(side, rule)]
        read = [rule.field for rule in self.rules_of(side)]
        carried = [one.destination for one in self.rules_of(1 - side) if one.carried and one.destination in read]
        carried += [one.field for one in self.rules_of(side) if one.carried]
        for step, entries in ((Keep, found.preserve), (Drop, found.drop)) if found is not None else ():
            for given, origin in uncovered(entries):
                path = within(given, hands, "field")
                if path not in carried and self.end(side, path, Rule(path, path, origin)) is not None:
                    self.steps[side].append(step(path, (), origin))

    def _containers(self, side: int) -> list[Rule]:
        """The lists and maps of which only the items have rules, as rules: they are gone through all the same."""
        made = []
        named = {(entered(rule.field), entered(rule.destination)) for rule in self.rules_of(side)}
        for rule in self.rules_of(side):
            for pair in _levels(rule):
                if pair in named or WITHIN in (pair[0][-1], pair[1][-1]) or self.meets(side, pair):
                    continue
                named.add(pair)
                self.claimed[side].add(pair[0])
                self.claimed[1 - side].add(pair[1])
                made.append(Rule(*pair, rule.origin))
        return made

    def _rule(self, side: int, rule: Rule, *, implied: bool = False) -> None:
        if not rule.field:
            self._given_value(side, rule)
            return
        source = self.end(side, bare(rule.field), rule)
        target = self.end(1 - side, bare(rule.destination), rule)
        if source is None or target is None:
            return
        ends = rule.field[-1:] == (FIRST,), rule.destination[-1:] == (FIRST,)
        if rule.field[-1:] == rule.destination[-1:] == (VALUE,):
            self._rule(side, rule.replace(field=rule.field[:-1], destination=rule.destination[:-1]), implied=True)
        elif is_of_entries(rule) and not rule.apart:
            self.keyed(side, (source, target), rule)
        elif rule.function:
            self._called(side, (source, target), rule)
        elif rule.transformation is not None:
            self._transformed(side, (source, target), rule)
        elif rule.default is not None:
            self._otherwise(side, (source, target), rule)
        elif any(ends):
            self._one(side, (source, target), rule, wraps=ends[1])
        elif paths.scope(source.path) != paths.scope(target.path) and () in map(
            paths.scope, (source.path, target.path)
        ):
            step = Gather if ITEM in source.path else Spread
            self.steps[side].append(step(source.path, target.path, rule.origin))
        else:
            self._copy(side, (source, target), rule, implied=implied)

    def _copy(self, side: int, ends: Sides, rule: Rule, *, implied: bool) -> None:
        """A value as it is; both ways at once if a rule of the other direction says so."""
        source, target = ends
        implied = implied or source.path in self.around[side]
        back = self.plain[1 - side].get((rule.destination, rule.field))
        inner = source.child(ITEM) or source.child(VALUE), target.child(ITEM) or target.child(VALUE)
        if (
            implied
            and inner[0]
            and inner[1]
            and (shape(inner[0].schema) == OBJECT) != (shape(inner[1].schema) == OBJECT)
        ):
            self._held(side, ends, (inner[0], inner[1]), rule)
            return
        if implied and target.path in self.around[1 - side]:
            back = rule
        if self.is_identical(side, rule):
            self.pair(ends if side == SPOKE else (target, source), rule.origin, declared_=True)
        elif back is not None:
            if side == SPOKE:
                self.pair((source, target), rule.origin, declared_=True)
        elif alike(source.schema, target.schema, self.names) or self._takes(side, source, target):
            whole = Loose if loose(source.schema, target.schema) else Copy
            step = Duplicate if self.is_again(side, rule) or self.stays(side, rule) else whole
            self.steps[side].append(step(source.path, target.path, rule.origin))
        else:
            self.report_type((source, target) if side == SPOKE else (target, source), rule.origin)

    def _takes(self, side: int, source: Side, target: Side) -> bool:
        """Whether a value may be copied one way, where something else makes the way back."""
        if shape(source.schema) in CONTAINERS or not fits(source.schema, target.schema):
            return False
        if unknown := strange(source.schema, target.schema):
            self.report_values((source, target) if side == SPOKE else (target, source), side, unknown)
        return True

    def _held(self, side: int, ends: Sides, inner: Sides, rule: Rule) -> None:
        """A list of values that are no objects, and one of objects that hold them."""
        step = Items if shape(ends[0].schema) == LIST else Entries
        self.steps[side].append(step(ends[0].path, ends[1].path, rule.origin))
        at, holder = next((at, one) for at, one in enumerate(inner) if shape(one.schema) == OBJECT)
        if at == 0:
            self.alone(side, holder)

    def _given_value(self, side: int, rule: Rule) -> None:
        """A value for what the other version knows nothing of."""
        target = self.end(1 - side, rule.destination, rule)
        if target is not None and self._fits_default(target, rule):
            self.steps[side].append(Default((), target.path, rule.origin, value=rule.default))

    def _otherwise(self, side: int, ends: Sides, rule: Rule) -> None:
        """A value as it is, or another one where there is none."""
        source, target = ends
        if not same(source.schema, target.schema):
            self.report_type(ends if side == SPOKE else (target, source), rule.origin)
        elif self._fits_default(target, rule):
            self.steps[side].append(Defaulted(source.path, target.path, rule.origin, value=rule.default))

    def _fits_default(self, target: Side, rule: Rule) -> bool:
        if not has_type(target.schema, rule.default):
            problem = f"a default must be {shape(target.schema)}, found {jsontext.shown(rule.default)}"
            self.problems.report("conversion-value", problem, rule.origin)
            return False
        self._taken(target, rule.default, Declared({}, rule.origin))
        return True

    def _called(self, side: int, ends: Sides, rule: Rule) -> None:
        """A value that a function makes, or an object that one makes each way."""
        if not self.is_by_hand(side, rule):
            self.steps[side].append(Call(ends[0].path, ends[1].path, rule.origin, text=rule.function))
        elif side == SPOKE:
            back = next(one for one in self.rules_of(HUB) if one.mirrors(rule))
            given = {"function": {"from": rule.function, "to": back.function}}
            self.by_hand(HUB, ends[0], ends[1], Declared(given, rule.origin))

    def _one(self, side: int, ends: Sides, rule: Rule, *, wraps: bool) -> None:
        """A value as the first item of a list, or the first item of a list as a value."""
        source, target = ends
        item = (target if wraps else source).schema.items
        other = source if wraps else target
        if item is not None and shape(item) == shape(other.schema) == OBJECT and not same(item, other.schema):
            if side == SPOKE:
                self.single(HUB, source, target, Declared({}, rule.origin))
            return
        if item is None or not same(item, other.schema):
            self.report_type((source, target) if side == SPOKE else (target, source), rule.origin)
            return
        self.steps[side].append((Wrap if wraps else First)(source.path, target.path, rule.origin))

    def _transformed(self, side: int, ends: Sides, rule: Rule) -> None:
        """A value that an expression makes."""
        if rule.apart and paths.scope(rule.destination) in self.refused:
            self.fault(1 - side, *ends)
            return
        if not isinstance(rule.transformation, str):
            problem = "a transformation must be CEL, or a mapping from the entries of a map, found "
            problem += jsontext.shown(rule.transformation)
            self.problems.report("conversion-rule", problem, rule.origin, hint=_by_entries(ends[0], rule))
            self.fault(1 - side, *ends)
            return
        source, target = ends
        self.steps[side].append(spelled.read(rule.transformation, source.path, target.path, rule.origin))
        back = self.rules_of(1 - side)
        if source.path != target.path:  # else something must be said of the way back, where it does not fit
            self._aside(1 - side, target.path, [path for one in back for path in reads(one)], rule)
        if source.path not in (spelled.ANY_TEXT, *paths.NAMES) and not self.stays(side, rule):
            self._aside(side, source.path, [path for one in back for path in writes(one)], rule)

    def _aside(self, side: int, path: Path, known: Sequence[Path], rule: Rule) -> None:
        """Keep a value that no rule of the way back speaks of, as a field without an expression for a way is kept."""
        kept = [step.source for step in self.steps[side] if isinstance(step, Keep)]
        if not any(paths.overlap(path, bare(one)) for one in (*known, *self.said(side), *kept)):
            self.steps[side].append(Keep(path, (), rule.origin))


def _levels(rule: Rule) -> list[tuple[Path, Path]]:
    """The lists and maps that a rule goes through on both sides, outer ones first; those around others are no pairs."""
    ends = [paths.containers(end) for end in (rule.field, rule.destination)]
    found = []
    for pair in zip(*map(reversed, ends), strict=False):
        if rule.field[len(pair[0])] != rule.destination[len(pair[1])]:
            break
        found.append(pair)
    return found[::-1]


def _by_entries(source: Side, rule: Rule) -> str:
    """How a rule of an object goes through the entries of a map in it."""
    maps = [name for name, child in source.schema.properties.items() if shape(child) == MAP]
    field = paths.shown(rule.field)
    entries = f"{field}.{maps[0] if len(maps) == 1 else 'MAP'}[key]"
    return f"name the entries, field: {entries} with root.{field}.NAME, or forEach: {entries} beside field: {field}"
