from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main


def test_the_folder_holds_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["include"]) == 0
    folder = Path(capsys.readouterr().out.removesuffix("\n"))
    assert (folder / "protoc_gen_crd" / "v1" / "options.proto").is_file()
