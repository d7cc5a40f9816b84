"""Deployment, Service, PodDisruptionBudget, NetworkPolicy and ServiceAccount of the webhook.

Source: the "restricted" profile of Kubernetes' Pod Security Standards; the flags and paths of the command `serve`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.record import Record

Manifest = dict[str, Any]

CONTENT_FOLDER = "/srv/api"  # the inputs of `serve` in the image
REPLICAS = 2
_REQUEST_TIMEOUT = 30  # seconds, the timeout of API servers
_MARGIN = 5
_PORT_NAME = "https"
_EVICTION_POLICY_MINOR = 27  # the minor version of Kubernetes that has unhealthyPodEvictionPolicy by default


class Workload(Record):
    """Names, addresses and settings of the webhook."""

    namespace: str
    name: str
    port: int  # of the service
    container_port: int  # of the container
    image: str
    certificates: str  # the folder of tls.crt and tls.key
    drain: int  # seconds
    oldest_minor: int  # minor version of Kubernetes
    converters: str = ""  # folder below the output folder

    @property
    def command(self) -> list[str]:
        """The arguments of the image's entry point."""
        imports = [f"--converter-package={CONTENT_FOLDER}/{self.converters}"] if self.converters else []
        return [
            "serve",
            CONTENT_FOLDER,
            *imports,
            f"--port={self.container_port}",
            f"--certificates={self.certificates}",
        ]

    @property
    def has_own_namespace(self) -> bool:
        """Whether the namespace is created; namespaces of the cluster exist already."""
        return self.namespace != "default" and not self.namespace.startswith("kube-")

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of all objects."""
        return {"app.kubernetes.io/name": self.name}

    @property
    def secret(self) -> str:
        """The Secret of the certificate."""
        return f"{self.name}-certificate"

    @property
    def host(self) -> str:
        """The host name that API servers use."""
        return f"{self.name}.{self.namespace}.svc"

    def make_object(
        self, api_version: str, kind: str, spec: Mapping[str, Any] | None = None, suffix: str = ""
    ) -> Manifest:
        """Create an object in the webhook's namespace."""
        metadata = {"name": self.name + suffix, "namespace": self.namespace, "labels": dict(self.labels)}
        manifest: Manifest = {"apiVersion": api_version, "kind": kind, "metadata": metadata}
        return manifest if spec is None else {**manifest, "spec": dict(spec)}


def make_workload_manifests(workload: Workload) -> dict[str, Manifest]:
    """Generate the objects by file name."""
    return {
        "deployment": workload.make_object("apps/v1", "Deployment", _make_deployment(workload)),
        "networkpolicy": workload.make_object("networking.k8s.io/v1", "NetworkPolicy", _make_network_policy(workload)),
        "poddisruptionbudget": workload.make_object(
            "policy/v1", "PodDisruptionBudget", _make_disruption_budget(workload)
        ),
        "service": workload.make_object("v1", "Service", _make_service(workload)),
        # The webhook does not call the API server, so the account has no role.
        "serviceaccount": {**workload.make_object("v1", "ServiceAccount"), "automountServiceAccountToken": False},
    }


def _make_selector(of: Workload) -> Manifest:
    return {"matchLabels": dict(of.labels)}


def _make_deployment(of: Workload) -> Manifest:
    return {
        "replicas": REPLICAS,
        "selector": _make_selector(of),
        # Conversions need the webhook at all times, so a rollout never reduces the replicas.
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
        "template": {"metadata": {"labels": dict(of.labels)}, "spec": _make_pod(of)},
    }


def _make_pod(of: Workload) -> Manifest:
    return {
        "automountServiceAccountToken": False,
        "containers": [_make_container(of)],
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "serviceAccountName": of.name,
        "terminationGracePeriodSeconds": of.drain + _REQUEST_TIMEOUT + _MARGIN,
        "topologySpreadConstraints": [
            _make_spread_constraint(of, key) for key in ("kubernetes.io/hostname", "topology.kubernetes.io/zone")
        ],
        "volumes": [
            {"name": "certificates", "secret": {"secretName": of.secret}},
            {"name": "tmp", "emptyDir": {"medium": "Memory", "sizeLimit": "64Mi"}},
        ],
    }


def _make_spread_constraint(of: Workload, key: str) -> Manifest:
    rule = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "ScheduleAnyway"}
    return {**rule, "labelSelector": _make_selector(of)}


def _make_container(of: Workload) -> Manifest:
    return {
        "args": [*of.command, f"--drain={of.drain}"],
        "image": of.image,
        "livenessProbe": {**_make_probe("/healthz"), "periodSeconds": 10, "failureThreshold": 3},
        "name": "webhook",
        "ports": [{"name": _PORT_NAME, "containerPort": of.container_port, "protocol": "TCP"}],
        "readinessProbe": {**_make_probe("/readyz"), "periodSeconds": 2, "failureThreshold": 2},
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "256Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "startupProbe": {**_make_probe("/readyz"), "periodSeconds": 1, "failureThreshold": 60},
        "volumeMounts": [
            {"name": "certificates", "mountPath": of.certificates, "readOnly": True},
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - the mount of an emptyDir
        ],
    }


def _make_probe(path: str) -> Manifest:
    return {"httpGet": {"path": path, "port": _PORT_NAME, "scheme": "HTTPS"}, "timeoutSeconds": 2}


def _make_service(of: Workload) -> Manifest:
    port = {"name": _PORT_NAME, "port": of.port, "protocol": "TCP", "targetPort": _PORT_NAME}
    return {"ports": [port], "selector": dict(of.labels)}


def _make_disruption_budget(of: Workload) -> Manifest:
    policy = {"unhealthyPodEvictionPolicy": "AlwaysAllow"} if of.oldest_minor >= _EVICTION_POLICY_MINOR else {}
    return {"maxUnavailable": 1, "selector": _make_selector(of), **policy}


def _make_network_policy(of: Workload) -> Manifest:
    """Allow all ingress, since API servers have no labels to select, and no egress."""
    ports = [{"port": of.container_port, "protocol": "TCP"}]
    return {
        "egress": [],
        "ingress": [{"ports": ports}],
        "podSelector": _make_selector(of),
        "policyTypes": ["Ingress", "Egress"],
    }
