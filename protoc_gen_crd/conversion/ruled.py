"""Rules of rule files to steps: what goes the same way back is one declaration, what does not holds one way alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion import paths, spelled
from protoc_gen_crd.conversion.changes import key_fault
from protoc_gen_crd.conversion.changing import Call, First, Wrap
from protoc_gen_crd.conversion.constants import FIRST, fixed
from protoc_gen_crd.conversion.containers import Entries, Gather, Items, Spread, ToList, ToMap
from protoc_gen_crd.conversion.declared import Declared
from protoc_gen_crd.conversion.fits import CONTAINERS, LIST, MAP, OBJECT, alike, fits, loose, shape, strange
from protoc_gen_crd.conversion.paths import ITEM, VALUE, WITHIN, Path
from protoc_gen_crd.conversion.placing import Placing
from protoc_gen_crd.conversion.plan import Pair, Way
from protoc_gen_crd.conversion.rules import Direction, Rule
from protoc_gen_crd.conversion.sides import HUB, SPOKE, Side, Sides, has_type, same
from protoc_gen_crd.conversion.steps import Copy, Default, Defaulted, Drop, Keep, Loose, Step
from protoc_gen_crd.schema.types import Schema

Directions = tuple[Direction | None, Direction | None]  # to the hub, from the hub


def derive(
    names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems, given: Directions = (None, None)
) -> Pair:
    """The steps between a spoke and the hub. What cannot be read or does not fit is reported."""
    made = _Ruled(names, schemas, problems, given)
    made.run()
    to_hub, from_hub = (tuple(sorted(steps, key=_order)) for steps in made.steps)
    ways = Way(names[SPOKE], names[HUB], to_hub), Way(names[HUB], names[SPOKE], from_hub)
    return Pair(names[SPOKE], *ways, tuple(made.faults), frozenset(made.heard))


def _order(step: Step) -> tuple[Path, Path]:
    return ((step.writes() or step.reads())[0], (step.reads() or step.writes())[0])


class _Ruled(Placing):
    """One pair of versions, with what a rule file says of it."""

    def __init__(
        self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems, given: Directions
    ) -> None:
        super().__init__(names, schemas, problems)
        self._given = given
        known = self._read(SPOKE), self._read(HUB)
        self.fixed = fixed(known[SPOKE], self.roots), fixed(known[HUB], (self.roots[HUB], self.roots[SPOKE]))
        apart = tuple([[one.rule for one in each] for each in self.fixed])
        self._known = tuple([
            tuple([rule for rule in rules if rule not in aside]) for rules, aside in zip(known, apart, strict=True)
        ])  # fmt: skip
        self._around = tuple([{paths.scope(rule.field)[:-1] for rule in known} - {()} for known in self._known])
        self._plain = tuple([
            {(rule.field, rule.destination): rule for rule in reversed(known) if _is_plain(rule)}
            for known in self._known
        ])  # fmt: skip

    def run(self) -> None:
        """Derive all steps: those of rules, then what fields declare, then what is carried."""
        for side in (SPOKE, HUB):
            for rule in self._rules(side):
                self.claimed[side].update((_bare(rule.field), _entered(rule.field)))
                self.claimed[1 - side].update((_bare(rule.destination), _entered(rule.destination)))
        for side in (SPOKE, HUB):
            self.places(side)
        for side in (SPOKE, HUB):
            self._containers(side)
            for rule in self._rules(side):
                if not self._by_hand(side, rule):
                    self._rule(side, rule)
            self._kept(side)
        for side in (SPOKE, HUB):
            for rule in self._rules(side):
                if self._by_hand(side, rule):
                    self._rule(side, rule)
        super().run()

    def _rules(self, side: int) -> tuple[Rule, ...]:
        return self._known[side]

    def _read(self, side: int) -> tuple[Rule, ...]:
        """The rules of a side, what they say of parts of objects that functions make as of objects by themselves."""
        found = self._given[side]
        rules = found.rules if found is not None else ()
        hands = [rule for rule in rules if rule.function]
        return tuple([
            rule.replace(field=_within(rule.field, hands, "field"),
                         destination=_within(rule.destination, hands, "destination"))
            for rule in rules
        ])  # fmt: skip

    def _by_hand(self, side: int, rule: Rule) -> bool:
        """Whether functions make the objects of both versions."""
        ends = self.at(side, rule.field), self.at(1 - side, rule.destination)
        objects = all(end is not None and shape(end) == OBJECT for end in ends)
        return (
            objects and bool(rule.function) and any(one.mirrors(rule) and one.function for one in self._rules(1 - side))
        )

    def at(self, side: int, path: Path) -> Schema | None:
        """The schema at a path of a side."""
        return paths.at(self.roots[side], path)

    def _kept(self, side: int) -> None:
        found = self._given[side]
        hands = [rule for rule in self._rules(side) if self._by_hand(side, rule)]
        for step, entries in ((Keep, found.preserve), (Drop, found.drop)) if found is not None else ():
            for given, origin in entries:
                path = _within(given, hands, "field")
                if self.end(side, path, Rule(path, path, origin)) is not None:
                    self.steps[side].append(step(path, (), origin))

    def _containers(self, side: int) -> None:
        """Lists of which only the items have rules are gone through all the same."""
        named = {(_entered(rule.field), _entered(rule.destination)) for rule in self._rules(side)}
        for rule in self._rules(side):
            pair = paths.scope(rule.field)[:-1], paths.scope(rule.destination)[:-1]
            alike_ = paths.scope(rule.field)[-1:] == paths.scope(rule.destination)[-1:]
            if () in pair or pair in named or not alike_ or pair[0] == pair[1] or WITHIN in (pair[0][-1], pair[1][-1]):
                continue
            named.add(pair)
            self.claimed[side].add(pair[0])
            self.claimed[1 - side].add(pair[1])
            self._rule(side, Rule(*pair, rule.origin), implied=True)

    def _rule(self, side: int, rule: Rule, *, implied: bool = False) -> None:
        if not rule.field:
            self._given_value(side, rule)
            return
        source = self.end(side, _bare(rule.field), rule)
        target = self.end(1 - side, _bare(rule.destination), rule)
        if source is None or target is None:
            return
        ends = rule.field[-1:] == (FIRST,), rule.destination[-1:] == (FIRST,)
        if rule.field[-1:] == rule.destination[-1:] == (VALUE,):
            self._rule(side, rule.replace(field=rule.field[:-1], destination=rule.destination[:-1]), implied=True)
        elif {rule.field[-1], rule.destination[-1]} == {ITEM, VALUE}:
            self._entries(side, (source, target), rule)
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
        implied = implied or source.path in self._around[side]
        back = self._plain[1 - side].get((rule.destination, rule.field))
        inner = source.child(ITEM) or source.child(VALUE), target.child(ITEM) or target.child(VALUE)
        if (
            implied
            and inner[0]
            and inner[1]
            and (shape(inner[0].schema) == OBJECT) != (shape(inner[1].schema) == OBJECT)
        ):
            self._held(side, ends, (inner[0], inner[1]), rule)
            return
        if implied and target.path in self._around[1 - side]:
            back = rule
        if back is not None:
            if side == SPOKE:
                self.pair((source, target), rule.origin, declared_=True)
        elif alike(source.schema, target.schema, self.names) or self._takes(side, source, target):
            step = Loose if loose(source.schema, target.schema) else Copy
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
            problem = f"a default must be {shape(target.schema)}, found {rule.default!r}"
            self.problems.report("conversion-value", problem, rule.origin)
            return False
        self._taken(target, rule.default, Declared({}, rule.origin))
        return True

    def _called(self, side: int, ends: Sides, rule: Rule) -> None:
        """A value that a function makes, or an object that one makes each way."""
        if not self._by_hand(side, rule):
            self.steps[side].append(Call(ends[0].path, ends[1].path, rule.origin, text=rule.function))
        elif side == SPOKE:
            back = next(one for one in self._rules(HUB) if one.mirrors(rule))
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
        if not isinstance(rule.transformation, str):
            problem = (
                f"a transformation must be CEL, or a mapping from the entries of a map, found {rule.transformation!r}"
            )
            self.problems.report("conversion-rule", problem, rule.origin, hint=_by_entries(ends[0], rule))
            self.fault(1 - side, *ends)
            return
        source, target = ends
        self.steps[side].append(spelled.read(rule.transformation, source.path, target.path, rule.origin))
        back = self._rules(1 - side)
        self._aside(1 - side, target.path, [one.field for one in back], rule)
        if source.path != spelled.ANY_TEXT:
            self._aside(side, source.path, [one.destination for one in back], rule)

    def _aside(self, side: int, path: Path, known: Sequence[Path], rule: Rule) -> None:
        """Keep a value that no rule of the way back speaks of, as a field without an expression for a way is kept."""
        found = self._given[side]
        said = [given for given, _ in (*found.preserve, *found.drop)] if found is not None else []
        kept = [step.source for step in self.steps[side] if isinstance(step, Keep)]
        if not any(paths.overlap(path, _bare(one)) for one in (*known, *said, *kept)):
            self.steps[side].append(Keep(path, (), rule.origin))

    def _entries(self, side: int, ends: Sides, rule: Rule) -> None:
        """A map to a list whose items hold the key, or back, with what else is said of the items."""
        source, target = (
            Side((end.path[:-1], _around(self, at, end))) for at, end in zip((side, 1 - side), ends, strict=True)
        )
        to_list = rule.destination[-1] == ITEM
        given = rule.transformation if isinstance(rule.transformation, dict) else {}
        key = next((name for name, text in given.items() if text == "key"), "") if to_list else rule.key
        key = key.removeprefix("self.")
        value = _value_of(rule, given)
        items = (ends[1] if to_list else ends[0], ends[0] if to_list else ends[1])
        _, fault = key_fault(items[1], items[0], target if to_list else source, key, value)
        if fault:
            self.fault(1 - side, source, target)
            self.problems.report("conversion-rule", f"a rule of a map must {fault}", rule.origin)
            return
        self.claimed[side if not to_list else 1 - side].add((*items[0].path, key))
        self.claimed[side].add(source.path)
        self.claimed[1 - side].add(target.path)
        step = (ToList if to_list else ToMap)(source.path, target.path, rule.origin, key=key)
        self.steps[side].append(step)
        if value:
            held = (*items[0].path, value)
            self.claimed[1 - side if to_list else side].add(held)
            self.steps[side].append(
                Copy(source=items[1].path, target=held, origin=rule.origin)
                if to_list
                else Copy(held, items[1].path, rule.origin)
            )
            self.alone(1 - side if to_list else side, items[0])
            return
        self._fields(side, ends, given, rule)
        if to_list:
            self.object(ends if side == SPOKE else (ends[1], ends[0]))

    def _fields(self, side: int, ends: Sides, given: Mapping[str, Any], rule: Rule) -> None:
        """The fields of items that a transformation names."""
        source, target = ends
        for name, text in given.items():
            parts = paths.parse(str(text))
            if text == "key":
                continue
            if parts[0] not in ("self", "root") or len(parts) < 2:
                problem = f"a field of an item must be key, self.FIELD or root.PATH, found {text!r}"
                self.problems.report("conversion-rule", problem, rule.origin)
                continue
            field = (*target.path, name)
            if parts[0] == "root":
                step: Step = Spread(parts[1:], field, rule.origin)
                self.claimed[side].add(parts[1:])
            elif parts[1:] == (name,):
                continue  # carried by its name
            else:
                step = Copy((*source.path, *parts[1:]), field, rule.origin)
                self.claimed[side].add((*source.path, *parts[1:]))
            self.claimed[1 - side].add(field)
            self.steps[side].append(step)


def _around(ruled: _Ruled, side: int, inside: Side) -> Schema:
    return paths.at(ruled.roots[side], inside.path[:-1]) or Schema({})


def _by_entries(source: Side, rule: Rule) -> str:
    """How a rule of an object goes through the entries of a map in it."""
    maps = [name for name, child in source.schema.properties.items() if shape(child) == MAP]
    field = paths.shown(rule.field)
    entries = f"{field}.{maps[0] if len(maps) == 1 else 'MAP'}[key]"
    return f"name the entries, field: {entries} with root.{field}.NAME, or forEach: {entries} beside field: {field}"


def _is_plain(rule: Rule) -> bool:
    """Whether a rule takes a value as it is."""
    return rule.transformation is None and not rule.function and rule.default is None


def _value_of(rule: Rule, given: Mapping[str, Any]) -> str:
    """The field of items that holds a value of a map which is no object."""
    if isinstance(rule.transformation, str):
        return rule.transformation.removeprefix("self.")
    return next((name for name, text in given.items() if text == "self"), "")


def _bare(path: Path) -> Path:
    """A path without the number of an item at its end."""
    return path[:-1] if len(path) > 1 and path[-1] == FIRST else path


def _entered(path: Path) -> Path:
    """The map whose entries a path leads to, else the path."""
    return path[:-1] if path[-1:] == (VALUE,) else path


def _within(path: Path, hands: Sequence[Rule], end: str) -> Path:
    """A path, through the object that a function makes, if it leads into one."""
    for rule in hands:
        around: Path = getattr(rule, end)
        if len(path) > len(around) and path[: len(around)] == around:
            return (*around, WITHIN, *path[len(around) :])
    return path
