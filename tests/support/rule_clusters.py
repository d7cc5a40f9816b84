"""Clusters of rule pages whose commands have `--kubeconfig config`, by rule id.

Each has the CRD widgets.example.com with three objects that are stored in v1alpha1; the storage version is v1. What Fix
corrects in a cluster, such as a rejected object, is corrected after the commands of Example have run.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.apiserver import FakeServer, Fault, failed

GROUP = "example.com"
NAME = f"widgets.{GROUP}"


def widgets() -> FakeServer:
    """Return a cluster with three widgets."""
    return FakeServer(3, group=GROUP)


def fields_lost() -> FakeServer:
    """Return a cluster whose old version has a field that the storage version lacks."""
    server = widgets()
    for version, fields in zip(server.crd["spec"]["versions"], (("name", "color"), ("name",)), strict=True):
        spec = {"type": "object", "properties": {field: {"type": "string"} for field in fields}}
        version["schema"] = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    return server


def object_rejected() -> FakeServer:
    """Return a cluster that rejects an object once."""
    server = widgets()
    reason = "spec.replicas: Invalid value: 0: spec.replicas in body should be greater than or equal to 1"
    message = f'Widget.example.com "w00001" is invalid: {reason}'
    server.faults = [Fault("PATCH", "w00001", failed(422, message))]
    return server


def crd_changing() -> FakeServer:
    """Return a cluster in which the CRD changes during each pass of a run."""
    server = widgets()
    left = [3]

    def touch() -> None:
        server.touch()
        left[0] -= 1
        if left[0]:
            server.hooks.append(("PATCH", "w00001", touch))

    server.hooks = [("PATCH", "w00001", touch)]
    return server


def migration_missing() -> FakeServer:
    """Return a cluster that has a StorageVersionMigration from the second run on."""
    server = widgets()

    def create() -> None:
        server.migrations = [_migration("Succeeded")]
        server.crd["status"]["storedVersions"] = ["v1"]

    _after(server, "storagemigration.k8s.io", create)
    return server


def migration_failed() -> FakeServer:
    """Return a cluster whose StorageVersionMigration has failed."""
    server = widgets()
    server.migrations = [_migration("Failed", message='failed calling webhook "check.example.com"')]
    return server


def list_untrimmed() -> FakeServer:
    """Return a cluster whose StorageVersionMigration has succeeded, with both versions in storedVersions."""
    server = widgets()
    server.migrations = [_migration("Succeeded")]
    return server


def crd_missing() -> FakeServer:
    """Return a cluster in which the CRD is installed from the second run on."""
    server = widgets()
    installed, server.crd = server.crd, {}
    _after(server, NAME, lambda: setattr(server, "crd", installed))
    return server


def _after(server: FakeServer, path: str, action: Callable[[], object]) -> None:
    """Call a function when the CRD is read next after a first request of a path."""
    server.hooks = [("GET", path, lambda: server.hooks.append(("GET", NAME, action)))]


def _migration(condition: str, message: str = "") -> dict[str, Any]:
    conditions = [{"type": condition, "status": "True", "message": message}]
    metadata = {"name": "widgets-v1", "creationTimestamp": "2026-11-22T08:30:00Z"}
    resource = {"resource": {"group": GROUP, "resource": "widgets"}}
    return {"metadata": metadata, "spec": resource, "status": {"conditions": conditions}}


CLUSTERS: dict[str, Callable[[], FakeServer]] = {
    "migrate-crd": widgets,
    "migrate-loss": fields_lost,
    "migrate-object": object_rejected,
    "migrate-changed": crd_changing,
    "migrate-unfinished": migration_missing,
    "migrate-failed": migration_failed,
    "migrate-stored-versions": list_untrimmed,
    "migrate-managed-fields": widgets,
    "patch-missing": crd_missing,
    "version-stored": widgets,
}
