"""Names with line breaks that were code in generated modules: each is reported, and nothing is run."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT

FOLDER = ROOT / "testdata" / "injection"


@pytest.fixture(autouse=True)
def _copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDER, tmp_path / "in")
    monkeypatch.chdir(tmp_path / "in")


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        (["convert", "a.proto", "--prove", "--count", "100"], "a.proto:7:3"),
        (["convert", "traceback-newline.proto", "--prove", "--count", "100"], "traceback-newline.proto:7:3"),
        (["convert", "y", "--to", "v2", "--diff"], "y/crd.yaml:1:829"),
        (["convert", "y", "--to", "v2", "--diff"], "y/rules.yaml:1:171"),
        (["generate", "a.proto", "--converters", "converters"], "a.proto:7:3"),
    ],
)
def test_a_line_break_in_a_name_is_reported_and_not_run(
    arguments: list[str], place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    start = time.process_time()
    assert main(arguments) == 0
    assert time.process_time() - start < 2
    assert not Path("PWNED").exists()
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith(f"{place}: warning: ") and line.endswith("[name-control]") for line in lines)
