"""The ClusterRole with the permissions for `patch` and `migrate`. Source: k8s.io/api rbac/v1."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.emit.manifests.workload import Manifest, Workload
from protoc_gen_crd.emit.storage_version_migrations import GROUPS, PLURAL

_RBAC = "rbac.authorization.k8s.io/v1"


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
