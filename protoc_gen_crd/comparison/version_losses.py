"""Data loss between served versions without conversion: the strategy None changes only apiVersion.

Objects are pruned by the schema of the storage version when they are written through any version, and by the schema of
the version that they are read through. So a field that only one of the two has is lost silently.

Source: k8s.io/apiextensions-apiserver v0.37.2 pkg/apiserver/customresource_handler.go (schemaCoercingConverter).
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems


def check_version_losses(crds: Sequence[Crd], problems: Problems) -> None:
    """Report differences between served versions of a kind and its storage version, field by field."""
    for crd in crds:
        storage = next((version for version in crd.versions if version.storage), None)
        if storage is None or storage.schema is None or has_conversion(crd):
            continue
        served = [version for version in crd.versions if version.served and version is not storage]
        others = [version for version in served if version.schema is not None and version.schema is not storage.schema]
        if others:
            from protoc_gen_crd.comparison.version_differences import report_differences  # noqa: PLC0415 - versions can be equal

            report_differences(crd, others, storage, problems)


def has_conversion(crd: Crd) -> bool:
    """Return whether API servers call a webhook for conversions."""
    return (crd.conversion or {}).get("strategy") not in (None, "None")
