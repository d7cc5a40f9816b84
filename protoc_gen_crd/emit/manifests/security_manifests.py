"""Certificates of cert-manager, the role for patch and migrate, and the validating webhook.

A long-lived CA signs short-lived certificates, so that the caBundle of CRDs stays the same.

Source: cert-manager pkg/apis/certmanager/v1, k8s.io/api admissionregistration/v1 and rbac/v1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.manifests.workload import Manifest, Workload
from protoc_gen_crd.emit.storage_version_migrations import GROUPS, PLURAL

_CERT_MANAGER = "cert-manager.io/v1"
_RBAC = "rbac.authorization.k8s.io/v1"
_TEN_YEARS, _NINETY_DAYS, _THIRTY_DAYS = "87600h0m0s", "2160h0m0s", "720h0m0s"
_MAX_NAME_LENGTH = 61  # characters of a name before "-ca": a common name has 64 (RFC 5280, ub-common-name)
_PRIVATE_KEY = {"algorithm": "ECDSA", "size": 256}


def make_certificates(workload: Workload) -> list[Manifest]:
    """Generate a self-signed issuer, its CA, the issuer of that CA, and the webhook's certificate."""
    authority = {
        "commonName": f"{workload.name[:_MAX_NAME_LENGTH]}-ca",
        "duration": _TEN_YEARS,
        "isCA": True,
        "issuerRef": {"kind": "Issuer", "name": f"{workload.name}-self-signed"},
        "privateKey": _PRIVATE_KEY,
        "secretName": f"{workload.name}-ca",
    }
    certificate = {
        "dnsNames": [workload.host, f"{workload.host}.cluster.local"],
        "duration": _NINETY_DAYS,
        "issuerRef": {"kind": "Issuer", "name": f"{workload.name}-ca"},
        "privateKey": {**_PRIVATE_KEY, "rotationPolicy": "Always"},
        "renewBefore": _THIRTY_DAYS,
        "secretName": workload.secret,
        "usages": ["digital signature", "server auth"],
    }
    return [
        workload.make_object(_CERT_MANAGER, "Issuer", {"selfSigned": {}}, "-self-signed"),
        workload.make_object(_CERT_MANAGER, "Certificate", authority, "-ca"),
        workload.make_object(_CERT_MANAGER, "Issuer", {"ca": {"secretName": f"{workload.name}-ca"}}, "-ca"),
        workload.make_object(_CERT_MANAGER, "Certificate", certificate),
    ]


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


def make_roles(workload: Workload, crds: Sequence[Crd]) -> list[Manifest]:
    """Generate an unbound role with the permissions for `patch` and `migrate`."""
    names = sorted(crd.name for crd in crds)
    rules: list[Manifest] = [
        _make_rule("apiextensions.k8s.io", ["customresourcedefinitions"], ["get", "patch"], names),
        _make_rule("apiextensions.k8s.io", ["customresourcedefinitions/status"], ["patch"], names),
    ]
    for group in sorted({crd.group for crd in crds}):
        plurals = sorted(crd.names.plural for crd in crds if crd.group == group)
        rules.append(_make_rule(group, plurals, ["get", "list", "patch"]))
    rules.append({**_make_rule("", [PLURAL], ["list"]), "apiGroups": sorted(GROUPS)})  # for `migrate --wait`
    metadata = {"name": f"{workload.name}-migrator", "labels": dict(workload.labels)}
    return [{"apiVersion": _RBAC, "kind": "ClusterRole", "metadata": metadata, "rules": rules}]


def _make_rule(group: str, resources: Sequence[str], verbs: Sequence[str], names: Sequence[str] = ()) -> Manifest:
    rule: Manifest = {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}
    return {**rule, "resourceNames": list(names)} if names else rule
