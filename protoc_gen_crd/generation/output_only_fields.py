"""Fields that only a server writes: a status keeps that, the rest of an object does not.

What is put into the status of an object is ignored unless it comes through the status subresource.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.vocabularies.registry import FieldBehavior
from protoc_gen_crd.proto.source_locations import ElementPlace
from protoc_gen_crd.schema.schema import Schema

# Why whoever writes an object writes the field, and what to do.
_BESIDE = "outside the status", "move it into the message of the status"
_WITHIN = "in a status without the status subresource", "enable it: +kubebuilder:subresource:status"


def check_output_only_fields(crds: Iterable[Crd], outputs: Iterable[FieldBehavior], problems: Problems) -> None:
    """Report the fields that lie where whoever writes an object can write them."""
    versions = [version for crd in crds for version in crd.versions]
    beside = {place for version in versions for place in _iterate_places(_select_schemas(version, status=False))}
    within = {
        place
        for version in versions
        if not version.status
        for place in _iterate_places(_select_schemas(version, status=True))
    }
    for output in outputs:
        key = _get_place_key(output.field.at)
        if key in beside or key in within:
            where, hint = _BESIDE if key in beside else _WITHIN
            problem = f"{output.text} cannot be enforced {where}: every client that writes the object writes the field"
            path = output.field.full_name
            problems.report("vocabulary-unsupported", problem, output.at, path=path, hint=hint)


def _get_place_key(place: ElementPlace) -> tuple[str, tuple[int, ...]]:
    return place.source.file, place.path


def _select_schemas(version: CrdVersion, *, status: bool) -> list[Schema]:
    """Return the schema of the status, or the other schemas of a root."""
    members = version.schema.properties if version.schema else {}
    return [child for name, child in members.items() if (name == "status") == status]


def _iterate_places(kept: list[Schema]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the places of the fields in schemas, each schema once."""
    seen: set[int] = set()
    while kept:
        schema = kept.pop()
        if id(schema) not in seen:
            seen.add(id(schema))
            if isinstance(schema.origin, ElementPlace):
                yield _get_place_key(schema.origin)
            kept.extend(child for _, child in schema.iterate_children())
