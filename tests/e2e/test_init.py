"""`init` in a repository: all commands that it prints succeed, and a later change fails them."""

from __future__ import annotations

import os
import shlex
import stat
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.fork_server import run_program
from tests.support.yaml_data import load_yaml

PROGRAM = "protoc-gen-crd"


def _run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "NO_COLOR": "1"}
    if command[0] == PROGRAM:
        return run_program(command[1:], folder, environment)
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def _commit(folder: Path, message: str) -> None:
    author = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
    assert _run(folder, "git", "add", "--all").returncode == 0
    assert _run(folder, "git", *author, "commit", "--quiet", "--message", message).returncode == 0


def test_the_printed_commands_succeed(tmp_path: Path) -> None:
    assert _run(tmp_path, "git", "init", "--quiet", "--initial-branch", "main").returncode == 0
    printed = _run(tmp_path, PROGRAM, "init").stdout
    commands = [line.split()[1] for line in printed.partition("next:")[2].splitlines() if line]
    assert commands == ["generate", "validate", "lint", "changes"]
    for command in commands[:3]:
        assert _run(tmp_path, PROGRAM, command).returncode == 0
    _commit(tmp_path, "Add an API")
    assert _run(tmp_path, PROGRAM, "changes").stdout.endswith("verdict: compatible\n")

    proto = tmp_path / "proto" / "acme" / "widgets" / "v1" / "widget.proto"
    proto.write_text(proto.read_text().replace("maximum = 9", "maximum = 2"))
    assert "[output-stale]" in _run(tmp_path, PROGRAM, "generate", "--check").stderr
    assert _run(tmp_path, PROGRAM, "generate").returncode == 0
    assert "[document-rejected]" in _run(tmp_path, PROGRAM, "validate").stderr
    assert _run(tmp_path, PROGRAM, "changes").returncode == 1


@pytest.mark.parametrize("has_documents", [True, False])
def test_the_pre_commit_hooks(tmp_path: Path, has_documents: bool) -> None:
    """All hooks pass before the first commit, and each finds its own mistake."""
    hooks = load_yaml((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert _run(tmp_path, "git", "init", "--quiet", "--initial-branch", "main").returncode == 0
    assert _run(tmp_path, PROGRAM, "init").returncode == 0
    if not has_documents:
        (tmp_path / "protoc-gen-crd.yaml").write_text("inputs: [proto]\n")
    assert _run(tmp_path, PROGRAM, "generate").returncode == 0
    commands = [[PROGRAM, *shlex.split(hook["entry"])[1:], *hook.get("args", ())] for hook in hooks]
    assert [_run(tmp_path, *command).returncode for command in commands] == [0, 0, 0, 0]
    _commit(tmp_path, "Add an API")
    proto = tmp_path / "proto" / "acme" / "widgets" / "v1" / "widget.proto"
    proto.write_text(proto.read_text().replace("replicas = 2", "Replicas_Count = 3").replace("default=1", "default=20"))
    assert [_run(tmp_path, *command).returncode for command in commands] == [1, 1, 1, 1]


@pytest.mark.skipif(os.geteuid() == 0, reason="root can write to any folder")
def test_a_read_only_folder(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    result = _run(tmp_path, PROGRAM, "init")
    tmp_path.chmod(stat.S_IRWXU)
    assert (result.returncode, result.stderr) == (2, f"protoc-gen-crd: {tmp_path / 'proto'}: Permission denied\n")


def test_a_link_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "manifests").symlink_to(tmp_path / "elsewhere")
    result = _run(tmp_path / "project", PROGRAM, "init")
    assert result.returncode == 1
    assert "[output-outside]" in result.stderr
    assert list((tmp_path / "elsewhere").iterdir()) == []
