"""Steps of options that change a value: one function for each option."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from protoc_gen_crd.conversion.derivation.conversion_options import ConversionDeclaration
from protoc_gen_crd.conversion.derivation.endpoints import Endpoint, is_interchangeable
from protoc_gen_crd.conversion.derivation.schema_compatibility import LIST, OBJECT, get_shape
from protoc_gen_crd.conversion.document_hints import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import First, Multiply, ValueTable, Wrap
from protoc_gen_crd.schema.schema import LIST_MAP_KEYS

_TOLERANCE = 1e-6
_VALUE_HINT = 'name the field of the items that has the value: "value"'
ChangeBuilder = Callable[
    [Endpoint, Endpoint, ConversionDeclaration], Step | None
]  # from the source field to the declaring field; None if the types do not fit


def _build_value_table(source: Endpoint, field: Endpoint, declaration: ConversionDeclaration) -> Step | None:
    if get_shape(source.schema) != "string" or get_shape(field.schema) != "string":
        return None
    pairs = [(pair.get("there", ""), pair.get("here", "")) for pair in declaration.values["values"]]
    return ValueTable(
        source.path, field.path, declaration.origin, pairs=(*_find_shared_names(source, field, pairs), *pairs)
    )


def _find_shared_names(
    source: Endpoint, field: Endpoint, pairs: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, str]]:
    """Yield the names of both enums that pairs map in one direction only: they are mapped to themselves."""
    source_names, field_names = ([*names] for names in zip(*pairs, strict=True))
    shared = [name for name in source.schema.get("enum") or () if name in (field.schema.get("enum") or ())]
    yield from ((name, name) for name in shared if (name in source_names) != (name in field_names))


def _build_one_item(source: Endpoint, field: Endpoint, declaration: ConversionDeclaration) -> Step | None:
    source_schema, field_schema = source.schema, field.schema
    if (
        get_shape(field_schema) == LIST
        and field_schema.items is not None
        and is_interchangeable(source_schema, field_schema.items)
    ):
        return Wrap(source.path, field.path, declaration.origin)
    if (
        get_shape(source_schema) == LIST
        and source_schema.items is not None
        and is_interchangeable(source_schema.items, field_schema)
    ):
        return First(source.path, field.path, declaration.origin)
    return None


def _build_factor(source: Endpoint, field: Endpoint, declaration: ConversionDeclaration) -> Step | None:
    shapes, factor = {get_shape(source.schema), get_shape(field.schema)}, float(declaration.values["factor"])
    if shapes == {"number"} and factor and math.isfinite(factor):
        return Multiply(source.path, field.path, declaration.origin, factor=factor)
    if shapes == {"integer"} and factor and factor.is_integer():
        return Multiply(source.path, field.path, declaration.origin, factor=int(factor))
    return None


def describe_type_mismatch(
    source: Endpoint, field: Endpoint, declaration: ConversionDeclaration, kind: str
) -> tuple[str, str]:
    """Return the problem and hint for an option that cannot convert between the types of two fields."""
    shapes = get_shape(source.schema), get_shape(field.schema)
    descriptions = [
        f'"{paths.format_path(endpoint.path)}" ({get_shape(endpoint.schema)})' for endpoint in (source, field)
    ]
    problem = f'"{kind}" cannot convert between {" and ".join(descriptions)}'
    if kind == "values":
        return problem, _suggest_expressions(shapes, declaration)
    if kind != "factor" or shapes not in (("integer", "integer"), ("number", "number")):
        return problem, ""
    factor = float(declaration.values["factor"])
    if shapes[0] == "number" or not factor:
        return f'"factor" cannot be {factor:g}', ""
    inverse = 1 / factor
    hint = (
        f'declare factor: {inverse:.0f} at "{source.path[-1]}" instead'
        if abs(inverse - round(inverse)) < _TOLERANCE
        else ""
    )
    return f'"factor" between integers is not a whole number: {factor:g}', hint


def _suggest_expressions(shapes: tuple[str, str], declaration: ConversionDeclaration) -> str:
    """Suggest CEL expressions in place of a table for values that are not strings."""
    if shapes != ("boolean", "string"):
        return '"values" maps only strings: use cel'
    names = {pair.get("there"): pair.get("here", "") for pair in declaration.values["values"]}
    yes, no = names.get("true", "A"), names.get("false", "B")
    return f"""use cel: {{from: "self ? '{yes}' : '{no}'" to: "self == '{yes}'"}}"""


def find_value_error(single: Endpoint | None, items: Endpoint | None, name: str) -> tuple[str, str]:
    """Return the problem and hint if values cannot be converted to and from objects that wrap them."""
    if single is None or items is None or get_shape(single.schema) == OBJECT or get_shape(items.schema) != OBJECT:
        return '"value" requires a list or map that has objects in only one of the versions', ""
    field = items.schema.properties.get(name)
    if field is None or not is_interchangeable(single.schema, field):
        return f'the objects have no field "{name}" of the type of the values', ""
    if single.schema.get("nullable") or field.get("nullable"):
        return f'the values or field "{name}" of the objects are nullable', ""
    if name not in (items.schema.get("required") or ()):
        hint = choose_hint(items.schema.origin, f'mark "{name}" +required', f"add required: [{name}] to the schema")
        return f'field "{name}" of the objects is not required', hint
    return "", ""


def find_key_error(
    values: Endpoint | None, items: Endpoint | None, list_endpoint: Endpoint, key: str, value: str = ""
) -> tuple[str, str]:
    """Return the problem and hint if a map and a list cannot be converted to each other."""
    if values is None or items is None:
        return '"key" requires a list of objects in one version and a map in the other', ""
    if value and any(error := find_value_error(values, items, value)):
        return error
    return _find_key_error(values, items, list_endpoint, key, value)


def _find_key_error(values: Endpoint, items: Endpoint, listed: Endpoint, key: str, value: str) -> tuple[str, str]:
    if (not value and get_shape(values.schema) != OBJECT) or get_shape(items.schema) != OBJECT:
        return "the map or the list has values that are not objects", _VALUE_HINT
    named = items.schema.properties.get(key)
    if named is None or get_shape(named) != "string":
        return f'the items of the list have no string field "{key}"', ""
    if key in values.schema.properties:
        return f'the values of the map already have a field "{key}"', ""
    if list(listed.schema.get(LIST_MAP_KEYS) or ()) != [key]:
        marked = f"mark the list +listType=map and +listMapKey={key}"
        listed_as = f"add x-kubernetes-list-type: map and x-kubernetes-list-map-keys: [{key}] to the list"
        return f'the list is not keyed by "{key}"', choose_hint(listed.schema.origin, marked, listed_as)
    return "", ""


CHANGE_BUILDERS: Mapping[str, ChangeBuilder] = {
    "values": _build_value_table,
    "one_item": _build_one_item,
    "factor": _build_factor,
}
