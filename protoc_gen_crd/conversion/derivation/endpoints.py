"""The two ends of a conversion: an object or value of each version, by its path and schema."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.conversion.derivation import schema_compatibility
from protoc_gen_crd.conversion.derivation.schema_compatibility import CONTAINER_SHAPES, get_shape, is_same_structure
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.runtime.conversion_data import ANNOTATION_INFIX
from protoc_gen_crd.kubernetes.dns_names_and_labels import validate_label_key
from protoc_gen_crd.schema.schema import Schema

SPOKE, HUB = 0, 1
COMMON_FIELDS = frozenset(("apiVersion", "kind", "metadata"))  # the fields of every object are copied


def find_reserved_path_error(path: Path) -> str:
    """Return why a path cannot be written; empty if it can."""
    if path[0] not in COMMON_FIELDS:
        return ""
    if path in paths.NAME_PATHS:
        return f'"{paths.format_path(path)}" is read-only'
    if not paths.is_metadata_entry(path) or ANNOTATION_INFIX in path[-1]:
        return f'"{paths.format_path(path)}" cannot be converted: only labels, annotations and fields of versions can'
    faults = validate_label_key(
        path[-1] if path[1] == "labels" else path[-1].lower(), newer=True
    )  # as servers look at them
    return f'invalid name of a label or annotation "{path[-1]}": {faults[0]}' if faults else ""


class Endpoint(tuple[Path, Schema]):
    """An object of one version: its path, and its schema."""

    __slots__ = ()

    @property
    def path(self) -> Path:
        """The path."""
        return self[0]

    @property
    def schema(self) -> Schema:
        """The schema."""
        return self[1]

    def get_child(self, name: str) -> Endpoint | None:
        """Return the child at one step; None if there is none."""
        child = paths.get_child(self[1], name)
        return None if child is None else Endpoint(((*self[0], name), child))


Endpoints = tuple[Endpoint, Endpoint]  # of the spoke, of the hub

_PYTHON_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
}


def has_type(schema: Schema, value: object) -> bool:
    """Return True if plain data has the type of a schema."""
    python_type = _PYTHON_TYPES.get(schema.type)
    return python_type is None or (
        isinstance(value, python_type) and (schema.type == "boolean" or not isinstance(value, bool))
    )


def is_interchangeable(one: Schema, other: Schema) -> bool:
    """Return True if values can be copied in both directions, except null."""
    bare = {"nullable": None}
    own, their = (Schema({**schema.keywords, **bare}) for schema in (one, other))
    return is_same_structure(own, their) or (
        get_shape(own) not in CONTAINER_SHAPES
        and schema_compatibility.is_assignable(own, their)
        and schema_compatibility.is_assignable(their, own)
    )


def is_carriable(one: Schema, other: Schema) -> bool:
    """Return True if values can be copied in both directions, of objects the common fields."""
    if not get_shape(one) == get_shape(other) in CONTAINER_SHAPES:
        return is_interchangeable(one, other)
    inner = [(paths.get_child(one, step), paths.get_child(other, step)) for step in (paths.ITEM, paths.VALUE)]
    return all(is_carriable(own, their) for own, their in inner if own is not None and their is not None)
