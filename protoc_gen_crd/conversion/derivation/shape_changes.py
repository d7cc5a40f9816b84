"""Declarations that give a value another shape: between maps and lists, in objects, by expression or function."""

from __future__ import annotations

from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration
from protoc_gen_crd.conversion.derivation.endpoints import HUB, SPOKE, Endpoint, Endpoints, is_interchangeable
from protoc_gen_crd.conversion.derivation.handwritten_fields import drop_partial_containers, find_unread_fields
from protoc_gen_crd.conversion.derivation.schema_compatibility import LIST, OBJECT, get_shape
from protoc_gen_crd.conversion.derivation.value_changes import find_key_error, find_value_error
from protoc_gen_crd.conversion.derivation.value_pairing import FieldDerivation
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import (
    EachEntry,
    EachItem,
    Gather,
    HandwrittenField,
    HandwrittenObject,
    ListToMap,
    MapToList,
    Spread,
    UnwrapObject,
    WrapObject,
)
from protoc_gen_crd.conversion.plan.paths import ITEM, OBJECT_SCOPE, VALUE
from protoc_gen_crd.conversion.plan.steps import Copy, Keep, ObjectStep, Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, FunctionCall
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema

_CONTAINER_MISMATCH = '"value" requires two lists or two maps', ""


