"""Tags that default mode applies to a CRD and the Go plugin ignores.

Compares tags as default mode reads them with the Crd of compat=istio; what default mode refuses too is not told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.marker import MessageMembers
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_BLANK = r"[:=,] | [=,]"
_PARTS = ("type", "json_path", "description", "format", "priority")


def report_unsupported_tags(crd: Crd, owner: str, given: Iterable[MessageMembers], problems: Problems) -> None:
    """Report each marker of a resource of which something is not in its CRD."""
    for members in given:
        lost = [name for member, value in members.values.items() for name in _find_lost_values(member, value, crd)]
        if lost:
            named = " and ".join([f'"{name}"' for name in lost])
            problem = f"ignored with compat=istio: {named}"
            hint = "Istio's generator does not support it; default mode does"
            if "columns" not in members.values and re.search(_BLANK, members.text):
                problem = f"ignored with compat=istio because of blanks in the tag: {named}"
                hint = "Istio's generator reads blanks as a part of the value: remove those next to separators"
            place, excerpt = members.get_place(next(iter(members.values))), members.excerpt
            problems.report("istio-ignored", problem, place, path=owner, hint=hint, excerpt=excerpt)


def _find_lost_values(member: str, value: Any, crd: Crd) -> Iterator[str]:
    if member == "columns":
        yield from (name for column in value for name in _find_lost_parts(column, crd))
    elif member in _SUPPORT_CHECKS and not _SUPPORT_CHECKS[member](value, crd):
        yield member


def _find_lost_parts(given: Mapping[str, Any], crd: Crd) -> Iterator[str]:
    """The parts of a column that the one of its name has not; the column, where there is none."""
    found = next((one for one in crd.versions[0].columns if one.name == given.get("name")), None)
    if found is None:
        yield "columns"
        return
    yield from (part for part in _PARTS if part in given and getattr(found, part) != given[part])


def _is_preserved(paths: Iterable[str], crd: Crd) -> bool:
    """Report whether fields preserve unknown fields; unknown paths have a finding of their own."""
    spec = _get_property(crd.versions[0].schema, "spec")
    return all(
        found is None or PRESERVE in found.keywords
        for path in paths
        if (found := _get_schema_at(spec, path)) is not spec
    )


def _get_schema_at(schema: Schema | None, path: str) -> Schema | None:
    for step in path.split(".") if path else ():
        schema = _get_property(schema, step)
    return schema


def _get_property(schema: Schema | None, name: str) -> Schema | None:
    found: Schema | None = schema.keywords.get("properties", {}).get(name) if schema else None
    return found


def _is_stored(version: str, crd: Crd) -> bool:
    """Report whether the named version is the storage version; unknown names have a finding of their own."""
    return all(one.storage for one in crd.versions if one.name == version)


# Members that stand elsewhere in a Crd, and whether it has them.
_SUPPORT_CHECKS: dict[str, Callable[[Any, Crd], bool]] = {
    "annotations": lambda value, crd: value.items() <= crd.annotations.items(),
    "categories": lambda value, crd: {*value} <= {*crd.names.categories},
    "deprecated_versions": lambda _, crd: any(version.deprecated for version in crd.versions),
    "group": lambda value, crd: crd.group == value,
    "kind": lambda value, crd: crd.names.kind == value,
    "labels": lambda value, crd: value.items() <= crd.labels.items(),
    "list_kind": lambda value, crd: crd.names.list_kind == value,
    "plural": lambda value, crd: crd.names.plural == value,
    "preserve_unknown_fields": _is_preserved,
    "scope": lambda value, crd: crd.scope == value,
    "short_names": lambda value, crd: {*value} <= {*crd.names.short_names},
    "singular": lambda value, crd: crd.names.singular == value,
    "spec_required": lambda _, crd: "required" in (crd.versions[0].schema or Schema({})).keywords,
    "status_subresource": lambda _, crd: crd.versions[0].status,
    "storage_version": _is_stored,
    "versions": lambda value, crd: {*value} <= {version.name.strip() for version in crd.versions},
}
