"""Planted changes of protos, each with all the changes that are reported for it, and their lines."""

from __future__ import annotations

import functools
import tempfile
from pathlib import Path

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.api_summary import format_summary, parse_summary, summarize_api
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.protos.proto_change_rules import PROTO_RULES
from protoc_gen_crd.comparison.protos.proto_change_selection import ApiProtos, compare_api_protos
from protoc_gen_crd.comparison.protos.proto_summary import format_protos, parse_protos
from protoc_gen_crd.comparison.protos.proto_usage import list_root_types
from protoc_gen_crd.comparison.recorded_channels import restore_channels
from protoc_gen_crd.comparison.recorded_messages import restore_messages
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.crd_loader import generate_crds, summarize_protos
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry, has_error
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.branch_changes import find_branch_changes
from protoc_gen_crd.versioning.side_comparison import compare_sides
from tests.conftest import ROOT

IGNORED = (PolicyEntry("version-loss", Severity.OFF, ""),)
FOLDER = ROOT / "testdata" / "changes"
OLD = (FOLDER / "api.proto").read_text("utf-8")


def _read_rows(name: str) -> list[str]:
    lines = (FOLDER / name).read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n") for line in lines if not line.startswith("#")]


ROWS, TYPE_ROWS = _read_rows("protos.txt"), _read_rows("types.txt")


@functools.cache
def _load(text: str) -> ApiProtos:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "api.proto"
        path.write_text(text, "utf-8")
        problems, requests = Problems(), list[Request]()
        crds = generate_crds([str(path)], Settings(), {}, problems, requests=requests)
        assert not has_error(problems.findings, IGNORED, complete=False), problems.findings
    summary = summarize_protos(requests)
    assert summary is not None
    return ApiProtos(summary, tuple(crds))


def _compare(old: ApiProtos, new: ApiProtos, profile: str = "kubernetes") -> list[Change]:
    changes = compare_apis(old.crds, new.crds)
    return [*changes, *compare_api_protos(old, new, changes, ProfileChoice({"": profile}))]


def _split(row: str) -> tuple[list[str], str, str]:
    expected, _, edit = row.partition(": ")
    old, _, new = edit.partition(" =>")
    return sorted(filter(None, expected.split(", "))), old, new.removeprefix(" ")


def _edit(row: str) -> str:
    _, old, new = _split(row)
    assert old in OLD
    return OLD.replace(old, new, 1)


def _describe(changes: list[Change]) -> list[str]:
    return sorted(f"{change.change_class.name.lower()} {change.rule}" for change in changes)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:60].replace("\n", " "))
def test_an_edit_is_reported_once_for_each_rule_that_it_violates(row: str) -> None:
    new = _edit(row)
    assert _describe(_compare(_load(OLD), _load(new))) == _split(row)[0]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:60].replace("\n", " "))
def test_a_change_is_located_at_the_edited_lines_or_around_them(row: str) -> None:
    new, edit = _edit(row), _split(row)
    before = OLD[: OLD.index(edit[1])].count("\n") + 1
    for change in _compare(_load(OLD), _load(new)):
        if change.rule == "change-documentation" and len(edit[0]) > 1:
            continue  # the description of a field that an enum is the type of
        assert change.at is not None
        line = change.at.resolve().line
        is_around = new.splitlines()[line - 1].startswith(("message", "enum", "service", "package"))
        assert is_around or before <= line <= before + edit[2].count("\n"), change


def _record(api: ApiProtos) -> ApiProtos:
    """Return an API as it is read from a recorded release."""
    summary = api.summary.replace(kinds=list_root_types(api.crds))
    protos = parse_protos(format_protos(summary), "protos.json")
    decoded = [decode(encode(crd, EncodedSchemas())).crd for crd in api.crds]
    crds = restore_channels(filter(None, decoded), parse_summary(format_summary(summarize_api(api.crds))))
    return ApiProtos(protos, restore_messages(crds, protos))


def _select_members(changes: list[Change]) -> list[Change]:
    return [change.replace(at=None, old_at=None, nodes=None) for change in changes]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:60].replace("\n", " "))
