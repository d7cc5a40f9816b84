"""Hints for unknown fields of objects: the nearest field of the schema, and the place of the known fields."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protoc_gen_crd.admission.objects.error_origins import iterate_nodes
from protoc_gen_crd.admission.objects.error_paths import DocumentPath
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.documents.unquoted_strings import BOOLEAN_KEY_HINT, BOOLEAN_KEYS
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import Schema

_SPEC = "spec"
_TYPED_FIELDS = "apiVersion", "kind", "metadata"  # of each object, in addition to those of its schema


def make_field_hint(schema: Schema, steps: DocumentPath, format_place: Callable[[Place], str]) -> str:
    """Return the hint for an unknown field; empty for a field that the schema has, such as a duplicate one.

    Args:
        schema: The schema of the object.
        steps: The path of the field in the object.
        format_place: Formats a place in a CRD so that the user can open it.
    """
    *_, (path, node) = iterate_nodes(schema, steps[:-1])
    if not steps or len(path) != len(steps) - 1 or steps[-1] in node.properties:
        return ""
    name = str(steps[-1])
    if name in BOOLEAN_KEYS:
        return BOOLEAN_KEY_HINT
    if misplaced := find_misplaced(name, path, schema):
        return misplaced
    origin = node.origin if node.properties else None
    place = f"the known fields are defined at {format_place(origin)}" if origin else ""
    return " ".join(filter(None, (suggest(name, {*node.properties, *(() if path else _TYPED_FIELDS)}), place)))


def find_misplaced(name: str, path: Sequence[str], schema: Schema) -> str:
    """Return a hint for an unknown field at a path that exists at the top level or in the spec; empty for another."""
    spec = schema.properties.get(_SPEC)
    if path and name in schema.properties:
        return f'"{name}" is a field of the top level: check the indentation'
    if not path and spec is not None and name in spec.properties:
        return f'"{name}" is a field of "{_SPEC}": check the indentation'
    return ""
