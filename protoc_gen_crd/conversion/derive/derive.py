"""A pair of versions to the steps between them: what fields declare, and what follows from equal names and types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.base import jsontext
from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.derive import fits, wellformed
from protoc_gen_crd.conversion.derive.changes import CHANGES, misfit
from protoc_gen_crd.conversion.derive.declared import ABSENT, SOURCES, Declared, declared
from protoc_gen_crd.conversion.derive.fits import OBJECT, shape
from protoc_gen_crd.conversion.derive.held import refusal
from protoc_gen_crd.conversion.derive.reshaping import Reshaping
from protoc_gen_crd.conversion.derive.sides import HUB, SPOKE, Side, Sides, has_type, meets, reserved, same
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Join
from protoc_gen_crd.conversion.plan.containers import Spread
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.steps import Default, Defaulted, Drop, Duplicate, Keep
from protoc_gen_crd.schema.types import Schema


class Derivation(Reshaping):
    """One pair of versions, with what their fields declare."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        super().__init__(names, schemas, problems)
        self._parts: dict[tuple[int, Path], list[tuple[Declared, Path]]] = {}

    def run(self) -> None:
        """Derive all steps."""
        for side in (SPOKE, HUB):
            self._claim_moved(side, (), self.roots[side])
        self.object((Side(((), self.roots[SPOKE])), Side(((), self.roots[HUB]))))
        for (side, whole), parts in self._parts.items():
            self._join(side, whole, parts)
        self.keep_unread()
        self.name_items()

    def _claim_moved(self, side: int, path: Path, schema: Schema) -> None:
        """Learn which fields are moved elsewhere, so that they are not carried where they stand."""
        stack = [(path, schema)]
        while stack:
            here, node = stack.pop()
            for one in declared(node):
                known = paths.at(self.roots[1 - side], here)
                if "moved_from" in one.values and one.about(self.names[side], self.names[1 - side], known):
                    self.claimed[side].add(here)
                    there = self._parsed(one.values["moved_from"], one) or ()
                    if not self._looks(side, there, one):
                        self.claimed[1 - side].add(there)
            below = {ITEM: node.items, VALUE: node.additional, **node.properties}
            stack += [((*here, step), child) for step, child in below.items() if isinstance(child, Schema)]

    def declare(self, sides: Sides) -> None:
        """The steps that are declared of the fields of an object."""
        for side in (HUB, SPOKE):
            own, other = sides[side], sides[1 - side]
            for name in own.schema.properties:
                field = Side(((*own.path, name), own.schema.properties[name]))
                for one in declared(field.schema):
                    if one.about(self.names[side], self.names[1 - side], other.schema.properties.get(name)):
                        self.claimed[side].add(field.path)
                        self._declare(side, field, other, one)
        for side in (HUB, SPOKE):
            own, other = sides[side], sides[1 - side]
            for name, schema in own.schema.properties.items():
                field = Side(((*own.path, name), schema))
                there = other.schema.properties.get(name)
                apart = there is None or (*other.path, name) in self.claimed[1 - side] or _grows(schema, there)
                if apart and not declared(schema):
                    self.alone(side, field, other)

    def alone(self, side: int, around: Side, other: Side | None = None) -> None:
        """What is declared of fields of an object that the other version, which has `other` around it, lacks."""
        other = other or Side(((), self.roots[1 - side]))
        if around.path in self.claimed[side]:
            return  # what it becomes has been said
        for name, schema in around.schema.properties.items():
            field = Side(((*around.path, name), schema))
            known = [one for one in declared(schema) if one.about(self.names[side], self.names[1 - side], None)]
            for one in known:
                self.claimed[side].add(field.path)
                self._declare(side, field, self._start(side, other, one), one)
            if not known:
                self.alone(side, field, other)

    def _start(self, side: int, other: Side, one: Declared) -> Side:
        """What the names of a declaration are fields of: what is around, or the whole object."""
        named = one.values.get("renamed_from") or one.values.get("part", {}).get("of")
        named = named or next(iter(one.values.get("join", {}).get("fields", ())), "")
        first, root = str(named).partition(".")[0], Side(((), self.roots[1 - side]))
        return root if first in root.schema.properties and first not in other.schema.properties else other

    def _declare(self, side: int, field: Side, other: Side, one: Declared) -> None:
        """The steps of one declaration on a field of a side."""
        values, away = one.values, self.steps[side]
        self.heard.add(one.origin)
        if self._malformed(one):
            self._unheard(side, field, other, one)
            return
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

    def _malformed(self, one: Declared) -> bool:
        """Tell of what is wrong with a declaration by itself, unless that has been told; whether anything is."""
        if one.unread:
            return True
        found = list(wellformed.faults(one.values))
        for problem in found:
            self.problems.report("conversion-value", problem, one.origin, path=one.owner)
        return bool(found)

    def _unheard(self, side: int, field: Side, other: Side, one: Declared) -> None:
        """Note the field that a declaration in a wrong form names: why it does not convert has been told."""
        known, self.problems = self.problems, Problems()
        named = one.values.get("part", {}).get("of")
        found = self._source(side, field, other, one.replace(values={"renamed_from": named}) if named else one)
        self.problems = known
        self.faults.append((self.names[side], field.path))
        if found is not None:
            self.fault(side, found, field)

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
        if value is None or not has_type(field.schema, value):
            problem = f'a default must be JSON for {fits.shape(field.schema)}, found "{text}"'
            self.problems.report("conversion-value", problem, one.origin, path=one.owner)
            return None
        self._taken(field, value, one)
        return value

    def _taken(self, field: Side, value: Any, one: Declared) -> None:
        """Tell of a default that the field does not take."""
        if fault := refusal(field.schema, value):
            problem = f"a default must be one that its field takes, found {jsontext.shown(value)}: {fault}"
            self.problems.report("conversion-value", problem, one.origin, path=one.owner)

    def _from(self, side: int, field: Side, other: Side, one: Declared) -> None:
        """A field whose value is elsewhere there, or another one."""
        found = self._source(side, field, other, one)
        if found is None:
            return
        if found.path in paths.NAMES:
            self._copied(side, found, field, one)
            return
        if not self._looks(side, found.path, one):
            self.claimed[1 - side].add(found.path)
        ways = {
            "cel": self._computed,
            "function": self.by_hand,
            "key": self._keyed,
            "value": self._valued,
            "default": self._defaulted,
        }
        kind = next((name for name in (*CHANGES, *ways) if name in one.values), "")
        scopes = paths.scope(found.path), paths.scope(field.path)
        if kind in CHANGES:
            self._changed(side, found, field, one, kind)
        elif kind:
            ways[kind](side, found, field, one)
        elif scopes[0] != scopes[1] and (() in scopes or len({len(paths.containers(one)) for one in scopes}) > 1):
            self._across(side, found, field, one)
        else:
            sides = (found, field) if side == HUB else (field, found)
            self.pair(sides, one.origin, declared_=True)

    def _looks(self, side: int, path: Path, one: Declared) -> bool:
        """Whether a declaration only looks at what both versions have, which is carried all the same."""
        made = one.values.get("cel") or one.values.get("function") or {}
        own, found = paths.at(self.roots[side], path), paths.at(self.roots[1 - side], path)
        if not made.get("from") or made.get("to") or own is None or found is None:
            return False
        return not declared(own) and meets(own, found)

    def _copied(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """The name or namespace of objects, from which nothing leads back."""
        if any(one.values.get(name) for name in ("preserved", "dropped")) and same(found.schema, field.schema):
            step = Spread if paths.scope(field.path) else Duplicate
            self.steps[1 - side].append(step(found.path, field.path, one.origin))
            return
        self.fault(side, found, field)
        problem = (
            f'what "{paths.shown(found.path)}" is copied to must be a text, and preserved or dropped on the way back'
        )
        hint = f'say so: conversion {{moved_from: "{paths.shown(found.path)}" preserved: true}}'
        self.problems.report("conversion-value", problem, one.origin, path=one.owner, hint=hint)

    def _changed(self, side: int, found: Side, field: Side, one: Declared, kind: str) -> None:
        """A field whose value is another one there."""
        step = CHANGES[kind](found, field, one)
        if step is not None:
            self.both(side, step)
            return
        if kind == "one_item" and self.single(side, found, field, one):
            return
        self.fault(side, found, field)
        problem, hint = misfit(found, field, one, kind)
        self.problems.report("conversion-type", problem, one.origin, path=one.owner, hint=hint)

    def _defaulted(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """A field that is elsewhere there, with a value for objects that have none."""
        value = self._value_of(field, one)
        if value is None:
            return
        if not same(found.schema, field.schema):
            self.report_type((found, field) if side == HUB else (field, found), one.origin)
        self.both(side, Defaulted(found.path, field.path, one.origin, value=value))

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
        known = path in paths.NAMES and _is_named(one)
        if not start and not known and (problem := reserved(path)):
            self.problems.report("conversion-path", problem, one.origin, path=one.owner)
            return None
        if not start and (known or paths.is_metadata(path)):
            return Side((path, paths.at(schema, path) or schema))
        for depth, step in enumerate((*start, *path)):
            below = paths.child(schema, step)
            if below is None:
                where = paths.shown((*start, *path)[:depth]) or "the object"
                problem = f'a field must be there in {self.names[side]}, found no "{step}" in {where}'
                hint = self._meant(side, (*start, *path), depth, schema)
                self.problems.report("conversion-path", problem, one.origin, path=one.owner, hint=hint)
                return None
            schema = below
        return Side(((*start, *path), schema))

    def _meant(self, side: int, path: Path, depth: int, around: Schema) -> str:
        """A hint at the field that may be meant by a path that ends too early; of that field no more is told."""
        deeper = "" if depth else paths.hint(self.roots[side], path)
        hint = deeper or self.problems.suggestion(path[depth], around.properties)
        hint = hint or paths.hint(self.roots[side], path)
        for name in re.findall('"([^"]+)"', hint):
            meant = (*path[:depth], name) if name in around.properties else paths.parse(name)
            self.meant.append((self.names[side], meant))
        return hint

    def _part(self, side: int, field: Side, other: Side, one: Declared) -> None:
        whole = self._found(1 - side, other.path, one.values["part"].get("of", ""), one)
        if whole is not None:
            self.claimed[1 - side].add(whole.path)
            self._parts.setdefault((side, whole.path), []).append((one, field.path))

    def _join(self, side: int, whole: Path, parts: list[tuple[Declared, Path]]) -> None:
        """The parts of a text that fields of a side declare, by their indexes."""
        ordered = sorted(parts, key=lambda each: each[0].values["part"].get("index", 0))
        first = ordered[0][0]
        problem, hint = _parts_fault([one.values["part"] for one, _ in ordered])
        if problem:
            self.faults += [(self.names[1 - side], whole), *((self.names[side], path) for _, path in ordered)]
            self.problems.report("conversion-value", problem, first.origin, path=first.owner, hint=hint)
            return
        separator = first.values["part"]["separator"]
        read = [path for _, path in ordered]
        ends = [Side((path, paths.at(self.roots[at], path) or Schema({})))
                for at, path in ((1 - side, whole), *((side, path) for path in read))]  # fmt: skip
        if not self._texts(side, ends[1:], ends[:1], first, "part"):
            return
        step = Join(read[0], whole, first.origin, separator=separator, more=tuple(read[1:]))
        self.steps[side].append(step)
        known = zip(step.inverse(), ordered, strict=True)
        self.steps[1 - side].extend(each.replace(origin=one.origin) for each, (one, _) in known)

    def _joined(self, side: int, field: Side, other: Side, one: Declared) -> None:
        given = one.values["join"]
        found = [self._found(1 - side, other.path, name, one) for name in given.get("fields", ())]
        ends = [each for each in found if each is not None]
        if not ends or len(ends) < len(found):
            return
        known = [each.path for each in ends]
        self.claimed[1 - side].update(known)
        if self._texts(side, [field], ends, one, "join"):
            separator = given["separator"]
            self.both(side, Join(known[0], field.path, one.origin, separator=separator, more=tuple(known[1:])))

    def _texts(self, side: int, here: Sequence[Side], there: Sequence[Side], one: Declared, name: str) -> bool:
        """Whether all are texts that are joined or taken apart; told of the first that is none."""
        wrong = next((each for each in (*there, *here) if shape(each.schema) != "string"), None)
        if wrong is not None:
            self.faults += [(self.names[1 - side], each.path) for each in there]
            self.faults += [(self.names[side], each.path) for each in here]
            problem = f'"{name}" must be of texts alone, found "{paths.shown(wrong.path)}" {shape(wrong.schema)}'
            self.problems.report("conversion-type", problem, one.origin, path=one.owner)
        return wrong is None


def _parts_fault(parts: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    """What is wrong with the parts that a text is said to have, and a hint."""
    numbers = [part.get("index", 0) for part in parts]
    separators = {part["separator"] for part in parts}
    if numbers != list(range(len(parts))):
        return f"the parts of a text must be numbered from 0 without gaps, found {', '.join(map(str, numbers))}", ""
    if len(separators) > 1:
        found = " and ".join(f'"{each}"' for each in sorted(separators))
        return f"the parts of a text must have one separator, found {found}", ""
    if len(parts) == 1:
        return "a text must have two parts or more, found one", "with one it is a text of another name: renamed_from"
    return "", ""


def _grows(schema: Schema, there: Schema) -> bool:
    """Whether an object has the name of what is none there, of which its fields may tell what becomes."""
    return shape(schema) == OBJECT != shape(there)


def _is_named(one: Declared) -> bool:
    """Whether a declaration takes a value as it is from where it names it by its whole path."""
    return "moved_from" in one.values and one.values.keys() <= {"moved_from", "preserved", "dropped", "versions"}


def _elsewhere(values: Mapping[str, Any]) -> bool:
    """Whether a declaration names where the value is, or how it is made."""
    return any(name in values for name in (*SOURCES, *CHANGES, "key", "value", "cel", "function"))
