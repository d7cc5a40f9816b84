"""Check for tags that default mode applies to a CRD and the Go plugin ignores.

It compares tags as default mode reads them with the CRD of compat=istio. Tags that default mode rejects are not
reported.
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


def report_unsupported_tags(crd: Crd, owner: str, markers: Iterable[MessageMembers], problems: Problems) -> None:
    """Report each marker of a resource with values that are not in its CRD."""
    for members in markers:
        ignored = [name for member, value in members.values.items() for name in _find_lost_values(member, value, crd)]
        if ignored:
            names = " and ".join([f'"{name}"' for name in ignored])
            problem = f"ignored with compat=istio: {names}"
            hint = "Istio's generator does not support it; default mode does"
            if "columns" not in members.values and re.search(_BLANK, members.text):
                problem = f"ignored with compat=istio because of blanks in the tag: {names}"
                hint = "Istio's generator reads blanks as a part of the value: remove those next to separators"
            place, excerpt = members.get_place(next(iter(members.values))), members.excerpt
            problems.report("istio-ignored", problem, place, path=owner, hint=hint, excerpt=excerpt)


def _find_lost_values(member: str, value: Any, crd: Crd) -> Iterator[str]:
    if member == "columns":
        yield from (name for column in value for name in _find_lost_parts(column, crd))
    elif member in _SUPPORT_CHECKS and not _SUPPORT_CHECKS[member](value, crd):
        yield member


def _find_lost_parts(declared: Mapping[str, Any], crd: Crd) -> Iterator[str]:
    """Yield the parts of a column that the CRD's column of the same name lacks, or the column if there is none."""
    column = next((candidate for candidate in crd.versions[0].columns if candidate.name == declared.get("name")), None)
    if column is None:
        yield "columns"
        return
    yield from (part for part in _PARTS if part in declared and getattr(column, part) != declared[part])


def _is_preserved(paths: Iterable[str], crd: Crd) -> bool:
    """Return whether the fields at these paths preserve unknown fields. Unknown paths have a separate finding."""
    spec = _get_property(crd.versions[0].schema, "spec")
    return all(
        schema is None or PRESERVE in schema.keywords
        for path in paths
        if (schema := _get_schema_at(spec, path)) is not spec
    )


def _get_schema_at(schema: Schema | None, path: str) -> Schema | None:
    for step in path.split(".") if path else ():
        schema = _get_property(schema, step)
    return schema


def _get_property(schema: Schema | None, name: str) -> Schema | None:
    child: Schema | None = schema.keywords.get("properties", {}).get(name) if schema else None
    return child


def _is_stored(version: str, crd: Crd) -> bool:
    """Return whether a version is the storage version. Unknown names have a separate finding."""
    return all(candidate.storage for candidate in crd.versions if candidate.name == version)


# Member -> check whether a CRD has its value.
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
