"""Which API of StorageVersionMigration each version of Kubernetes has, and what its objects hold."""

from __future__ import annotations

import pytest

from protoc_gen_crd.base.versions import NEWEST, OLDEST
from protoc_gen_crd.emit.migrations import APIS, apis_for, manifest, text

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
    apis = apis_for("in-tree", [minor])
    made = [manifest(api, "acme.example", "widgets", "v1") for api in apis]
    assert [(one["apiVersion"], one["spec"]["resource"]) for one in made] == ([expected] if expected else [])
    (added,) = apis_for("add-on", [minor])
    made_for_it = manifest(added, "acme.example", "widgets", "v1")
    assert made_for_it["apiVersion"] == "migration.k8s.io/v1alpha1"
    assert made_for_it["spec"]["resource"] == WITH_VERSION


@pytest.mark.parametrize(("minors", "count"), [((35, 36), 1), ((34, 35), 2), ((29, 30), 0)])
def test_ranges(minors: tuple[int, ...], count: int) -> None:
    assert len(apis_for("in-tree", minors)) == count


def test_what_is_needed_stands_above() -> None:
    alpha, beta, stable = (text(api, []) for api in APIS["in-tree"])
    assert "StorageVersionMigrator" in alpha
    assert "InformerResourceVersion" in alpha
    assert "storagemigration.k8s.io/v1beta1=true" in beta
    assert stable == "# For Kubernetes 1.37. Needs nothing else.\n"
