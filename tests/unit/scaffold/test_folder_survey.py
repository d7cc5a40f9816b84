"""The content of a folder, and its CI."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.scaffold.folder_survey import FolderSurvey, survey_folder


def _survey(folder: Path) -> FolderSurvey:
    return survey_folder(folder, Problems())


def test_an_empty_folder(tmp_path: Path) -> None:
    assert _survey(tmp_path) == FolderSurvey((), ())


@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("git@github.com:acme/api.git", (True, False)),
        ("https://gitlab.acme.example/api", (False, True)),
        ("https://git.acme.example/api", (False, False)),
    ],
)
def test_the_host_of_a_remote(remote: str, expected: tuple[bool, bool], tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n')
    survey = _survey(tmp_path)
    assert (survey.has_github, survey.has_gitlab) == expected


def test_dependencies_and_tests_are_skipped(tmp_path: Path) -> None:
    for name in ("vendor", "node_modules", "testdata", ".cache", "_old", "docs", "proto"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.proto").write_text('syntax = "proto3";\n')
    assert _survey(tmp_path).proto_roots == ("proto",)


def test_the_go_module(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("// comment\nmodule example.com/api/v2\n")
    assert _survey(tmp_path).go_module == "example.com/api/v2"


def test_a_pipe_is_no_file(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "a.yaml")
    assert _survey(tmp_path).documents == ()


@pytest.mark.parametrize(("label", "count"), [("'{{ .Release.Name }}'", 1), ("{{ .Release.Name }}", 0)])
def test_a_template_that_is_valid_yaml_can_have_crds(label: str, count: int, tmp_path: Path) -> None:
    (tmp_path / "crd.yaml").write_text(
        "# {{- if .Values.crds }}\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
        f"metadata: {{name: lamps.example.com, labels: {{app: {label}}}}}\n"
        "spec: {group: example.com, names: {kind: Lamp, plural: lamps}, scope: Namespaced, versions: [{name: v1}]}\n"
    )
    survey = _survey(tmp_path)
    assert len(survey.crds) == count
    assert [document.is_readable for document in survey.documents] == [bool(count)]


def test_files_without_metadata_are_no_manifests(tmp_path: Path) -> None:
    """Programs such as clusterctl read files of the kinds of CRDs that are never sent to a server."""
    (tmp_path / "metadata.yaml").write_text("apiVersion: acme.example/v1\nkind: Metadata\nreleaseSeries: []\n")
    (tmp_path / "lamp.yaml").write_text("apiVersion: acme.example/v1\nkind: Lamp\nmetadata:\n  name: a\n")
    kinds = {document.path: document.kinds for document in _survey(tmp_path).documents}
    assert kinds == {"metadata.yaml": frozenset(), "lamp.yaml": {("acme.example", "Lamp")}}


def test_a_folder_with_old_crds_is_not_used_as_a_whole(tmp_path: Path) -> None:
    """API servers since Kubernetes 1.22 reject CRDs of v1beta1."""
    crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: lamps.example.com}\n"
    crd += "spec: {group: example.com, names: {kind: Lamp, plural: lamps}, scope: Namespaced, versions: [{name: v1}]}\n"
    (tmp_path / "crds").mkdir()
    (tmp_path / "old").mkdir()
    (tmp_path / "crds/lamp.yaml").write_text(crd)
    (tmp_path / "old/crd.yaml").write_text(crd.replace("k8s.io/v1", "k8s.io/v1beta1"))
    (tmp_path / "old/lamp.yaml").write_text("apiVersion: example.com/v1\nkind: Lamp\nmetadata:\n  name: a\n")
    survey = _survey(tmp_path)
    assert survey.find_crd_paths() == ("crds",)
    assert survey.find_manifest_paths(survey.crds) == ()


def test_crds_of_helm_charts_are_copies(tmp_path: Path) -> None:
    crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: lamps.example.com}\n"
    crd += "spec: {group: example.com, names: {kind: Lamp, plural: lamps}, scope: Namespaced, versions: [{name: v1}]}\n"
    for folder in ("charts/crds", "pkg/crds"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "lamp.yaml").write_text(crd)
    assert _survey(tmp_path).find_crd_paths() == ("pkg/crds",)


@pytest.mark.parametrize(
    "text",
    [
        "resources:\n- a.yaml # the first\n- ../b.yaml\n",
        "resources: [a.yaml, ../b.yaml]\n",
        '{"resources": ["a.yaml"], "crds": ["../b.yaml"], "patches": [{"path": "c.yaml"}]}',
    ],
)
def test_the_files_of_a_kustomization(text: str, tmp_path: Path) -> None:
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "kustomization.yaml").write_text(text)
    (document,) = _survey(tmp_path).documents
    assert document.listed == {"crds/a.yaml", "b.yaml"}


def test_an_invalid_kustomization_lists_no_files(tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").write_text("resources: [a.yaml\n")
    assert _survey(tmp_path).documents[0].listed == frozenset()
