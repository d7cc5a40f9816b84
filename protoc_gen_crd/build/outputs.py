"""Fields that only a server writes: a status keeps that, the rest of an object does not.

What is put into the status of an object is ignored unless it comes through the status subresource.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.crd.types import Crd, Version
from protoc_gen_crd.markers.vocabularies import Behavior
from protoc_gen_crd.proto.locations import ElementPlace


def check_outputs(crds: Iterable[Crd], outputs: Iterable[Behavior], problems: Problems) -> None:
    """Report the fields that lie where whoever writes an object can write them."""
    written = {place for crd in crds for version in crd.versions for place in _written(version)}
    for output in outputs:
        if _key(output.field.at) in written:
            problems.report(
                "vocabulary-untranslated",
                f"an option must be one that an API server can enforce, found {output.text}: outside of the status, "
                "whoever writes the object writes the field",
                output.at,
                path=output.field.full_name,
                hint="move it into the message of the status",
            )


def _key(place: ElementPlace) -> tuple[str, tuple[int, ...]]:
    return place.source.file, place.path


def _written(version: Version) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Where the fields come from that are not below a status with a subresource; each schema is looked into once."""
    members = version.schema.properties if version.schema else {}
    kept = [child for name, child in members.items() if name != "status" or not version.status]
    seen: set[int] = set()
    while kept:
        schema = kept.pop()
        if id(schema) not in seen:
            seen.add(id(schema))
            if isinstance(schema.origin, ElementPlace):
                yield _key(schema.origin)
            kept.extend(child for _, child in schema.children())
