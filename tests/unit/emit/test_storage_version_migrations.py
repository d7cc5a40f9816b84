"""APIs of StorageVersionMigration by Kubernetes version, and their objects."""

from __future__ import annotations

import pytest

from protoc_gen_crd.emit.storage_version_migrations import APIS, find_apis, format_migrations, make_migration
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST

# From the API types and feature gates of the releases; see the module for the files.
RESOURCE = {"group": "acme.example", "resource": "widgets"}
WITH_VERSION = {**RESOURCE, "version": "v1"}
IN_TREE = {
    **dict.fromkeys(range(OLDEST, 30), None),
    **dict.fromkeys(range(30, 35), ("storagemigration.k8s.io/v1alpha1", WITH_VERSION)),
    **dict.fromkeys(range(35, 37), ("storagemigration.k8s.io/v1beta1", RESOURCE)),
    37: ("storagemigration.k8s.io/v1", RESOURCE),
}


@pytest.mark.parametrize("minor", range(OLDEST, NEWEST + 1))
def test_each_version_gets_its_own(minor: int) -> None:
    expected = IN_TREE[minor]
    apis = find_apis("in-tree", [minor])
    migrations = [make_migration(api, "acme.example", "widgets", "v1") for api in apis]
    assert [(migration["apiVersion"], migration["spec"]["resource"]) for migration in migrations] == (
        [expected] if expected else []
    )
    (added,) = find_apis("add-on", [minor])
    made_for_it = make_migration(added, "acme.example", "widgets", "v1")
    assert made_for_it["apiVersion"] == "migration.k8s.io/v1alpha1"
    assert made_for_it["spec"]["resource"] == WITH_VERSION


@pytest.mark.parametrize(("minors", "count"), [((35, 36), 1), ((34, 35), 2), ((29, 30), 0)])
def test_ranges(minors: tuple[int, ...], count: int) -> None:
    assert len(find_apis("in-tree", minors)) == count


def test_requirements_are_a_comment() -> None:
    alpha, beta, stable = (format_migrations(api, []) for api in APIS["in-tree"])
    assert ". Requires " in alpha
    assert "StorageVersionMigrator" in alpha
    assert "InformerResourceVersion" in alpha
    assert ". Requires " in beta
    assert "storagemigration.k8s.io/v1beta1=true" in beta
    assert stable == "# For Kubernetes 1.37.\n"
