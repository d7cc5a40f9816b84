"""Whether the values of one schema fit another, so that they can be carried as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.derive.declared import declared
from protoc_gen_crd.schema.types import EMBEDDED, INT_OR_STRING, PRESERVE, Schema

LIST, MAP, OBJECT, OPAQUE = "list", "map", "object", "opaque object"
CONTAINERS = (LIST, MAP, OBJECT)
EITHER = "integer or text"
_WIDER = {("integer", "number"), ("integer", EITHER), ("string", EITHER)}


def shape(schema: Schema) -> str:
    """What values look like: a type, or one of CONTAINERS, or an object of which nothing is known."""
    if schema.get(INT_OR_STRING):
        return EITHER
    if schema.type == "array":
        return LIST
    if schema.type != "object":
        return schema.type or "any"
    if isinstance(schema.additional, Schema):
        return MAP
    known = bool(schema.properties) or not (schema.get(PRESERVE) or schema.additional or schema.get(EMBEDDED))
    return OBJECT if known else OPAQUE


def fits(source: Schema, target: Schema) -> bool:
    """Whether a value that is no container may be copied; what is wider takes what is narrower."""
    one, other = shape(source), shape(target)
    return one == other or (one, other) in _WIDER


def strange(source: Schema, target: Schema) -> list[str]:
    """The values of an enum that the other one does not have."""
    known = target.get("enum")
    values = source.get("enum")
    return [value for value in values if value not in known] if known and values else []


def loose(source: Schema, target: Schema) -> bool:
    """Whether null must be left out of what is copied, since the target takes none."""
    return bool(source.get("nullable")) and not target.get("nullable")


def narrowed(source: Schema, target: Schema) -> bool:
    """Whether an integer must be held to a range, since the target's is smaller."""
    small, large = target.get("format") == "int32", source.get("format") == "int32"
    return small and not large and shape(source) == "integer"


def limits(target: Schema) -> str:
    """The function of generated modules that holds a value to what its field can hold; empty where its type does."""
    if shape(target) == "integer":
        return "int32" if target.get("format") == "int32" else "int64"
    return {"number": "finite", OPAQUE: "plain", "any": "plain"}.get(shape(target), "")


def alike(one: Schema, other: Schema, between: Sequence[str] = ()) -> bool:
    """Whether two schemas know the same fields of the same types, and no field says anything of its conversion.

    `between` are the versions that are looked at, where that is known.
    """
    stack = [(one, other)]
    seen: set[tuple[int, int]] = set()
    while stack:
        own, their = stack.pop()
        if (id(own), id(their)) in seen:
            continue
        seen.add((id(own), id(their)))
        if (own is not their and not _alike(own, their)) or (own is not one and _speaks(own, their, between)):
            return False
        stack += _below(own, their)
    return True


def _speaks(own: Schema, their: Schema, between: Sequence[str]) -> bool:
    """Whether a field says anything of its conversion: one that versions share does so by naming one of them."""
    if own is not their:
        return bool(declared(own) or declared(their))
    named = [one.named for one in declared(own) if one.named]
    return any(not between or len(each.intersection(between)) == 1 for each in named)


def _alike(own: Schema, their: Schema) -> bool:
    same = (
        shape(own) == shape(their)
        and own.get("format") == their.get("format")
        and own.properties.keys() == (their.properties.keys())
    )
    flags = all(bool(own.get(flag)) == bool(their.get(flag)) for flag in ("nullable", PRESERVE))
    return same and flags and own.get("enum") == their.get("enum")


def _below(own: Schema, their: Schema) -> Iterator[tuple[Schema, Schema]]:
    for name, child in own.properties.items():
        yield child, their.properties[name]
    for first, second in ((own.items, their.items), (own.additional, their.additional)):
        if isinstance(first, Schema) and isinstance(second, Schema):
            yield first, second
