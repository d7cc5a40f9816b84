"""StorageVersionMigration objects, which make a controller rewrite the stored objects of a kind.

Source: k8s.io/api/storagemigration, k8s.io/kubernetes pkg/features/kube_features.go (StorageVersionMigrator),
k8s.io/client-go features/known_features.go (InformerResourceVersion), both by release;
kubernetes-sigs/kube-storage-version-migrator pkg/apis/migration/v1alpha1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.yaml.writer import dump

KIND, PLURAL = "StorageVersionMigration", "storageversionmigrations"
IN_TREE, ADD_ON = "in-tree", "add-on"


class MigrationApi(Record):
    """One API of the kind: its minor versions of Kubernetes, its fields of spec.resource, and its requirements."""

    group: str
    version: str
    first: int
    last: int
    resource_members: tuple[str, ...]
    requirement: str = ""

    @property
    def api_version(self) -> str:
        """The apiVersion of objects."""
        return f"{self.group}/{self.version}"


_OURS, _TWO, _THREE = "storagemigration.k8s.io", ("group", "resource"), ("group", "version", "resource")
_NEEDS_FEATURE_GATE = "the feature gate StorageVersionMigrator on kube-apiserver and kube-controller-manager"
_NEEDS_API = "--runtime-config=storagemigration.k8s.io/{}=true on kube-apiserver"
_NEEDS_INFORMER = "KUBE_FEATURE_InformerResourceVersion=true in the environment of kube-controller-manager"
_NEEDS_ADDON = "the add-on kube-storage-version-migrator in the cluster"

APIS = {
    IN_TREE: (
        MigrationApi(
            _OURS,
            "v1alpha1",
            30,
            34,
            _THREE,
            f"{_NEEDS_FEATURE_GATE}; {_NEEDS_API.format('v1alpha1')}; {_NEEDS_INFORMER}",
        ),
        MigrationApi(_OURS, "v1beta1", 35, 36, _TWO, f"{_NEEDS_FEATURE_GATE}; {_NEEDS_API.format('v1beta1')}"),
        MigrationApi(_OURS, "v1", 37, NEWEST, _TWO),
    ),
    ADD_ON: (MigrationApi("migration.k8s.io", "v1alpha1", 15, NEWEST, _THREE, _NEEDS_ADDON),),
}
GROUPS = (_OURS, "migration.k8s.io")


def find_apis(source: str, minors: Iterable[int]) -> tuple[MigrationApi, ...]:
    """Return the APIs of these Kubernetes versions; none if one of the versions has none."""
    apis_by_minor = [[api for api in APIS[source] if api.first <= minor <= api.last] for minor in minors]
    return tuple(dict.fromkeys([api for apis in apis_by_minor for api in apis])) if all(apis_by_minor) else ()


def make_migration(api: MigrationApi, group: str, plural: str, storage: str) -> dict[str, Any]:
    """Create the object for a kind, named after the storage version, since a finished one does not run again."""
    resource = {"group": group, "resource": plural, "version": storage}
    return {
        "apiVersion": api.api_version,
        "kind": KIND,
        "metadata": {"name": f"{plural}.{group}-{storage}"},
        "spec": {"resource": {name: resource[name] for name in api.resource_members}},
    }


def format_migrations(api: MigrationApi, manifests: Iterable[dict[str, Any]]) -> str:
    """Format manifests as YAML, with a comment on their requirements."""
    until = f" to 1.{api.last}" if api.last != api.first else ""
    comment = (
        f"# For Kubernetes 1.{api.first}{until}." + (f" Requires {api.requirement}." if api.requirement else "") + "\n"
    )
    return comment + "".join([f"---\n{dump(manifest)}" for manifest in manifests])
