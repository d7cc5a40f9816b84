"""Warnings about accepted CRDs, and fields that older servers do not support.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresourcedefinition strategy.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    UNKNOWN,
    WARNING,
    NodeFinding,
    SchemaVisitor,
    select_findings,
)
from protoc_gen_crd.admission.crd.update.validation_options import iterate_schemas
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd
from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.supported_formats import is_enforced
from protoc_gen_crd.admission.version_differences import NUMERIC_FORMATS, SELECTABLE_FIELDS, SET_WARNINGS
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.shared_results import Switches

_NAMED = r"\.(\w*[pP]roperties|definitions)\[([^\]]*)\]"


def find_warnings(
    internal: InternalCrd, old: InternalCrd | None, visitor: SchemaVisitor, switches: Switches
) -> Iterator[Cause]:
    """Find the warnings about unrecognized formats, once for each use, and about sets; on an update, new ones only."""
    old_warnings = {cause.detail for cause in find_warnings(old, None, visitor, switches)} if old is not None else set()
    reported: set[str] = set()
    for schema in iterate_schemas(internal):
        for finding in select_findings(visitor.visit_root(schema), WARNING, switches):
            warning = _format_warning(finding, switches)
            if warning and warning not in old_warnings and not (finding.when is SET_WARNINGS and warning in reported):
                reported.add(warning)
                yield Cause(detail=warning, place=finding.origin)


def _format_warning(finding: NodeFinding, switches: Switches) -> str:
    if finding.when is SET_WARNINGS:
        return finding.detail
    kind, name = cast("tuple[str, str]", finding.value)
    if kind != "string" and NUMERIC_FORMATS not in switches:
        return ""
    if is_enforced(kind, name, switches):
        return ""
    from protoc_gen_crd.golang.fmt import quote  # noqa: PLC0415 - few formats are unknown

    return f"unrecognized format {quote(name)}"


def find_unknown_fields(internal: InternalCrd, visitor: SchemaVisitor, switches: Switches) -> Iterator[Cause]:
    """Find the fields that this server does not support, as its strict decoding reports them."""
    for index, version in enumerate(internal.crd.versions):
        path = f"spec.versions[{index}]"
        if version.schema is not None:
            for finding in select_findings(visitor.visit_root(version.schema), UNKNOWN, switches):
                if (
                    ".items" not in finding.path and ".additionalProperties" not in finding.path
                ):  # the server decodes these leniently
                    path_below = re.sub(_NAMED, r".\1.\2", finding.path)
                    yield _make_unknown_field(f"{path}.schema.openAPIV3Schema{path_below}", finding.origin)
        is_set = version.selectable_fields or "selectableFields" in version.explicit_empty
        if is_set and SELECTABLE_FIELDS not in switches:
            yield _make_unknown_field(f"{path}.selectableFields", version.get_place("selectableFields"))


def _make_unknown_field(path: str, origin: Place | None) -> Cause:
    return Cause(detail=f'unknown field "{path}"', place=origin)
