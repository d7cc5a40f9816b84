"""Certificates by cert-manager, who may patch and migrate, and the webhook that judges objects.

A CA of its own lives long and signs what lives short, so that the caBundle of CRDs stays while certificates change.

Source: cert-manager pkg/apis/certmanager/v1, k8s.io/api admissionregistration/v1 and rbac/v1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit.manifests.workload import Manifest, Workload
from protoc_gen_crd.emit.migrations import GROUPS, PLURAL

_CERT_MANAGER = "cert-manager.io/v1"
_RBAC = "rbac.authorization.k8s.io/v1"
_TEN_YEARS, _NINETY_DAYS, _THIRTY_DAYS = "87600h0m0s", "2160h0m0s", "720h0m0s"
_LONGEST = 61  # characters of a name before "-ca": a common name has 64 (RFC 5280, ub-common-name)
_KEY = {"algorithm": "ECDSA", "size": 256}


def certificates(of: Workload) -> list[Manifest]:
    """An issuer that signs itself, its CA, the issuer of that CA, and the webhook's certificate."""
    authority = {
        "commonName": f"{of.name[:_LONGEST]}-ca",
        "duration": _TEN_YEARS,
        "isCA": True,
        "issuerRef": {"kind": "Issuer", "name": f"{of.name}-self-signed"},
        "privateKey": _KEY,
        "secretName": f"{of.name}-ca",
    }
    certificate = {
        "dnsNames": [of.host, f"{of.host}.cluster.local"],
        "duration": _NINETY_DAYS,
        "issuerRef": {"kind": "Issuer", "name": f"{of.name}-ca"},
        "privateKey": {**_KEY, "rotationPolicy": "Always"},
        "renewBefore": _THIRTY_DAYS,
        "secretName": of.secret,
        "usages": ["digital signature", "server auth"],
    }
    return [
        of.object(_CERT_MANAGER, "Issuer", {"selfSigned": {}}, "-self-signed"),
        of.object(_CERT_MANAGER, "Certificate", authority, "-ca"),
        of.object(_CERT_MANAGER, "Issuer", {"ca": {"secretName": f"{of.name}-ca"}}, "-ca"),
        of.object(_CERT_MANAGER, "Certificate", certificate),
    ]


def judging(of: Workload, crds: Sequence[Crd], client: Mapping[str, Any], annotations: Mapping[str, str]) -> Manifest:
    """The ValidatingWebhookConfiguration for all kinds, a webhook for each group."""
    groups = sorted({crd.group for crd in crds})
    metadata = {"name": f"{of.name}.{of.namespace}", "labels": dict(of.labels)}
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "ValidatingWebhookConfiguration",
        "metadata": {**metadata, "annotations": dict(annotations)} if annotations else metadata,
        "webhooks": [_webhook(group, [crd for crd in crds if crd.group == group], client) for group in groups],
    }


def _webhook(group: str, crds: Sequence[Crd], client: Mapping[str, Any]) -> Manifest:
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


def roles(of: Workload, crds: Sequence[Crd]) -> list[Manifest]:
    """A role for whoever runs `patch` and `migrate`, and nothing more; it is bound to nobody."""
    names = sorted(crd.name for crd in crds)
    rules: list[Manifest] = [
        _rule("apiextensions.k8s.io", ["customresourcedefinitions"], ["get", "patch"], names),
        _rule("apiextensions.k8s.io", ["customresourcedefinitions/status"], ["patch"], names),
    ]
    for group in sorted({crd.group for crd in crds}):
        plurals = sorted(crd.names.plural for crd in crds if crd.group == group)
        rules.append(_rule(group, plurals, ["get", "list", "patch"]))
    rules.append({**_rule("", [PLURAL], ["list"]), "apiGroups": sorted(GROUPS)})  # for `migrate --wait`
    metadata = {"name": f"{of.name}-migrator", "labels": dict(of.labels)}
    return [{"apiVersion": _RBAC, "kind": "ClusterRole", "metadata": metadata, "rules": rules}]


def _rule(group: str, resources: Sequence[str], verbs: Sequence[str], names: Sequence[str] = ()) -> Manifest:
    made: Manifest = {"apiGroups": [group], "resources": list(resources), "verbs": list(verbs)}
    return {**made, "resourceNames": list(names)} if names else made
