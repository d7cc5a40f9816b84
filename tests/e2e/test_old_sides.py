"""`--old` with real git repositories: what it reads, and what it reports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.repositories import ENVIRONMENT, Repository, write_files

PROTO = """syntax = "proto3";
package acme.widget.v1;

// +protoc-gen-crd:resource={group: "acme.example"}
message Widget {
  // +kubebuilder:validation:MaxLength=%d
  string name = 1;
  // +kubebuilder:validation:XValidation:rule="self == oldSelf",message="immutable"
  int32 size = 2;
}
"""
DOCUMENT = """apiVersion: acme.example/v1
kind: Widget
metadata:
  name: one
spec:
  size: %d
"""
API = "api/acme/widget/v1/widget.proto"
FILES = {API: PROTO % 10, "manifests/one.yaml": DOCUMENT % 1}
NEW = {API: PROTO % 20, "manifests/one.yaml": DOCUMENT % 2}
IMMUTABLE = "manifests/one.yaml:6:9: error: Widget/one is rejected: spec.size: Invalid value: 2: immutable"


def run(folder: Path, *arguments: str, temporary: Path | None = None, path: str = "") -> tuple[int, str]:
    """Run a command. Return its exit status and what it prints."""
    environment = {**ENVIRONMENT, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    environment |= {"TMPDIR": str(temporary)} if temporary else {}
    environment |= {"PATH": path} if path else {}
    command = [sys.executable, "-m", "protoc_gen_crd", *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def validate(folder: Path, old: str, *paths: str) -> tuple[int, str]:
    return run(folder, "validate", *(paths or ("api", "manifests")), "--old", old)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """Return a repository with one tagged commit and other files in its work tree."""
    made = Repository(tmp_path / "repository")
    made.commit(FILES, "v1.0.0")
    write_files(made.folder, NEW)
    return made


@pytest.mark.parametrize(
    "old", ["git:HEAD", "git:v1.0.0", "git:main", "latest-tag", "latest-tag:v1.*", "merge-base:main"]
)
def test_documents_update_those_of_a_commit(old: str, repository: Repository) -> None:
    before = repository.git("status", "--porcelain=v2", "--branch")
    status, output = validate(repository.folder, old)
    assert (status, IMMUTABLE in output, "1 CRD (1 update), 1 document validated (1 update)" in output) == (
        1,
        True,
        True,
    )
    assert repository.git("status", "--porcelain=v2", "--branch") == before


def test_a_folder_of_a_commit(repository: Repository) -> None:
    status, output = validate(repository.folder, "git:HEAD:manifests")
    assert (status, IMMUTABLE in output, "1 CRD (0 updates)" in output) == (1, True, True)
    status, output = validate(repository.folder, "git:HEAD:manifest")
    assert status == 1
    assert 'error: cannot read git:HEAD:manifest: no .proto files or documents in "manifest" [old-reference]' in output
    assert 'hint: did you mean "manifests"?' in output


def test_a_subdirectory(repository: Repository) -> None:
    status, output = validate(repository.folder / "manifests", "git:HEAD", ".", "../api")
    assert (status, "1 CRD (1 update), 1 document validated (1 update)" in output) == (1, True)
    assert validate(repository.folder / "api", "git:HEAD:./acme", ".")[1].startswith("1 CRD (1 update)")


def test_a_linked_worktree(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "--quiet", tmp_path / "linked")
    write_files(tmp_path / "linked", NEW)
    status, output = validate(tmp_path / "linked", "git:main")
    assert (status, IMMUTABLE in output) == (1, True)


def test_symbolic_links(repository: Repository) -> None:
    (repository.folder / "linked").symlink_to("manifests")
    (repository.folder / "manifests" / "absolute.yaml").symlink_to("/etc/hostname")
    (repository.folder / "manifests" / "outside.yaml").symlink_to("../../outside.yaml")
    write_files(repository.folder, FILES)
    repository.commit({})
    (repository.folder / "manifests" / "absolute.yaml").unlink()
    (repository.folder / "manifests" / "outside.yaml").unlink()
    write_files(repository.folder, NEW)
    status, output = validate(repository.folder, "git:HEAD", "api", "linked")
    assert (status, IMMUTABLE.replace("manifests", "linked") in output) == (1, True)
    _, output = validate(repository.folder, "git:HEAD")
    assert output.count("[old-link]") == 2
    assert 'symbolic link "manifests/outside.yaml" of HEAD leads to no input in the commit' in output


def test_the_latest_tag_is_a_release_that_head_contains(repository: Repository) -> None:
    for tag in ("v1.10.0", "v1.9.0", "v1.11.0-rc.1", "other/v3"):
        repository.git("tag", tag)
    repository.git("checkout", "--quiet", "--force", "--orphan", "elsewhere")
    repository.commit({"README": ""}, "v2.0.0")
    repository.git("checkout", "--quiet", "--force", "main")
    write_files(repository.folder, {"api/broken.proto": "syntax"})
    repository.git("tag", "--force", "v1.10.0", repository.commit({}))
    write_files(repository.folder, {"api/broken.proto": None})
    _, output = validate(repository.folder, "latest-tag:v*")
    assert "v1.10.0:api/broken.proto:1:7: error: " in output
    _, output = validate(repository.folder, "latest-tag:x*")
    assert 'error: cannot read latest-tag:x*: no git tag matches "x*" [old-reference]' in output


def test_a_side_that_does_not_compile(repository: Repository) -> None:
    repository.commit({API: "syntax = 1;"}, "broken")
    write_files(repository.folder, NEW)
    status, output = validate(repository.folder, "git:broken")
    assert status == 1
    assert f"broken:{API}:1:10: error: Expected syntax identifier" in output
    assert "    1 | syntax = 1;" in output
    assert "error: no CRDs can be generated from the old side broken [old-invalid]" in output


def test_a_shallow_clone(repository: Repository, tmp_path: Path) -> None:
    repository.commit(NEW)
    source = f"file://{repository.folder}"
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", source, "shallow"], cwd=tmp_path, env=ENVIRONMENT, check=True
    )
    for old in ("git:v1.0.0", "latest-tag", "merge-base:v1.0.0"):
        status, output = validate(tmp_path / "shallow", old)
        assert (status, "[old-reference]" in output, '"fetch-depth: 0"' in output) == (1, True, True), output


def test_unknown_refs(repository: Repository, tmp_path: Path) -> None:
    for old, message in (
        ("git:v1.0.1", 'unknown git ref "v1.0.1" [old-reference]\n  hint: did you mean "v1.0.0"?'),
        ("git:--help", 'unknown git ref "--help" [old-reference]'),
        ("merge-base:nothing", 'unknown git ref "nothing" [old-reference]'),
    ):
        status, output = validate(repository.folder, old)
        assert (status, message in output) == (1, True), output
    outside = tmp_path / "outside"
    write_files(outside, NEW)
    status, output = validate(outside, "git:HEAD")
    assert (status, "cannot read git:HEAD: not a git repository" in output) == (1, True), output


def test_without_git(repository: Repository, tmp_path: Path) -> None:
    status, output = run(repository.folder, "validate", "api", "--old", "git:HEAD", path=str(tmp_path))
    assert (status, "cannot read git:HEAD: git is not installed [old-reference]" in output) == (1, True), output


def test_temporary_files_are_removed(repository: Repository, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    run(repository.folder, "validate", "api", "manifests", "--old", "git:HEAD", temporary=temporary)
    assert list(temporary.iterdir()) == []
