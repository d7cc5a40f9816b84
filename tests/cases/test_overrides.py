"""Overrides of the settings: each has the effect of the same option in the file, and changes results of commands."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import text_format
from google.protobuf.message import Message

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.settings.settings import OverrideEntry
from protoc_gen_crd.v1 import options_pb2
from tests.cases.test_markers import GOOD, expected
from tests.support.marker_cases import KINDS, Case, Spelling
from tests.support.marker_protos import scope_of
from tests.support.marker_runs import overridden_schemas

# Kind of a case -> the element of its plain spelling, which has no markers.
ELEMENTS = {
    "field": "Case.plain",
    "member": "Plain.value",
    "message": "Plain",
    "enum": "Plain.Enum",
    "value": "Plain.SECOND",
    "oneof": "Plain.choice",
}
CASES = [(case, spelling) for case in GOOD if case.kind in ELEMENTS for spelling in case.spellings if spelling.options]


def plain(message: Message) -> dict[str, Any]:
    """Return a message of options.proto in the form of YAML."""
    results: dict[str, Any] = {}
    for field, value in message.ListFields():
        if field.message_type:
            results[field.name] = [plain(item) for item in value] if field.is_repeated else plain(value)
        else:
            results[field.name] = list(value) if field.is_repeated else value
    return results


def unquoted(value: Any) -> Any:
    """Return numbers and booleans in JSON text as in YAML, which overrides have in place of JSON text."""
    if isinstance(value, dict):
        return {name: unquoted(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [unquoted(item) for item in value]
    return json.loads(value) if isinstance(value, str) and re.fullmatch("true|false|[0-9.]+", value) else value


def override(case: Case, spelling: Spelling) -> dict[str, Any]:
    """The options of a spelling as the values of an override."""
    parsed = getattr(options_pb2, KINDS[case.kind][1])()
    for option in spelling.options:
        path, _, value = option.partition(").")[2].partition(" = ")
        text = f"{path.rpartition('.')[2]}: {value}"
        for step in reversed(path.split(".")[:-1]):
            text = f"{step} {{ {text} }}"
        text_format.Merge(text, parsed)
    values = plain(parsed)
    return values if "string" in str(case.gives) else unquoted(values)


@pytest.mark.parametrize(("case", "spelling"), CASES, ids=lambda one: one.id if isinstance(one, Case) else one.name)
def test_an_override_has_the_result_of_the_option(case: Case, spelling: Spelling) -> None:
    name = f"{scope_of(case)}.v1.{ELEMENTS[case.kind]}{spelling.nest.capitalize() if case.kind == 'field' else ''}"
    entry = OverrideEntry(override(case, spelling), lambda _: Location("protoc-gen-crd.yaml"))
    schemas = overridden_schemas(case, {name: entry})
    assert schemas[f"plain{spelling.nest.capitalize()}"] == expected(case, spelling)


def test_cases_are_of_every_kind() -> None:
    assert {case.kind for case, _ in CASES} == set(ELEMENTS)
    assert len(CASES) > 100


FIRST = """inputs: [api.proto]
overrides:
  acme.v1.Job: {resource: {group: acme.com}}
  acme.v1.Job.labels: {max_properties: 2}
  acme.v1.Job.full_name: {json_name: title}
  acme.v1.Job.status: {skip: true}
"""
API = """syntax = "proto3";
package acme.v1;
message Job {
  map<string, string> labels = 1;
  string full_name = 2;
  Status status = 3;
}
message Status {
  Job last = 1;
}
"""
JOB = """apiVersion: acme.com/v1
kind: Job
metadata: {name: job}
spec: {labels: {a: b}, title: x}
---
_err: must have at most 2 items
apiVersion: acme.com/v1
kind: Job
metadata: {name: too-many}
spec: {labels: {a: b, c: d, e: f}}
---
_err: unknown field "spec.status"
apiVersion: acme.com/v1
kind: Job
metadata: {name: skipped}
spec: {status: {}}
"""

Project = Callable[[str], None]


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """Return a function that writes the settings file of a repository, which is the working folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "api.proto").write_text(API)
    (tmp_path / "job.yaml").write_text(JOB)

    def write(text: str) -> None:
        (tmp_path / "protoc-gen-crd.yaml").write_text(text)

    write(FIRST)
    return write


def test_check_compares_overrides(settings: Project, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate"]) == 0
    assert main(["generate", "--check"]) == 0
    settings(FIRST.replace("2}", "3}"))
    assert main(["generate", "--check"]) == 1
    assert "+                maxProperties: 3\n" in capsys.readouterr().out


@pytest.mark.usefixtures("settings")
def test_documents_are_validated_against_overrides() -> None:
    assert main(["validate", "--field-validation", "strict", "job.yaml"]) == 0


@pytest.mark.usefixtures("settings")
def test_old_files_may_lack_the_targets_of_overrides(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = tmp_path / "old" / "api.proto"
    old.parent.mkdir()
    old.write_text(API.replace("map<string, string> labels = 1;", "int32 labels = 1;").replace("full_name", "name"))
    assert main(["validate", "--field-validation", "strict", "--old", str(old), "job.yaml"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("command", [["samples"], ["docs"], ["cost"]])
def test_commands_read_overrides(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, "api.proto"]) == 0
    texts = [
        path.read_text() for path in tmp_path.rglob("*") if path.suffix in (".md", ".yaml") and path.parent != tmp_path
    ]
    printed = capsys.readouterr()
    assert "error" not in printed.err
    assert not any("fullName" in text for text in texts)
    assert command == ["cost"] or any("title" in text for text in texts)


def test_compat_ignores_overrides(settings: Project, capsys: pytest.CaptureFixture[str]) -> None:
    settings(f"compat: istio\n{FIRST}")
    main(["generate"])
    assert 'option "overrides" has no effect with compat=istio' in capsys.readouterr().err
