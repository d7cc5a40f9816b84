"""All commands report errors in the settings file in the same way, before anything else, and name missing inputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

# Commands that read settings, with the arguments that they require.
COMMANDS = {
    "changes": "", "convert": "--to v1", "corpus": "--form json", "cost": "", "docs": "", "explore": "",
    "fuzz": "--against cat", "generate": "", "history record": "", "import": "", "lint": "", "manifests": "",
    "migrate": "", "patch": "", "samples": "", "schemas": "", "serve": "", "validate": "", "version deprecate": "v1",
}  # fmt: skip
ERRORS = {
    "syntax": ("protoc-gen-crd.yaml", "documents: [a\n", ":2:1: error: invalid YAML: "),
    "option": ("protoc-gen-crd.yaml", "documens: [a]\n", ':1:1: error: unknown option "documens" [option-unknown]'),
    "name": ("protoc-gen-crd.yml", "documents: [a]\n", ': error: settings file "protoc-gen-crd.yml" is ignored: its'),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _run(command: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    status = main([*command.split(), *COMMANDS[command].split()])
    printed = capsys.readouterr()
    assert not printed.out
    return status, printed.err


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("command", COMMANDS)
def test_an_error_in_the_settings_file(
    command: str, error: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, content, message = ERRORS[error]
    (folder / name).write_text(content)
    status, output = _run(command, capsys)
    assert status == 1
    assert output.startswith(f"{name}{message}")
    assert output.endswith("\n1 error\n")


@pytest.mark.parametrize("command", COMMANDS)
def test_no_input_and_no_settings_file(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, output = _run(command, capsys)
    assert status == 2
    assert output.startswith("protoc-gen-crd: no input: pass ")
    hint = ", or create a settings file with `protoc-gen-crd init` (none found in this folder or above)\n"
    assert output.endswith(hint)


def test_no_input_with_a_settings_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "protoc-gen-crd.yaml").write_text("out: crds\n")
    hint = 'set "inputs" or "documents" in the settings file'
    assert _run("lint", capsys) == (2, f"protoc-gen-crd: no input: pass a path, or {hint}\n")
