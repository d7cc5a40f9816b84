"""Commands skip files of other programs in the folders that they read, with a note for each file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT

FOREIGN = {
    "chart/values.yaml": "image:\n  tag: a\nnote: CustomResourceDefinition\n",
    "chart/names.yaml": "- a\n- b\n",
    "list.json": "[1, 2]",
    "package.json": '{"name": "x", "kind": 5, "scripts": {"a": "kubectl get CustomResourceDefinition"}}',
    "tsconfig.json": '{\n  // comment\n  "compilerOptions": {"strict": true,},\n}\n',
    "notes.json": "CustomResourceDefinition",
}
ACCEPTS = 'python3 -c "import sys\nfor _ in sys.stdin: print(\'{\\"allowed\\": true}\', flush=True)"'
COMMANDS = {
    "convert": ["convert", ".", "--to", "v1", "--check"],
    "prove": ["convert", ".", "--prove", "--count", "1"],
    "samples": ["samples", ".", "--out", "samples"],
    "fuzz": ["fuzz", ".", "--against", ACCEPTS, "--count", "1"],
    "validate": ["validate", "."],
    "cost": ["cost", "."],
    "docs": ["docs", ".", "--out", "docs"],
    "html": ["docs", ".", "--html", "--out", "html"],
    "changes": ["changes", ".", "--old", "server.proto"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with an API that has conversions, and an object."""
    for file in ("proto/acme/servers/v1/server.proto", "manifests/front.yaml"):
        shutil.copy(ROOT / "examples" / "conversion" / file, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(name: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    status = main(COMMANDS[name])
    output = capsys.readouterr()
    return status, [line for line in (output.out + output.err).splitlines() if ".json" in line or "chart" in line]


@pytest.mark.parametrize("name", COMMANDS)
def test_files_of_other_programs(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, lines = run(name, capsys)
    assert lines == []
    for file, text in FOREIGN.items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text)
    matching = [file for file, text in FOREIGN.items() if name != "samples" or "CustomResourceDefinition" in text]
    notes = [
        f"{file}: note: file without a Kubernetes object is skipped [document-skipped]" for file in sorted(matching)
    ]
    assert run(name, capsys) == (status, notes)


def test_rules_without_a_kind_are_no_foreign_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rules.yaml").write_text("spec:\n  conversions:\n  - {from: v1, to: v2, rules: []}\n")
    assert main(COMMANDS["convert"]) == 1
    assert "the document is not an APIConversion" in capsys.readouterr().err
