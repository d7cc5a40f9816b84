"""Derivation of declarations that change the shape of a value: maps and lists, wrapping objects, expressions."""

from __future__ import annotations

from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration
from protoc_gen_crd.conversion.derivation.endpoints import HUB, SPOKE, Endpoint, Endpoints, is_interchangeable
from protoc_gen_crd.conversion.derivation.handwritten_fields import drop_partial_containers, find_unread_fields
from protoc_gen_crd.conversion.derivation.schema_compatibility import LIST, OBJECT, get_shape
from protoc_gen_crd.conversion.derivation.value_options import find_key_error, find_value_error
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
from protoc_gen_crd.conversion.plan.copy_steps import Copy, Keep, ObjectStep
from protoc_gen_crd.conversion.plan.paths import ITEM, OBJECT_SCOPE, VALUE
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, FunctionCall
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema

_CONTAINER_MISMATCH = '"value" requires two lists or two maps', ""


class ReshapingDerivation(FieldDerivation):
    """The derivation of values that change their shape, from the field `source` of the other version to `field`."""

    def __init__(self, names: tuple[str, str], schemas: tuple[Schema, Schema], problems: Problems) -> None:
        super().__init__(names, schemas, problems)
        self._unread_values: list[tuple[int, Keep]] = []

    def derive_unpaired(self, side: int, around: Endpoint, other: Endpoint | None = None) -> None:
        """Derive declared conversions of an object without counterpart; `other` is around it in the other version."""

    def add_step_with_inverse(self, side: int, step: Step) -> None:
        """Add a step to a side, and its inverse."""
        self.steps[1 - side].append(step)
        self.steps[side].extend(step.invert())

    def _derive_spread(self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration) -> None:
        """Derive a field of the object whose counterpart is in each item of a list, or the reverse."""
        steps = (*source.path, *field.path)
        if steps.count(ITEM) != 1 or VALUE in steps:
            self.mark_reported(side, source, field)
            fields_by_version = (self.names[1 - side], source), (self.names[side], field)
            problem = "brackets do not match: "
            problem += " and ".join(
                f'"{paths.format_path(end.path)}" in {version}' for version, end in fields_by_version
            )
            hint = "compute the value from a field of the same object with cel, which can read root"
            self.problems.report("conversion-path", problem, declaration.origin, path=declaration.owner, hint=hint)
            return
        if not is_interchangeable(source.schema, field.schema):
            self.report_type((source, field) if side == HUB else (field, source), declaration.origin)
            return
        self.add_step_with_inverse(
            side, (Gather if ITEM in source.path else Spread)(source.path, field.path, declaration.origin)
        )

    def _derive_keyed(self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration) -> None:
        """Derive a map whose counterpart is a list, or the reverse."""
        key = declaration.values["key"]
        to_list = get_shape(field.schema) == LIST
        values, items = (
            (source.get_child(VALUE), field.get_child(ITEM))
            if to_list
            else (field.get_child(VALUE), source.get_child(ITEM))
        )
        list_endpoint = field if to_list else source
        value = declaration.values.get("value", "")
        problem, hint = find_key_error(values, items, list_endpoint, key, value)
        if problem or values is None or items is None:
            self.mark_reported(side, source, field)
            self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner, hint=hint)
            return
        self.claimed[side if to_list else 1 - side].add((*items.path, key))
        step = (MapToList if to_list else ListToMap)(source.path, field.path, declaration.origin, key=key)
        self.add_step_with_inverse(side, step)
        inner = (source.get_child(step.get_brackets()[0]), field.get_child(step.get_brackets()[1]))
        if inner[0] is not None and inner[1] is not None:
            self._derive_inside(side, (inner[0], inner[1]), declaration)

    def _derive_wrapped_values(
        self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive scalars whose counterparts are objects that contain them, or the reverse."""
        bracket = ITEM if get_shape(field.schema) == LIST else VALUE
        inner = (source.get_child(bracket), field.get_child(bracket))
        scalar_and_object = sorted(filter(None, inner), key=lambda endpoint: get_shape(endpoint.schema) == OBJECT)
        problem, hint = (
            find_value_error(scalar_and_object[0], scalar_and_object[1], declaration.values["value"])
            if len(scalar_and_object) == len(inner)
            else _CONTAINER_MISMATCH
        )
        if problem or inner[0] is None or inner[1] is None:
            self.mark_reported(side, source, field)
            self.problems.report("conversion-type", problem, declaration.origin, path=declaration.owner, hint=hint)
            return
        self.add_step_with_inverse(
            side, (EachItem if bracket == ITEM else EachEntry)(source.path, field.path, declaration.origin)
        )
        self._derive_inside(side, (inner[0], inner[1]), declaration)

    def _derive_inside(self, side: int, inner: Endpoints, declaration: ConversionDeclaration) -> None:
        """Derive the items or entries of two containers, one of which may have scalars."""
        source, field = inner
        if "value" not in declaration.values:
            self.derive_object((source, field) if side == HUB else (field, source))
            return
        name = declaration.values["value"]
        wraps = get_shape(field.schema) == OBJECT
        holder = field if wraps else source
        path = (*holder.path, name)
        at = side if wraps else 1 - side
        self.claimed[at].add(path)
        self.add_step_with_inverse(
            side, Copy(source.path, path, declaration.origin) if wraps else Copy(path, field.path, declaration.origin)
        )
        self.derive_unpaired(at, holder)

    def _derive_computed(
        self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive a field that expressions or functions compute. Without one for a direction, the value is kept."""
        name = "cel" if "cel" in declaration.values else "function"
        expressions, step = declaration.values[name], CelExpression if name == "cel" else FunctionCall
        for at, direction, read, written in ((1 - side, "from", source, field), (side, "to", field, source)):
            if expressions.get(direction):
                self.steps[at].append(
                    step(read.path, written.path, declaration.origin, expression=expressions[direction])
                )
            if not expressions.get(direction) or not expressions.get("to" if direction == "from" else "from"):
                self._unread_values.append((at, Keep(read.path, (), declaration.origin)))

    def keep_unread_values(self) -> None:
        """Keep the values that no expression and no other step restores."""
        for at, kept in self._unread_values:
            back = [step for step in self.steps[1 - at] if step.origin != kept.origin]
            inside = any(path[: len(kept.source)] == kept.source for step in back for path in step.get_writes())
            whole = [path for step in back if not isinstance(step, ObjectStep) for path in step.get_writes()]
            if not inside and not any(paths.has_overlap(kept.source, path) for path in whole):
                self.steps[at].append(kept)

    def derive_single_item(
        self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> bool:
        """Derive an object and a list of objects with other fields; return True if the fields have these types."""
        wraps = get_shape(field.schema) == LIST
        holder, item = (source, field.get_child(ITEM)) if wraps else (field, source.get_child(ITEM))
        if item is None or get_shape(item.schema) != OBJECT or get_shape(holder.schema) != OBJECT:
            return False
        whole = Endpoint(((*holder.path, OBJECT_SCOPE), holder.schema))
        self.add_step_with_inverse(
            side, (WrapObject if wraps else UnwrapObject)(source.path, field.path, declaration.origin)
        )
        endpoints = (whole, item) if wraps else (item, whole)
        self.derive_object(endpoints if side == HUB else (endpoints[1], endpoints[0]))
        return True

    def derive_handwritten(
        self, side: int, source: Endpoint, field: Endpoint, declaration: ConversionDeclaration
    ) -> None:
        """Derive a field that hand-written functions compute; of objects, the fields that are not derived."""
        functions = declaration.values["function"]
        if not (
            get_shape(source.schema) == get_shape(field.schema) == OBJECT
            and functions.get("from")
            and functions.get("to")
        ):
            self._derive_computed(side, source, field, declaration)
            return
        inner = (
            Endpoint(((*source.path, OBJECT_SCOPE), source.schema)),
            Endpoint(((*field.path, OBJECT_SCOPE), field.schema)),
        )
        before = [len(steps) for steps in self.steps]
        self._derive_compatible((inner[0], inner[1]) if side == HUB else (inner[1], inner[0]))
        drop_partial_containers(self.steps, before, self.roots)
        unread = [
            find_unread_fields(self.steps[at], *endpoint) for at, endpoint in zip((1 - side, side), inner, strict=True)
        ]
        step = HandwrittenObject(
            source.path, field.path, declaration.origin, function=functions["from"], inverse_function=functions["to"]
        )
        self.add_step_with_inverse(side, step)
        for at, written, read in ((1 - side, unread[1], unread[0]), (side, unread[0], unread[1])):
            self.steps[at].extend(
                HandwrittenField(read[0] if read else (), path, declaration.origin, sources=tuple(read))
                for path in written
            )

    def _derive_compatible(self, sides: Endpoints) -> None:
        """Derive declared conversions, and copies of fields with the same names and compatible types."""
        self.derive_declared(sides)
        for name in sides[SPOKE].schema.properties:
            spoke, hub = sides[SPOKE].get_child(name), sides[HUB].get_child(name)
            if spoke is None or hub is None or spoke.path in self.claimed[SPOKE] or hub.path in self.claimed[HUB]:
                continue
            problems, before = self.problems, [len(steps) for steps in self.steps]
            self.problems = Problems()
            self.derive_value((spoke, hub), hub.schema.origin, declared_=False)
            findings, self.problems = self.problems.findings, problems
            for steps, count in zip(self.steps, before, strict=True) if findings else ():
                del steps[count:]
