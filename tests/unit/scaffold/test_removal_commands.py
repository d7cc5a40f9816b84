"""Commands that delete the files that `generate` replaces."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from protoc_gen_crd.scaffold.removal_commands import list_removals
from tests.support.repositories import Repository

MANY = [f"crds/{name}.yaml" for name in "abcd"]


@pytest.mark.parametrize(
    ("files", "others", "expected"),
    [
        ([], [], []),
        (["a.yaml"], [], ["git rm a.yaml"]),
        (["old/a.yaml", "old/b.yml"], [], ["git rm old/a.yaml", "git rm old/b.yml"]),
        (MANY, [], ["git rm crds/*.yaml"]),
        (MANY, ["crds/x.json", "crds/more/x.yaml"], ["git rm crds/*.yaml"]),
        (MANY, ["crds/x.yaml"], ["git rm crds/a.yaml crds/b.yaml crds/c.yaml", "git rm crds/d.yaml"]),
    ],
)
def test_commands(files: list[str], others: list[str], expected: list[str]) -> None:
    assert [command for command, _ in list_removals(files, others)] == expected


def test_commands_are_limited() -> None:
    removals = list(list_removals([f"{index}/crd.yaml" for index in range(12)], []))
    assert len(removals) == 10
    assert removals[-1] == ("git rm 9/crd.yaml", "delete what `generate` replaces, and 2 more files")


def test_a_shell_deletes_only_these_files(tmp_path: Path) -> None:
    files = [
        "-f.yaml",
        "a b; touch x.yaml",
        "it's/$(touch y).yaml",
        *(f"{folder}/{name}.yaml" for folder in ("*", "old crds") for name in "abcd"),
    ]
    kept = ["crds/a.yaml", "it's/a.yaml", "old crds/README.md", "old crds/more/a.yaml"]
    Repository(tmp_path).commit(dict.fromkeys([*files, *kept], "{}\n"))
    commands = [command for command, _ in list_removals(files, kept)]
    assert "git rm 'old crds'/*.yaml" in commands
    for command in commands:
        assert subprocess.run(["sh", "-c", command], cwd=tmp_path, check=False, capture_output=True).returncode == 0
    found = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {path for path in found if not path.startswith(".git/")} == {*kept}
