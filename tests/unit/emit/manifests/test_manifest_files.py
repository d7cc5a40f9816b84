"""Manifests where the names and versions of a cluster make a difference."""

from __future__ import annotations

import pytest

from protoc_gen_crd.emit.manifests.manifest_files import make_manifest_files
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings


def written(service: str, kubernetes: str = "") -> dict[str, str]:
    settings = Settings(webhook_service=service, kubernetes=kubernetes)
    return {file.name: file.text for file in make_manifest_files((), settings, Problems())}


@pytest.mark.parametrize(("namespace", "own"), [("acme", True), ("default", False), ("kube-system", False)])
def test_namespaces_of_clusters_stay_what_they_are(namespace: str, own: bool) -> None:
    """A restricted profile would keep all else from running there, and a deletion would take it away."""
    files = written(f"{namespace}/b")
    named = [name for name, text in files.items() if "kind: Namespace\n" in text or "namespace.yaml" in text]
    expected = ["README.md", "base/kustomization.yaml", "base/namespace.yaml"] if own else []
    assert sorted(named) == expected


@pytest.mark.parametrize("length", [1, 61, 62, 63])
def test_common_names_have_64_characters_at_most(length: int) -> None:
    text = written(f"acme/{'b' * length}")["base/certificates.yaml"]
    (name,) = [line.split()[1] for line in text.splitlines() if "commonName" in line]
    assert name == "b" * min(length, 61) + "-ca"


@pytest.mark.parametrize(("kubernetes", "has"), [("1.26", False), ("1.26..1.30", False), ("1.27", True), ("", True)])
def test_fields_that_servers_do_not_have_are_not_written(kubernetes: str, has: bool) -> None:
    assert ("unhealthyPodEvictionPolicy" in written("acme/b", kubernetes)["base/poddisruptionbudget.yaml"]) == has
