"""Compatibility of schemas: values that can be copied without change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.derivation.conversion_options import get_declarations
from protoc_gen_crd.schema.schema import EMBEDDED, INT_OR_STRING, PRESERVE, Schema

LIST, MAP, OBJECT, OPAQUE = "list", "map", "object", "opaque object"
CONTAINER_SHAPES = (LIST, MAP, OBJECT)
INT_OR_STRING_SHAPE = "integer or string"
_EXAMPLES = {"integer": "1", "number": "0.5", "boolean": "true", "string": '"a"', LIST: "[]", MAP: "{}"}
_SINGULARS = {"any": "any value"}
_PLURALS = {"any": "any values", INT_OR_STRING_SHAPE: "integers or strings"}
_WIDENINGS = {("integer", "number"), ("integer", INT_OR_STRING_SHAPE), ("string", INT_OR_STRING_SHAPE)}


def get_shape(schema: Schema) -> str:
    """Return the shape of values: a scalar type, one of CONTAINER_SHAPES, or an opaque object."""
    if schema.get(INT_OR_STRING):
        return INT_OR_STRING_SHAPE
    if schema.type == "array":
        return LIST
    if schema.type != "object":
        return schema.type or "any"
    if isinstance(schema.additional, Schema):
        return MAP
    has_known_fields = bool(schema.properties) or not (
        schema.get(PRESERVE) or schema.additional or schema.get(EMBEDDED)
    )
    return OBJECT if has_known_fields else OPAQUE


def format_example(shape: str) -> str:
    """Return an example of a value of a shape, for the end of a hint; empty for objects with known fields."""
    example = _EXAMPLES.get(shape)
    return f", such as {example}" if example else ""


def describe_shape(schema: Schema, *, plural: bool = False) -> str:
    """Describe the type of values, with the types of items and of map values: `list of strings`."""
    shape = get_shape(schema)
    inner = {LIST: schema.items, MAP: schema.additional}.get(shape)
    name = _PLURALS.get(shape, f"{shape}s") if plural else _SINGULARS.get(shape, shape)
    return f"{name} of {describe_shape(inner, plural=True)}" if isinstance(inner, Schema) else name


def is_assignable(source: Schema, target: Schema) -> bool:
    """Return True if a scalar can be copied to the same or a wider type."""
    source_shape, target_shape = get_shape(source), get_shape(target)
    return source_shape == target_shape or (source_shape, target_shape) in _WIDENINGS


def find_unknown_values(source: Schema, target: Schema) -> list[str]:
    """The values of an enum that the other one does not have."""
    known_values = target.get("enum")
    values = source.get("enum")
    return [value for value in values if value not in known_values] if known_values and values else []


def is_null_dropped(source: Schema, target: Schema) -> bool:
    """Return True if null is not copied because the target is not nullable."""
    return bool(source.get("nullable")) and not target.get("nullable")


def is_narrowed(source: Schema, target: Schema) -> bool:
    """Return True if the range of the target is smaller than that of the source."""
    small, large = target.get("format") == "int32", source.get("format") == "int32"
    return small and not large and get_shape(source) == "integer"


def find_limit_check(target: Schema) -> str:
    """Return the function of generated modules that validates the range of a value; empty if none is needed."""
    if get_shape(target) == "integer":
        return "int32" if target.get("format") == "int32" else "int64"
    return {"number": "finite", OPAQUE: "plain", "any": "plain"}.get(get_shape(target), "")


def is_same_structure(one: Schema, other: Schema, between: Sequence[str] = ()) -> bool:
    """Return True if two schemas have the same fields and types, and no field has conversion options.

    `between` are the versions that are looked at, where that is known.
    """
    stack = [(one, other)]
    seen: set[tuple[int, int]] = set()
    while stack:
        own, their = stack.pop()
        if (id(own), id(their)) in seen:
            continue
        seen.add((id(own), id(their)))
        if (own is not their and not _is_same_node(own, their)) or (
            own is not one and _has_declarations(own, their, between)
        ):
            return False
        stack += _iterate_child_pairs(own, their)
    return True


def _has_declarations(own: Schema, their: Schema, between: Sequence[str]) -> bool:
    """Return True if a field has conversion options. Options of a shared field apply if they name one version."""
    if own is not their:
        return bool(get_declarations(own) or get_declarations(their))
    named = [declaration.named_versions for declaration in get_declarations(own) if declaration.named_versions]
    return any(not between or len(versions.intersection(between)) == 1 for versions in named)


def _is_same_node(own: Schema, their: Schema) -> bool:
    same = (
        get_shape(own) == get_shape(their)
        and own.get("format") == their.get("format")
        and own.properties.keys() == (their.properties.keys())
    )
    flags = all(bool(own.get(flag)) == bool(their.get(flag)) for flag in ("nullable", PRESERVE))
    return same and flags and own.get("enum") == their.get("enum")


def _iterate_child_pairs(own: Schema, their: Schema) -> Iterator[tuple[Schema, Schema]]:
    for name, child in own.properties.items():
        yield child, their.properties[name]
    for first, second in ((own.items, their.items), (own.additional, their.additional)):
        if isinstance(first, Schema) and isinstance(second, Schema):
            yield first, second
