"""`convert` and `serve` run no code of a folder unless its package is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.unit.conversion.test_file_conversion import CRD

HOSTILE = """from pathlib import Path
Path("PWNED").write_text("")
CONVERTERS: dict[tuple[str, str], object] = {}
class ConversionError(ValueError): ...
"""


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("api", "api/converters"):
        Path(folder).mkdir()
        Path(folder, "__init__.py").write_text(HOSTILE)
    Path("api/crd.yaml").write_text(CRD)


@pytest.mark.parametrize("paths", [["api"], ["."], ["api/converters", "api/crd.yaml"]])
@pytest.mark.parametrize("command", [["convert", "--to", "v2"], ["convert", "--prove"], ["convert", "--plan"]])
def test_a_package_in_a_folder_is_not_imported(
    command: list[str], paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    main([*command, *paths])
    assert not Path("PWNED").exists()
    assert "importing" not in capsys.readouterr().err


def test_a_package_that_the_command_line_names_is_imported_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    main(["convert", "api/crd.yaml", "--to", "v2", "--converter-package", "api/converters"])
    assert Path("PWNED").exists()
    assert capsys.readouterr().err.splitlines()[0] == "importing converters from api/converters"


def test_a_package_that_the_settings_name_is_imported_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    Path("protoc-gen-crd.yaml").write_text("out: api\nconverters: converters\n")
    main(["convert", ".", "--to", "v2"])
    assert Path("PWNED").exists()
    assert capsys.readouterr().err.startswith("importing converters from api/converters\n")


def test_a_named_folder_that_is_no_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "api/crd.yaml", "--to", "v2", "--converter-package", "missing"]) == 2
    assert "missing cannot be imported" in capsys.readouterr().err
