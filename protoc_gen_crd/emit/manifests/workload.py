"""What runs the webhook, and what leads to it: Deployment, Service, and what keeps them up and apart.

Source: the "restricted" profile of Kubernetes' Pod Security Standards; the flags and paths of the command `serve`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.record import Record

Manifest = dict[str, Any]

CONTENT = "/srv/api"  # where the image has what `serve` reads
REPLICAS = 2
_ANSWER = 30  # seconds that an API server waits for an answer
_MARGIN = 5
_PORT_NAME = "https"
_EVICTING = 27  # the minor version of Kubernetes that has unhealthyPodEvictionPolicy by default


class Workload(Record):
    """How the webhook is called, where it is reached, and what it runs."""

    namespace: str
    name: str
    port: int  # of the service
    inner: int  # of the container
    image: str
    certificates: str  # the folder of tls.crt and tls.key
    drain: int  # seconds
    oldest: int  # minor version of Kubernetes

    @property
    def own_namespace(self) -> bool:
        """Whether its namespace may be its own: those of clusters are there, and are others' as well."""
        return self.namespace != "default" and not self.namespace.startswith("kube-")

    @property
    def labels(self) -> Mapping[str, str]:
        """What its objects are found by."""
        return {"app.kubernetes.io/name": self.name}

    @property
    def secret(self) -> str:
        """The Secret of its certificate."""
        return f"{self.name}-certificate"

    @property
    def host(self) -> str:
        """The name that API servers call it by."""
        return f"{self.name}.{self.namespace}.svc"

    def object(self, api_version: str, kind: str, spec: Mapping[str, Any] | None = None, suffix: str = "") -> Manifest:
        """An object of the webhook's namespace."""
        metadata = {"name": self.name + suffix, "namespace": self.namespace, "labels": dict(self.labels)}
        made: Manifest = {"apiVersion": api_version, "kind": kind, "metadata": metadata}
        return made if spec is None else {**made, "spec": dict(spec)}


def manifests(of: Workload) -> dict[str, Manifest]:
    """The objects by the name of their file."""
    return {
        "deployment": of.object("apps/v1", "Deployment", _deployment(of)),
        "networkpolicy": of.object("networking.k8s.io/v1", "NetworkPolicy", _network(of)),
        "poddisruptionbudget": of.object("policy/v1", "PodDisruptionBudget", _budget(of)),
        "service": of.object("v1", "Service", _service(of)),
        # The webhook asks the API server nothing, so the account has no role.
        "serviceaccount": {**of.object("v1", "ServiceAccount"), "automountServiceAccountToken": False},
    }


def _selector(of: Workload) -> Manifest:
    return {"matchLabels": dict(of.labels)}


def _deployment(of: Workload) -> Manifest:
    return {
        "replicas": REPLICAS,
        "selector": _selector(of),
        # Never fewer than before: what a kind's objects are read through is never away.
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}},
        "template": {"metadata": {"labels": dict(of.labels)}, "spec": _pod(of)},
    }


def _pod(of: Workload) -> Manifest:
    return {
        "automountServiceAccountToken": False,
        "containers": [_container(of)],
        "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
        "serviceAccountName": of.name,
        "terminationGracePeriodSeconds": of.drain + _ANSWER + _MARGIN,
        "topologySpreadConstraints": [
            _spread(of, key) for key in ("kubernetes.io/hostname", "topology.kubernetes.io/zone")
        ],
        "volumes": [
            {"name": "certificates", "secret": {"secretName": of.secret}},
            {"name": "tmp", "emptyDir": {"medium": "Memory", "sizeLimit": "64Mi"}},
        ],
    }


def _spread(of: Workload, key: str) -> Manifest:
    rule = {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "ScheduleAnyway"}
    return {**rule, "labelSelector": _selector(of)}


def _container(of: Workload) -> Manifest:
    flags = {"port": of.inner, "certificates": of.certificates, "drain": of.drain}
    return {
        "args": ["serve", CONTENT, *(f"--{name}={value}" for name, value in flags.items())],
        "image": of.image,
        "livenessProbe": {**_probe("/healthz"), "periodSeconds": 10, "failureThreshold": 3},
        "name": "webhook",
        "ports": [{"name": _PORT_NAME, "containerPort": of.inner, "protocol": "TCP"}],
        "readinessProbe": {**_probe("/readyz"), "periodSeconds": 2, "failureThreshold": 2},
        "resources": {"requests": {"cpu": "100m", "memory": "128Mi"}, "limits": {"memory": "256Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "startupProbe": {**_probe("/readyz"), "periodSeconds": 1, "failureThreshold": 60},
        "volumeMounts": [
            {"name": "certificates", "mountPath": of.certificates, "readOnly": True},
            {"name": "tmp", "mountPath": "/tmp"},  # noqa: S108 - the mount of an emptyDir
        ],
    }


def _probe(path: str) -> Manifest:
    return {"httpGet": {"path": path, "port": _PORT_NAME, "scheme": "HTTPS"}, "timeoutSeconds": 2}


def _service(of: Workload) -> Manifest:
    port = {"name": _PORT_NAME, "port": of.port, "protocol": "TCP", "targetPort": _PORT_NAME}
    return {"ports": [port], "selector": dict(of.labels)}


def _budget(of: Workload) -> Manifest:
    policy = {"unhealthyPodEvictionPolicy": "AlwaysAllow"} if of.oldest >= _EVICTING else {}
    return {"maxUnavailable": 1, "selector": _selector(of), **policy}


def _network(of: Workload) -> Manifest:
    """API servers have no labels to be told by, so anybody may ask; the webhook itself asks nobody."""
    ports = [{"port": of.inner, "protocol": "TCP"}]
    return {
        "egress": [],
        "ingress": [{"ports": ports}],
        "podSelector": _selector(of),
        "policyTypes": ["Ingress", "Egress"],
    }
