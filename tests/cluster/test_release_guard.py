"""The policy that guards CRDs against older releases, on a running API server."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

import pytest

from protoc_gen_crd.emit.release_guard import build_guard
from tests.cluster.server import CRDS, Cluster, Reply, wait

POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"
GROUP = "guarded.example"
NAME, OTHER = f"widgets.{GROUP}", f"gadgets.{GROUP}"
Manifest = dict[str, Any]


def make_crd(release: str, *versions: str, name: str = NAME, unserved: tuple[str, ...] = ()) -> Manifest:
    plural = name.partition(".")[0]
    kind = plural.removesuffix("s").title()
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": name, "annotations": {f"{GROUP}/release": release} if release else {}},
        "spec": {
            "group": GROUP,
            "scope": "Namespaced",
            "names": {"kind": kind, "plural": plural},
            "versions": [
                {
                    "name": version,
                    "served": version not in unserved,
                    "storage": version == versions[0],
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                }
                for version in versions
            ],
        },
    }


def update(cluster: Cluster, crd: Manifest, *, dry: bool = True) -> Reply:
    path = f"{CRDS}/{crd['metadata']['name']}"
    metadata = cluster.call("GET", path).body["metadata"]
    metadata = {**crd["metadata"], "resourceVersion": metadata["resourceVersion"]}
    return cluster.call("PUT", path + "?dryRun=All" * dry, {**crd, "metadata": metadata})


@pytest.fixture(scope="module")
def guarded(cluster: Cluster) -> Iterator[Cluster]:
    cluster.serve([make_crd("1.9", "v1", "v1beta1"), make_crd("1.9", "v1", name=OTHER)])
    policy, binding = build_guard(GROUP, [NAME])
    assert cluster.call("POST", POLICIES, policy).code == HTTPStatus.CREATED
    assert cluster.call("POST", BINDINGS, binding).code == HTTPStatus.CREATED
    wait(lambda: update(cluster, make_crd("1.8", "v1", "v1beta1")).code == HTTPStatus.FORBIDDEN)
    yield cluster
    for path, manifest in ((BINDINGS, binding), (POLICIES, policy)):
        cluster.call("DELETE", f"{path}/{manifest['metadata']['name']}")
    cluster.remove([NAME, OTHER])


def test_the_server_finds_no_error_in_the_types(guarded: Cluster) -> None:
    path = f"{POLICIES}/release-guard.{GROUP}"
    wait(lambda: guarded.call("GET", path).body["status"].get("observedGeneration"))
    assert guarded.call("GET", path).body["status"]["typeChecking"] == {}


@pytest.mark.parametrize(
    ("crd", "message"),
    [
        (make_crd("1.10", "v1", "v1beta1"), ""),
        (make_crd("1.9", "v2", "v1", "v1beta1"), ""),
        (make_crd("1.8", "v1", "v1beta1"), "a newer release is installed"),
        (make_crd("", "v1", "v1beta1"), "a newer release is installed"),
        (make_crd("1.10", "v1"), "a served version is removed"),
        (make_crd("1.10", "v1", "v1beta1", unserved=("v1beta1",)), "a served version is removed"),
        (make_crd("1.8", "v1", "v1beta1", name=OTHER), ""),
        (make_crd("1.8", "v1", name=OTHER), ""),
    ],
)
def test_an_older_release_and_lost_versions_are_rejected(crd: Manifest, message: str, guarded: Cluster) -> None:
    reply = update(guarded, crd)
    assert reply.code == (HTTPStatus.FORBIDDEN if message else HTTPStatus.OK), reply.body
    assert message in reply.body.get("message", "")


def test_a_newer_release_is_the_new_bound(guarded: Cluster) -> None:
    newer = make_crd("1.10", "v1", "v1beta1")
    assert update(guarded, newer, dry=False).code == HTTPStatus.OK
    assert update(guarded, make_crd("1.9", "v1", "v1beta1")).code == HTTPStatus.FORBIDDEN
    assert update(guarded, newer).code == HTTPStatus.OK
