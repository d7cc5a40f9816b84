"""Groups of k8s.io/api, and groups of projects that install their kinds with CRDs or API services."""

from __future__ import annotations

import pytest

from protoc_gen_crd.kubernetes.built_in_groups import is_built_in, is_configuration


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
