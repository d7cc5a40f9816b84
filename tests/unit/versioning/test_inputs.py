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


def test_inputs_in_toml_are_not_edited(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = f'[tool.protoc-gen-crd]\ninputs = ["{WIDGETS}"]\nimport_paths = ["proto"]\n'
    (project / "pyproject.toml").write_text(settings)
    before = read_folder(project)
    assert main([*ADD]) == 1
    assert 'pyproject.toml:1:1: error: entries of v1beta1 in "inputs" cannot be edited' in capsys.readouterr().err
    assert read_folder(project) == before
    (project / "pyproject.toml").write_text(settings.replace(WIDGETS, "proto"))
    assert main([*ADD]) == 0


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
