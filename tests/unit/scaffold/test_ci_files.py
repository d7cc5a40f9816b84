"""Jobs and hooks are YAML with the commands of the project, and install what the user has installed."""

from __future__ import annotations

import json
import subprocess
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd import __version__
from protoc_gen_crd.scaffold import install_source
from protoc_gen_crd.scaffold.ci_files import (
    list_commands,
    make_github_workflow,
    make_gitlab_job,
    make_pre_commit_hooks,
)
from protoc_gen_crd.scaffold.install_source import InstallSource, find_install_source
from tests.conftest import ROOT
from tests.support.repositories import Repository
from tests.support.yaml_data import load_yaml

_RELEASE = InstallSource("protoc-gen-crd==1.2.3")
_GIT = InstallSource("git+https://git.example.com/tool@0123abc", "https://git.example.com/tool", "0123abc")
_UNKNOWN = InstallSource()
_COMMANDS = list_commands(has_protos=True)


def test_protos_are_generated_first() -> None:
    assert [command.arguments for command in _COMMANDS] == ["generate --check", "validate", "lint", "changes"]
    assert list_commands(has_protos=False) == _COMMANDS[1:]


def test_a_workflow_runs_all_commands() -> None:
    steps = load_yaml(make_github_workflow(_COMMANDS, _RELEASE))["jobs"]["crds"]["steps"]
    assert [step["run"].partition(" --")[0] for step in steps if "run" in step] == [
        "pip install protoc-gen-crd==1.2.3",
        "protoc-gen-crd generate",
        "protoc-gen-crd validate",
        "protoc-gen-crd lint",
        "protoc-gen-crd changes",
    ]
    assert steps[2]["id"] == "install"
    conditions = {step.get("if") for step in steps[3:]}  # a failed check does not hide the findings of the others
    assert conditions == {"${{ !cancelled() && steps.install.outcome != 'failure' }}"}
    assert all("${{" not in step.get("run", "") for step in steps)  # an expression would run the name of a branch


def test_a_job_runs_all_commands() -> None:
    script = load_yaml(make_gitlab_job(_COMMANDS, _GIT))["crds"]["script"]
    assert script[0] == "pip install git+https://git.example.com/tool@0123abc"
    assert [line.split()[1] for line in script[2:-1]] == ["generate", "validate", "lint", "changes"]
    for failing, status in (("generate", 1), ("changes", 1), ("none", 0)):
        program = f'check() {{ echo "$1"; [ "$1" != {failing} ]; }}'
        lines = [line.replace("protoc-gen-crd", "check") for line in script[1:]]
        assert _run_shell("\n".join([program, *lines])) == (status, "generate\nvalidate\nlint\nchanges\n")


def _load_hooks(source: InstallSource) -> dict[str, Any]:
    (entry,) = load_yaml("repos:\n" + make_pre_commit_hooks(_COMMANDS, source))["repos"]
    return dict(entry)


def test_hooks_of_a_release_install_it() -> None:
    entry = _load_hooks(_RELEASE)
    assert entry["repo"] == "local"
    assert {tuple(hook["additional_dependencies"]) for hook in entry["hooks"]} == {("protoc-gen-crd==1.2.3",)}


def test_a_workflow_without_a_source_fails_with_a_message() -> None:
    steps = load_yaml(make_github_workflow(_COMMANDS, _UNKNOWN))["jobs"]["crds"]["steps"]
    status, output = _run_shell(next(step["run"] for step in steps if "run" in step))
    assert (status, output) == (
        1,
        "::error::replace this command of .github/workflows/crds.yaml with one that installs the tool\n",
    )


def test_a_job_without_a_source_fails_with_a_message() -> None:
    script = load_yaml(make_gitlab_job(_COMMANDS, _UNKNOWN))["crds"]["script"]
    assert _run_shell(script[0]) == (1, "replace this line of .gitlab-ci.yml with one that installs the tool\n")


