"""Hints for unknown fields of objects: the nearest field of the schema, and the place of the known fields."""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.admission.objects.error_origins import iterate_nodes
from protoc_gen_crd.admission.objects.error_paths import DocumentPath
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import Schema


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
    place = f"the known fields are defined at {format_place(node.origin)}" if node.origin else ""
    return " ".join(filter(None, (suggest(str(steps[-1]), node.properties), place)))