class ReshapingDerivation(FieldDerivation):
    """One pair of versions, with values that are of another shape there. `found` is there, `field` is here."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        super().__init__(names, schemas, problems)
        self._unread_values: list[tuple[int, Keep]] = []

    def derive_unpaired(self, side: int, around: Endpoint, other: Endpoint | None = None) -> None:
        """Derive declared conversions of an object without counterpart; `other` is around it in the other version."""

    def add_step_with_inverse(self, side: int, step: Step) -> None:
        """Add a step to a side, and its inverse."""
        self.steps[1 - side].append(step)
        self.steps[side].extend(step.invert())

    def _derive_spread(self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration) -> None:
        """Derive a field of the object whose counterpart is in each item of a list, or the reverse."""
        known = (*found.path, *field.path)
        if known.count(ITEM) != 1 or VALUE in known:
            self.mark_reported(side, found, field)
            ends = (self.names[1 - side], found), (self.names[side], field)
            problem = "brackets do not match: "
            problem += " and ".join(f'"{paths.format_path(end.path)}" in {version}' for version, end in ends)
            hint = "compute the value from a field of the same object with cel, which can read root"
            self.problems.report("conversion-path", problem, declaration.origin, path=declaration.owner, hint=hint)
            return
        if not is_interchangeable(found.schema, field.schema):
            self.report_type((found, field) if side == HUB else (field, found), declaration.origin)
            return
        self.add_step_with_inverse(
            side, (Gather if ITEM in found.path else Spread)(found.path, field.path, declaration.origin)
        )

    def _derive_keyed(self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration) -> None:
        """Derive a map whose counterpart is a list, or the reverse."""
        key = declaration.values["key"]
        to_list = get_shape(field.schema) == LIST
        values, items = (
            (found.get_child(VALUE), field.get_child(ITEM))
            if to_list
            else (field.get_child(VALUE), found.get_child(ITEM))
        )
        listed = field if to_list else found
        value = declaration.values.get("value", "")
        problem, hint = find_key_error(values, items, listed, key, value)
        if problem or values is None or items is None:
            self.mark_reported(side, found, field)
            self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner, hint=hint)
            return
        self.claimed[side if to_list else 1 - side].add((*items.path, key))
        step = (MapToList if to_list else ListToMap)(found.path, field.path, declaration.origin, key=key)
        self.add_step_with_inverse(side, step)
        inner = (found.get_child(step.get_brackets()[0]), field.get_child(step.get_brackets()[1]))
        if inner[0] is not None and inner[1] is not None:
            self._derive_inside(side, (inner[0], inner[1]), declaration)

    def _derive_wrapped_values(
        self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive scalars whose counterparts are objects that contain them, or the reverse."""
        bracket = ITEM if get_shape(field.schema) == LIST else VALUE
        inner = (found.get_child(bracket), field.get_child(bracket))
        ends = sorted(filter(None, inner), key=lambda end: get_shape(end.schema) == OBJECT)
        problem, hint = (
            find_value_error(ends[0], ends[1], declaration.values["value"])
            if len(ends) == len(inner)
            else _CONTAINER_MISMATCH
        )
        if problem or inner[0] is None or inner[1] is None:
            self.mark_reported(side, found, field)
            self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner, hint=hint)
            return
        self.add_step_with_inverse(
            side, (EachItem if bracket == ITEM else EachEntry)(found.path, field.path, declaration.origin)
        )
        self._derive_inside(side, (inner[0], inner[1]), declaration)

    def _derive_inside(self, side: int, inner: Endpoints, declaration: ConversionDeclaration) -> None:
        """Derive the items or entries of two containers, one of which may have scalars."""
        found, field = inner
        if "value" not in declaration.values:
            self.derive_object((found, field) if side == HUB else (field, found))
            return
        name = declaration.values["value"]
        wraps = get_shape(field.schema) == OBJECT
        holder = field if wraps else found
        held = (*holder.path, name)
        at = side if wraps else 1 - side
        self.claimed[at].add(held)
        self.add_step_with_inverse(
            side, Copy(found.path, held, declaration.origin) if wraps else Copy(held, field.path, declaration.origin)
        )
        self.derive_unpaired(at, holder)

    def _derive_computed(self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration) -> None:
        """Derive a field that expressions or functions compute. Without one for a direction, the value is kept."""
        name = "cel" if "cel" in declaration.values else "function"
        given, step = declaration.values[name], CelExpression if name == "cel" else FunctionCall
        for at, way, source, target in ((1 - side, "from", found, field), (side, "to", field, found)):
            if given.get(way):
                self.steps[at].append(step(source.path, target.path, declaration.origin, expression=given[way]))
            if not given.get(way) or not given.get("to" if way == "from" else "from"):
                self._unread_values.append((at, Keep(source.path, (), declaration.origin)))

    def keep_unread_values(self) -> None:
        """Keep the values that no expression leads back to, unless something else does."""
        for at, kept in self._unread_values:
            back = [step for step in self.steps[1 - at] if step.origin != kept.origin]
            inside = any(path[: len(kept.source)] == kept.source for step in back for path in step.get_writes())
            whole = [path for step in back if not isinstance(step, ObjectStep) for path in step.get_writes()]
            if not inside and not any(paths.has_overlap(kept.source, path) for path in whole):
                self.steps[at].append(kept)

    def derive_single_item(
        self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> bool:
        """An object and a list of objects with other fields; whether they are."""
        wraps = get_shape(field.schema) == LIST
        holder, item = (found, field.get_child(ITEM)) if wraps else (field, found.get_child(ITEM))
        if item is None or get_shape(item.schema) != OBJECT or get_shape(holder.schema) != OBJECT:
            return False
        whole = Endpoint(((*holder.path, OBJECT_SCOPE), holder.schema))
        self.add_step_with_inverse(
            side, (WrapObject if wraps else UnwrapObject)(found.path, field.path, declaration.origin)
        )
        ends = (whole, item) if wraps else (item, whole)
        self.derive_object(ends if side == HUB else (ends[1], ends[0]))
        return True

    def derive_handwritten(
        self, side: int, found: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """A field that functions make: of objects all that is not derived."""
        given = declaration.values["function"]
        if not (get_shape(found.schema) == get_shape(field.schema) == OBJECT and given.get("from") and given.get("to")):
            self._derive_computed(side, found, field, declaration)
            return
        inner = (
            Endpoint(((*found.path, OBJECT_SCOPE), found.schema)),
            Endpoint(((*field.path, OBJECT_SCOPE), field.schema)),
        )
        before = [len(steps) for steps in self.steps]
        self._derive_compatible((inner[0], inner[1]) if side == HUB else (inner[1], inner[0]))
        drop_partial_containers(self.steps, before, self.roots)
        own = [find_unread_fields(self.steps[at], *end) for at, end in zip((1 - side, side), inner, strict=True)]
        step = HandwrittenObject(
            found.path, field.path, declaration.origin, function=given["from"], inverse_function=given["to"]
        )
        self.add_step_with_inverse(side, step)
        for at, made, read in ((1 - side, own[1], own[0]), (side, own[0], own[1])):
            self.steps[at].extend(
                HandwrittenField(read[0] if read else (), path, declaration.origin, sources=tuple(read))
                for path in made
            )

    def _derive_compatible(self, sides: Endpoints) -> None:
        """Derive declared conversions, and copies of fields with the same names and compatible types."""
        self.derive_declared(sides)
        for name in sides[SPOKE].schema.properties:
            spoke, hub = sides[SPOKE].get_child(name), sides[HUB].get_child(name)
            if spoke is None or hub is None or spoke.path in self.claimed[SPOKE] or hub.path in self.claimed[HUB]:
                continue
            kept, before = self.problems, [len(steps) for steps in self.steps]
            self.problems = Problems()
            self.derive_value((spoke, hub), hub.schema.origin, declared_=False)
            found, self.problems = self.problems.findings, kept
            for steps, count in zip(self.steps, before, strict=True) if found else ():
                del steps[count:]
