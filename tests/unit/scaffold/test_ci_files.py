"""Jobs and hooks are YAML with the commands of the project, and install what the user has installed."""

from __future__ import annotations

import json
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
from tests.support.yaml_data import load_yaml

_RELEASE = InstallSource("protoc-gen-crd==1.2.3")
_GIT = InstallSource("git+https://git.example.com/tool@0123abc", "https://git.example.com/tool", "0123abc")
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
    assert all("${{" not in step.get("run", "") for step in steps)  # an expression would run the name of a branch


def test_a_job_runs_all_commands() -> None:
    script = load_yaml(make_gitlab_job(_COMMANDS, _GIT))["crds"]["script"]
    assert script[0] == "pip install git+https://git.example.com/tool@0123abc"
    assert [line.split()[1] for line in script[1:]] == ["generate", "validate", "lint", "changes"]


def _load_hooks(source: InstallSource) -> dict[str, Any]:
    (entry,) = load_yaml("repos:\n" + make_pre_commit_hooks(_COMMANDS, source))["repos"]
    return dict(entry)


def test_hooks_of_a_release_install_it() -> None:
    entry = _load_hooks(_RELEASE)
    assert entry["repo"] == "local"
    assert {tuple(hook["additional_dependencies"]) for hook in entry["hooks"]} == {("protoc-gen-crd==1.2.3",)}


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
_UNKNOWN = InstallSource(f"protoc-gen-crd=={__version__}")


@pytest.mark.parametrize(
    ("direct_url", "expected"),
    [
        (None, _UNKNOWN),
        ("{", _UNKNOWN),
        (json.dumps({"url": "file:///src", "dir_info": {"editable": True}}), _UNKNOWN),
        (json.dumps({"url": "https://git.example.com/tool", "vcs_info": _VCS}), _GIT),
        (json.dumps({"url": "https://git.example.com/a b; rm", "vcs_info": _VCS}), _UNKNOWN),
    ],
)
def test_the_source_of_the_installation(
    direct_url: str | None, expected: InstallSource, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install_source, "distribution", lambda _: _Distribution(direct_url))
    assert find_install_source() == expected


def test_a_program_that_is_not_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def find_nothing(_: str) -> None:
        raise PackageNotFoundError(tmp_path)

    monkeypatch.setattr(install_source, "distribution", find_nothing)
    assert find_install_source() == _UNKNOWN
