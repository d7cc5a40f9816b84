"""The comparison of what the servers of two CRDs store for the same object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.comparison.evidence.object_verdicts import drop_nulls
from protoc_gen_crd.comparison.schemas.node_pair import METADATA
from tests.fuzz.random_crds import EMBEDDED

Json = Any
Node = dict[str, Any]


def find_lost_values(schema: Node, before: Json, after: Json) -> Iterator[str]:
    """Yield the paths of values of an object that the old schema stores, but another one not, or differently.

    A null is the same as an absent field, and so is an empty object as the metadata of an embedded resource. Of what is
    stored in addition, only fields that the old schema has count: a new field can have a default. The metadata of the
    object itself is that of its updates; that of an embedded resource is decoded, which can add values.
    """
    old, new = (drop_nulls({name: value for name, value in obj.items() if name != METADATA}) for obj in (before, after))
    yield from _find_differences(schema, old, new, "")


def find_changed_values(schema: Node, written: Json, before: Json, after: Json) -> list[str]:
    """Return the paths of values that another schema stores neither as the old one nor as they are written.

    `written` has the defaults of the old schema, which the schema of another storage version may drop.
    """
    unwritten = {*find_lost_values(schema, written, after)}
    return [path for path in find_lost_values(schema, before, after) if path in unwritten]


def _find_differences(schema: Node, before: Json, after: Json, path: str) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _find_different_fields(schema, before, after, path)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from _find_differences(schema.get("items", {}), old, new, f"{path}[{index}]")
    elif before != after:
        yield path


def _find_different_fields(schema: Node, before: Node, after: Node, path: str) -> Iterator[str]:
    if schema.get(EMBEDDED):
        before, after = ({METADATA: {}, **value} for value in (before, after))
    children, values = schema.get("properties", {}), schema.get("additionalProperties")
    for name in dict.fromkeys((*before, *after)):
        child = children.get(name) or (values if isinstance(values, dict) else {})
        child = {} if name == METADATA and schema.get(EMBEDDED) else child
        if name in before and name in after:
            yield from _find_differences(child, before[name], after[name], f"{path}.{name}")
        elif name in before or name in children:
            yield f"{path}.{name}"
