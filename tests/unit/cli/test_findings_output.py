"""Paths in the formats of CI are relative to the folder of the repository, as GitHub and GitLab read them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

Read = Callable[[str], str]
FORMATS: dict[str, tuple[str, Read]] = {
    "github": ("GITHUB_WORKSPACE", lambda printed: re.findall(r"file=([^,]*),", printed)[0]),
    "gitlab": ("CI_PROJECT_DIR", lambda printed: str(json.loads(printed)[0]["location"]["path"])),
    "sarif": ("GITHUB_WORKSPACE", lambda printed: re.findall(r'"uri": "([^"]*)"', printed)[0]),
    "json": ("GITHUB_WORKSPACE", lambda printed: str(json.loads(printed)["findings"][0]["file"])),
}


@pytest.fixture
def api(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder `services/api` of a repository, which becomes the current one."""
    folder = tmp_path / "services/api"
    (folder / "manifests").mkdir(parents=True)
    (folder / "manifests/wrong.yaml").write_text("a: [")
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("form", "repository", "expected"),
    [
        ("github", ".", "services/api/manifests/wrong.yaml"),
        ("github", "services", "api/manifests/wrong.yaml"),
        ("github", "services/api", "manifests/wrong.yaml"),
        ("github", "services/api/manifests", "manifests/wrong.yaml"),
        ("github", "other", "manifests/wrong.yaml"),
        ("gitlab", ".", "services/api/manifests/wrong.yaml"),
        ("sarif", ".", "services/api/manifests/wrong.yaml"),
        ("json", ".", "manifests/wrong.yaml"),
    ],
)
def test_paths_of_a_run_in_a_folder_of_the_repository(
    form: str,
    repository: str,
    expected: str,
    api: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    variable, read = FORMATS[form]
    monkeypatch.setenv(variable, str(tmp_path / repository))
    assert main(["validate", "manifests", "--format-findings", form]) == 1
    printed = capsys.readouterr()
    assert read(printed.err if form == "github" else printed.out) == expected


@pytest.mark.parametrize("form", FORMATS)
def test_paths_outside_of_ci(form: str, api: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "manifests", "--format-findings", form]) == 1
    printed = capsys.readouterr()
    assert FORMATS[form][1](printed.err if form == "github" else printed.out) == "manifests/wrong.yaml"
