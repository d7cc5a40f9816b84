"""What tags say that the Go plugin does not carry into a CRD, though default mode does.

Compares tags as default mode reads them with the Crd of compat=istio; what default mode refuses too is not told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.markers.marker import Members
from protoc_gen_crd.schema.types import PRESERVE, Schema

_BLANK = r"[:=,] | [=,]"
_PARTS = ("type", "json_path", "description", "format", "priority")


def report_losses(crd: Crd, owner: str, given: Iterable[Members], problems: Problems) -> None:
    """Report each marker of a resource of which something is not in its CRD."""
    for members in given:
        lost = [name for member, value in members.values.items() for name in _lost(member, value, crd)]
        if lost:
            named = " and ".join([f'"{name}"' for name in lost])
            problem = f"what a tag says must be in the CRD, found {named} left out by compat=istio"
            hint = "Istio's generator does not read it; default mode does"
            if "columns" not in members.values and re.search(_BLANK, members.text):
                problem = f"what a tag says must be in the CRD, found {named} with blanks in the tag"
                hint = "Istio's generator takes them for a part of what is there: write none beside signs"
            place, excerpt = members.place(next(iter(members.values))), members.excerpt
            problems.report("istio-lost", problem, place, path=owner, hint=hint, excerpt=excerpt)


def _lost(member: str, value: Any, crd: Crd) -> Iterator[str]:
    if member == "columns":
        yield from (name for column in value for name in _lost_parts(column, crd))
    elif member in _HELD and not _HELD[member](value, crd):
        yield member


def _lost_parts(given: Mapping[str, Any], crd: Crd) -> Iterator[str]:
    """The parts of a column that the one of its name has not; the column, where there is none."""
    found = next((one for one in crd.versions[0].columns if one.name == given.get("name")), None)
    if found is None:
        yield "columns"
        return
    yield from (part for part in _PARTS if part in given and getattr(found, part) != given[part])


def _preserved(paths: Iterable[str], crd: Crd) -> bool:
    """Whether fields keep what is unknown; a path that leads nowhere is another finding's."""
    spec = _property(crd.versions[0].schema, "spec")
    return all(found is None or PRESERVE in found.keywords for path in paths if (found := _at(spec, path)) is not spec)


def _at(schema: Schema | None, path: str) -> Schema | None:
    for step in path.split(".") if path else ():
        schema = _property(schema, step)
    return schema


def _property(schema: Schema | None, name: str) -> Schema | None:
    found: Schema | None = schema.keywords.get("properties", {}).get(name) if schema else None
    return found


def _stored(version: str, crd: Crd) -> bool:
    """Whether the version that is named is the one that is stored; a name of none is another finding's."""
    return all(one.storage for one in crd.versions if one.name == version)


# Members that stand elsewhere in a Crd, and whether it has them.
_HELD: dict[str, Callable[[Any, Crd], bool]] = {
    "annotations": lambda value, crd: value.items() <= crd.annotations.items(),
    "categories": lambda value, crd: {*value} <= {*crd.names.categories},
    "deprecated_versions": lambda _, crd: any(version.deprecated for version in crd.versions),
    "group": lambda value, crd: crd.group == value,
    "kind": lambda value, crd: crd.names.kind == value,
    "labels": lambda value, crd: value.items() <= crd.labels.items(),
    "list_kind": lambda value, crd: crd.names.list_kind == value,
    "plural": lambda value, crd: crd.names.plural == value,
    "preserve_unknown_fields": _preserved,
    "scope": lambda value, crd: crd.scope == value,
    "short_names": lambda value, crd: {*value} <= {*crd.names.short_names},
    "singular": lambda value, crd: crd.names.singular == value,
    "spec_required": lambda _, crd: "required" in (crd.versions[0].schema or Schema({})).keywords,
    "status_subresource": lambda _, crd: crd.versions[0].status,
    "storage_version": _stored,
    "versions": lambda value, crd: {*value} <= {version.name.strip() for version in crd.versions},
}
