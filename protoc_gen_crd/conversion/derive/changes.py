"""What a declaration does to a value on its way: one function for each option that changes it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from protoc_gen_crd.conversion.derive.declared import Declared
from protoc_gen_crd.conversion.derive.fits import LIST, OBJECT, shape
from protoc_gen_crd.conversion.derive.sides import Side, same
from protoc_gen_crd.conversion.plan.changing import First, Multiply, Values, Wrap
from protoc_gen_crd.conversion.plan.steps import Step
from protoc_gen_crd.schema.types import LIST_MAP_KEYS

_NEAR = 1e-6
Change = Callable[[Side, Side, Declared], Step | None]  # from there, to here; None where the types do not fit


def _values(found: Side, field: Side, one: Declared) -> Step | None:
    if shape(found.schema) != "string" or shape(field.schema) != "string":
        return None
    pairs = [(pair.get("there", ""), pair.get("here", "")) for pair in one.values["values"]]
    return Values(found.path, field.path, one.origin, pairs=(*_named(found, field, pairs), *pairs))


def _named(found: Side, field: Side, pairs: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The names that both enums have, of which pairs tell one way alone what they are called: they are called that."""
    there, here = ([*names] for names in zip(*pairs, strict=True))
    known = [name for name in found.schema.get("enum") or () if name in (field.schema.get("enum") or ())]
    yield from ((name, name) for name in known if (name in there) != (name in here))


def _one_item(found: Side, field: Side, one: Declared) -> Step | None:
    there, here = found.schema, field.schema
    if shape(here) == LIST and here.items is not None and same(there, here.items):
        return Wrap(found.path, field.path, one.origin)
    if shape(there) == LIST and there.items is not None and same(there.items, here):
        return First(found.path, field.path, one.origin)
    return None


def _factor(found: Side, field: Side, one: Declared) -> Step | None:
    shapes, factor = {shape(found.schema), shape(field.schema)}, float(one.values["factor"])
    if shapes == {"number"} and factor and math.isfinite(factor):
        return Multiply(found.path, field.path, one.origin, factor=factor)
    if shapes == {"integer"} and factor and factor.is_integer():
        return Multiply(found.path, field.path, one.origin, factor=int(factor))
    return None


def misfit(found: Side, field: Side, one: Declared, kind: str) -> tuple[str, str]:
    """What is wrong with a change that cannot be made, and how it is said instead."""
    shapes = shape(found.schema), shape(field.schema)
    words = f'"{kind}" must fit both types, found {shapes[0]} there and {shapes[1]} here'
    if kind == "values":
        return words, _by_expressions(shapes, one)
    if kind != "factor" or shapes not in (("integer", "integer"), ("number", "number")):
        return words, ""
    factor = float(one.values["factor"])
    if shapes[0] == "number" or not factor:
        return f'"factor" must be a number other than 0, found {factor:g}', ""
    turned = 1 / factor
    hint = f'say factor: {turned:.0f} at "{found.path[-1]}" instead' if abs(turned - round(turned)) < _NEAR else ""
    return f'"factor" must be a whole number between integers, found {factor:g}', hint


def _by_expressions(shapes: tuple[str, str], one: Declared) -> str:
    """How a table is said of what are no texts."""
    if shapes != ("boolean", "string"):
        return "tables are of texts alone: make one of the other by expressions, cel"
    names = {pair.get("there"): pair.get("here", "") for pair in one.values["values"]}
    yes, no = names.get("true", "A"), names.get("false", "B")
    return f"""tables are of texts alone: cel: {{from: "self ? '{yes}' : '{no}'" to: "self == '{yes}'"}}"""


def value_fault(single: Side | None, items: Side | None, name: str) -> str:
    """What values and the objects that hold them must be to be made of each other, where they are not."""
    if single is None or items is None or shape(single.schema) == OBJECT or shape(items.schema) != OBJECT:
        return "stand at a list or map of which only one side has objects"
    named = items.schema.properties.get(name)
    if named is None or not same(single.schema, named):
        return f'name a field of the objects that has the type of the other values, found "{name}"'
    if single.schema.get("nullable") or named.get("nullable"):
        return f'stand at values that are never null, and name such a field, found "{name}"'
    if name not in (items.schema.get("required") or ()):
        return f'name a field that every object has: mark "{name}" +required'
    return ""


def key_fault(values: Side | None, items: Side | None, listed: Side, key: str, value: str = "") -> tuple[str, str]:
    """What a map and a list must be to be made of each other, where they are not: the member, and what it must."""
    if values is None or items is None:
        return "key", "stand at a list of objects whose counterpart is a map, or at such a map"
    if value and (fault := value_fault(values, items, value)):
        return "value", fault
    return "key", _key_fault(values, items, listed, key, value)


def _key_fault(values: Side, items: Side, listed: Side, key: str, value: str) -> str:
    if (not value and shape(values.schema) != OBJECT) or shape(items.schema) != OBJECT:
        return 'stand at a map and a list of objects, or come with "value"'
    named = items.schema.properties.get(key)
    if named is None or shape(named) != "string":
        return f'name a field of the items that is a text, found "{key}"'
    if key in values.schema.properties:
        return f'name a field that the values of the map do not have, found "{key}"'
    if list(listed.schema.get(LIST_MAP_KEYS) or ()) != [key]:
        return f"name what tells items apart: mark the list +listType=map and +listMapKey={key}"
    return ""


CHANGES: Mapping[str, Change] = {
    "values": _values,
    "one_item": _one_item,
    "factor": _factor,
}
