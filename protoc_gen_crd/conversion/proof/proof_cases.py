"""The facts about one direction of a plan that round-trip laws need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.conversion.codegen.module_generator import DirectionWriter
from protoc_gen_crd.conversion.codegen.python_types import Tables
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import EachItem, HandwrittenField, HandwrittenObject, MapToList
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyWithDefault, Default, Drop, Keep, ObjectStep
from protoc_gen_crd.conversion.plan.exclusive_fields import find_alternatives
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, ComputedStep
from protoc_gen_crd.conversion.proof.data_comparison import is_outside_containers
from protoc_gen_crd.conversion.proof.round_trip_laws import Convert, DirectionFacts, KeptField, KeyedList
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS


class ProofCase:
    """One direction of a plan, ready to be tested. `crds` are the CRDs that validate the objects of each version."""

    def __init__(
        self, plan: Plan, crds: Mapping[str, Crd], direction: Direction, reverse: Direction, convert: Convert
    ) -> None:
        self.plan, self._crds, self.direction, self.reverse, self.convert = plan, crds, direction, reverse, convert
        self.api_version = f"{plan.crd.group}/{direction.source}"

    def get_crd(self, version: str) -> Crd:
        """Return the CRD that validates the objects of a version."""
        return self._crds.get(version, self.plan.crd)

    def find_version(self, name: str) -> CrdVersion:
        """Return a version of the kind."""
        return self._crds[name].versions[0]

    def describe_direction(self) -> DirectionFacts:
        """Return the facts about the direction."""
        directions = self.direction, self.reverse
        dropped, dropped_back = (
            tuple([paths.strip_object_scopes(step.source) for step in direction.steps if isinstance(step, Drop)])
            for direction in directions
        )
        versions = self.direction.source, self.direction.target
        defaults = (*self._find_defaults(), *self._find_default_parents())
        group, one_way = self.plan.crd.group, tuple(self._find_one_way_fields())
        kept, keyed, computed = (
            tuple(self._find_kept_fields()),
            tuple(self._find_keyed_lists()),
            tuple(self._find_computed_fields()),
        )
        return DirectionFacts(group, versions, kept, dropped, dropped_back, one_way, defaults, keyed, computed)

    def _find_defaults(self) -> Iterator[tuple[Path, Any]]:
        """Return the defaults of missing fields."""
        yield from (
            (paths.strip_object_scopes(step.source), step.value)
            for step in self.reverse.steps
            if isinstance(step, CopyWithDefault)
        )

    def _find_default_parents(self) -> Iterator[tuple[Path, Any]]:
        """Yield the objects that defaults create in the reverse direction and that stay empty."""
        object_steps = [step for step in self.direction.steps if type(step) is ObjectStep]
        read = [step.source for step in self.direction.steps if isinstance(step, CopyWithDefault)]
        for step in object_steps:
            if any(path[: len(step.source)] == step.source for path in read):
                yield paths.strip_object_scopes(step.target), {}

    def _find_computed_fields(self) -> Iterator[tuple[Path, str]]:
        """Return fields whose reverse step reads the whole object, outside lists with a kept order."""
        writer = DirectionWriter(self.plan, self.reverse, self.direction, Tables())
        lists = [step.target_scope for step in self.reverse.steps if type(step) is MapToList]
        for step in self.reverse.steps:
            if any(step.target[: len(list_path)] == list_path for list_path in lists):
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
        for entry in writer.kept_entries:
            path, is_computed = paths.strip_object_scopes(entry.path), isinstance(entry.inverse, HandwrittenField)
            is_computed |= isinstance(entry.inverse, ComputedStep) and writer.has_extra_inputs(entry.inverse, back=True)
            if is_outside_containers(path) and not (entry.empty or entry.absent or is_computed):
                shown_paths = tuple(map(paths.strip_object_scopes, entry.get_counterparts()))
                yield KeptField(
                    path,
                    back.count_required_parents(path),
                    find_alternatives(root, path),
                    shown_paths,
                    entry.inverse is not None,
                )

    def _find_keyed_lists(self) -> Iterator[KeyedList]:
        """Return the lists with keys in both directions and kept fields in their items."""
        kept_paths = [
            entry.path
            for entry in DirectionWriter(self.plan, self.direction, self.reverse, Tables()).kept_entries
            if entry.inverse is None and not (entry.empty or entry.absent)
        ]
        for step in self.direction.steps:
            if type(step) is EachItem and is_outside_containers(step.source) and is_outside_containers(step.target):
                below = [
                    path[len(step.source_scope) :]
                    for path in kept_paths
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
        copied_back = {(step.target, step.source) for step in self.reverse.steps if type(step) is Copy}
        copies = [
            step for step in self.direction.steps if type(step) is Copy and (step.source, step.target) in copied_back
        ]
        targets = {copy.source: copy.target for copy in copies}
        list_schema = paths.find_schema(self.plan.get_schema(self.direction.source), step.source)
        names = (list_schema.get(LIST_MAP_KEYS) or ()) if list_schema else ()
        ends = [(name, targets.get((*step.source_scope, name), ())) for name in names]
        return (
            tuple([(name, path[-1]) for name, path in ends])
            if all(path[:-1] == step.target_scope for _, path in ends)
            else ()
        )
