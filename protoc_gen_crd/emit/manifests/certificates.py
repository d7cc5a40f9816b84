"""Certificates of cert-manager.

A long-lived CA signs short-lived certificates, so that the caBundle of CRDs stays the same.

Source: cert-manager pkg/apis/certmanager/v1.
"""

from __future__ import annotations

from protoc_gen_crd.emit.manifests.workload import Manifest, Workload

_CERT_MANAGER = "cert-manager.io/v1"
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
