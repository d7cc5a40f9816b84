"""A pair of versions to the steps between them: what fields declare, and what follows from equal names and types."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base import jsontext
from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.conversion import fits, paths
from protoc_gen_crd.conversion.declared import ABSENT, SOURCES, Declared, declared
from protoc_gen_crd.conversion.fits import CONTAINERS, LIST, MAP, OBJECT, alike, shape
from protoc_gen_crd.conversion.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan import Pair, Way
from protoc_gen_crd.conversion.steps import (
    Copy,
    Default,
    Defaulted,
    Drop,
    Entries,
    Fields,
    First,
    Gather,
    Items,
    Join,
    Keep,
    Loose,
    Multiply,
    Spread,
    Step,
    ToList,
    ToMap,
    Values,
    Wrap,
)
from protoc_gen_crd.schema.types import LIST_MAP_KEYS, Schema

SPOKE, HUB = 0, 1
OF_ALL = frozenset(("apiVersion", "kind", "metadata"))  # what every object has is carried by itself


class Side(tuple[Path, Schema]):
    """An object of one version: its path, and its schema."""

    __slots__ = ()

    @property
    def path(self) -> Path:
        """Where it stands."""
        return self[0]

    @property
    def schema(self) -> Schema:
        """What it may hold."""
        return self[1]

    def child(self, name: str) -> Side | None:
        """What stands one step below, if anything."""
        found = paths.child(self[1], name)
        return None if found is None else Side(((*self[0], name), found))


Sides = tuple[Side, Side]  # of the spoke, of the hub


def derive(names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> Pair:
    """The steps between a spoke and the hub. What cannot be read or does not fit is reported."""
    made = _Derivation(names, schemas, problems)
    made.run()
    to_hub, from_hub = (tuple(sorted(steps, key=_order)) for steps in made.steps)
    return Pair(names[SPOKE], Way(names[SPOKE], names[HUB], to_hub), Way(names[HUB], names[SPOKE], from_hub))


def _order(step: Step) -> tuple[Path, Path]:
    return ((step.writes() or step.reads())[0], (step.reads() or step.writes())[0])


class _Derivation:
    """One pair of versions. A side is the spoke or the hub; steps of a side lead away from it."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        self.names, self.roots, self.problems = names, schemas, problems
        self.steps: tuple[list[Step], list[Step]] = ([], [])
        self._claimed: tuple[set[Path], set[Path]] = (set(), set())
        self._parts: dict[tuple[int, Path], list[tuple[Declared, Path]]] = {}

    def run(self) -> None:
        """Derive all steps."""
        for side in (SPOKE, HUB):
            self._claim_moved(side, (), self.roots[side])
        self._object((Side(((), self.roots[SPOKE])), Side(((), self.roots[HUB]))))
        for (side, whole), parts in self._parts.items():
            self._join(side, whole, parts)

    def _claim_moved(self, side: int, path: Path, schema: Schema) -> None:
        """Learn which fields are moved elsewhere, so that they are not carried where they stand."""
        stack = [(path, schema)]
        while stack:
            here, node = stack.pop()
            for one in declared(node):
                known = paths.at(self.roots[1 - side], here)
                if "moved_from" in one.values and one.about(self.names[1 - side], known):
                    self._claimed[side].add(here)
                    self._claimed[1 - side].add(self._parsed(one.values["moved_from"], one) or ())
            below = {ITEM: node.items, VALUE: node.additional, **node.properties}
            stack += [((*here, step), child) for step, child in below.items() if isinstance(child, Schema)]

    def _object(self, sides: Sides) -> None:
        """What is declared of the fields of an object, then those of the same names."""
        for side in (HUB, SPOKE):
            own, other = sides[side], sides[1 - side]
            for name in own.schema.properties:
                field = Side(((*own.path, name), own.schema.properties[name]))
                for one in declared(field.schema):
                    if one.about(self.names[1 - side], other.schema.properties.get(name)):
                        self._claimed[side].add(field.path)
                        self._declare(side, field, other, one)
            for name, schema in own.schema.properties.items():
                if name not in other.schema.properties and not declared(schema):
                    self._alone(side, Side(((*own.path, name), schema)))
        for name in sides[SPOKE].schema.properties:
            if name in OF_ALL and not sides[SPOKE].path:
                continue
            spoke, hub = sides[SPOKE].child(name), sides[HUB].child(name)
            if spoke and hub and spoke.path not in self._claimed[SPOKE] and hub.path not in self._claimed[HUB]:
                self._pair((spoke, hub), hub.schema.origin, declared_=False)

    def _alone(self, side: int, around: Side) -> None:
        """What is declared of fields of an object that the other version does not have."""
        root = Side(((), self.roots[1 - side]))
        for name, schema in around.schema.properties.items():
            field = Side(((*around.path, name), schema))
            known = [one for one in declared(schema) if one.about(self.names[1 - side], None)]
            for one in known:
                self._claimed[side].add(field.path)
                self._declare(side, field, root, one)
            if not known:
                self._alone(side, field)

    def _declare(self, side: int, field: Side, other: Side, one: Declared) -> None:
        """The steps of one declaration on a field of a side."""
        values, away = one.values, self.steps[side]
        if values.get("dropped"):
            away.append(Drop(field.path, (), one.origin))
        elif values.get("preserved") or ("default" in values and not _elsewhere(values)):
            away.append(Keep(field.path, (), one.origin))
        if "default" in values and not _elsewhere(values):
            self._default(side, field, one)
        if "part" in values:
            self._part(side, field, other, one)
        elif "join" in values:
            self._joined(side, field, other, one)
        elif _elsewhere(values) or not any(name in values for name in ABSENT):
            self._from(side, field, other, one)

    def _default(self, side: int, field: Side, one: Declared) -> None:
        value = self._value_of(field, one)
        if value is not None:
            self.steps[1 - side].append(Default((), field.path, one.origin, value=value))

    def _value_of(self, field: Side, one: Declared) -> Any:
        """The default that is declared; None, with a finding, for one that does not fit the field."""
        text = one.values["default"]
        try:
            value = text if field.schema.type == "string" else jsontext.loads(text)
        except ValueError:
            value = None
        if value is None or not _has_type(field.schema, value):
            problem = f'a default must be JSON for {fits.shape(field.schema)}, found "{text}"'
            self.problems.report("conversion-value", problem, one.origin, path=one.owner)
            return None
        return value

    def _from(self, side: int, field: Side, other: Side, one: Declared) -> None:
        """A field whose value is elsewhere there, or another one."""
        found = self._source(side, field, other, one)
        if found is None:
            return
        self._claimed[1 - side].add(found.path)
        make = next((make for name, make in _CHANGES.items() if name in one.values), None)
        scopes = paths.scope(found.path), paths.scope(field.path)
        if make is None and () in scopes and scopes[0] != scopes[1] and "default" not in one.values:
            self._across(side, found, field, one)
            return
        if "key" in one.values:
            self._keyed(side, found, field, one)
            return
        if make is None and "default" in one.values:
            self._defaulted(side, found, field, one)
            return
        if make is None:
            sides = (found, field) if side == HUB else (field, found)
            self._pair(sides, one.origin, declared_=True)
            return
        step = make(found, field, one)
        if step is None:
            words = f"found {shape(found.schema)} there and {shape(field.schema)} here"
            name = next(name for name in _CHANGES if name in one.values)
            self.problems.report(
                "conversion-type", f'"{name}" must fit both types, {words}', one.origin, path=one.owner
            )
            return
        self._both(side, step)

    def _across(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """A value of the whole object that is in each item of a list there, or the other way round."""
        known = (*found.path, *field.path)
        if known.count(ITEM) != 1 or VALUE in known or not _same(found.schema, field.schema):
            problem = (
                "the brackets of both paths must agree, unless one of them has none and the other leads into a list"
            )
            shown = f'found "{paths.shown(found.path)}" there and "{paths.shown(field.path)}" here'
            self.problems.report("conversion-path", f"{problem}, {shown}", one.origin, path=one.owner)
            return
        self._both(side, (Gather if ITEM in found.path else Spread)(found.path, field.path, one.origin))

    def _keyed(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """A map there and a list here, or the other way round."""
        key = one.values["key"]
        to_list = shape(field.schema) == LIST
        values, items = (found.child(VALUE), field.child(ITEM)) if to_list else (field.child(VALUE), found.child(ITEM))
        listed = field if to_list else found
        fault = _key_fault(values, items, listed, key)
        if fault or values is None or items is None:
            self.problems.report("conversion-type", f'"key" must {fault}', one.origin, path=one.owner)
            return
        self._claimed[side if to_list else 1 - side].add((*items.path, key))
        step = (ToList if to_list else ToMap)(found.path, field.path, one.origin, key=key)
        self._both(side, step)
        inner = (found.child(step.brackets()[0]), field.child(step.brackets()[1]))
        if inner[0] is not None and inner[1] is not None:
            self._object((inner[0], inner[1]) if side == HUB else (inner[1], inner[0]))

    def _defaulted(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """A field that is elsewhere there, with a value for objects that have none."""
        value = self._value_of(field, one)
        if value is None:
            return
        if not _same(found.schema, field.schema):
            self._report_type((found, field) if side == HUB else (field, found), one.origin)
        self._both(side, Defaulted(found.path, field.path, one.origin, value=value))

    def _both(self, side: int, step: Step) -> None:
        """A step that leads to a side, and those that undo it."""
        self.steps[1 - side].append(step)
        self.steps[side].extend(step.inverse())

    def _source(self, side: int, field: Side, other: Side, one: Declared) -> Side | None:
        values = one.values
        if "moved_from" in values:
            return self._found(1 - side, (), values["moved_from"], one)
        return self._found(1 - side, other.path, values.get("renamed_from") or paths.shown(field.path[-1:]), one)

    def _parsed(self, text: str, one: Declared) -> Path | None:
        try:
            return paths.parse(text)
        except paths.PathError as error:
            self.problems.report("conversion-path", str(error), one.origin, path=one.owner)
            return None

    def _found(self, side: int, start: Path, text: str, one: Declared) -> Side | None:
        """The field that a declaration names in the version of a side."""
        path = self._parsed(text, one)
        if path is None:
            return None
        schema = self.roots[side]
        for depth, step in enumerate((*start, *path)):
            below = paths.child(schema, step)
            if below is None:
                where = paths.shown((*start, *path)[:depth]) or "the object"
                problem = f'a field must be there in {self.names[side]}, found no "{step}" in {where}'
                hint = self.problems.suggestion(step, schema.properties)
                self.problems.report("conversion-path", problem, one.origin, path=one.owner, hint=hint)
                return None
            schema = below
        return Side(((*start, *path), schema))

    def _part(self, side: int, field: Side, other: Side, one: Declared) -> None:
        whole = self._found(1 - side, other.path, one.values["part"].get("of", ""), one)
        if whole is not None:
            self._claimed[1 - side].add(whole.path)
            self._parts.setdefault((side, whole.path), []).append((one, field.path))

    def _join(self, side: int, whole: Path, parts: list[tuple[Declared, Path]]) -> None:
        """The parts of a text that fields of a side declare, by their indexes."""
        ordered = sorted(parts, key=lambda each: each[0].values["part"].get("index", 0))
        first = ordered[0][0]
        if [one.values["part"].get("index", 0) for one, _ in ordered] != list(range(len(ordered))):
            found = ", ".join(str(one.values["part"].get("index", 0)) for one, _ in ordered)
            problem = f"the parts of a text must be numbered from 0 without gaps, found {found}"
            self.problems.report("conversion-value", problem, first.origin, path=first.owner)
            return
        separator = first.values["part"].get("separator") or " "
        read = [path for _, path in ordered]
        step = Join(read[0], whole, first.origin, separator=separator, more=tuple(read[1:]))
        self._both(1 - side, step)

    def _joined(self, side: int, field: Side, other: Side, one: Declared) -> None:
        given = one.values["join"]
        found = [self._found(1 - side, other.path, name, one) for name in given.get("fields", ())]
        known = [each.path for each in found if each is not None]
        if known and len(known) == len(found):
            self._claimed[1 - side].update(known)
            separator = given.get("separator") or " "
            self._both(side, Join(known[0], field.path, one.origin, separator=separator, more=tuple(known[1:])))

    def _pair(self, sides: Sides, origin: Place | None, *, declared_: bool) -> None:
        """A value that both versions have: as it is, or part by part."""
        spoke, hub = sides
        shapes = shape(spoke.schema), shape(hub.schema)
        if alike(spoke.schema, hub.schema):
            self._link(Copy(spoke.path, hub.path, origin, declared_))
        elif shapes == (OBJECT, OBJECT):
            self._link(Fields(spoke.path, hub.path, origin, declared_))
            self._object(sides)
        elif shapes in ((LIST, LIST), (MAP, MAP)):
            self._each(sides, origin, declared_=declared_)
        else:
            self._value(sides, origin, declared_=declared_)

    def _link(self, step: Step) -> None:
        self.steps[SPOKE].append(step)
        self.steps[HUB].extend(step.inverse())

    def _each(self, sides: Sides, origin: Place | None, *, declared_: bool) -> None:
        spoke, hub = sides
        bracket = ITEM if shape(spoke.schema) == LIST else VALUE
        one, other = spoke.child(bracket), hub.child(bracket)
        if one is None or other is None:
            self._link(Copy(spoke.path, hub.path, origin, declared_))
        elif shape(one.schema) == shape(other.schema) == OBJECT:
            at, before = len(self.steps[SPOKE]), len(self.steps[HUB])
            self._object((one, other))
            step: Step = Entries(spoke.path, hub.path, origin, declared_)
            if bracket == ITEM:
                keys = _keys(sides, self.steps[SPOKE][at:], (one.path, other.path))
                step = Items(spoke.path, hub.path, origin, declared_, keys)
            self.steps[SPOKE].insert(at, step)
            self.steps[HUB][before:before] = step.inverse()
        else:
            self._value(sides, origin, declared_=declared_, values=(one, other))

    def _value(self, sides: Sides, origin: Place | None, *, declared_: bool, values: Sides | None = None) -> None:
        """A value without parts, or a list or map of such values, which must fit both ways."""
        inner = values or sides
        for side in (SPOKE, HUB):
            own, other = inner[side].schema, inner[1 - side].schema
            if shape(own) in CONTAINERS or shape(other) in CONTAINERS or not fits.fits(own, other):
                self._report_type(sides, origin)
                return
            if unknown := fits.strange(own, other):
                self._report_values(sides, side, unknown)
        for side in (SPOKE, HUB):
            here, there = sides[side], sides[1 - side]
            loose = here.schema.get("nullable") and not there.schema.get("nullable")
            self.steps[side].append((Loose if loose else Copy)(here.path, there.path, origin, declared_))

    def _report_type(self, sides: Sides, origin: Place | None) -> None:
        spoke, hub = sides
        found = f'"{paths.shown(spoke.path)}" {shape(spoke.schema)} in {self.names[SPOKE]}'
        other = f'"{paths.shown(hub.path)}" {shape(hub.schema)} in {self.names[HUB]}'
        self.problems.report(
            "conversion-type",
            f"a value must be of types that fit both ways, found {found} and {other}",
            origin,
            path=origin.owner() if origin else "",
            hint="say how one is made of the other: values, one_item, key, part, join, factor, cel or function",
        )

    def _report_values(self, sides: Sides, side: int, unknown: Sequence[Any]) -> None:
        names = ", ".join(f'"{value}"' for value in unknown[:5])
        own, other = self.names[side], self.names[1 - side]
        field = sides[side]
        problem = f'every value of "{paths.shown(field.path)}" in {own} must be one in {other}, found {names}'
        at = field.schema.origin
        hint = "say what they are called there: conversion {values: {there: ... here: ...}}"
        self.problems.report("conversion-values", problem, at, path=at.owner() if at else "", hint=hint)


def _key_fault(values: Side | None, items: Side | None, listed: Side, key: str) -> str:
    """What a map and a list must be to be made of each other, where they are not."""
    if values is None or items is None:
        return "stand at a list of objects whose counterpart is a map, or at such a map"
    if shape(values.schema) != OBJECT or shape(items.schema) != OBJECT:
        return "stand at a map and a list of objects"
    named = items.schema.properties.get(key)
    if named is None or shape(named) != "string":
        return f'name a field of the items that is a text, found "{key}"'
    if key in values.schema.properties:
        return f'name a field that the values of the map do not have, found "{key}"'
    if list(listed.schema.get(LIST_MAP_KEYS) or ()) != [key]:
        return f"name what tells items apart: mark the list +listType=map and +listMapKey={key}"
    return ""


def _elsewhere(values: Mapping[str, Any]) -> bool:
    """Whether a declaration names where the value is, or how it is made."""
    return any(name in values for name in (*SOURCES, *_CHANGES, "key"))


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def _has_type(schema: Schema, value: object) -> bool:
    wanted = _TYPES.get(schema.type)
    return wanted is None or (isinstance(value, wanted) and (schema.type == "boolean" or not isinstance(value, bool)))


def _keys(sides: Sides, steps: Sequence[Step], items: tuple[Path, Path]) -> tuple[tuple[str, str], ...]:
    """The fields that tell items apart in both versions: the hub's keys, else the spoke's, if they are carried."""
    pairs = [
        (step.source[-1], step.target[-1])
        for step in steps
        if type(step) is Copy and (step.source[:-1], step.target[:-1]) == items
    ]
    for side in (HUB, SPOKE):
        known = {pair[side]: pair for pair in pairs}
        wanted = sides[side].schema.get(LIST_MAP_KEYS) or ()
        if wanted and all(name in known for name in wanted):
            return tuple([known[name] for name in wanted])
    return ()


def _values(found: Side, field: Side, one: Declared) -> Step | None:
    if shape(found.schema) != "string" or shape(field.schema) != "string":
        return None
    pairs = tuple([(pair.get("there", ""), pair.get("here", "")) for pair in one.values["values"]])
    return Values(found.path, field.path, one.origin, pairs=pairs)


def _one_item(found: Side, field: Side, one: Declared) -> Step | None:
    there, here = found.schema, field.schema
    if shape(here) == LIST and here.items is not None and _same(there, here.items):
        return Wrap(found.path, field.path, one.origin)
    if shape(there) == LIST and there.items is not None and _same(there.items, here):
        return First(found.path, field.path, one.origin)
    return None


def _same(one: Schema, other: Schema) -> bool:
    bare = {"nullable": None}
    own, their = (Schema({**each.keywords, **bare}) for each in (one, other))
    return alike(own, their) or (shape(own) not in CONTAINERS and fits.fits(own, their) and fits.fits(their, own))


def _factor(found: Side, field: Side, one: Declared) -> Step | None:
    if not {shape(found.schema), shape(field.schema)} <= {"integer", "number"}:
        return None
    factor = one.values["factor"]
    whole = int(factor) if float(factor).is_integer() else factor
    return Multiply(found.path, field.path, one.origin, factor=whole)


_CHANGES: dict[str, Callable[[Side, Side, Declared], Step | None]] = {
    "values": _values,
    "one_item": _one_item,
    "factor": _factor,
}
