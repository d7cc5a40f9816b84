"""Inputs of `version` that are paths, settings in TOML, read-only files and descriptor sets."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT
from tests.support.goldens import read_folder

CASE = ROOT / "testdata" / "versioning" / "packages"
WIDGETS = "proto/acme/widgets/v1beta1"
ADD = ("version", "add", "v1beta2", "--from", "v1beta1")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project without settings, in which v1beta1 of a kind is a package."""
    shutil.copytree(CASE / "proto", tmp_path / "proto")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("paths", [["proto"], [WIDGETS], [f"{WIDGETS}/widget.proto", f"{WIDGETS}/types.proto"]])
def test_paths_may_be_folders_and_files(project: Path, paths: list[str]) -> None:
    assert main([*ADD, *paths, "-I", "proto"]) == 0
    assert (project / "proto/acme/widgets/v1beta2/widget.proto").exists()
    assert main(["generate", "proto", "--quiet"]) == 0


TOML = f"""\
[project]
name = "widgets"

[tool.protoc-gen-crd]  # settings
inputs = ["{WIDGETS}"]  # the API
import_paths = ["proto"]

[[tool.protoc-gen-crd.findings]]
rule = "edit-unrecorded"
severity = "off"

[[tool.protoc-gen-crd.findings]]
rule = "version-differs"  # for now
path = "acme.widgets.v1beta1.Widget.*"
severity = "off"
reason = "no client uses it"

[tool.protoc-gen-crd.overrides]
"acme.widgets.v1beta1.Size.width" = {{maximum = 7}}
"""


def test_settings_in_toml_are_edited(project: Path) -> None:
    pytest.importorskip("tomlkit")
    path = project / "pyproject.toml"
    path.write_text(TOML)
    assert main([*ADD]) == 0
    copied = WIDGETS.replace("v1beta1", "v1beta2")
    entry = TOML[TOML.rindex("[[") : TOML.index("[tool.protoc-gen-crd.overrides]")]
    copy = entry.replace("v1beta1", "v1beta2").replace("  # for now", "")
    added = TOML.replace(f'["{WIDGETS}"]', f'["{WIDGETS}", "{copied}"]').replace(entry, entry + copy)
    assert path.read_text() == added + '"acme.widgets.v1beta2.Size.width" = {maximum = 7}\n'
    assert main(["generate", "--quiet"]) == 0
    assert main(["version", "remove", "v1beta2"]) == 0
    assert path.read_text() == TOML


def test_settings_in_toml_are_not_edited_without_the_library(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("protoc_gen_crd.versioning.settings_entries.find_spec", lambda _: None)
    (project / "pyproject.toml").write_text(TOML)
    before = read_folder(project)
    assert main([*ADD]) == 1
    message = 'pyproject.toml:1:1: error: entries of v1beta1 in "findings", "overrides", "inputs" cannot be edited: '
    assert message in capsys.readouterr().err
    assert read_folder(project) == before


def test_a_read_only_file_is_not_replaced(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / WIDGETS / "widget.proto").chmod(0o444)
    before = read_folder(project)
    assert main([*ADD, "proto"]) == 1
    assert f"{WIDGETS}/widget.proto: error: file is read-only [edit-source]" in capsys.readouterr().err
    assert read_folder(project) == before


def test_an_existing_copy_is_not_replaced(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "proto/acme/widgets/v1beta2").mkdir()
    (project / "proto/acme/widgets/v1beta2/types.proto").write_text('syntax = "proto3";\n')
    before = read_folder(project)
    assert main([*ADD, WIDGETS, "-I", "proto"]) == 1
    assert '"proto/acme/widgets/v1beta2/types.proto" already exists' in capsys.readouterr().err
    assert read_folder(project) == before


def test_a_descriptor_set_is_not_edited(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "api.binpb").write_bytes(b"")
    assert main([*ADD, "api.binpb"]) == 1
    assert 'api.binpb: error: "api.binpb" cannot be edited [edit-source]' in capsys.readouterr().err


def test_a_file_that_changes_the_result_is_restored(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The check of the result is what keeps wrong edits out of the sources."""

    def drop_copies(*_: object) -> None:
        """Copy nothing."""

    monkeypatch.setattr("protoc_gen_crd.versioning.version_planner.copy_package", drop_copies)
    before = read_folder(project)
    assert main([*ADD, "proto"]) == 1
    assert "version v1beta2 of widgets.acme.example differs from v1beta1" in capsys.readouterr().err
    assert read_folder(project) == before
