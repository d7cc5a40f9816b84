"""Service and NetworkPolicy of the webhook."""

from __future__ import annotations

from protoc_gen_crd.emit.manifests.workload import PORT_NAME, Manifest, Workload


def make_network(workload: Workload) -> dict[str, Manifest]:
    """Generate the Service and the NetworkPolicy by file name."""
    return {
        "networkpolicy": workload.make_object("networking.k8s.io/v1", "NetworkPolicy", _make_network_policy(workload)),
        "service": workload.make_object("v1", "Service", _make_service(workload)),
    }


def _make_service(of: Workload) -> Manifest:
    port = {"name": PORT_NAME, "port": of.port, "protocol": "TCP", "targetPort": PORT_NAME}
    return {"ports": [port], "selector": dict(of.labels)}


def _make_network_policy(of: Workload) -> Manifest:
    """Allow all ingress, since API servers have no labels to select, and no egress."""
    ports = [{"port": of.container_port, "protocol": "TCP"}]
    return {
        "egress": [],
        "ingress": [{"ports": ports}],
        "podSelector": of.selector,
        "policyTypes": ["Ingress", "Egress"],
    }
