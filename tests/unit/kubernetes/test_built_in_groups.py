"""Groups of k8s.io/api, and groups of projects that install their kinds with CRDs or API services."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.kubernetes.built_in_groups import (
    has_built_in_kind,
    is_built_in,
    is_configuration,
    list_built_in_groups,
)
from protoc_gen_crd.kubernetes.built_in_kinds import BUILT_IN_KINDS
from tests.support.kubernetes_types import SCHEMAS, read_answers


@pytest.mark.parametrize(
    ("group", "version", "expected"),
    [
        ("", "v1", True),
        ("", "v2", False),  # the apiVersion of a Chart.yaml
        ("", "db.acme.io", False),  # without a version
        ("apps", "v1", True),
        ("extensions", "v1beta1", True),
        ("apiextensions.k8s.io", "v1", True),
        ("apiregistration.k8s.io", "v1", True),
        ("gateway.networking.k8s.io", "v1", False),
        ("metrics.k8s.io", "v1beta1", False),
        ("snapshot.storage.k8s.io", "v1", False),
        ("kustomize.config.k8s.io", "v1beta1", False),
    ],
)
def test_built_in_groups(group: str, version: str, expected: bool) -> None:
    assert is_built_in(group, version) == expected


def test_configuration_of_clients_and_components() -> None:
    groups = ["kustomize.config.k8s.io", "kubelet.config.k8s.io", "config.k8s.io", "config.openshift.io", ""]
    assert [is_configuration(group) for group in groups] == [True, True, False, False, False]


def test_kinds_are_those_of_controller_gen() -> None:
    """Every Go type of k8s.io/api with the fields of an object is a built-in kind."""
    kinds = {kind for names in BUILT_IN_KINDS.values() for kind in names}
    types = [
        name for name, schema in read_answers(SCHEMAS.read_text()).items() if ".api." in name and is_object(schema)
    ]
    assert len(types) > 100
    unknown = {name.rpartition(".")[2].removesuffix("List") for name in types} - kinds
    assert unknown == set()


def is_object(schema: dict[str, Any]) -> bool:
    return {"apiVersion", "kind", "metadata"} <= {*schema.get("properties", ())}


@pytest.mark.parametrize(
    ("group", "kind", "expected"),
    [
        ("apps", "Deployment", True),
        ("apps", "DeploymentList", True),
        ("apps", "Deploymnt", False),
        ("apps", "Ingress", False),
        ("", "List", True),
        ("policy", "PodSecurityPolicy", True),  # removed in 1.25
        ("scheduling.k8s.io", "CompositePodGroup", True),  # only in v1alpha3
    ],
)
def test_built_in_kinds(group: str, kind: str, expected: bool) -> None:
    assert has_built_in_kind(group, kind) == expected


def test_groups_of_a_kind() -> None:
    assert list_built_in_groups("Ingress") == ["networking.k8s.io"]
    assert list_built_in_groups("Event") == ["", "events.k8s.io"]
    assert list_built_in_groups("Widget") == []
