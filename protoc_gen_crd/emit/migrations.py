"""StorageVersionMigration objects, which ask a controller in the cluster to rewrite what is stored of a kind.

Source: k8s.io/api/storagemigration, k8s.io/kubernetes pkg/features/kube_features.go (StorageVersionMigrator),
k8s.io/client-go features/known_features.go (InformerResourceVersion), both by release;
kubernetes-sigs/kube-storage-version-migrator pkg/apis/migration/v1alpha1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.versions import NEWEST
from protoc_gen_crd.base.yamlwrite import dump

KIND, PLURAL = "StorageVersionMigration", "storageversionmigrations"
IN_TREE, ADD_ON = "in-tree", "add-on"


class MigrationApi(Record):
    """One API of the kind: minor versions of Kubernetes that have it, members of spec.resource, what must be there.

    `trims` says from which minor version on the controller shortens status.storedVersions.
    """

    group: str
    version: str
    first: int
    last: int
    members: tuple[str, ...]
    needs: str = ""
    trims: int = NEWEST + 1

    @property
    def api_version(self) -> str:
        """As objects have it."""
        return f"{self.group}/{self.version}"


_OURS, _TWO, _THREE = "storagemigration.k8s.io", ("group", "resource"), ("group", "version", "resource")
_GATE = "the feature gate StorageVersionMigrator on kube-apiserver and kube-controller-manager"
_SERVED = "--runtime-config=storagemigration.k8s.io/{}=true on kube-apiserver"
_INFORMER = "KUBE_FEATURE_InformerResourceVersion=true in the environment of kube-controller-manager"
_INSTALLED = "the add-on kube-storage-version-migrator in the cluster"

APIS = {
    IN_TREE: (
        MigrationApi(_OURS, "v1alpha1", 30, 34, _THREE, f"{_GATE}; {_SERVED.format('v1alpha1')}; {_INFORMER}"),
        MigrationApi(_OURS, "v1beta1", 35, 36, _TWO, f"{_GATE}; {_SERVED.format('v1beta1')}", trims=36),
        MigrationApi(_OURS, "v1", 37, NEWEST, _TWO, trims=36),
    ),
    ADD_ON: (MigrationApi("migration.k8s.io", "v1alpha1", 15, NEWEST, _THREE, _INSTALLED),),
}
GROUPS = (_OURS, "migration.k8s.io")


def apis_for(which: str, minors: Iterable[int]) -> tuple[MigrationApi, ...]:
    """The APIs that some of these versions of Kubernetes have, none where one of them has none."""
    found = [[api for api in APIS[which] if api.first <= minor <= api.last] for minor in minors]
    return tuple(dict.fromkeys([api for one in found for api in one])) if all(found) else ()


def manifest(api: MigrationApi, group: str, plural: str, storage: str) -> dict[str, Any]:
    """The object for a kind. It is named after the storage version, since one that is done is never taken up again."""
    resource = {"group": group, "resource": plural, "version": storage}
    return {
        "apiVersion": api.api_version,
        "kind": KIND,
        "metadata": {"name": f"{plural}.{group}-{storage}"},
        "spec": {"resource": {name: resource[name] for name in api.members}},
    }


def text(api: MigrationApi, manifests: Iterable[dict[str, Any]]) -> str:
    """Manifests as YAML, behind a comment that names what they need."""
    until = f" to 1.{api.last}" if api.last != api.first else ""
    head = f"# For Kubernetes 1.{api.first}{until}. Needs {api.needs or 'nothing else'}.\n"
    return head + "".join([f"---\n{dump(one)}" for one in manifests])
