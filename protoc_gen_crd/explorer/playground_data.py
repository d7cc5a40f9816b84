"""The data of the playground: samples to start from, and the locations of rules in schemas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key
from protoc_gen_crd.reference.group_page import PageSample, strip_generated_comment
from protoc_gen_crd.schema.schema import Schema

_MAX_LOCATIONS = 2_000  # that the field of the location suggests


def make_playground_model(
    crds: Sequence[Crd], samples: Sequence[PageSample], pages: Sequence[list[str]]
) -> dict[str, Any]:
    """Return the titles and texts of samples, and the locations that a rule can have, such as `Widget.spec`.

    `pages` are the group and name of each kind, and the address of its description.
    """
    kinds = [crd.names.kind for crd in crds]
    locations: list[str] = []
    for crd in crds:
        versions = sorted((v for v in crd.versions if v.served), key=lambda version: get_priority_key(version.name))
        schema = versions[0].schema if versions else None
        kind = crd.names.kind if kinds.count(crd.names.kind) == 1 else f"{crd.group}/{crd.names.kind}"
        if schema is not None and len(locations) < _MAX_LOCATIONS:
            locations += [kind, *_list_locations(schema, kind)]
    return {
        "samples": [[sample.title, strip_generated_comment(sample.text)] for sample in samples],
        "locations": locations[:_MAX_LOCATIONS],
        "pages": list(pages),
    }


def _list_locations(schema: Schema, path: str) -> Iterator[str]:
    """Yield the paths of the objects, lists and maps below a schema, and of their items and values."""
    children = [(f"{path}.{name}", child) for name, child in schema.properties.items() if name != "metadata"]
    children += [(f"{path}[]", schema.items)] if isinstance(schema.items, Schema) else []
    children += [(f"{path}{{}}", schema.additional)] if isinstance(schema.additional, Schema) else []
    for at, child in children:
        if child.type in ("object", "array"):
            yield at
            yield from _list_locations(child, at)
