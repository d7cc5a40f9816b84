"""Conversion of APIResourceSchemas of kcp to CRDs.

Source: kcp-dev/kcp staging/src/github.com/kcp-dev/sdk/apis/apis/v1alpha1/types_apiresourceschema.go, of 2026.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.objects.error_paths import DocumentPath
from protoc_gen_crd.conversion.rule_files.api_conversion import GROUP, report_unknown_version
from protoc_gen_crd.conversion.rule_files.api_conversion import KIND as RULES
from protoc_gen_crd.documents.document_reader import CRD_GROUP, CRD_KIND, DocumentCase
from protoc_gen_crd.documents.expectation_keys import Json
from protoc_gen_crd.findings.finding import Location, Problems

KIND = "APIResourceSchema"
_OPENAPI = "openAPIV3Schema"


class SchemaCase(DocumentCase):
    """A CRD converted from an APIResourceSchema, with places in the schema."""

    def get_place(self, path: DocumentPath, *, key: bool = False) -> Location:
        """Return the place of a path of the CRD."""
        return super().get_place(tuple([step for at, step in enumerate(path) if (at, step) != (4, _OPENAPI)]), key=key)


def convert_schemas(cases: Sequence[DocumentCase], problems: Problems) -> Iterator[SchemaCase]:
    """Convert the schemas among documents; report unknown versions. Schemas with an APIConversion are first."""
    converted = {case.name.partition("/")[2] for case in cases if (case.group, case.kind) == (GROUP, RULES)}
    schemas = [case for case in cases if (case.group, case.kind) == (GROUP, KIND)]
    for case in sorted(schemas, key=lambda case: case.name.partition("/")[2] not in converted):
        report_unknown_version(case.object, KIND, case.get_place, problems)
        spec = case.object.get("spec")
        if isinstance(spec, dict):
            crd = _make_crd(spec)
            yield SchemaCase(case.document, case.prefix, crd, crd, case.expectation, case.is_test)


def _make_crd(spec: Json) -> Json:
    names = spec.get("names")
    plural = names.get("plural") if isinstance(names, dict) else None
    versions = spec.get("versions")
    crd_spec: dict[str, Any] = {name: spec[name] for name in ("group", "names", "scope") if name in spec}
    crd_spec["versions"] = [_make_version(version) for version in versions] if isinstance(versions, list) else versions
    name = f"{plural}.{spec.get('group')}"
    api_version = f"{CRD_GROUP}/v1"
    return {"apiVersion": api_version, "kind": CRD_KIND, "metadata": {"name": name}, "spec": crd_spec}


def _make_version(version: Any) -> Any:
    return (
        {**version, "schema": {_OPENAPI: version["schema"]}}
        if isinstance(version, dict) and "schema" in version
        else version
    )
