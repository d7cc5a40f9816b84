"""Fields that only a server writes: a status keeps that, the rest of an object does not.

What is put into the status of an object is ignored unless it comes through the status subresource.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.markers.vocabularies import Behavior
from protoc_gen_crd.proto.locations import ElementPlace
from protoc_gen_crd.schema.types import Schema

# Why whoever writes an object writes the field, and what to do.
_BESIDE = "outside of the status", "move it into the message of the status"
_WITHIN = "in a status that is no subresource", "make it one: +kubebuilder:subresource:status"


def check_outputs(crds: Iterable[Crd], outputs: Iterable[Behavior], problems: Problems) -> None:
    """Report the fields that lie where whoever writes an object can write them."""
    versions = [version for crd in crds for version in crd.versions]
    beside = {place for version in versions for place in _places(_members(version, status=False))}
    within = {place for version in versions if not version.status for place in _places(_members(version, status=True))}
    for output in outputs:
        key = _key(output.field.at)
        if key in beside or key in within:
            where, hint = _BESIDE if key in beside else _WITHIN
            problem = (
                f"an option must be one that an API server can enforce, found {output.text}: {where}, whoever writes "
                "the object writes the field"
            )
            path = output.field.full_name
            problems.report("vocabulary-untranslated", problem, output.at, path=path, hint=hint)


def _key(place: ElementPlace) -> tuple[str, tuple[int, ...]]:
    return place.source.file, place.path


def _members(version: Version, *, status: bool) -> list[Schema]:
    """The status, or what is beside it."""
    members = version.schema.properties if version.schema else {}
    return [child for name, child in members.items() if (name == "status") == status]


def _places(kept: list[Schema]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Where the fields in schemas come from; each schema is looked into once."""
    seen: set[int] = set()
    while kept:
        schema = kept.pop()
        if id(schema) not in seen:
            seen.add(id(schema))
            if isinstance(schema.origin, ElementPlace):
                yield _key(schema.origin)
            kept.extend(child for _, child in schema.children())
