"""Derivation of steps from rule files. Rules that are inverse to each other become one declaration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.conversion.derivation import cel_rendering
from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration
from protoc_gen_crd.conversion.derivation.endpoints import HUB, SPOKE, Endpoint, Endpoints, has_type, is_interchangeable
from protoc_gen_crd.conversion.derivation.schema_compatibility import (
    CONTAINER_SHAPES,
    LIST,
    MAP,
    OBJECT,
    find_unknown_values,
    format_example,
    get_shape,
    is_assignable,
    is_null_dropped,
    is_same_structure,
)
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import EachEntry, EachItem, Fill, Gather, Spread
from protoc_gen_crd.conversion.plan.copy_steps import (
    Copy,
    CopyNonNull,
    CopyWithDefault,
    Default,
    Drop,
    DropEntry,
    Duplicate,
    Keep,
    KeepEntry,
    Namesake,
)
from protoc_gen_crd.conversion.plan.paths import ITEM, OBJECT_SCOPE, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Direction, VersionPair, get_sort_key
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import First, FunctionCall, Wrap
from protoc_gen_crd.conversion.rule_files.api_conversion import ConversionRule
from protoc_gen_crd.conversion.rule_files.entry_rules import get_read_paths, get_written_paths, is_entry_rule
from protoc_gen_crd.conversion.rule_files.indexed_rules import (
    FIRST_INDEX,
    find_entry_counterparts,
    is_entry_path,
)
from protoc_gen_crd.conversion.rule_files.keyed_list_rules import EntryRuleDerivation
from protoc_gen_crd.conversion.rule_files.rule_set import (
    PairRules,
    drop_covered_paths,
    enter_handwritten_object,
    strip_brackets,
    strip_entry_step,
    strip_first_index,
)
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.schema.schema import Schema


def derive_pair(
    names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems, rules: PairRules = (None, None)
) -> VersionPair:
    """Derive the steps between a spoke and the hub; report invalid rules."""
    derivation = _PairDerivation(names, schemas, problems, rules)
    derivation.run()
    to_hub, from_hub = (tuple(sorted(_deduplicate_steps(steps), key=get_sort_key)) for steps in derivation.steps)
    directions = Direction(names[SPOKE], names[HUB], to_hub), Direction(names[HUB], names[SPOKE], from_hub)
    return VersionPair(
        names[SPOKE],
        *directions,
        tuple(derivation.reported_fields),
        frozenset(derivation.used_declarations),
        derivation.find_one_way_targets(),
        hinted_fields=tuple(derivation.hinted_fields),
    )


def _deduplicate_steps(steps: Sequence[Step]) -> Iterator[Step]:
    """Remove keep and drop steps of fields that are already kept or dropped."""
    first_steps: dict[tuple[type[Step], Path], Step] = {}
    for step in steps:
        if isinstance(step, Keep):
            first_steps.setdefault((type(step), step.source), step)
    for step in steps:
        covering_steps = [first_steps.get((type(step), step.source[:cut])) for cut in range(1, len(step.source) + 1)]
        if not any(covering_steps) or next(filter(None, covering_steps)) is step:
            yield step


class _PairDerivation(EntryRuleDerivation):
    """The derivation of a pair of versions with its rules."""

    def run(self) -> None:
        """Derive all steps: those of rules, then of declarations, then automatic copies."""
        for side in (SPOKE, HUB):
            self._claim_fields(side)
        for side in (SPOKE, HUB):
            self.derive_item_rules(side)
        implied = self._find_implied_rules(SPOKE), self._find_implied_rules(HUB)
        for side in (SPOKE, HUB):
            for rule in implied[side]:
                self._derive_rule(side, rule, implied=True)
            for rule in self.get_rules(side):
                if not self.is_handwritten(side, rule):
                    self._derive_rule(side, rule)
            self._add_kept_fields(side)
        for side in (SPOKE, HUB):
            for rule in self.get_rules(side):
                if self.is_handwritten(side, rule):
                    self._derive_rule(side, rule)
        super().run()
        self._add_kept_entries(SPOKE)
        self._add_kept_entries(HUB)

    def _claim_fields(self, side: int) -> None:
        """Claim the fields of rules, so that they are not copied by name."""
        for rule in self.get_rules(side):
            if not self.is_source_carried(side, rule):
                self.claimed[side].update((strip_first_index(rule.field), strip_entry_step(rule.field)))
            self.claimed[1 - side].update((strip_first_index(rule.destination), strip_entry_step(rule.destination)))

    def _add_kept_fields(self, side: int) -> None:
        self.steps[side].extend(Namesake(path, path, origin) for path, origin in self.find_namesakes(side))
        direction_rules = self.rules[side]
        function_rules = [rule for rule in self.get_rules(side) if self.is_handwritten(side, rule)]
        read = [rule.field for rule in self.get_rules(side)]
        carried = [
            other.destination for other in self.get_rules(1 - side) if other.implicit and other.destination in read
        ]
        carried += [other.field for other in self.get_rules(side) if other.implicit]
        for step, entries in (
            ((Keep, direction_rules.preserve), (Drop, direction_rules.drop)) if direction_rules is not None else ()
        ):
            for listed, origin in drop_covered_paths([(strip_brackets(path), origin) for path, origin in entries]):
                if is_entry_path(self.roots[side], listed):
                    continue  # `_add_kept_entries` adds it when all steps are derived
                path = enter_handwritten_object(listed, function_rules, "field")
                if (
                    path not in carried
                    and self.find_endpoint(side, path, ConversionRule(path, path, origin)) is not None
                ):
                    self.steps[side].append(step(path, (), origin))

    def _add_kept_entries(self, side: int) -> None:
        """Keep and drop single entries of maps."""
        direction_rules = self.rules[side]
        for kind, entries in (
            ((KeepEntry, direction_rules.preserve), (DropEntry, direction_rules.drop))
            if direction_rules is not None
            else ()
        ):
            for path, origin in entries:
                if is_entry_path(self.roots[side], path):
                    counterparts = self._find_entry_counterparts(side, path, origin)
                    if counterparts is not None:
                        self.steps[side].append(kind(path, (), origin, counterparts=counterparts))

    def _find_entry_counterparts(self, side: int, path: Path, origin: Location) -> tuple[Path, ...] | None:
        """Return the copies of a map entry; report an entry that cannot be kept or dropped alone and return None."""
        if path[:-1] in [strip_brackets(dropped) for dropped, _ in self._get_listed_paths(side, "drop")]:
            return ()
        entry, parent = (f'"{paths.format_path(end)}"' for end in (path, path[:-1]))
        counterparts = find_entry_counterparts(path, self.steps[side])
        is_filled = any(isinstance(step, Fill) and step.target == path[:-1] for step in self.steps[1 - side])
        if counterparts is None or is_filled:
            problem = f"entry {entry} of {self.names[side]} cannot be kept or dropped alone: {parent} is not copied"
            hint = f'name {parent} in "drop" to keep only this entry'
            self.problems.report("conversion-rule", problem, origin, hint=hint)
            return None
        missing = [counterpart for counterpart in counterparts if counterpart not in self._get_entry_paths(1 - side)]
        if missing:
            other = f'"{paths.format_path(missing[0])}" of {self.names[1 - side]}'
            problem = f"entry {entry} of {self.names[side]} is kept or dropped, but its counterpart {other} is copied"
            hint = f'name {other} in "preserve" or "drop" of the other direction as well'
            self.problems.report("conversion-rule", problem, origin, hint=hint)
        return None if missing else counterparts

    def _get_entry_paths(self, side: int) -> Sequence[Path]:
        return [path for path in self.get_kept_paths(side) if is_entry_path(self.roots[side], path)]

    def _find_implied_rules(self, side: int) -> list[ConversionRule]:
        """Return rules for lists and maps of which only the items have rules."""
        implied = []
        covered = {(strip_entry_step(rule.field), strip_entry_step(rule.destination)) for rule in self.get_rules(side)}
        for rule in self.get_rules(side):
            for pair in _find_container_pairs(rule):
                if (
                    pair in covered
                    or not all(pair)  # the object itself, written as [self]
                    or OBJECT_SCOPE in (pair[0][-1], pair[1][-1])
                    or self.has_same_item_shape(side, pair)
                ):
                    continue
                covered.add(pair)
                self.claimed[side].add(pair[0])
                self.claimed[1 - side].add(pair[1])
                implied.append(ConversionRule(*pair, rule.origin))
        return implied

    def _derive_rule(self, side: int, rule: ConversionRule, *, implied: bool = False) -> None:
        if not rule.field:
            self._derive_default(side, rule)
            return
        source = self.find_endpoint(side, strip_first_index(rule.field), rule)
        target = self.find_endpoint(1 - side, strip_first_index(rule.destination), rule)
        if source is None or target is None:
            return
        ends = rule.field[-1:] == (FIRST_INDEX,), rule.destination[-1:] == (FIRST_INDEX,)
        if rule.field[-1:] == rule.destination[-1:] == (VALUE,):
            self._derive_rule(
                side, rule.replace(field=rule.field[:-1], destination=rule.destination[:-1]), implied=True
            )
        elif is_entry_rule(rule) and not rule.partial:
            self.derive_entry_rule(side, (source, target), rule)
        elif rule.function:
            self._derive_function(side, (source, target), rule)
        elif rule.transformation is not None:
            self._derive_expression(side, (source, target), rule)
        elif rule.default is not None:
            self._derive_copy_with_default(side, (source, target), rule)
        elif any(ends):
            self._derive_one_item(side, (source, target), rule, wraps=ends[1])
        elif paths.get_scope(source.path) != paths.get_scope(target.path) and () in map(
            paths.get_scope, (source.path, target.path)
        ):
            step = Gather if ITEM in source.path else Spread
            self.steps[side].append(step(source.path, target.path, rule.origin))
        else:
            self._derive_copy(side, (source, target), rule, implied=implied)

    def _derive_copy(self, side: int, ends: Endpoints, rule: ConversionRule, *, implied: bool) -> None:
        """Copy a value, in both directions at once if there is an inverse rule."""
        source, target = ends
        implied = implied or source.path in self.containers[side]
        back = self.copies[1 - side].get((rule.destination, rule.field))
        inner = source.get_child(ITEM) or source.get_child(VALUE), target.get_child(ITEM) or target.get_child(VALUE)
        if (
            implied
            and inner[0]
            and inner[1]
            and (get_shape(inner[0].schema) == OBJECT) != (get_shape(inner[1].schema) == OBJECT)
        ):
            self._derive_wrapped_items(side, ends, (inner[0], inner[1]), rule)
            return
        if implied and target.path in self.containers[1 - side]:
            back = rule
        if self.is_identical(side, rule):
            self.derive_value(ends if side == SPOKE else (target, source), rule.origin, declared_=True)
        elif back is not None:
            if side == SPOKE:
                self.derive_value((source, target), rule.origin, declared_=True)
        elif is_same_structure(source.schema, target.schema, self.names) or self._check_copy(side, source, target):
            whole = CopyNonNull if is_null_dropped(source.schema, target.schema) else Copy
            step = Duplicate if self.is_duplicate(side, rule) or self.is_source_carried(side, rule) else whole
            self.steps[side].append(step(source.path, target.path, rule.origin))
        else:
            self.report_type((source, target) if side == SPOKE else (target, source), rule.origin, side)

    def _check_copy(self, side: int, source: Endpoint, target: Endpoint) -> bool:
        """Return True if a value can be copied in one direction."""
        if get_shape(source.schema) in CONTAINER_SHAPES or not is_assignable(source.schema, target.schema):
            return False
        if unknown := find_unknown_values(source.schema, target.schema):
            self.report_values((source, target) if side == SPOKE else (target, source), side, unknown)
        return True

    def _derive_wrapped_items(self, side: int, ends: Endpoints, inner: Endpoints, rule: ConversionRule) -> None:
        """Derive a list or map of scalars whose counterpart has objects that contain them."""
        step = EachItem if get_shape(ends[0].schema) == LIST else EachEntry
        self.steps[side].append(step(ends[0].path, ends[1].path, rule.origin))
        at, holder = next((at, endpoint) for at, endpoint in enumerate(inner) if get_shape(endpoint.schema) == OBJECT)
        if at == 0:
            self.derive_unpaired(side, holder)

    def _derive_default(self, side: int, rule: ConversionRule) -> None:
        """Derive a default for a field that the other version lacks."""
        target = self.find_endpoint(1 - side, rule.destination, rule)
        if target is not None and self._check_default_type(target, rule):
            self.steps[side].append(Default((), target.path, rule.origin, value=rule.default))

    def _derive_copy_with_default(self, side: int, ends: Endpoints, rule: ConversionRule) -> None:
        """Derive a copy with a default for missing values."""
        source, target = ends
        if not is_interchangeable(source.schema, target.schema):
            self.report_type(ends if side == SPOKE else (target, source), rule.origin, side)
        elif self._check_default_type(target, rule):
            self.steps[side].append(CopyWithDefault(source.path, target.path, rule.origin, value=rule.default))

    def _check_default_type(self, target: Endpoint, rule: ConversionRule) -> bool:
        if not has_type(target.schema, rule.default):
            shape = get_shape(target.schema)
            problem = f"default {bounded_json.format_json(rule.default)} is not of type {shape}"
            hint = f"write a value of that type{format_example(shape)}"
            self.problems.report("conversion-value", problem, rule.origin, hint=hint)
            return False
        self._check_default(target, rule.default, ConversionDeclaration({}, rule.origin))
        return True

    def _derive_function(self, side: int, ends: Endpoints, rule: ConversionRule) -> None:
        """Derive a value or object that hand-written functions compute."""
        if not self.is_handwritten(side, rule):
            self.steps[side].append(FunctionCall(ends[0].path, ends[1].path, rule.origin, expression=rule.function))
        elif side == SPOKE:
            back = next(other for other in self.get_rules(HUB) if other.is_inverse(rule))
            functions = {"function": {"from": rule.function, "to": back.function}}
            self.derive_handwritten(HUB, ends[0], ends[1], ConversionDeclaration(functions, rule.origin))

    def _derive_one_item(self, side: int, ends: Endpoints, rule: ConversionRule, *, wraps: bool) -> None:
        """Derive a value that is the first item of a list in the other version."""
        source, target = ends
        item = (target if wraps else source).schema.items
        other = source if wraps else target
        if (
            item is not None
            and get_shape(item) == get_shape(other.schema) == OBJECT
            and not is_interchangeable(item, other.schema)
        ):
            if side == SPOKE:
                self.derive_single_item(HUB, source, target, ConversionDeclaration({}, rule.origin))
            return
        if item is None or not is_interchangeable(item, other.schema):
            self.report_type((source, target) if side == SPOKE else (target, source), rule.origin, side)
            return
        self.steps[side].append((Wrap if wraps else First)(source.path, target.path, rule.origin))

    def _derive_expression(self, side: int, ends: Endpoints, rule: ConversionRule) -> None:
        """Derive a value that an expression computes."""
        if rule.partial and paths.get_scope(rule.destination) in self.rejected:
            self.mark_reported(1 - side, *ends)
            return
        if not isinstance(rule.transformation, str):
            problem = "transformation is neither CEL nor a mapping from the entries of a map: "
            problem += bounded_json.format_json(rule.transformation)
            self.problems.report("conversion-rule", problem, rule.origin, hint=_suggest_for_each(ends[0], rule))
            self.mark_reported(1 - side, *ends)
            return
        source, target = ends
        step = cel_rendering.parse_step(
            rule.transformation, source.path, target.path, rule.origin, get_shape(source.schema)
        )
        self.steps[side].append(step)
        back = self.get_rules(1 - side)
        if source.path != target.path:  # else the reverse direction is reported if it does not fit
            self._keep_value(1 - side, target.path, [path for other in back for path in get_read_paths(other)], rule)
        if source.path not in (cel_rendering.ANY_STRING_FIELD, *paths.NAME_PATHS) and not self.is_source_carried(
            side, rule
        ):
            self._keep_value(side, source.path, [path for other in back for path in get_written_paths(other)], rule)

    def _keep_value(self, side: int, path: Path, converted: Sequence[Path], rule: ConversionRule) -> None:
        """Keep a value that no rule of the reverse direction reads or writes."""
        kept = [step.source for step in self.steps[side] if isinstance(step, Keep)]
        if not any(
            paths.has_overlap(path, strip_first_index(other))
            for other in (*converted, *self.get_kept_paths(side), *kept)
        ):
            self.steps[side].append(Keep(path, (), rule.origin))


def _find_container_pairs(rule: ConversionRule) -> list[tuple[Path, Path]]:
    """Return the pairs of lists and maps that both paths of a rule enter, outer ones first."""
    ends = [paths.list_containers(end) for end in (rule.field, rule.destination)]
    pairs = []
    for pair in zip(*map(reversed, ends), strict=False):
        if rule.field[len(pair[0])] != rule.destination[len(pair[1])]:
            break
        pairs.append(pair)
    return pairs[::-1]


def _suggest_for_each(source: Endpoint, rule: ConversionRule) -> str:
    """Suggest a rule for the entries of a map in an object."""
    maps = [name for name, child in source.schema.properties.items() if get_shape(child) == MAP]
    field = paths.format_path(rule.field)
    entries = f"{field}.{maps[0] if len(maps) == 1 else 'MAP'}[key]"
    return (
        f"name the entries with field: {entries} and root.{field}.NAME, or with forEach: {entries} and field: {field}"
    )