def test_a_recorded_release_gives_the_same_changes(row: str) -> None:
    old, new = _load(OLD), _load(_edit(row))
    assert _select_members(_compare(_record(old), new)) == _select_members(_compare(old, new))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:60].replace("\n", " "))
@pytest.mark.parametrize("profile", ["kubernetes", "immutable"])
def test_an_edit_is_one_of_the_branch_that_makes_it(row: str, profile: str) -> None:
    profiles = ProfileChoice({"": profile})
    old, new = (ApiSide("", api.crds, protos=api.summary) for api in (_load(OLD), _load(_edit(row))))

    def find(base: ApiSide, released: ApiSide, branch: ApiSide) -> list[Change]:
        found = find_branch_changes(base, released, branch, Settings(), profiles)
        return _select_members(list(found.changes))

    assert find(old, old, new) == _select_members(list(compare_sides(old, new, Settings(), profiles)))
    assert find(new, old, new) == []
    reverted = [change.rule for change in find(new, old, old)]
    assert reverted == (["change-kind-removed"] if "change-kind-added" in row else [])  # of a kind without a release


# Compatible edits of a released version: comments, deprecation, and options of languages.
HARMLESS = ("change-language-option", "change-documentation", "deprecated = true")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:60].replace("\n", " "))
def test_a_released_version_is_immutable(row: str) -> None:
    profiles = ProfileChoice({"": "immutable"})
    changes = _compare(_load(OLD), _load(_edit(row)), "immutable")
    decisions = [profiles.find(change.kind).decide(change) for change in changes]
    is_error = any(decision.severity is Severity.ERROR for decision in decisions)
    assert is_error == (not any(text in row for text in HARMLESS)), decisions


def test_every_rule_of_protos_has_an_edit() -> None:
    tested = {item.partition(" ")[2] for row in ROWS for item in _split(row)[0]}
    assert tested >= {*PROTO_RULES, "change-uncompared"} - {"change-field-oneof"}


TYPES = """\
syntax = "proto3";
package acme.lamps.v1;
import "google/protobuf/duration.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
import "google/protobuf/wrappers.proto";
import "protoc_gen_crd/v1/options.proto";
message Lamp {
  option (protoc_gen_crd.v1.resource).group = "acme.example";
  FIELD
}
message Part { string name = 1; }
message SamePart { string name = 1; }
message LargerPart { string name = 1; string color = 2; }
enum Mode { OFF = 0; ON = 1; }
"""


def _load_types(row: str) -> tuple[ApiProtos, ApiProtos]:
    _, old, new = _split(row)
    return _load(TYPES.replace("FIELD", old)), _load(TYPES.replace("FIELD", new))


@pytest.mark.parametrize("row", TYPE_ROWS, ids=lambda row: row[:60].replace("\n", " "))
def test_another_type_is_reported_once_and_beside_what_objects_show_of_it(row: str) -> None:
    assert _describe(_compare(*_load_types(row))) == _split(row)[0]


@pytest.mark.parametrize("row", TYPE_ROWS, ids=lambda row: row[:60].replace("\n", " "))
def test_a_recorded_release_gives_the_same_changes_of_types(row: str) -> None:
    old, new = _load_types(row)
    assert _select_members(_compare(_record(old), new)) == _select_members(_compare(old, new))


@pytest.mark.parametrize("row", TYPE_ROWS, ids=lambda row: row[:60].replace("\n", " "))
def test_only_a_type_of_the_same_structure_is_compatible_for_istio(row: str) -> None:
    profile = ProfileChoice({"": "istio"}).find("")
    severities = [profile.decide(change).severity for change in _compare(*_load_types(row), "istio")]
    assert (Severity.ERROR in severities) == ("change-descriptor" not in row)


def test_a_note_about_another_type_is_enough_where_every_change_is_an_error() -> None:
    old, new = (_load(TYPES.replace("FIELD", f"{name} a = 1;")) for name in ("float", "double"))
    assert _describe(_compare(old, new, "immutable")) == ["loosen change-format-loosened"]


