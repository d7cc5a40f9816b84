"""Derivation of copies of values that both versions have, whole or part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.derivation import schema_compatibility
from protoc_gen_crd.conversion.derivation.endpoints import COMMON_FIELDS, HUB, SPOKE, Endpoint, Endpoints
from protoc_gen_crd.conversion.derivation.schema_compatibility import (
    CONTAINER_SHAPES,
    LIST,
    MAP,
    OBJECT,
    get_shape,
    is_same_structure,
)
from protoc_gen_crd.conversion.document_hints import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import EachEntry, EachItem
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyNonNull, ObjectStep
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS, Schema

_EMPTY_SCHEMA = Schema({})
_CHANGE_HINT = "declare how to convert the value: values, one_item, key, part, join, factor or cel"
_VALUES_HINT = "map the values: conversion {values: {there: ... here: ...}}"
_VALUES_RULE_HINT = "compute the value in a rule of each direction: transformation: \"self == 'A' ? 'B' : self\""


class FieldDerivation:
    """The derivation of a pair of versions. A side is the spoke or the hub; the steps of a side read from it.

    What is `claimed` is not carried to what has the same name.
    """

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        self.names, self.roots, self.problems = names, schemas, problems
        self.steps: tuple[list[Step], list[Step]] = ([], [])
        self.claimed: tuple[set[Path], set[Path]] = (set(), set())
        self.reported_fields: list[tuple[str, Path]] = []
        self.hinted_fields: list[tuple[str, Path]] = []  # what hints are at
        self.used_declarations: set[Place] = set()  # the declarations that apply to these versions

    def derive_declared(self, sides: Endpoints) -> None:
        """Derive the declared steps of the fields of an object."""

    def derive_object(self, sides: Endpoints) -> None:
        """Derive declared conversions of an object, then copies of fields with the same names."""
        self.derive_declared(sides)
        for name in sides[SPOKE].schema.properties:
            if name in COMMON_FIELDS and not sides[SPOKE].path:
                continue
            spoke, hub = sides[SPOKE].get_child(name), sides[HUB].get_child(name)
            if spoke and hub and spoke.path not in self.claimed[SPOKE] and hub.path not in self.claimed[HUB]:
                self.derive_value((spoke, hub), hub.schema.origin, declared_=False)

    def derive_value(self, sides: Endpoints, origin: Place | None, *, declared_: bool) -> None:
        """Derive the steps of a value in both versions: a copy, or steps for its parts."""
        spoke, hub = sides
        shapes = get_shape(spoke.schema), get_shape(hub.schema)
        inside = any(
            _is_within(path, side.path)
            for side, claimed in zip(sides, self.claimed, strict=True)
            if get_shape(side.schema) in CONTAINER_SHAPES
            for path in claimed
        )
        if is_same_structure(spoke.schema, hub.schema, self.names) and not inside:
            self.add_spoke_step(Copy(spoke.path, hub.path, origin, declared_))
        elif shapes == (OBJECT, OBJECT):
            self.add_spoke_step(ObjectStep(spoke.path, hub.path, origin, declared_))
            self.derive_object(sides)
        elif shapes in ((LIST, LIST), (MAP, MAP)):
            self._derive_container(sides, origin, declared_=declared_)
        else:
            self._derive_scalar(sides, origin, declared_=declared_)

    def add_spoke_step(self, step: Step) -> None:
        """Add a step from the spoke to the hub, and its inverse."""
        self.steps[SPOKE].append(step)
        self.steps[HUB].extend(step.invert())

    def _derive_container(self, sides: Endpoints, origin: Place | None, *, declared_: bool) -> None:
        spoke, hub = sides
        bracket = ITEM if get_shape(spoke.schema) == LIST else VALUE
        spoke_child, hub_child = spoke.get_child(bracket), hub.get_child(bracket)
        if spoke_child is None or hub_child is None:
            self.add_spoke_step(Copy(spoke.path, hub.path, origin, declared_))
        elif get_shape(spoke_child.schema) == get_shape(hub_child.schema) in CONTAINER_SHAPES:
            at, before = len(self.steps[SPOKE]), len(self.steps[HUB])
            if get_shape(spoke_child.schema) == OBJECT:
                self.derive_object((spoke_child, hub_child))
            elif spoke_child.path not in self.claimed[SPOKE] and hub_child.path not in self.claimed[HUB]:
                self.derive_value((spoke_child, hub_child), origin, declared_=declared_)
            kind = EachItem if bracket == ITEM else EachEntry
            step = kind(spoke.path, hub.path, origin, declared_)
            self.steps[SPOKE].insert(at, step)
            self.steps[HUB][before:before] = step.invert()
        else:
            self._derive_scalar(sides, origin, declared_=declared_, values=(spoke_child, hub_child))

    def set_item_keys(self) -> None:
        """Set the key fields of list items. They depend on the fields that are copied in both directions."""
        copied = [{(step.source, step.target) for step in steps if type(step) is Copy} for steps in self.steps]
        for side in (SPOKE, HUB):
            carried = [pair for pair in copied[side] if pair[::-1] in copied[1 - side]]
            self.steps[side][:] = [
                step.replace(keys=self._find_item_keys(side, step, carried)) if isinstance(step, EachItem) else step
                for step in self.steps[side]
            ]

    def _find_item_keys(
        self, side: int, step: EachItem, carried: Sequence[tuple[Path, Path]]
    ) -> tuple[tuple[str, str], ...]:
        """Return the key fields of items: the keys of the hub, else of the spoke, if they are copied."""
        items = (step.source_scope, step.target_scope)
        pairs = [(read[-1], written[-1]) for read, written in carried if (read[:-1], written[:-1]) == items]
        for owner in (HUB, SPOKE):
            end = int(owner != side)
            pairs_by_field = {pair[end]: pair for pair in pairs}
            keys = (paths.find_schema(self.roots[owner], (step.source, step.target)[end]) or _EMPTY_SCHEMA).get(
                LIST_MAP_KEYS
            ) or ()
            if keys and all(name in pairs_by_field for name in keys):
                return tuple([pairs_by_field[name] for name in keys])
        return ()

    def _derive_scalar(
        self, sides: Endpoints, origin: Place | None, *, declared_: bool, values: Endpoints | None = None
    ) -> None:
        """Copy a scalar, or a list or map of scalars, whose types are compatible in both directions."""
        spoke, hub = (end.schema for end in values or sides)
        pairs = (spoke, hub), (hub, spoke)
        wrong = [side for side in (SPOKE, HUB) if not _is_scalar_copy(*pairs[side])]
        if wrong:
            self.report_type(sides, origin, wrong[0] if len(wrong) == 1 else None)
            return
        for side in (SPOKE, HUB):
            if unknown := schema_compatibility.find_unknown_values(*pairs[side]):
                self.report_values(sides, side, unknown)
        for side in (SPOKE, HUB):
            here, there = sides[side], sides[1 - side]
            step = CopyNonNull if schema_compatibility.is_null_dropped(here.schema, there.schema) else Copy
            self.steps[side].append(step(here.path, there.path, origin, declared_))

    def mark_reported(self, side: int, counterpart: Endpoint, field: Endpoint) -> None:
        """Mark a field of each version as reported."""
        self.reported_fields += [(self.names[1 - side], counterpart.path), (self.names[side], field.path)]

    def report_type(self, sides: Endpoints, origin: Place | None, side: int | None = None) -> None:
        """Report types without automatic conversion, from one `side` or in both directions."""
        self.reported_fields += [(self.names[at], sides[at].path) for at in (SPOKE, HUB)]
        descriptions = [
            f'"{paths.format_path(endpoint.path)}" ({schema_compatibility.describe_shape(endpoint.schema)}) of {name}'
            for endpoint, name in zip(sides, self.names, strict=True)
        ]
        problem = (
            f"cannot convert between {descriptions[SPOKE]} and {descriptions[HUB]}"
            if side is None
            else f"cannot convert {descriptions[side]} to {descriptions[1 - side]}"
        )
        hint = choose_hint(origin, _CHANGE_HINT, _suggest_rules(sides))
        self.problems.report("conversion-type", problem, origin, path=origin.find_owner() if origin else "", hint=hint)

    def report_values(self, sides: Endpoints, side: int, unknown: Sequence[Any]) -> None:
        """Report values of an enum that the other version does not have."""
        names = ", ".join(f'"{value}"' for value in unknown[:5])
        own, other = self.names[side], self.names[1 - side]
        field = sides[side]
        problem = f'values of "{paths.format_path(field.path)}" in {own} have no counterpart in {other}: {names}'
        at = field.schema.origin
        hint = choose_hint(at, _VALUES_HINT, _VALUES_RULE_HINT)
        self.problems.report("conversion-values", problem, at, path=at.find_owner() if at else "", hint=hint)


def _suggest_rules(sides: Endpoints) -> str:
    """Suggest rules for values of different types."""
    source, target = (paths.format_path(endpoint.path) for endpoint in sides)
    rule = f'{{field: "{source}", destination: "{target}", transformation: CEL}}'
    hint = f"compute the value in a rule of each direction: {rule}"
    lists = [get_shape(endpoint.schema) for endpoint in sides] == [LIST, LIST]
    return f'{hint}, or its items, "{source}[i]" and "{target}[]"' if lists else hint


def _is_scalar_copy(source: Schema, target: Schema) -> bool:
    """Return True if a value that is no list, map or object can be copied."""
    is_container = get_shape(source) in CONTAINER_SHAPES or get_shape(target) in CONTAINER_SHAPES
    return not is_container and schema_compatibility.is_assignable(source, target)


def _is_within(path: Path, around: Path) -> bool:
    return len(path) > len(around) and path[: len(around)] == around
