"""Fields that a version requires: whatever leads to the object around one must lead to the field as well.

Where an object stands may follow from several things: its counterpart, a value that is moved into it, a default. For
each of them it is asked which fields are there then for sure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.check.lost import refusals
from protoc_gen_crd.conversion.derive.declared import declared
from protoc_gen_crd.conversion.derive.sides import OF_ALL
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import First, Split
from protoc_gen_crd.conversion.plan.containers import Each, FirstOf, Gather, Own, ToList, ToMap
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.steps import Copy, Default, Defaulted, Duplicate, Fields, Loose, Step
from protoc_gen_crd.schema.types import Schema


def check_required(plan: Plan, way: Way, faults: Collection[tuple[str, Path]], problems: Problems) -> None:
    """Report required fields that an object may come to be without, but those whose conversion has been refused."""
    way_of = _Way(plan, way)
    for target, has in way_of.objects():
        for name in has.get("required") or ():
            path = (*target, name)
            told = (name in OF_ALL and not target) or (way.target, path) in faults
            if not told and not way_of.always(path):
                _report(way, path, has, problems, way_of.lacking(path), _said(way, path, way_of.makers(path), has))
    for path, has, lacking in way_of.values():
        _report(way, path, has, problems, lacking)
    for schema, there, other in way_of.copied():
        for name in other.get("required") or ():
            if name not in (schema.get("required") or ()) and not (name in OF_ALL and not there):
                _report(way, (*there, name), other, problems, (), _renaming(way, name))


def _said(way: Way, path: Path, makers: Sequence[Step], around: Schema) -> str:
    """What gives a field a default; empty where what it is made by takes none, or is said elsewhere."""
    field = paths.child(around, path[-1])
    if not makers or field is None:
        return "{default: ...}"
    here = [one.origin for one in declared(field)]
    known = [step for step in makers if type(step) in (Copy, Loose) and (not step.declared or step.origin in here)]
    if len(known) < len(makers) or any(step.target != path for step in known):
        return ""
    return "{... default: ...}" if known[0].declared else _renaming(way, known[0].source[-1])


def _renaming(way: Way, name: str) -> str:
    return f'{{renamed_from: "{name}" default: ... versions: "{way.source}"}}'


def _report(way: Way, path: Path, around: Schema, problems: Problems, lacking: Path = (), default: str = "") -> None:
    field = paths.child(around, path[-1])
    at = field.origin if field else around.origin
    refused = refusals(problems)
    if field is not None and any(one.origin in refused for one in declared(field)):
        return  # what is wrong with what it says
    problem = f'a field that {way.target} requires must always be there, found "{paths.shown(path)}" missing'
    hint = f"require {_made_of(way, lacking)}"
    if default:
        hint = f"give a default: conversion {default}, or {hint}"
    problem = f"{problem} where {way.source} gives none"
    problems.report("conversion-required", problem, at, path=at.owner() if at else "", hint=hint)


def _made_of(way: Way, lacking: Path) -> str:
    return f'"{paths.shown(lacking)}" in {way.source}' if lacking else "what it is made of"


class _Way:
    """What a way writes, by paths of the target."""

    def __init__(self, plan: Plan, way: Way) -> None:
        self.source, self.target = plan.schema(way.source), plan.schema(way.target)
        self._steps = way.steps
        self._writers: dict[Path, list[Step]] = {}
        self._below: dict[Path, list[Step]] = {}
        self._entered: dict[Path, Path] = {(): ()}  # objects that are gone through: where they stand, and stood
        self._keys = set()
        for step in way.steps:
            for path in step.writes():
                self._writers.setdefault(path, []).append(step)
                for cut in range(len(paths.scope(path)), len(path)):
                    self._below.setdefault(path[:cut], []).append(step)
            if isinstance(step, Each):
                self._entered[step.made] = step.inside
            elif isinstance(step, Fields):
                self._entered[step.target] = step.source
            if isinstance(step, ToList) and not isinstance(step, ToMap):
                self._keys.add((*step.made, step.key))

    def objects(self) -> Iterator[tuple[Path, Schema]]:
        """The objects that are made field by field."""
        for path in {**self._entered, **self._below}:
            has = paths.at(self.target, path) if path[:1] != paths.METADATA else None
            if has is not None and has.properties:
                yield path, has

    def copied(self) -> Iterator[tuple[Schema, Path, Schema]]:
        """The nodes of values that are copied whole."""
        for step in self._steps:
            if not isinstance(step, Copy | Duplicate) or isinstance(step, Fields):
                continue
            had, has = paths.at(self.source, step.source), paths.at(self.target, step.target)
            stack = [(had, step.target, has)] if had and has else []
            while stack:
                one, there, two = stack.pop()
                yield one, there, two
                for name in (*one.properties, paths.ITEM, paths.VALUE):
                    below = paths.child(one, name), paths.child(two, name)
                    if below[0] is not None and below[1] is not None and below[0] is not below[1]:
                        stack.append((below[0], (*there, name), below[1]))

    def values(self) -> Iterator[tuple[Path, Schema, Path]]:
        """The items and entries that may lack what they are made of, what is around each, and what is lacking."""
        for path, inside in self._entered.items():
            has, known = paths.at(self.target, path[:-1]), frozenset((inside,))
            if has is None or path[-1:] not in ((paths.ITEM,), (paths.VALUE,)):
                continue
            for step in self._writers.get(path, ()):
                if isinstance(step, Copy) and not self._writes(step, known):
                    yield path, has, self._gap(step.source, known)

    def makers(self, path: Path) -> Sequence[Step]:
        """The steps that write a field, or what is in it."""
        return (*self._writers.get(path, ()), *self._below.get(path, ()))

    def always(self, path: Path) -> bool:
        """Whether a field is there whenever the object around it is."""
        if path in self._keys or any(isinstance(step, Own) for step in self._writers.get(paths.bare(path), ())):
            return True
        return all(self._given(path, known) for known in self._causes(path[:-1]))

    def lacking(self, path: Path) -> Path:
        """What may be missing of what a field is made of though the object around it is there; empty for nothing."""
        wrong = (known for known in self._causes(path[:-1]) if not self._given(path, known))
        reads = [read for step in self._writers.get(path, ()) for read in step.reads()]
        found = (self._gap(read, known) for known in wrong for read in reads)
        return next((gap for gap in found if gap and gap[-1] not in paths.BRACKETS), ())

    def _gap(self, read: Path, known: frozenset[Path]) -> Path:
        """The first part of a path that may not be there."""
        start = max((paths.common(one, read) for one in known), key=len, default=())
        node = paths.at(self.source, start)
        for cut in range(len(start), len(read)):
            required = (node.get("required") or ()) if node is not None else ()
            if read[cut] not in (*paths.BRACKETS, *required):
                return read[: cut + 1]
            node = paths.child(node, read[cut]) if node is not None else None
        return ()

    def _causes(self, around: Path) -> Iterator[frozenset[Path]]:
        """What may have led to an object: for each the paths of the source that are there then."""
        scope = self._entered.get(paths.scope(around), ())
        own = self._entered.get(around)
        if own is not None:
            yield frozenset((scope, own))
        for step in self._below.get(around, ()):
            if own is not None and isinstance(step, Default | Defaulted):
                continue  # it is given only to what is there
            for read in step.reads() or ((),):
                if own is None or read[: len(own)] != own:
                    yield frozenset((scope, read))

    def _given(self, path: Path, known: frozenset[Path]) -> bool:
        """Whether a field is written where some paths of the source are there."""
        below = [step for step in self._below.get(path, ()) if not isinstance(step, Fields)]
        return any(self._writes(step, known) for step in (*self._writers.get(path, ()), *below))

    def _writes(self, step: Step, known: frozenset[Path]) -> bool:
        """Whether a step writes a value for sure."""
        if isinstance(step, Default | Defaulted):
            return True
        if isinstance(step, Gather) or (isinstance(step, Split) and step.index):
            return False
        return any(self._there(read, known, step) for read in step.reads())

    def _there(self, read: Path, known: frozenset[Path], step: Step) -> bool:
        """Whether a value of the source is there for sure, and such that a step makes something of it."""
        start = max((paths.common(one, read) for one in known), key=len, default=())
        node = paths.at(self.source, start)
        for name in read[len(start) :]:
            if node is None or (name not in paths.BRACKETS and name not in (node.get("required") or ())):
                return False
            node = paths.child(node, name)
            if node is not None and node.get("nullable") and (name != read[-1] or self._leaves_null(step)):
                return False
        if isinstance(step, First | FirstOf):
            return bool(node and node.get("minItems"))
        return not (self._leaves_null(step) and node is not None and node.get("nullable"))

    def _leaves_null(self, step: Step) -> bool:
        """Whether a step that copies a value leaves null out."""
        target = paths.at(self.target, step.target)
        again = isinstance(step, Duplicate) and target is not None and not target.get("nullable")
        return again or isinstance(step, Loose)
