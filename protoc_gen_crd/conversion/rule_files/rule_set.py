"""The rules of one pair of versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.derivation.endpoints import HUB, SPOKE, is_carriable
from protoc_gen_crd.conversion.derivation.schema_compatibility import (
    CONTAINER_SHAPES,
    OBJECT,
    find_unknown_values,
    get_shape,
    is_assignable,
    is_narrowed,
    is_null_dropped,
    is_same_structure,
)
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS, ITEM, OBJECT_SCOPE, VALUE, Path
from protoc_gen_crd.conversion.rule_files.api_conversion import ConversionRule, DirectionRules
from protoc_gen_crd.conversion.rule_files.entry_rules import split_entry_rule
from protoc_gen_crd.conversion.rule_files.indexed_rules import FIRST_INDEX, find_item_rules
from protoc_gen_crd.conversion.rule_files.item_rule_derivation import ItemRuleDerivation
from protoc_gen_crd.findings.finding import Location, Place, Problems
from protoc_gen_crd.schema.schema import Schema

PairRules = tuple[DirectionRules | None, DirectionRules | None]  # to the hub, from the hub


class RuleSetDerivation(ItemRuleDerivation):
    """The derivation of a pair of versions with the rules of each direction. Rules of a side read from it."""

    def __init__(
        self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems, rules: PairRules
    ) -> None:
        super().__init__(names, schemas, problems)
        self.rules = rules
        declared_rules = self._split_rules(SPOKE), self._split_rules(HUB)
        all_rules = tuple(
            [(*declared_rules[side], *self._find_implicit_rules(side, declared_rules)) for side in (SPOKE, HUB)]
        )
        self.item_rules = (
            find_item_rules(all_rules[SPOKE], self.roots),
            find_item_rules(all_rules[HUB], (self.roots[HUB], self.roots[SPOKE])),
        )
        item_rules = tuple(
            [[item_rule.rule for item_rule in item_rules_of_side] for item_rules_of_side in self.item_rules]
        )
        self._rules = tuple([
            tuple([rule for rule in rules if rule not in excluded])
            for rules, excluded in zip(all_rules, item_rules, strict=True)
        ])  # fmt: skip
        self.containers = tuple(
            [
                {container for rule in side_rules for container in paths.list_containers(rule.field)}
                for side_rules in self._rules
            ]
        )
        self.copies = tuple([
            {(rule.field, rule.destination): rule for rule in reversed(side_rules) if _is_plain(rule)}
            for side_rules in self._rules
        ])  # fmt: skip

    def get_rules(self, side: int) -> tuple[ConversionRule, ...]:
        """Return the rules of a side, except those of one item or entry."""
        return self._rules[side]

    def _split_rules(self, side: int) -> tuple[ConversionRule, ...]:
        """Return the rules of a side, with paths into objects that hand-written functions convert."""
        direction_rules = self.rules[side]
        rules = direction_rules.rules if direction_rules is not None else ()
        function_rules = [rule for rule in rules if rule.function]
        return tuple([
            part
            for rule in rules
            for part in split_entry_rule(
                rule.replace(
                    field=enter_handwritten_object(rule.field, function_rules, "field"),
                    destination=enter_handwritten_object(rule.destination, function_rules, "destination"),
                ),
                self.roots[side])
        ])  # fmt: skip

    def _find_implicit_rules(
        self, side: int, declared_rules: Sequence[Sequence[ConversionRule]]
    ) -> list[ConversionRule]:
        """Return copy rules for fields that only the other direction computes from themselves."""
        ends = [strip_first_index(path) for rule in declared_rules[side] for path in (rule.field, rule.destination)]
        ends += [path for at in (SPOKE, HUB) for path, _ in self._get_listed_paths(at, "drop")]
        computed = [rule for rule in declared_rules[1 - side] if isinstance(rule.transformation, str)]
        return [
            ConversionRule(rule.destination, rule.destination, rule.origin, implicit=True)
            for rule in computed
            if rule.destination[: len(rule.field)] == rule.field
            and rule.destination[:1] != paths.METADATA_PATH
            and not any(paths.has_overlap(rule.destination, end) for end in ends)
            and self._is_carriable_back(side, rule.destination)
        ]

    def _get_listed_paths(self, side: int, name: str) -> Sequence[tuple[Path, Location]]:
        direction_rules = self.rules[side]
        return getattr(direction_rules, name) if direction_rules is not None else ()

    def is_handwritten(self, side: int, rule: ConversionRule) -> bool:
        """Return True if hand-written functions convert an object in both directions."""
        ends = self.find_schema(side, rule.field), self.find_schema(1 - side, rule.destination)
        objects = all(end is not None and get_shape(end) == OBJECT for end in ends)
        back = any(other.is_inverse(rule) and other.function for other in self.get_rules(1 - side))
        return objects and bool(rule.function) and back

    def get_kept_paths(self, side: int) -> list[Path]:
        """Return the fields of a side that are preserved or dropped."""
        direction_rules = self.rules[side]
        return (
            [strip_brackets(path) for path, _ in (*direction_rules.preserve, *direction_rules.drop)]
            if direction_rules is not None
            else []
        )

    def has_same_item_shape(self, side: int, pair: tuple[Path, Path]) -> bool:
        """Return True if both containers have objects, or neither has."""
        ends = [self.find_schema(at, path) for at, path in zip((side, 1 - side), pair, strict=True)]
        inner = [paths.get_child(end, step) for end in ends if end is not None for step in (ITEM, VALUE)]
        within = pair[0][-1] in BRACKETS and pair[1][-1] in BRACKETS
        return (within or pair[0] == pair[1]) and len(
            {get_shape(schema) == OBJECT for schema in inner if schema is not None}
        ) < 2

    def is_duplicate(self, side: int, rule: ConversionRule) -> bool:
        """Return True if no rule reads the target of a rule back, because the other version preserves or drops it."""
        back = any(other.field == rule.destination for other in self.get_rules(1 - side))
        return bool(rule.field) and rule.destination in self.get_kept_paths(1 - side) and not back

    def find_one_way_targets(self) -> tuple[tuple[str, Path, Place], ...]:
        """Return the targets of rules that round trips do not need: version, path and origin."""
        one_way = [(self.names[1 - side], rule) for side in (SPOKE, HUB) for rule in self.get_rules(side)
                 if self._is_one_way(side, rule)]  # fmt: skip
        return tuple([(version, strip_first_index(rule.destination), rule.origin) for version, rule in one_way])

    def _is_one_way(self, side: int, rule: ConversionRule) -> bool:
        """Return True if the round trip does not need the target of a rule."""
        return (
            isinstance(rule.transformation, str) or self.is_duplicate(side, rule) or self.is_source_carried(side, rule)
        )

    def is_source_carried(self, side: int, rule: ConversionRule) -> bool:
        """Return True if the source of a rule is also copied by name, as in kcp."""
        kept_paths = (*self.get_kept_paths(side), *self.get_kept_paths(1 - side))
        if (
            self.find_schema(1 - side, rule.field) is None
            or rule.field[:1] == paths.METADATA_PATH
            or rule.field in kept_paths
        ):
            return False
        return self.is_duplicate(side, rule) or self._is_rule_read_only(side, rule)

    def _is_rule_read_only(self, side: int, rule: ConversionRule) -> bool:
        """Return True if a rule only reads a field that both versions have and no rule writes."""
        back = any(other.field == rule.destination for other in self.get_rules(1 - side))
        if not (isinstance(rule.transformation, str) or (_is_plain(rule) and not back)):
            return False
        return self.is_carried(side, rule.field)

    def is_carried(self, side: int, path: Path) -> bool:
        """Return True if a field is copied by name and no rule writes it."""
        ends = [strip_first_index(rule.destination) for at in (side, 1 - side) for rule in self.get_rules(at)]
        return self._is_path_carriable(path) and not any(path[: len(end)] == end for end in ends)

    def _is_path_carriable(self, path: Path) -> bool:
        """Return True if both versions have a field at a path with compatible types."""
        ends = [self.find_schema(side, path) for side in (SPOKE, HUB)]
        return ends[0] is not None and ends[1] is not None and is_carriable(ends[0], ends[1])

    def find_namesakes(self, side: int) -> Iterator[tuple[Path, Location]]:
        """Yield fields that kcp copies by name, although rules convert the target field elsewhere."""
        direction_rules = self.rules[1 - side]
        written = [strip_first_index(rule.destination) for rule in self.get_rules(side)]
        dropped = [path for path, _ in self._get_listed_paths(side, "drop")]
        for path, origin in (
            drop_covered_paths((*direction_rules.preserve, *direction_rules.drop))
            if direction_rules is not None
            else ()
        ):
            ends = self.find_schema(side, path), self.find_schema(1 - side, path)
            claimed = path in self.claimed[side] or path in self.claimed[1 - side]
            if not claimed or paths.get_scope(path) or path[:1] == paths.METADATA_PATH:
                continue
            if any(paths.has_overlap(path, other) for other in (*written, *dropped)):
                continue
            if ends[0] is not None and ends[1] is not None and _can_copy(ends[1], ends[0], self.names):
                yield path, origin

    def _is_carriable_back(self, side: int, path: Path) -> bool:
        """Return True if a field of a side can be copied at least in one direction."""
        own, other = self.find_schema(side, path), self.find_schema(1 - side, path)
        if own is None or other is None or is_carriable(own, other):
            return own is not None and other is not None
        return (
            get_shape(own) not in CONTAINER_SHAPES
            and get_shape(other) not in CONTAINER_SHAPES
            and is_assignable(own, other)
        )

    def is_identical(self, side: int, rule: ConversionRule) -> bool:
        """Return True if a rule repeats the automatic copy, and no rule of the other direction differs."""
        back = [
            *self.get_kept_paths(1 - side),
            *(end for other in self.get_rules(1 - side) for end in (other.field, other.destination)),
        ]
        return rule.field == rule.destination and not any(paths.has_overlap(rule.field, end) for end in back if end)

    def find_schema(self, side: int, path: Path) -> Schema | None:
        """Return the schema at a path of a side."""
        return paths.find_schema(self.roots[side], path)


def _is_plain(rule: ConversionRule) -> bool:
    """Return True if a rule copies a value."""
    return rule.transformation is None and not rule.function and rule.default is None


def _can_copy(target: Schema, source: Schema, names: Sequence[str]) -> bool:
    """Return True if every value of a field is valid in another."""
    fewer = bool(target.get("enum")) and (not source.get("enum") or find_unknown_values(source, target))
    if fewer or is_null_dropped(source, target) or is_narrowed(source, target):
        return False
    return is_same_structure(target, source, names) or (
        get_shape(source) not in CONTAINER_SHAPES and is_assignable(source, target)
    )


def strip_first_index(path: Path) -> Path:
    """Return a path without the index of an item at its end."""
    return path[:-1] if len(path) > 1 and path[-1] == FIRST_INDEX else path


def strip_brackets(path: Path) -> Path:
    """Return the list or map of a path to all of its items or entries, else the path."""
    while path[-1] in BRACKETS and len(path) > 1:
        path = path[:-1]
    return path


def strip_entry_step(path: Path) -> Path:
    """Return the map of a path to its entries, else the path."""
    return path[:-1] if path[-1:] == (VALUE,) else path


def drop_covered_paths(entries: Sequence[tuple[Path, Location]]) -> list[tuple[Path, Location]]:
    """Return the fields of a list, once each, without fields inside other listed fields, as kcp does."""
    origins = dict(reversed(entries))
    return [
        (path, origin)
        for path, origin in origins.items()
        if not any(path[:cut] in origins for cut in range(1, len(path)))
    ][::-1]


def enter_handwritten_object(path: Path, hands: Sequence[ConversionRule], end: str) -> Path:
    """Return a path with an object scope if it leads into an object that a function converts."""
    for rule in hands:
        around: Path = getattr(rule, end)
        if len(path) > len(around) and path[: len(around)] == around:
            return (*around, OBJECT_SCOPE, *path[len(around) :])
    return path
