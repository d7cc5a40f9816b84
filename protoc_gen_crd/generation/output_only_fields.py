"""Check of output-only fields: API servers enforce them only in the status.

With the status subresource, API servers ignore the status in other requests.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.vocabularies.registry import FieldBehavior
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.schema.schema import Schema

# The location where every client can write the field, and a hint.
_OUTSIDE = "outside the status", "move it into the message of the status"
_WITHIN = "in a status without the status subresource", "enable it: +kubebuilder:subresource:status"


def check_output_only_fields(crds: Iterable[Crd], outputs: Iterable[FieldBehavior], problems: Problems) -> None:
    """Report output-only fields that every client can write."""
    versions = [version for crd in crds for version in crd.versions]
    outside = {place for version in versions for place in _iterate_places(_select_schemas(version, status=False))}
    inside = {
        place
        for version in versions
        if not version.status
        for place in _iterate_places(_select_schemas(version, status=True))
    }
    for output in outputs:
        key = _get_place_key(output.field.at)
        if key in outside or key in inside:
            where, hint = _OUTSIDE if key in outside else _WITHIN
            effect = "every client that writes the object writes the field"
            problem = f"{output.option} cannot be enforced {where}: {effect}"
            path = output.field.full_name
            problems.report("vocabulary-unsupported", problem, output.at, path=path, hint=hint)


def _get_place_key(place: ElementPlace) -> tuple[str, tuple[int, ...]]:
    return place.source.file, place.path


def _select_schemas(version: CrdVersion, *, status: bool) -> list[Schema]:
    """Return the schema of the status, or with `status` false the other schemas of a root."""
    members = version.schema.properties if version.schema else {}
    return [child for name, child in members.items() if (name == "status") == status]


def _iterate_places(stack: list[Schema]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the places of the fields in schemas, and remove these from the list. Each schema is visited once."""
    visited: set[int] = set()
    while stack:
        schema = stack.pop()
        if id(schema) not in visited:
            visited.add(id(schema))
            if isinstance(schema.origin, ElementPlace):
                yield _get_place_key(schema.origin)
            stack.extend(child for _, child in schema.iterate_children())
