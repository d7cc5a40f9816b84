"""APIResourceSchemas of kcp as the CRDs that they say the same as, where there is no such CRD.

Source: kcp-dev/kcp staging/src/github.com/kcp-dev/sdk/apis/apis/v1alpha1/types_apiresourceschema.go, of 2026.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Location
from protoc_gen_crd.conversion.rules.rules import GROUP
from protoc_gen_crd.conversion.rules.rules import KIND as RULES
from protoc_gen_crd.testing.cases import CRD_GROUP, CRD_KIND, Case
from protoc_gen_crd.testing.keys import Json, Steps

KIND = "APIResourceSchema"
_OPENAPI = "openAPIV3Schema"


class SchemaCase(Case):
    """A CRD that is made of a schema, whose places are those in the schema."""

    def place(self, path: Steps, *, key: bool = False) -> Location:
        """See Case."""
        return super().place(tuple([step for at, step in enumerate(path) if (at, step) != (4, _OPENAPI)]), key=key)


def crds_of(cases: Sequence[Case]) -> Iterator[SchemaCase]:
    """The CRDs that schemas among documents stand for, those first whose rules are there."""
    named = {case.name.partition("/")[2] for case in cases if (case.group, case.kind) == (GROUP, RULES)}
    schemas = [case for case in cases if (case.group, case.kind) == (GROUP, KIND)]
    for case in sorted(schemas, key=lambda case: case.name.partition("/")[2] not in named):
        spec = case.object.get("spec")
        if isinstance(spec, dict):
            made = _crd(spec)
            yield SchemaCase(case.document, case.prefix, made, made, case.expected, case.tested)


def _crd(spec: Json) -> Json:
    names = spec.get("names")
    plural = names.get("plural") if isinstance(names, dict) else None
    versions = spec.get("versions")
    kept: dict[str, Any] = {name: spec[name] for name in ("group", "names", "scope") if name in spec}
    kept["versions"] = [_version(one) for one in versions] if isinstance(versions, list) else versions
    name = f"{plural}.{spec.get('group')}"
    api_version = f"{CRD_GROUP}/v1"
    return {"apiVersion": api_version, "kind": CRD_KIND, "metadata": {"name": name}, "spec": kept}


def _version(given: Any) -> Any:
    return {**given, "schema": {_OPENAPI: given["schema"]}} if isinstance(given, dict) and "schema" in given else given
