"""The file of handwritten functions: written once, checked against the plan, run by every command."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

PROTO = """syntax = "proto3";
package acme.api;
import "protoc_gen_crd/v1/options.proto";
message Gadget {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1", "v2"] storage_version: "v2"};
  string cpu = 1 [(protoc_gen_crd.v1.field).until = "v1"];
  int64 millis = 2 [(protoc_gen_crd.v1.field) = {since: "v2" conversion: {SAID}}];
}
"""
SAID = 'renamed_from: "cpu" function: {from: "millis_of" to: "cpu_of"}'
SETTINGS = (
    "inputs: [api.proto]\nconverters: converters\nfindings: [{rule: conversion-webhook-missing, severity: off}]\n"
)
FILE = Path("crds/converters/acme_example_gadgets_functions.py")
WRITTEN = """from .handwritten import function


@function
def millis_of(value):
    return len(value)


@function
def cpu_of(value):
    return "x" * min(value, 9)
"""


@pytest.fixture(autouse=True)
def _project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("api.proto").write_text(PROTO.replace("SAID", SAID))
    Path("protoc-gen-crd.yaml").write_text(SETTINGS)


def run(*arguments: str) -> int:
    return main(list(arguments))


def test_the_file_is_written_once_and_not_overwritten(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("generate") == 0
    assert "def cpu_of(value: int) -> str | None:" in FILE.read_text()
    FILE.write_text(WRITTEN)
    assert run("generate", "--prune") == 0
    assert run("generate", "--check") == 0
    assert FILE.read_text() == WRITTEN
    assert capsys.readouterr().err == ""


def test_unimplemented_functions_are_reported_and_others_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("convert", "--prove", "--count", "20") == 1
    assert "function millis_of is missing in crds/" in capsys.readouterr().err
    run("generate")
    assert run("convert", "--prove", "--count", "20") == 1
    assert "the function cpu_of fails: NotImplementedError" in capsys.readouterr().err
    FILE.write_text(WRITTEN)
    Path("old.yaml").write_text("apiVersion: acme.example/v1\nkind: Gadget\nspec: {cpu: abc}\n")
    capsys.readouterr()
    assert run("convert", "api.proto", "old.yaml", "--to", "v2") == 0
    assert "millis: 3" in capsys.readouterr().out


def test_functions_are_loaded_before_an_object_needs_them(capsys: pytest.CaptureFixture[str]) -> None:
    Path("api.proto").write_text(PROTO.replace("SAID", SAID).replace('["v1", "v2"]', '["v1", "v2", "v3"]'))
    run("generate")
    FILE.write_text(WRITTEN.replace("from .handwritten import function", "def function(written):\n    return written"))
    Path("old.yaml").write_text("apiVersion: acme.example/v2\nkind: Gadget\nspec: {millis: 3}\n")
    capsys.readouterr()
    assert run("convert", "api.proto", "old.yaml", "--to", "v3") == 1
    assert "FunctionError: " in (error := capsys.readouterr().err)
    assert "has no @function" in error
    assert "[conversion-function]" in error


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (WRITTEN.replace("millis_of", "other"), "function millis_of is missing in crds/"),
        (WRITTEN.replace("cpu_of(value)", "cpu_of()"), ":10: error: wrong parameters of cpu_of: none instead of value"),
        (
            WRITTEN.replace("cpu_of(value)", "cpu_of(value, root)"),
            "wrong parameters of cpu_of: value, root instead of value",
        ),
        (WRITTEN.replace("def cpu_of", "dev cpu_of"), ":10: error: invalid Python: invalid syntax"),
        (
            f"import nothing_such\n{WRITTEN}",
            "cannot load the file of conversion functions: ModuleNotFoundError: No module",
        ),
        (
            f"{WRITTEN}\n\n@function\ndef more(value):\n    return 1\n",
            "no conversion calls the function more [conversion-function-unused]",
        ),
        (WRITTEN.replace('"x" * min(value, 9)', "7"), "expected a string, found 7"),
        (WRITTEN.replace("len(value)", "1 / 0"), "the function millis_of fails: ZeroDivisionError: division by zero"),
        (WRITTEN.replace("len(value)", "exit(3)"), "the function millis_of fails: SystemExit: 3"),
        (WRITTEN.replace("len(value)", "2**63"), "spec.millis: expected an integer between -9223372036854775808 and"),
        (WRITTEN.replace("len(value)", "1.5"), "spec.millis: expected an integer, found 1.5"),
        (f"{WRITTEN}\nexit(3)\n", "cannot load the file of conversion functions: SystemExit: 3"),
    ],
)
def test_errors_in_the_file_are_reported(source: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    FILE.parent.mkdir(parents=True)
    FILE.write_text(source)
    run("convert", "--prove", "--count", "20")
    assert message in capsys.readouterr().err


def test_a_file_without_calls_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    run("generate")
    Path("api.proto").write_text(
        PROTO.replace("SAID", "preserved: true").replace(
            '.until = "v1"', '= {until: "v1" conversion: {preserved: true}}'
        )
    )
    assert run("generate") == 0
    assert "no conversion calls a function of this file" in capsys.readouterr().err
    assert FILE.exists()


def test_functions_need_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("protoc-gen-crd.yaml").write_text(SETTINGS.replace("converters: converters\n", ""))
    assert run("convert", "--prove") == 1
    assert "no folder for the function millis_of" in capsys.readouterr().err
