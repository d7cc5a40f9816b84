"""Deployment, PodDisruptionBudget and ServiceAccount of the webhook.

Source: the "restricted" profile of Kubernetes' Pod Security Standards; the flags and paths of the command `serve`.
"""

from __future__ import annotations

from protoc_gen_crd.emit.manifests.workload import PORT_NAME, Manifest, Workload

REPLICAS = 2
_REQUEST_TIMEOUT = 30  # seconds, the timeout of API servers
_MARGIN = 5
_EVICTION_POLICY_MINOR = 27  # the minor version of Kubernetes that has unhealthyPodEvictionPolicy by default


def make_deployment(workload: Workload) -> dict[str, Manifest]:
    """Generate the Deployment and the objects of its pods by file name."""
    return {
        "deployment": workload.make_object("apps/v1", "Deployment", _make_deployment(workload)),
        "poddisruptionbudget": workload.make_object(
            "policy/v1", "PodDisruptionBudget", _make_disruption_budget(workload)
        ),
        # The webhook does not call the API server, so the account has no role.
        "serviceaccount": {**workload.make_object("v1", "ServiceAccount"), "automountServiceAccountToken": False},
    }


def _make_deployment(of: Workload) -> Manifest:
    return {
        "replicas": REPLICAS,
        "selector": of.selector,
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
    return {**rule, "labelSelector": of.selector}


def _make_container(of: Workload) -> Manifest:
    return {
        "args": [*of.command, f"--drain={of.drain}"],
        "image": of.image,
        "livenessProbe": {**_make_probe("/healthz"), "periodSeconds": 10, "failureThreshold": 3},
        "name": "webhook",
        "ports": [{"name": PORT_NAME, "containerPort": of.container_port, "protocol": "TCP"}],
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
    return {"httpGet": {"path": path, "port": PORT_NAME, "scheme": "HTTPS"}, "timeoutSeconds": 2}


def _make_disruption_budget(of: Workload) -> Manifest:
    policy = {"unhealthyPodEvictionPolicy": "AlwaysAllow"} if of.oldest_minor >= _EVICTION_POLICY_MINOR else {}
    return {"maxUnavailable": 1, "selector": of.selector, **policy}
