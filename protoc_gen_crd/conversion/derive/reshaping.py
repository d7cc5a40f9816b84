"""Declarations that give a value another shape: between maps and lists, in objects, by expression or function."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.derive.changes import key_fault, value_fault
from protoc_gen_crd.conversion.derive.declared import Declared
from protoc_gen_crd.conversion.derive.fits import LIST, OBJECT, shape
from protoc_gen_crd.conversion.derive.owned import leave_open, owned
from protoc_gen_crd.conversion.derive.pairing import Pairing
from protoc_gen_crd.conversion.derive.sides import HUB, SPOKE, Side, Sides, same
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Call, Cel
from protoc_gen_crd.conversion.plan.containers import (
    ByHand,
    Entries,
    FirstOf,
    Gather,
    Items,
    ListOf,
    Own,
    Spread,
    ToList,
    ToMap,
)
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, WITHIN
from protoc_gen_crd.conversion.plan.steps import Copy, Fields, Keep, Step
from protoc_gen_crd.schema.types import Schema

_UNLIKE = "stand at two lists, or at two maps"


class Reshaping(Pairing):
    """One pair of versions, with values that are of another shape there. `found` is there, `field` is here."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        super().__init__(names, schemas, problems)
        self._unread: list[tuple[int, Keep]] = []

    def alone(self, side: int, around: Side, other: Side | None = None) -> None:
        """What is declared of fields of an object that the other version, which has `other` around it, lacks."""

    def both(self, side: int, step: Step) -> None:
        """A step that leads to a side, and those that undo it."""
        self.steps[1 - side].append(step)
        self.steps[side].extend(step.inverse())

    def _across(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """A value of the whole object that is in each item of a list there, or the other way round."""
        known = (*found.path, *field.path)
        if known.count(ITEM) != 1 or VALUE in known:
            self.fault(side, found, field)
            problem = "the brackets of both paths must agree, unless one of them has none and the other leads into a "
            problem += f'list that is in no other, found "{paths.shown(found.path)}" there and '
            problem += f'"{paths.shown(field.path)}" here'
            hint = "make it of a field beside it by cel, which may look at root"
            self.problems.report("conversion-path", problem, one.origin, path=one.owner, hint=hint)
            return
        if not same(found.schema, field.schema):
            self.report_type((found, field) if side == HUB else (field, found), one.origin)
            return
        self.both(side, (Gather if ITEM in found.path else Spread)(found.path, field.path, one.origin))

    def _keyed(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """A map there and a list here, or the other way round."""
        key = one.values["key"]
        to_list = shape(field.schema) == LIST
        values, items = (found.child(VALUE), field.child(ITEM)) if to_list else (field.child(VALUE), found.child(ITEM))
        listed = field if to_list else found
        value = one.values.get("value", "")
        member, fault = key_fault(values, items, listed, key, value)
        if fault or values is None or items is None:
            self.fault(side, found, field)
            self.problems.report("conversion-type", f'"{member}" must {fault}', one.origin, path=one.owner)
            return
        self.claimed[side if to_list else 1 - side].add((*items.path, key))
        step = (ToList if to_list else ToMap)(found.path, field.path, one.origin, key=key)
        self.both(side, step)
        inner = (found.child(step.brackets()[0]), field.child(step.brackets()[1]))
        if inner[0] is not None and inner[1] is not None:
            self._inside(side, (inner[0], inner[1]), one)

    def _valued(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """Values that are no objects there and objects that hold them here, or the other way round."""
        bracket = ITEM if shape(field.schema) == LIST else VALUE
        inner = (found.child(bracket), field.child(bracket))
        ends = sorted(filter(None, inner), key=lambda end: shape(end.schema) == OBJECT)
        fault = value_fault(ends[0], ends[1], one.values["value"]) if len(ends) == len(inner) else _UNLIKE
        if fault or inner[0] is None or inner[1] is None:
            self.fault(side, found, field)
            self.problems.report("conversion-type", f'"value" must {fault}', one.origin, path=one.owner)
            return
        self.both(side, (Items if bracket == ITEM else Entries)(found.path, field.path, one.origin))
        self._inside(side, (inner[0], inner[1]), one)

    def _inside(self, side: int, inner: Sides, one: Declared) -> None:
        """What is inside two containers, of which one may have values that are no objects."""
        found, field = inner
        if "value" not in one.values:
            self.object((found, field) if side == HUB else (field, found))
            return
        name = one.values["value"]
        wraps = shape(field.schema) == OBJECT
        holder = field if wraps else found
        held = (*holder.path, name)
        at = side if wraps else 1 - side
        self.claimed[at].add(held)
        self.both(side, Copy(found.path, held, one.origin) if wraps else Copy(held, field.path, one.origin))
        self.alone(at, holder)

    def _computed(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """A field that expressions or functions make of another, and back; without one for a way its value is kept."""
        name = "cel" if "cel" in one.values else "function"
        given, step = one.values[name], Cel if name == "cel" else Call
        for at, way, source, target in ((1 - side, "from", found, field), (side, "to", field, found)):
            if given.get(way):
                self.steps[at].append(step(source.path, target.path, one.origin, text=given[way]))
            if not given.get(way) or not given.get("to" if way == "from" else "from"):
                self._unread.append((at, Keep(source.path, (), one.origin)))

    def keep_unread(self) -> None:
        """Keep the values that no expression leads back to, unless something else does."""
        for at, kept in self._unread:
            back = [step for step in self.steps[1 - at] if step.origin != kept.origin]
            inside = any(path[: len(kept.source)] == kept.source for step in back for path in step.writes())
            whole = [path for step in back if not isinstance(step, Fields) for path in step.writes()]
            if not inside and not any(paths.overlap(kept.source, path) for path in whole):
                self.steps[at].append(kept)

    def single(self, side: int, found: Side, field: Side, one: Declared) -> bool:
        """An object and a list of objects with other fields; whether they are."""
        wraps = shape(field.schema) == LIST
        holder, item = (found, field.child(ITEM)) if wraps else (field, found.child(ITEM))
        if item is None or shape(item.schema) != OBJECT or shape(holder.schema) != OBJECT:
            return False
        whole = Side(((*holder.path, WITHIN), holder.schema))
        self.both(side, (ListOf if wraps else FirstOf)(found.path, field.path, one.origin))
        ends = (whole, item) if wraps else (item, whole)
        self.object(ends if side == HUB else (ends[1], ends[0]))
        return True

    def by_hand(self, side: int, found: Side, field: Side, one: Declared) -> None:
        """A field that functions make: of objects all that is not derived."""
        given = one.values["function"]
        if not (shape(found.schema) == shape(field.schema) == OBJECT and given.get("from") and given.get("to")):
            self._computed(side, found, field, one)
            return
        inner = (Side(((*found.path, WITHIN), found.schema)), Side(((*field.path, WITHIN), field.schema)))
        before = [len(steps) for steps in self.steps]
        self._derivable((inner[0], inner[1]) if side == HUB else (inner[1], inner[0]))
        leave_open(self.steps, before, self.roots)
        own = [owned(self.steps[at], *end) for at, end in zip((1 - side, side), inner, strict=True)]
        step = ByHand(found.path, field.path, one.origin, function=given["from"], undo=given["to"])
        self.both(side, step)
        for at, made, read in ((1 - side, own[1], own[0]), (side, own[0], own[1])):
            self.steps[at].extend(Own(read[0] if read else (), path, one.origin, read=tuple(read)) for path in made)

    def _derivable(self, sides: Sides) -> None:
        """What is declared of fields, and those of the same names as far as their types fit."""
        self.declare(sides)
        for name in sides[SPOKE].schema.properties:
            spoke, hub = sides[SPOKE].child(name), sides[HUB].child(name)
            if spoke is None or hub is None or spoke.path in self.claimed[SPOKE] or hub.path in self.claimed[HUB]:
                continue
            kept, before = self.problems, [len(steps) for steps in self.steps]
            self.problems = Problems()
            self.pair((spoke, hub), hub.schema.origin, declared_=False)
            found, self.problems = self.problems.findings, kept
            for steps, count in zip(self.steps, before, strict=True) if found else ():
                del steps[count:]
