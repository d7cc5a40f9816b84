"""The command `changes` in projects with protos and recorded releases: every old side shows the same change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli import history
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


GIZMO = WIDGET.replace("message Widget", "message Gizmo")  # the message of the kind Widget


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("name", ["Gadget", "Part2"])
def test_another_message_of_a_kind_is_reported_whatever_its_name_was(
    reference: str, name: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    others = "message Part2 {\n  string color = 1;\n  repeated Mode modes = 2;\n  Part part = 3;\n}\n"
    record(repository, f"{GIZMO}{others if name == 'Part2' else ''}")
    renamed = GIZMO.replace("message Gizmo", f"message {name}")
    repository.commit({"w.proto": renamed})
    assert list_changes(capsys, reference) == ["error change-message-name spec"]


@pytest.mark.parametrize("reference", ["git:main", "merge-base:main"])
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("string color", f"{MARK}string color", "error change-channel spec.color"),
        ("ON =", f"{MARK}ON =", "error change-channel spec.modes[]"),
        ("message Widget", "message Gizmo", "error change-message-name spec"),
        ("string color = 1", "string color = 4", "error change-field-number spec.color"),
        ("string color = 1", "string tint = 1", "error change-field-renamed spec.color"),
    ],
)
def test_what_a_release_without_protos_cannot_show_is_compared_with_the_commit(
    reference: str, old: str, new: str, expected: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.commit({"protoc-gen-crd.yaml": "inputs: [w.proto]\nprofile: istio\n", "w.proto": WIDGET})
    assert main(["generate", "--out", "crds"]) == 0
    assert main(["history", "record", "1.0", "crds", "--date", "2026-01-15"]) == 0
    assert not Path("history/1.0/protos.json").exists()
    commit_both(repository, WIDGET, WIDGET.replace(old, new, 1))
    assert list_changes(capsys, reference) == [expected]


def commit_both(repository: Repository, on_main: str, on_branch: str) -> None:
    """Commit a text to the default branch, and another one to a branch that starts from it."""
    repository.git("checkout", "--quiet", "main")
    repository.commit({"w.proto": on_main})
    repository.git("checkout", "--quiet", "-B", "branch")
    repository.commit({"w.proto": on_branch})


@pytest.mark.parametrize("is_older", [False, True])
def test_the_message_name_of_a_release_is_compared(
    is_older: bool, repository: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Older versions of this tool did not record the names."""
    if is_older:
        monkeypatch.setattr(history, "list_root_types", lambda _: {})
    record(repository, GIZMO)
    assert ('"kinds"' in Path("history/1.0/protos.json").read_text("utf-8")) != is_older
    repository.commit({"w.proto": GIZMO.replace("message Gizmo", "message Gadget")})
    assert list_changes(capsys, "merge-base:main") == ["error change-message-name spec"]
    commit_both(repository, GIZMO.replace("message Gizmo", "message Unreleased"), GIZMO)
    assert list_changes(capsys, "merge-base:main") == ["note change-unreleased "]


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("string color = 1", "string tint = 1", ["error change-field-renamed spec.color"]),
        ("string name = 1", "string title = 1", ["error change-field-renamed spec.part.name"]),
        ("string color = 1", "bytes color = 1", ["error change-format-added spec.color"]),
        ("Part part = 3", "Part part = 4", ["error change-field-number spec.part"]),
    ],
)
def test_the_fields_of_a_release_are_known_by_their_numbers(
    reference: str, old: str, new: str, expected: list[str], repository: Repository,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    record(repository, WIDGET)
    repository.commit({"w.proto": WIDGET.replace(old, new, 1)})
    assert list_changes(capsys, reference) == expected


COUNT, REMOVED = "string color = 1;\n  int32 count = 4;", "string color = 1;"


@pytest.mark.parametrize(
    ("release", "on_main", "on_branch", "expected"),
    [
        # What others removed is added again.
        (COUNT, REMOVED, COUNT, ["note change-unreleased "]),
        (COUNT, REMOVED, COUNT.replace("int32", "sint32"), ["error change-wire-type spec.count"]),
        (COUNT, REMOVED, COUNT.replace("4", "5"), ["error change-field-number spec.count"]),
        (COUNT, REMOVED, COUNT.replace("int32 count", "int32 size"),
         ["error change-field-renamed spec.count", "note change-unreleased "]),
        # The type of others is changed back, or to a third one.
        ("repeated string color = 1;", "string color = 1;", "repeated int32 color = 1;",
         ["error change-type spec.color[]"]),
        (COUNT, COUNT.replace("int32", "sint32"), COUNT.replace("int32", "sfixed32"),
         ["error change-wire-type spec.count"]),
        (COUNT, COUNT.replace("int32", "sint32"), COUNT, ["note change-unreleased "]),
        # Others changed what the branch does not.
        (COUNT, COUNT.replace("int32", "sint32"), COUNT.replace("int32", "sint32") + "\n  string tint = 5;",
         ["note change-field-added spec.tint"]),
    ],
)  # fmt: skip
def test_numbers_and_types_are_compared_with_the_release(
    release: str, on_main: str, on_branch: str, expected: list[str], repository: Repository,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    texts = [WIDGET.replace("string color = 1;", field) for field in (release, on_main, on_branch)]
    record(repository, texts[0])
    commit_both(repository, texts[1], texts[2])
    assert list_changes(capsys, "merge-base:main") == expected


@pytest.mark.parametrize(
    ("number", "expected"),
    [("2", ["warning change-unreserved spec.modes"]), ("9", ["note change-unreleased "])],
)
def test_a_removed_reservation_of_a_released_field_is_reported(
    number: str, expected: list[str], repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    record(repository, WIDGET)
    name = "modes" if number == "2" else "other"
    modes = "  repeated Mode modes = 2;\n"
    reserved = f'  reserved {number};\n  reserved "{name}";\n'
    commit_both(repository, WIDGET.replace(modes, reserved), WIDGET.replace(modes, ""))
    assert list_changes(capsys, "merge-base:main") == expected
