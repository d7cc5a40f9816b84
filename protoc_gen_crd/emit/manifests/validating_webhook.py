"""The ValidatingWebhookConfiguration of the webhook. Source: k8s.io/api admissionregistration/v1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.manifests.workload import Manifest, Workload


def make_validating_webhook(
    workload: Workload, crds: Sequence[Crd], client: Mapping[str, Any], annotations: Mapping[str, str]
) -> Manifest:
    """Generate the ValidatingWebhookConfiguration for all kinds, with a webhook for each group."""
    groups = sorted({crd.group for crd in crds})
    metadata = {"name": f"{workload.name}.{workload.namespace}", "labels": dict(workload.labels)}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {**metadata, "annotations": dict(annotations)} if annotations else metadata,
        "webhooks": [_make_webhook(group, [crd for crd in crds if crd.group == group], client) for group in groups],
    }


def _make_webhook(group: str, crds: Sequence[Crd], client: Mapping[str, Any]) -> Manifest:
    return {
        "admissionReviewVersions": ["v1"],
        "clientConfig": dict(client),
        "failurePolicy": "Fail",
        "matchPolicy": "Equivalent",
        "name": f"validate.{group}",
        "rules": [
            {
                "apiGroups": [group],
                "apiVersions": [version.name for version in crd.versions if version.served],
                "operations": ["CREATE", "UPDATE"],
                "resources": [crd.names.plural, *([f"{crd.names.plural}/status"] if _has_status(crd) else [])],
                "scope": crd.scope,
            }
            for crd in sorted(crds, key=lambda crd: crd.name)
        ],
        "sideEffects": "None",
        "timeoutSeconds": 5,
    }


def _has_status(crd: Crd) -> bool:
    return any(version.status for version in crd.versions)
