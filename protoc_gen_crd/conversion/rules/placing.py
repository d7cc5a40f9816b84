"""Rules of one item or entry to steps: what is picked from a list or map, and what is made of several values."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.conversion.derive.derive import Derivation
from protoc_gen_crd.conversion.derive.fits import alike
from protoc_gen_crd.conversion.derive.sides import SPOKE, Side, Sides, reserved, same
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import Fill, Pick
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.steps import Copy
from protoc_gen_crd.conversion.rules.constants import Fixed
from protoc_gen_crd.conversion.rules.rules import Rule


class Placing(Derivation):
    """One pair of versions, with rules of single items and entries."""

    fixed: tuple[tuple[Fixed, ...], ...] = ((), ())

    def places(self, side: int) -> None:
        """The rules of a side that lead from or to one item or entry."""
        into: dict[Path, dict[int | str, Rule]] = {}
        for one in self.fixed[side]:
            ends = self._ends(side, one)
            if ends is None:
                continue
            if one.source is not None:
                if any(other.target and other.target.around == one.source.around for other in self.fixed[1 - side]):
                    self.claimed[side].add(one.source.around)
                self.claimed[1 - side].add(ends[1].path)
                step = Pick(ends[0].path, ends[1].path, one.rule.origin, place=one.source.place)
                self.steps[side].append(step)
            elif one.target is not None:
                self.claimed[side].add(ends[0].path)
                self.claimed[1 - side].add(one.target.around)
                into.setdefault(one.target.around, {})[one.target.place] = one.rule
        for around, rules in into.items():
            self._fill(side, around, rules)

    def _ends(self, side: int, one: Fixed) -> Sides | None:
        """What a rule leads from and to; None, with a finding, where it cannot."""
        read = one.source.path if one.source else one.rule.field
        source = self.end(side, read, one.rule) if read else Side(((), self.roots[side]))
        target = self.end(1 - side, one.target.path if one.target else one.rule.destination, one.rule)
        if source is None or target is None:
            return None
        if wrong := one.fault():
            found = f'"{paths.shown(one.rule.field)}" to "{paths.shown(one.rule.destination)}"'
            problem = f"a rule of one item or entry must {wrong}, found {found}"
            together = [other for other in self.fixed[side] if other.meets(one)]
            if one in together[:1] or not together:
                self.problems.report("conversion-rule", problem, one.rule.origin, hint=one.hint(together))
        elif same(source.schema, target.schema):
            return source, target
        else:
            self.report_type((source, target) if side == SPOKE else (target, source), one.rule.origin)
        self.fault(1 - side, source, target)
        return None

    def _fill(self, side: int, around: Path, given: Mapping[int | str, Rule]) -> None:
        """A list or map of the values that rules lead into it, over the map of the other version if it has the same."""
        places = sorted(given, key=lambda place: (isinstance(place, str), place))
        first = given[places[0]]
        if isinstance(places[0], int) and places != list(range(len(places))):
            found = ", ".join(f"[{place}]" for place in places)
            problem = f"the items of a list must be written from [0] without gaps, found {found}"
            self.problems.report("conversion-rule", problem, first.origin)
            return
        read = [given[place].field for place in places]
        over = self._same(side, around) if isinstance(places[0], str) else None
        if over is not None:
            self.claimed[side].add(around)
            self.steps[1 - side].append(Copy(around, around, over.schema.origin, declared=False))
            read.append(around)
        step = Fill(read[0], around, first.origin, more=tuple(read[1:]), places=tuple(places))
        self.steps[side].append(step)

    def _same(self, side: int, around: Path) -> Side | None:
        """The map at a path that leads to such a map in the other version too, and of which no rule speaks."""
        own, other = (paths.at(self.roots[at], around) for at in (side, 1 - side))
        if own is None or other is None or around in self.claimed[side] or not alike(own, other, self.names):
            return None
        return Side((around, own))

    def end(self, side: int, path: Path, rule: Rule) -> Side | None:
        """What a path of a rule leads to."""
        schema = self.roots[side]
        read = path == rule.field != rule.destination
        read_alone = read and (rule.transformation is not None or path in paths.NAMES)
        if not read_alone and (problem := reserved(path)):
            self.problems.report("conversion-path", problem, rule.origin)
            return None
        if paths.is_metadata(path) or path in paths.NAMES:
            return Side((path, paths.at(schema, path) or schema))
        for depth, step in enumerate(path):
            below = paths.child(schema, step)
            if below is None:
                where = paths.shown(path[:depth]) or "the object"
                problem = f'a field must be there in {self.names[side]}, found no "{step}" in {where}'
                hint = self.problems.suggestion(step, schema.properties) or paths.hint(self.roots[side], path)
                self.problems.report("conversion-path", problem, rule.origin, hint=hint)
                return None
            schema = below
        return Side((path, schema))