ONEOFS = """\
syntax = "proto3";
package acme.lamps.v1;
import "protoc_gen_crd/v1/options.proto";
message Lamp {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1"]};
  LampSpec spec = 1;
  repeated LampSpec others = 2;
}
message LampSpec {
  oneof power { string volt = 1; string watt = 2; }
  string color = 3;
  string tint = 4;
}
"""
POWER = "oneof power { string volt = 1; string watt = 2; }"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            POWER,
            "oneof power { string volt = 1; } string watt = 2;",
            ("change-logic-loosened", "at most one of volt, watt is now at most one of volt", "  oneof power"),
        ),
        (
            POWER,
            "string volt = 1; string watt = 2;",
            ("change-logic-removed", "at most one of volt, watt is removed", "message LampSpec"),
        ),
        (
            "string color = 3;\n  string tint = 4;",
            "oneof tone { string color = 3; string tint = 4; }",
            ("change-logic-tightened", "at most one of color, tint is new", "  oneof tone"),
        ),
        (
            "string color = 3;",
            "oneof tone { string color = 3; }",
            ("change-no-effect", "at most one of color is new", "  oneof tone"),
        ),
        (
            f"{POWER}\n  string color = 3;",
            "string volt = 1; string watt = 2;\n  oneof tone { string color = 3; }",
            ("change-logic-loosened", "at most one of volt, watt is now at most one of color", "  oneof tone"),
        ),
    ],
)
def test_a_oneof_is_located_at_its_declaration_or_message(old: str, new: str, expected: tuple[str, str, str]) -> None:
    text = ONEOFS.replace(old, new)
    (change,) = compare_apis(_load(ONEOFS).crds, _load(text).crds)
    assert change.at is not None
    assert change.old_at is not None
    line = text.splitlines()[change.at.resolve().line - 1]
    assert (change.rule, change.message, line[: len(expected[2])]) == expected
    assert (change.path, change.other_paths) == ("spec", ("others[]",))


def test_several_oneofs_are_described_without_those_that_are_equal() -> None:
    new = ONEOFS.replace("string color = 3;", "oneof tone { string color = 3; }")
    new = new.replace("string tint = 4;", "oneof shade { string tint = 4; }")
    (change,) = compare_apis(_load(ONEOFS).crds, _load(new).crds)
    assert change.message == "at most one of color is new; at most one of tint is new"


ENDING = """\
syntax = "proto3";
package acme.lamps.v1;
import "protoc_gen_crd/v1/options.proto";
message Lamp {
  option (protoc_gen_crd.v1.resource) = {
    group: "acme.example" versions: ["v1alpha1", "v1"] storage_version: "v1alpha1"
  };
  Mode mode = 1;
  // +protoc-gen-crd:until=v1alpha1
  string tint = 2;
}
enum Mode {
  OFF = 0;
  // +protoc-gen-crd:until=v1alpha1
  DIM = 1;
}
"""


@pytest.mark.parametrize(
    ("old", "new", "versions"),
    [
        ("DIM = 1;", "DIM = 1 [deprecated = true];", ("v1alpha1",)),
        ("OFF = 0;", "OFF = 0 [deprecated = true];", ("v1", "v1alpha1")),
        ("string tint = 2;", "string tint = 2 [deprecated = true];", ("v1alpha1",)),
        ("string tint = 2;", "string tint = 3;", ("v1alpha1",)),
    ],
)
def test_a_change_of_a_member_names_the_versions_that_have_it(old: str, new: str, versions: tuple[str, ...]) -> None:
    changes = _compare(_load(ENDING), _load(ENDING.replace(old, new)))
    assert [change.versions for change in changes if change.rule != "change-documentation"] == [versions]


def test_editions_are_named_by_their_years() -> None:
    new = ONEOFS.replace('syntax = "proto3"', 'edition = "2023"')
    messages = [change.message for change in _compare(_load(ONEOFS), _load(new), "immutable")]
    assert "syntax proto3 is now edition 2023" in [message.replace('"', "") for message in messages]
