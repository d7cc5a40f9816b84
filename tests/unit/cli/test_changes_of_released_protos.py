"""The command `changes` in projects with protos and recorded releases: every old side shows the same change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli.main import main
from tests.support.repositories import Repository

WIDGET = """\
syntax = "proto3";
package acme.v1;
import "protoc_gen_crd/v1/options.proto";

message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" kind: "Widget"};
  string color = 1;
  repeated Mode modes = 2;
  Part part = 3;
}

message Part {
  string name = 1;
}

enum Mode {
  OFF = 0;
  ON = 1;
}
"""
MARK = "// +protoc-gen-crd:channel=extended\n"
REFERENCES = ("git:main", "merge-base:main", "history:1.0", "")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Return a repository whose branch `branch` starts at the commit that records release 1.0."""
    monkeypatch.chdir(tmp_path)
    return Repository(tmp_path)


def record(repository: Repository, text: str) -> None:
    repository.commit({"protoc-gen-crd.yaml": "inputs: [w.proto]\nprofile: istio\n", "w.proto": text})
    assert main(["history", "record", "1.0", "--date", "2026-01-15"]) == 0
    repository.commit({})
    repository.git("checkout", "--quiet", "-b", "branch")


def list_changes(capsys: pytest.CaptureFixture[str], reference: str) -> list[str]:
    capsys.readouterr()
    main(["changes", *(["--old", reference] if reference else []), "--format-findings", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    found = [finding for finding in report["findings"] if finding["rule"] != "change-open"]
    return sorted(f"{finding['severity']} {finding['rule']} {finding['path']}" for finding in found)


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("string color", f"{MARK}string color", "error change-channel spec.color"),
        ("string name", f"{MARK}string name", "error change-channel spec.part.name"),
        ("ON =", f"{MARK}ON =", "error change-channel spec.modes[]"),
        ("message Widget", f"{MARK}message Widget", "error change-channel "),
        ("message Widget", "message Gizmo", "error change-message-name spec"),
    ],
)
def test_a_change_of_what_a_release_has_is_reported_for_every_old_side(
    reference: str, old: str, new: str, expected: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    record(repository, WIDGET)
    repository.commit({"w.proto": WIDGET.replace(old, new, 1)})
    assert list_changes(capsys, reference) == [expected]


@pytest.mark.parametrize("reference", ["history:1.0", ""])
def test_the_channels_of_a_release_are_no_moves(
    reference: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    marked = WIDGET.replace("string color", f"{MARK}string color").replace("ON =", f"{MARK}ON =")
    record(repository, marked)
    assert list_changes(capsys, reference) == []
    repository.commit({"w.proto": WIDGET})
    assert list_changes(capsys, reference) == [
        "note change-channel spec.color",
        "note change-channel spec.modes[]",
    ]


def test_a_message_name_that_no_release_has_is_reported(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    text = WIDGET.replace("message Widget", "message Gizmo")
    record(repository, text)
    repository.commit({"w.proto": text.replace("message Gizmo", "message Gadget")})
    assert list_changes(capsys, "merge-base:main") == ["error change-message-name spec"]
    unreleased = text.replace("message Gizmo", "message Unreleased")
    repository.git("checkout", "--quiet", "main")
    repository.commit({"w.proto": unreleased})
    repository.git("checkout", "--quiet", "-B", "branch")
    repository.commit({"w.proto": text})
    assert list_changes(capsys, "merge-base:main") == ["note change-unreleased "]


@pytest.mark.parametrize(
    ("number", "expected"),
    [("2", ["warning change-reservation-removed spec"] * 2), ("9", ["note change-unreleased "])],
)
def test_a_removed_reservation_of_a_released_field_is_reported(
    number: str, expected: list[str], repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    record(repository, WIDGET)
    name = "modes" if number == "2" else "other"
    modes = "  repeated Mode modes = 2;\n"
    reserved = f'  reserved {number};\n  reserved "{name}";\n'
    removed = WIDGET.replace(modes, "")
    repository.git("checkout", "--quiet", "main")
    repository.commit({"w.proto": WIDGET.replace(modes, reserved)})
    repository.git("checkout", "--quiet", "-B", "branch")
    repository.commit({"w.proto": removed})
    assert list_changes(capsys, "merge-base:main") == expected
