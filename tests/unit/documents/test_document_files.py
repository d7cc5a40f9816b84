"""Selection of the files in a folder."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from protoc_gen_crd.documents.document_files import STDIN_NAME, find_files, read_content
from protoc_gen_crd.findings.finding import Problems


def test_recorded_releases_are_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a.yaml", ".hidden/b.yaml", "history/checksums.txt", "history/1.0/crds/c.yaml", "more/d.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}\n")
    assert find_files(["."], Problems()).documents == ("a.yaml", "more/d.json")
    assert find_files(["history/1.0"], Problems()).documents == ("history/1.0/crds/c.yaml",)
    assert find_files(["history"], Problems()).documents == ("history/1.0/crds/c.yaml",)


def test_images_as_json_are_not_documents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("image.json").write_text(' {"file": [{"name": "a.proto"}]}')
    Path("object.json").write_text('{"kind": "Widget"}')
    Path("marked.json").write_text('\ufeff{"file": [{"name": "a.proto"}]}', "utf-8")
    files = find_files(["image.json", "marked.json", "object.json"], Problems())
    assert (files.documents, files.generator_inputs) == (("object.json",), ("image.json", "marked.json"))
    assert find_files(["."], Problems()).documents == ("object.json",)


def test_an_image_on_standard_input_is_not_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"file": [{"name": "a.proto"}]}')))
    problems = Problems()
    assert read_content(STDIN_NAME, problems) == b""
    assert [finding.rule for finding in problems.findings] == ["document-file"]


def test_an_unreadable_folder_is_one_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(folder: str) -> NoReturn:
        raise PermissionError(13, "Permission denied", folder)

    monkeypatch.setattr(os, "scandir", deny)
    assert find_files([str(tmp_path)], problems := Problems()).documents == ()
    assert [(finding.rule, finding.message) for finding in problems.findings] == [
        ("document-file", "cannot read the folder: Permission denied")
    ]
