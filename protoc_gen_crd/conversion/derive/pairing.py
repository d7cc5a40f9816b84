"""Values that both versions have: carried as they are, or part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.conversion.derive import fits
from protoc_gen_crd.conversion.derive.fits import CONTAINERS, LIST, MAP, OBJECT, alike, shape
from protoc_gen_crd.conversion.derive.sides import HUB, OF_ALL, SPOKE, Side, Sides
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.containers import Entries, Items
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.steps import Copy, Fields, Loose, Step
from protoc_gen_crd.schema.types import LIST_MAP_KEYS, Schema

_NONE = Schema({})


class Pairing:
    """One pair of versions. A side is the spoke or the hub; steps of a side lead away from it.

    What is `claimed` is not carried to what has the same name.
    """

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        self.names, self.roots, self.problems = names, schemas, problems
        self.steps: tuple[list[Step], list[Step]] = ([], [])
        self.claimed: tuple[set[Path], set[Path]] = (set(), set())
        self.faults: list[tuple[str, Path]] = []
        self.meant: list[tuple[str, Path]] = []  # what hints are at
        self.heard: set[Place] = set()  # the declarations that say something of these versions

    def declare(self, sides: Sides) -> None:
        """The steps that are declared of the fields of an object."""

    def object(self, sides: Sides) -> None:
        """What is declared of the fields of an object, then those of the same names."""
        self.declare(sides)
        for name in sides[SPOKE].schema.properties:
            if name in OF_ALL and not sides[SPOKE].path:
                continue
            spoke, hub = sides[SPOKE].child(name), sides[HUB].child(name)
            if spoke and hub and spoke.path not in self.claimed[SPOKE] and hub.path not in self.claimed[HUB]:
                self.pair((spoke, hub), hub.schema.origin, declared_=False)

    def pair(self, sides: Sides, origin: Place | None, *, declared_: bool) -> None:
        """A value that both versions have: as it is, or part by part."""
        spoke, hub = sides
        shapes = shape(spoke.schema), shape(hub.schema)
        inside = any(
            _is_within(path, side.path)
            for side, known in zip(sides, self.claimed, strict=True)
            if shape(side.schema) in CONTAINERS
            for path in known
        )
        if alike(spoke.schema, hub.schema, self.names) and not inside:
            self.link(Copy(spoke.path, hub.path, origin, declared_))
        elif shapes == (OBJECT, OBJECT):
            self.link(Fields(spoke.path, hub.path, origin, declared_))
            self.object(sides)
        elif shapes in ((LIST, LIST), (MAP, MAP)):
            self._each(sides, origin, declared_=declared_)
        else:
            self._value(sides, origin, declared_=declared_)

    def link(self, step: Step) -> None:
        """A step from the spoke to the hub, and those that undo it."""
        self.steps[SPOKE].append(step)
        self.steps[HUB].extend(step.inverse())

    def _each(self, sides: Sides, origin: Place | None, *, declared_: bool) -> None:
        spoke, hub = sides
        bracket = ITEM if shape(spoke.schema) == LIST else VALUE
        one, other = spoke.child(bracket), hub.child(bracket)
        if one is None or other is None:
            self.link(Copy(spoke.path, hub.path, origin, declared_))
        elif shape(one.schema) == shape(other.schema) in CONTAINERS:
            at, before = len(self.steps[SPOKE]), len(self.steps[HUB])
            if shape(one.schema) == OBJECT:
                self.object((one, other))
            elif one.path not in self.claimed[SPOKE] and other.path not in self.claimed[HUB]:
                self.pair((one, other), origin, declared_=declared_)
            kind = Items if bracket == ITEM else Entries
            step = kind(spoke.path, hub.path, origin, declared_)
            self.steps[SPOKE].insert(at, step)
            self.steps[HUB][before:before] = step.inverse()
        else:
            self._value(sides, origin, declared_=declared_, values=(one, other))

    def name_items(self) -> None:
        """Say by which fields items of lists are known, which is known when it is known what is carried both ways."""
        ends = [{(step.source, step.target) for step in steps if type(step) is Copy} for steps in self.steps]
        for side in (SPOKE, HUB):
            carried = [pair for pair in ends[side] if pair[::-1] in ends[1 - side]]
            self.steps[side][:] = [
                step.replace(keys=self._keys(side, step, carried)) if isinstance(step, Items) else step
                for step in self.steps[side]
            ]

    def _keys(self, side: int, step: Items, carried: Sequence[tuple[Path, Path]]) -> tuple[tuple[str, str], ...]:
        """The fields that tell items apart in both versions: the hub's keys, else the spoke's, if they are carried."""
        items = (step.inside, step.made)
        pairs = [(read[-1], made[-1]) for read, made in carried if (read[:-1], made[:-1]) == items]
        for owner in (HUB, SPOKE):
            end = int(owner != side)
            known = {pair[end]: pair for pair in pairs}
            wanted = (paths.at(self.roots[owner], (step.source, step.target)[end]) or _NONE).get(LIST_MAP_KEYS) or ()
            if wanted and all(name in known for name in wanted):
                return tuple([known[name] for name in wanted])
        return ()

    def _value(self, sides: Sides, origin: Place | None, *, declared_: bool, values: Sides | None = None) -> None:
        """A value without parts, or a list or map of such values, which must fit both ways."""
        inner = values or sides
        for side in (SPOKE, HUB):
            own, other = inner[side].schema, inner[1 - side].schema
            if shape(own) in CONTAINERS or shape(other) in CONTAINERS or not fits.fits(own, other):
                self.report_type(sides, origin)
                return
            if unknown := fits.strange(own, other):
                self.report_values(sides, side, unknown)
        for side in (SPOKE, HUB):
            here, there = sides[side], sides[1 - side]
            step = Loose if fits.loose(here.schema, there.schema) else Copy
            self.steps[side].append(step(here.path, there.path, origin, declared_))

    def fault(self, side: int, found: Side, field: Side) -> None:
        """Note that it has been told why fields do not convert: one of the other version, and one of a side."""
        self.faults += [(self.names[1 - side], found.path), (self.names[side], field.path)]

    def report_type(self, sides: Sides, origin: Place | None) -> None:
        """Report types of which neither is made of the other by itself."""
        spoke, hub = sides
        self.faults += [(self.names[SPOKE], spoke.path), (self.names[HUB], hub.path)]
        found = f'"{paths.shown(spoke.path)}" {shape(spoke.schema)} in {self.names[SPOKE]}'
        other = f'"{paths.shown(hub.path)}" {shape(hub.schema)} in {self.names[HUB]}'
        self.problems.report(
            "conversion-type",
            f"a value must be of types that fit both ways, found {found} and {other}",
            origin,
            path=origin.owner() if origin else "",
            hint="say how one is made of the other: values, one_item, key, part, join, factor or cel",
        )

    def report_values(self, sides: Sides, side: int, unknown: Sequence[Any]) -> None:
        """Report values of an enum that the other version does not have."""
        names = ", ".join(f'"{value}"' for value in unknown[:5])
        own, other = self.names[side], self.names[1 - side]
        field = sides[side]
        problem = f'every value of "{paths.shown(field.path)}" in {own} must be one in {other}, found {names}'
        at = field.schema.origin
        hint = "say what they are called there: conversion {values: {there: ... here: ...}}"
        self.problems.report("conversion-values", problem, at, path=at.owner() if at else "", hint=hint)


def _is_within(path: Path, around: Path) -> bool:
    return len(path) > len(around) and path[: len(around)] == around
