"""The facts about one direction of a plan that round-trip laws need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.conversion.codegen.module_generator import DirectionWriter
from protoc_gen_crd.conversion.codegen.python_types import Tables
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import EachItem, HandwrittenField, HandwrittenObject, MapToList
from protoc_gen_crd.conversion.plan.exclusive_fields import find_alternatives
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.steps import Copy, CopyWithDefault, Default, Drop, Keep, ObjectStep
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, ComputedStep
from protoc_gen_crd.conversion.proof.data_comparison import is_outside_containers
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert, DirectionFacts, KeptField, KeyedList
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS


class ProofCase:
    """One direction of a plan, ready to be tested."""

    def __init__(self, plan: Plan, served: Crd, direction: Direction, reverse: Direction, convert: Convert) -> None:
        self.plan, self.served, self.direction, self.reverse, self.convert = plan, served, direction, reverse, convert
        self.api_version = f"{plan.crd.group}/{direction.source}"

    def find_version(self, name: str) -> CrdVersion:
        """Return a version of the kind."""
        return next(version for version in self.served.versions if version.name == name)

    def describe_direction(self) -> DirectionFacts:
        """Return the facts about the direction."""
        ways = self.direction, self.reverse
        dropped, back = (
            tuple([paths.strip_object_scopes(step.source) for step in way.steps if isinstance(step, Drop)])
            for way in ways
        )
        ends = self.direction.source, self.direction.target
        given = (*self._find_defaults(), *self._find_default_parents())
        group, one_way = self.plan.crd.group, tuple(self._find_one_way_fields())
        kept, keyed, around = (
            tuple(self._find_kept_fields()),
            tuple(self._find_keyed_lists()),
            tuple(self._find_computed_fields()),
        )
        return DirectionFacts(group, ends, kept, dropped, back, one_way, given, keyed, around)

    def _find_defaults(self) -> Iterator[tuple[Path, Any]]:
        """Return the defaults of missing fields."""
        yield from (
            (paths.strip_object_scopes(step.source), step.value)
            for step in self.reverse.steps
            if isinstance(step, CopyWithDefault)
        )

    def _find_default_parents(self) -> Iterator[tuple[Path, Any]]:
        """Return the objects that defaults create on the way back and that stay empty."""
        held = [step for step in self.direction.steps if type(step) is ObjectStep]
        read = [step.source for step in self.direction.steps if isinstance(step, CopyWithDefault)]
        for step in held:
            if any(path[: len(step.source)] == step.source for path in read):
                yield paths.strip_object_scopes(step.target), {}

    def _find_computed_fields(self) -> Iterator[tuple[Path, str]]:
        """Return fields whose reverse step reads the whole object, outside lists with a kept order."""
        writer = DirectionWriter(self.plan, self.reverse, self.direction, Tables())
        lists = [step.target_scope for step in self.reverse.steps if type(step) is MapToList]
        for step in self.reverse.steps:
            if any(step.target[: len(made)] == made for made in lists):
                continue
            if isinstance(step, CelExpression) and writer.has_extra_inputs(step, back=False):
                yield paths.strip_object_scopes(step.target), step.expression
            elif isinstance(step, HandwrittenField):
                yield paths.strip_object_scopes(step.target), " ".join(self._find_function_inputs(step))

    def _find_function_inputs(self, own: HandwrittenField) -> Iterator[str]:
        """Return the input fields of a function of the reverse direction."""
        for step in self.reverse.steps:
            if isinstance(step, HandwrittenObject) and step.target == own.target[: len(step.target)]:
                around = paths.find_schema(self.plan.get_schema(self.direction.target), step.source)
                yield from around.properties if around else ()

    def _find_one_way_fields(self) -> Iterator[Path]:
        """Return the computed fields of the target that no reverse step reads."""
        read = {path for step in self.reverse.steps if not isinstance(step, Keep) for path in step.get_reads()}
        for step in self.direction.steps:
            if (
                not isinstance(step, ObjectStep | Default | HandwrittenField)
                and step.get_writes()
                and step.target not in read
            ):
                yield paths.strip_object_scopes(step.target)

    def _find_kept_fields(self) -> Iterator[KeptField]:
        """Return the fields that are kept in conversion data, outside lists and maps, with a single witness."""
        writer = DirectionWriter(self.plan, self.direction, self.reverse, Tables())
        back = DirectionWriter(self.plan, self.reverse, self.direction, Tables())
        root = self.plan.get_schema(self.direction.source)
        for each in writer.kept_entries:
            path, around = paths.strip_object_scopes(each.path), isinstance(each.inverse, HandwrittenField)
            around |= isinstance(each.inverse, ComputedStep) and writer.has_extra_inputs(each.inverse, back=True)
            if is_outside_containers(path) and not (each.empty or each.absent or around):
                seen = tuple(map(paths.strip_object_scopes, each.get_counterparts()))
                yield KeptField(
                    path,
                    back.count_carried_parents(path),
                    find_alternatives(root, path),
                    seen,
                    each.inverse is not None,
                )

    def _find_keyed_lists(self) -> Iterator[KeyedList]:
        """Return the lists with keys in both directions and kept fields in their items."""
        alone = [
            each.path
            for each in DirectionWriter(self.plan, self.direction, self.reverse, Tables()).kept_entries
            if each.inverse is None and not (each.empty or each.absent)
        ]
        for step in self.direction.steps:
            if type(step) is EachItem and is_outside_containers(step.source) and is_outside_containers(step.target):
                below = [
                    path[len(step.source_scope) :]
                    for path in alone
                    if path[: len(step.source_scope)] == step.source_scope
                ]
                kept = tuple(
                    [
                        path
                        for path in below
                        if is_outside_containers(paths.strip_object_scopes(path)) and paths.OBJECT_SCOPE not in path
                    ]
                )
                keys = self._find_item_keys(step)
                if kept and keys:
                    yield KeyedList(step.source, step.target, keys, kept)

    def _find_item_keys(self, step: EachItem) -> tuple[tuple[str, str], ...]:
        """Return the keys of items in source and target; none if they do not convert in both directions."""
        undone = {(one.target, one.source) for one in self.reverse.steps if type(one) is Copy}
        copies = [one for one in self.direction.steps if type(one) is Copy and (one.source, one.target) in undone]
        made = {one.source: one.target for one in copies}
        listed = paths.find_schema(self.plan.get_schema(self.direction.source), step.source)
        names = (listed.get(LIST_MAP_KEYS) or ()) if listed else ()
        ends = [(name, made.get((*step.source_scope, name), ())) for name in names]
        return (
            tuple([(name, path[-1]) for name, path in ends])
            if all(path[:-1] == step.target_scope for _, path in ends)
            else ()
        )
