"""Derivation of steps from rules of single items and entries."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.conversion.derivation.derivation import DeclarationDerivation
from protoc_gen_crd.conversion.derivation.endpoints import (
    SPOKE,
    Endpoint,
    Endpoints,
    find_reserved_path_error,
    is_interchangeable,
)
from protoc_gen_crd.conversion.derivation.schema_compatibility import is_same_structure
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import Fill, Pick
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.steps import Copy
from protoc_gen_crd.conversion.rule_files.indexed_rules import ItemRule
from protoc_gen_crd.conversion.rule_files.rule_file import ConversionRule


class ItemRuleDerivation(DeclarationDerivation):
    """One pair of versions, with rules of single items and entries."""

    item_rules: tuple[tuple[ItemRule, ...], ...] = ((), ())

    def derive_item_rules(self, side: int) -> None:
        """The rules of a side that lead from or to one item or entry."""
        into: dict[Path, dict[int | str, ConversionRule]] = {}
        for one in self.item_rules[side]:
            ends = self._find_endpoints(side, one)
            if ends is None:
                continue
            if one.source is not None:
                if any(
                    other.target and other.target.container == one.source.container
                    for other in self.item_rules[1 - side]
                ):
                    self.claimed[side].add(one.source.container)
                self.claimed[1 - side].add(ends[1].path)
                step = Pick(ends[0].path, ends[1].path, one.rule.origin, place=one.source.place)
                self.steps[side].append(step)
            elif one.target is not None:
                self.claimed[side].add(ends[0].path)
                self.claimed[1 - side].add(one.target.container)
                into.setdefault(one.target.container, {})[one.target.place] = one.rule
        for around, rules in into.items():
            self._build_fill(side, around, rules)

    def _find_endpoints(self, side: int, one: ItemRule) -> Endpoints | None:
        """Return the endpoints of a rule; report invalid ones and return None."""
        read = one.source.path if one.source else one.rule.field
        source = self.find_endpoint(side, read, one.rule) if read else Endpoint(((), self.roots[side]))
        target = self.find_endpoint(1 - side, one.target.path if one.target else one.rule.destination, one.rule)
        if source is None or target is None:
            return None
        if wrong := one.find_error():
            found = f'"{paths.format_path(one.rule.field)}" to "{paths.format_path(one.rule.destination)}"'
            problem = f"a rule of a single item or entry {wrong}: {found}"
            together = [other for other in self.item_rules[side] if other.is_same_item(one)]
            if one in together[:1] or not together:
                self.problems.report("conversion-rule", problem, one.rule.origin, hint=one.suggest_expression(together))
        elif is_interchangeable(source.schema, target.schema):
            return source, target
        else:
            self.report_type((source, target) if side == SPOKE else (target, source), one.rule.origin, side)
        self.mark_reported(1 - side, source, target)
        return None

    def _build_fill(self, side: int, around: Path, given: Mapping[int | str, ConversionRule]) -> None:
        """A list or map of the values that rules lead into it, over the map of the other version if it has the same."""
        places = sorted(given, key=lambda place: (isinstance(place, str), place))
        first = given[places[0]]
        if isinstance(places[0], int) and places != list(range(len(places))):
            found = ", ".join(f"[{place}]" for place in places)
            problem = f"list items are not written from [0] without gaps: {found}"
            self.problems.report("conversion-rule", problem, first.origin)
            return
        read = [given[place].field for place in places]
        over = self._find_same_map(side, around) if isinstance(places[0], str) else None
        if over is not None:
            self.claimed[side].add(around)
            self.steps[1 - side].append(Copy(around, around, over.schema.origin, declared=False))
            read.append(around)
        step = Fill(read[0], around, first.origin, more=tuple(read[1:]), places=tuple(places))
        self.steps[side].append(step)

    def _find_same_map(self, side: int, around: Path) -> Endpoint | None:
        """The map at a path that leads to such a map in the other version too, and of which no rule speaks."""
        own, other = (paths.find_schema(self.roots[at], around) for at in (side, 1 - side))
        if (
            own is None
            or other is None
            or around in self.claimed[side]
            or not is_same_structure(own, other, self.names)
        ):
            return None
        return Endpoint((around, own))

    def find_endpoint(self, side: int, path: Path, rule: ConversionRule) -> Endpoint | None:
        """Return the endpoint at a path of a rule."""
        schema = self.roots[side]
        read = path == rule.field != rule.destination
        read_alone = read and (rule.transformation is not None or path in paths.NAME_PATHS)
        if not read_alone and (problem := find_reserved_path_error(path)):
            self.problems.report("conversion-path", problem, rule.origin)
            return None
        if paths.is_metadata_entry(path) or path in paths.NAME_PATHS:
            return Endpoint((path, paths.find_schema(schema, path) or schema))
        for depth, step in enumerate(path):
            below = paths.get_child(schema, step)
            if below is None:
                problem = paths.describe_missing_field(path, depth, self.names[side])
                elsewhere = paths.format_path_hint(paths.find_nearest_path(self.roots[side], path))
                hint = self.problems.suggest(step, schema.properties) or elsewhere
                self.problems.report("conversion-path", problem, rule.origin, hint=hint)
                return None
            schema = below
        return Endpoint((path, schema))
