"""What is said of a CRD without refusing it: warnings, and fields that a server is too old to know.

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
from protoc_gen_crd.admission.supported_formats import is_enforced
from protoc_gen_crd.admission.switches import NUMERIC_FORMATS, SELECTABLE_FIELDS, SET_WARNINGS, Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place

_NAMED = r"\.(\w*[pP]roperties|definitions)\[([^\]]*)\]"


class AdmissionWarning(Record):
    """A text that is no field error, such as a warning, and where what it speaks of came from."""

    text: str
    origin: Place | None = None


def find_warnings(
    internal: InternalCrd, old: InternalCrd | None, visitor: SchemaVisitor, switches: Switches
) -> Iterator[AdmissionWarning]:
    """Formats that the server does not know, once for each use, and sets it dislikes; on an update, new ones only."""
    before = {notice.text for notice in find_warnings(old, None, visitor, switches)} if old is not None else set()
    shown: set[str] = set()
    for schema in iterate_schemas(internal):
        for found in select_findings(visitor.visit_root(schema), WARNING, switches):
            text = _format_warning(found, switches)
            if text and text not in before and not (found.when is SET_WARNINGS and text in shown):
                shown.add(text)
                yield AdmissionWarning(text, found.origin)


def _format_warning(found: NodeFinding, switches: Switches) -> str:
    if found.when is SET_WARNINGS:
        return found.detail
    kind, name = cast("tuple[str, str]", found.value)
    if kind != "string" and NUMERIC_FORMATS not in switches:
        return ""
    if is_enforced(kind, name, switches):
        return ""
    from protoc_gen_crd.golang.fmt import quote  # noqa: PLC0415 - few formats are unknown

    return f"unrecognized format {quote(name)}"


def find_unknown_fields(
    internal: InternalCrd, visitor: SchemaVisitor, switches: Switches
) -> Iterator[AdmissionWarning]:
    """Fields of a known CRD that this server is too old for, as its strict decoding names them."""
    for index, version in enumerate(internal.crd.versions):
        path = f"spec.versions[{index}]"
        if version.schema is not None:
            for found in select_findings(visitor.visit_root(version.schema), UNKNOWN, switches):
                if (
                    ".items" not in found.path and ".additionalProperties" not in found.path
                ):  # these decode on their own
                    below = re.sub(_NAMED, r".\1.\2", found.path)
                    yield _make_unknown_field(f"{path}.schema.openAPIV3Schema{below}", found.origin)
        given = version.selectable_fields or "selectableFields" in version.explicit_empty
        if given and SELECTABLE_FIELDS not in switches:
            yield _make_unknown_field(f"{path}.selectableFields", version.get_place("selectableFields"))


def _make_unknown_field(path: str, origin: Place | None) -> AdmissionWarning:
    return AdmissionWarning(f'unknown field "{path}"', origin)
