"""Derivation of steps from rules of single items and entries."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.conversion.derivation.declaration_derivation import DeclarationDerivation
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
from protoc_gen_crd.conversion.plan.copy_steps import Copy
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.rule_files.api_conversion import ConversionRule
from protoc_gen_crd.conversion.rule_files.indexed_rules import ItemRule


class ItemRuleDerivation(DeclarationDerivation):
    """The derivation of a pair of versions with rules of single items and entries."""

    item_rules: tuple[tuple[ItemRule, ...], ...] = ((), ())

    def derive_item_rules(self, side: int) -> None:
        """Derive the rules of a side that read or write one item or entry."""
        written: dict[Path, dict[int | str, ConversionRule]] = {}
        for item_rule in self.item_rules[side]:
            ends = self._find_endpoints(side, item_rule)
            if ends is None:
                continue
            if item_rule.source is not None:
                if any(
                    other.target and other.target.container == item_rule.source.container
                    for other in self.item_rules[1 - side]
                ):
                    self.claimed[side].add(item_rule.source.container)
                self.claimed[1 - side].add(ends[1].path)
                step = Pick(ends[0].path, ends[1].path, item_rule.rule.origin, place=item_rule.source.place)
                self.steps[side].append(step)
            elif item_rule.target is not None:
                self.claimed[side].add(ends[0].path)
                self.claimed[1 - side].add(item_rule.target.container)
                written.setdefault(item_rule.target.container, {})[item_rule.target.place] = item_rule.rule
        for container, rules in written.items():
            self._build_fill(side, container, rules)

    def _find_endpoints(self, side: int, item_rule: ItemRule) -> Endpoints | None:
        """Return the endpoints of a rule; report invalid ones and return None."""
        read = item_rule.source.path if item_rule.source else item_rule.rule.field
        source = self.find_endpoint(side, read, item_rule.rule) if read else Endpoint(((), self.roots[side]))
        target = self.find_endpoint(
            1 - side, item_rule.target.path if item_rule.target else item_rule.rule.destination, item_rule.rule
        )
        if source is None or target is None:
            return None
        if error := item_rule.find_error():
            ends = f'"{paths.format_path(item_rule.rule.field)}" to "{paths.format_path(item_rule.rule.destination)}"'
            problem = f"a rule of a single item or entry {error}: {ends}"
            together = [other for other in self.item_rules[side] if other.is_same_item(item_rule)]
            if item_rule in together[:1] or not together:
                self.problems.report(
                    "conversion-rule", problem, item_rule.rule.origin, hint=item_rule.suggest_expression(together)
                )
        elif is_interchangeable(source.schema, target.schema):
            return source, target
        else:
            self.report_type((source, target) if side == SPOKE else (target, source), item_rule.rule.origin, side)
        self.mark_reported(1 - side, source, target)
        return None

    def _build_fill(self, side: int, container: Path, rules: Mapping[int | str, ConversionRule]) -> None:
        """Derive a list or map from the values that rules write into it, and from the same map of the other version."""
        places = sorted(rules, key=lambda place: (isinstance(place, str), place))
        first = rules[places[0]]
        if isinstance(places[0], int) and places != list(range(len(places))):
            indexes = ", ".join(f"[{place}]" for place in places)
            problem = f"list items are not written from [0] without gaps: {indexes}"
            self.problems.report("conversion-rule", problem, first.origin)
            return
        read = [rules[place].field for place in places]
        over = self._find_same_map(side, container) if isinstance(places[0], str) else None
        if over is not None:
            self.claimed[side].add(container)
            self.steps[1 - side].append(Copy(container, container, over.schema.origin, declared=False))
            read.append(container)
        step = Fill(read[0], container, first.origin, more=tuple(read[1:]), places=tuple(places))
        self.steps[side].append(step)

    def _find_same_map(self, side: int, around: Path) -> Endpoint | None:
        """Return the map at a path if both versions have it and no rule names it."""
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