def _run_shell(line: str) -> tuple[int, str]:
    done = subprocess.run(["sh", "-e", "-c", line], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_hooks_without_a_source_use_the_installed_tool() -> None:
    entry = _load_hooks(_UNKNOWN)
    assert entry["repo"] == "local"
    assert {(hook["language"], "additional_dependencies" in hook) for hook in entry["hooks"]} == {("system", False)}


def test_hooks_of_a_repository_are_its_hooks() -> None:
    entry = _load_hooks(_GIT)
    own = {hook["id"] for hook in load_yaml((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert (entry["repo"], entry["rev"]) == ("https://git.example.com/tool", "0123abc")
    assert {hook["id"] for hook in entry["hooks"]} == own


class _Distribution:
    def __init__(self, direct_url: str | None) -> None:
        self._direct_url = direct_url

    def read_text(self, _: str) -> str | None:
        return self._direct_url


_VCS = {"vcs": "git", "commit_id": "0123abc"}
_ARCHIVE = "https://files.example.com/tool-1.2.3.whl"


@pytest.mark.parametrize(
    ("direct_url", "expected"),
    [
        (None, InstallSource(f"protoc-gen-crd=={__version__}")),  # installed by name
        ("{", _UNKNOWN),
        (json.dumps({"url": "file:///nonexistent", "dir_info": {"editable": True}}), _UNKNOWN),
        (json.dumps({"url": "file:///tool-1.2.3.whl", "archive_info": {}}), _UNKNOWN),
        (json.dumps({"url": _ARCHIVE, "archive_info": {}}), InstallSource(_ARCHIVE)),
        (json.dumps({"url": "https://git.example.com/tool", "vcs_info": _VCS}), _GIT),
        (json.dumps({"url": "ssh://git@git.example.com/tool", "vcs_info": _VCS}), _GIT),
        (json.dumps({"url": "ssh://git@git.example.com:2222/tool", "vcs_info": _VCS}), _UNKNOWN),
        (json.dumps({"url": "ssh://me@git.example.com/tool", "vcs_info": _VCS}), _UNKNOWN),
        (json.dumps({"url": "ssh://git@git.example.com/a b; rm", "vcs_info": _VCS}), _UNKNOWN),
        (json.dumps({"url": "https://user:secret@git.example.com/tool", "vcs_info": _VCS}), _UNKNOWN),
        (json.dumps({"url": "https://git.example.com/a b; rm", "vcs_info": _VCS}), _UNKNOWN),
        (json.dumps({"url": "https://[", "vcs_info": _VCS}), _UNKNOWN),
        (json.dumps({"url": "https://hg.example.com/tool", "vcs_info": {"vcs": "hg", "commit_id": "1"}}), _UNKNOWN),
    ],
)
def test_the_source_of_the_installation(
    direct_url: str | None, expected: InstallSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _find_source(direct_url, monkeypatch) == expected


def _find_source(direct_url: str | None, monkeypatch: pytest.MonkeyPatch) -> InstallSource:
    monkeypatch.setattr(install_source, "distribution", lambda _: _Distribution(direct_url))
    return find_install_source()


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    """Return a clone with a space in its path, whose remote has an address on the internet."""
    origin = Repository(tmp_path / "origin")
    origin.commit({"setup.py": ""})
    clone = Repository(tmp_path / "a clone")
    clone.git("fetch", "--quiet", str(origin.folder), "main:refs/remotes/origin/main")
    clone.git("reset", "--quiet", "--hard", "origin/main")
    clone.git("remote", "add", "origin", "https://git.example.com/tool")
    return clone


@pytest.mark.parametrize("vcs", [False, True])
@pytest.mark.parametrize("address", ["https://git.example.com/tool", "git@git.example.com:tool"])
def test_a_clone_is_installed_from_its_remote(
    address: str, vcs: bool, clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.git("remote", "set-url", "origin", address)
    commit = clone.git("rev-parse", "HEAD").strip()
    info = {"vcs_info": {"vcs": "git", "commit_id": commit}} if vcs else {"dir_info": {}}
    source = _find_source(json.dumps({"url": clone.folder.as_uri(), **info}), monkeypatch)
    repository = "https://git.example.com/tool"
    assert source == InstallSource(f"git+{repository}@{commit}", repository, commit)


@pytest.mark.parametrize(
    "address",
    ["me@git.example.com:tool", "git@git.example.com:$(id)", "/src/tool", "https://me:secret@git.example.com/tool"],
)
def test_a_clone_of_an_address_that_others_cannot_read(
    address: str, clone: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    clone.git("remote", "set-url", "origin", address)
    assert _find_source(json.dumps({"url": clone.folder.as_uri(), "dir_info": {}}), monkeypatch) == _UNKNOWN


def test_a_commit_that_the_remote_lacks(clone: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    clone.commit({"setup.py": "changed"})
    direct_url = json.dumps({"url": clone.folder.as_uri(), "dir_info": {}})
    assert _find_source(direct_url, monkeypatch) == _UNKNOWN
    clone.git("tag", "v1.2.3")
    assert _find_source(direct_url, monkeypatch).repository == "https://git.example.com/tool"


def test_a_folder_in_another_repository(clone: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    (clone.folder / "tools").mkdir()
    direct_url = json.dumps({"url": (clone.folder / "tools").as_uri(), "dir_info": {}})
    assert _find_source(direct_url, monkeypatch) == _UNKNOWN


def test_a_program_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def find_nothing(_: str) -> None:
        raise PackageNotFoundError(tmp_path)

    monkeypatch.setattr(install_source, "distribution", find_nothing)
    assert find_install_source() == _UNKNOWN
