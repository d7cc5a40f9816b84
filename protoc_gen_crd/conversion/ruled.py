"""Rules of rule files to steps: what goes the same way back is one declaration, what does not holds one way alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion import paths, spelled
from protoc_gen_crd.conversion.changes import key_fault
from protoc_gen_crd.conversion.changing import First, Wrap
from protoc_gen_crd.conversion.containers import Gather, Spread, ToList, ToMap
from protoc_gen_crd.conversion.derive import Derivation
from protoc_gen_crd.conversion.fits import alike, fits, shape
from protoc_gen_crd.conversion.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan import Pair, Way
from protoc_gen_crd.conversion.rules import Direction, Rule
from protoc_gen_crd.conversion.sides import HUB, SPOKE, Side, Sides, same
from protoc_gen_crd.conversion.steps import Copy, Drop, Keep, Step
from protoc_gen_crd.schema.types import Schema

_FIRST = "[0]"
Directions = tuple[Direction | None, Direction | None]  # to the hub, from the hub


def derive(
    names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems, given: Directions = (None, None)
) -> Pair:
    """The steps between a spoke and the hub. What cannot be read or does not fit is reported."""
    made = _Ruled(names, schemas, problems, given)
    made.run()
    to_hub, from_hub = (tuple(sorted(steps, key=_order)) for steps in made.steps)
    return Pair(names[SPOKE], Way(names[SPOKE], names[HUB], to_hub), Way(names[HUB], names[SPOKE], from_hub))


def _order(step: Step) -> tuple[Path, Path]:
    return ((step.writes() or step.reads())[0], (step.reads() or step.writes())[0])


class _Ruled(Derivation):
    """One pair of versions, with what a rule file says of it."""

    def __init__(
        self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems, given: Directions
    ) -> None:
        super().__init__(names, schemas, problems)
        self._given = given

    def run(self) -> None:
        """Derive all steps: those of rules, then what fields declare, then what is carried."""
        for side in (SPOKE, HUB):
            for rule in self._rules(side):
                self.claimed[side].add(_bare(rule.field))
                self.claimed[1 - side].add(_bare(rule.destination))
        for side in (SPOKE, HUB):
            self._containers(side)
            for rule in self._rules(side):
                self._rule(side, rule)
            self._kept(side)
        super().run()

    def _rules(self, side: int) -> tuple[Rule, ...]:
        found = self._given[side]
        return found.rules if found is not None else ()

    def _kept(self, side: int) -> None:
        found = self._given[side]
        for step, entries in ((Keep, found.preserve), (Drop, found.drop)) if found is not None else ():
            for path, origin in entries:
                if self._side(side, path, Rule(path, path, origin)) is not None:
                    self.steps[side].append(step(path, (), origin))

    def _containers(self, side: int) -> None:
        """Lists of which only the items have rules are gone through all the same."""
        named = {(rule.field, rule.destination) for rule in self._rules(side)}
        for rule in self._rules(side):
            pair = paths.scope(rule.field)[:-1], paths.scope(rule.destination)[:-1]
            if () in pair or pair in named or VALUE in rule.field or pair[0] == pair[1]:
                continue
            named.add(pair)
            self.claimed[side].add(pair[0])
            self.claimed[1 - side].add(pair[1])
            self._rule(side, Rule(*pair, rule.origin), implied=True)

    def _rule(self, side: int, rule: Rule, *, implied: bool = False) -> None:
        source = self._side(side, _bare(rule.field), rule)
        target = self._side(1 - side, _bare(rule.destination), rule)
        if source is None or target is None:
            return
        ends = rule.field[-1:] == (_FIRST,), rule.destination[-1:] == (_FIRST,)
        if VALUE in rule.field[-1:] or VALUE in rule.destination[-1:]:
            self._entries(side, (source, target), rule)
        elif rule.transformation is not None:
            self._transformed(side, (source, target), rule)
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
        back = next((one for one in self._rules(1 - side) if one.mirrors(rule)), None)
        if implied and any(paths.scope(one.field)[:-1] == target.path for one in self._rules(1 - side)):
            back = rule
        if back is not None:
            if side == SPOKE:
                self.pair((source, target), rule.origin, declared_=True)
        elif alike(source.schema, target.schema) or (
            shape(source.schema) == shape(target.schema) and fits(source.schema, target.schema)
        ):
            self.steps[side].append(Copy(source.path, target.path, rule.origin))
        else:
            self.report_type((source, target) if side == SPOKE else (target, source), rule.origin)

    def _one(self, side: int, ends: Sides, rule: Rule, *, wraps: bool) -> None:
        """A value as the first item of a list, or the first item of a list as a value."""
        source, target = ends
        item = (target if wraps else source).schema.items
        other = source if wraps else target
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
            self.problems.report("conversion-rule", problem, rule.origin)
            return
        source, target = ends
        self.steps[side].append(spelled.read(rule.transformation, source.path, target.path, rule.origin))

    def _entries(self, side: int, ends: Sides, rule: Rule) -> None:
        """A map to a list whose items hold the key, or back, with what else is said of the items."""
        source, target = (
            Side((end.path[:-1], _around(self, at, end))) for at, end in zip((side, 1 - side), ends, strict=True)
        )
        to_list = rule.destination[-1] == ITEM
        given = rule.transformation if isinstance(rule.transformation, dict) else {}
        key = next((name for name, text in given.items() if text == "key"), "") if to_list else rule.key
        key = key.removeprefix("self.")
        items = (ends[1] if to_list else ends[0], ends[0] if to_list else ends[1])
        fault = key_fault(items[1], items[0], target if to_list else source, key)
        if fault:
            self.problems.report("conversion-rule", f"a rule of a map must {fault}", rule.origin)
            return
        self.claimed[side if not to_list else 1 - side].add((*items[0].path, key))
        self.claimed[side].add(source.path)
        self.claimed[1 - side].add(target.path)
        step = (ToList if to_list else ToMap)(source.path, target.path, rule.origin, key=key)
        self.steps[side].append(step)
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

    def _side(self, side: int, path: Path, rule: Rule) -> Side | None:
        """What a path of a rule leads to."""
        schema = self.roots[side]
        for depth, step in enumerate(path):
            below = paths.child(schema, step)
            if below is None:
                where = paths.shown(path[:depth]) or "the object"
                problem = f'a field must be there in {self.names[side]}, found no "{step}" in {where}'
                hint = self.problems.suggestion(step, schema.properties)
                self.problems.report("conversion-path", problem, rule.origin, hint=hint)
                return None
            schema = below
        return Side((path, schema))


def _around(ruled: _Ruled, side: int, inside: Side) -> Schema:
    return paths.at(ruled.roots[side], inside.path[:-1]) or Schema({})


def _bare(path: Path) -> Path:
    """A path without the number of an item at its end."""
    return path[:-1] if path[-1:] == (_FIRST,) else path
