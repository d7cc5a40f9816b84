"""Histories of gRPC API groups: records, changes, removals within the deprecation policy, and frozen versions."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main
from tests.conftest import ROOT

WORK = """syntax = "proto3";
package work.{version};

service Work {{
  rpc Start(Task) returns (Answer);
  rpc Stop(Task) returns (Answer);
}}
message Task {{
  int64 size = 1;
  State state = 2;
}}
message Answer {{}}
enum State {{ OFF = 0; ON = 1; }}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protoc-gen-crd.yaml").write_text("inputs: [proto]\nout: gen\ngroups: groups\n")
    write(tmp_path, "v1beta1")
    write(tmp_path, "v1")
    return tmp_path


def write(folder: Path, version: str, *edits: tuple[str, str]) -> None:
    text = WORK.format(version=version)
    for before, after in edits:
        assert before in text
        text = text.replace(before, after)
    path = folder / f"proto/work/{version}/api.proto"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def history(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main(["history", *arguments])
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def record(capsys: pytest.CaptureFixture[str], name: str, date: str) -> str:
    status, output = history(capsys, "record", name, "--date", date)
    assert status == 0, output
    return output


DEPRECATED = ("rpc Stop(Task) returns (Answer);", "rpc Stop(Task) returns (Answer) { option deprecated = true; }")
REMOVED = ("  rpc Stop(Task) returns (Answer);\n", "")


def test_an_rpc_is_removed_after_its_deprecation_period(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert record(capsys, "1.0", "2026-01-01") == "recorded history/1.0: 1 API group\n"
    write(folder, "v1beta1", REMOVED)
    status, output = history(capsys, "check", "--date", "2026-02-01")
    assert status == 1
    assert '"Work.Stop" of work v1beta1 is removed before its deprecation period of 9 months and 3 releases' in output
    assert "it was never deprecated (recorded at history/1.0/groups.json:18)" in output
    write(folder, "v1beta1", DEPRECATED)
    for release, date in (("1.1", "2026-02-01"), ("1.2", "2026-06-01"), ("1.3", "2026-09-01")):
        record(capsys, release, date)
    write(folder, "v1beta1", REMOVED)
    assert history(capsys, "check", "--date", "2026-10-31")[0] == 1
    assert history(capsys, "check", "--date", "2026-11-01")[0] == 0
    lines = history(capsys, "show")[1].splitlines()
    removal = "can be removed in 1.4 or later, but not before 2026-11-01"
    assert f"    Work.Stop  1.0  deprecated since 1.1; {removal}" in lines


@pytest.mark.parametrize(("edit", "status"), [
    (("  rpc Stop(Task) returns (Answer);", ("  // +protoc-gen-crd:policy={releases: 1}\n"
      "  rpc Stop(Task) returns (Answer) { option deprecated = true; }")), 0),
    (("service Work {", "// +protoc-gen-crd:policy={months: 1 releases: 1}\nservice Work {"), 1),
])  # fmt: skip
def test_the_policy_of_an_element_applies(
    folder: Path, capsys: pytest.CaptureFixture[str], edit: tuple[str, str], status: int
) -> None:
    write(folder, "v1", edit)
    record(capsys, "1.0", "2026-01-01")
    write(folder, "v1", REMOVED)
    result, output = history(capsys, "check", "--date", "2026-03-01")
    assert result == status, output
    assert ("its deprecation period of 1 month and 1 release has ended" in output) == bool(status)


@pytest.mark.parametrize(("edit", "rule", "message"), [
    (("int64 size = 1", "int64 size = 3"), "history-incompatible",
     '"Task.size" of work v1 has an incompatible change: field number 1 is now 3'),
    (("Stop(Task)", "Stop(stream Task)"), "history-incompatible",
     '"Work.Stop" of work v1 has an incompatible change: unary RPC is now client streaming'),
    (("  int64 size = 1;\n", ""), "history-removal", '"Task.size" of work v1 is removed before its deprecation period'),
    ((" ON = 1;", ""), "history-removal", '"ON" of "State" of work v1 is removed before its deprecation period'),
])  # fmt: skip
def test_an_incompatible_change_is_reported(
    folder: Path, capsys: pytest.CaptureFixture[str], edit: tuple[str, str], rule: str, message: str
) -> None:
    record(capsys, "1.0", "2026-01-01")
    write(
        folder, "v1", edit, ("message Answer", 'message Answer { option (protoc_gen_crd.v1.message).gone = "x"; }\n//')
    )
    write(folder, "v1", edit)
    (folder / "proto/work/v1beta1/api.proto").unlink()
    status, output = history(capsys, "check", "--date", "2026-02-01")
    assert status == 1
    assert f"[{rule}]" in output
    assert message in output
    assert "work v1beta1 is no longer served before its deprecation period" in output


def test_an_alpha_version_may_change(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "v1alpha1")
    record(capsys, "1.0", "2026-01-01")
    write(folder, "v1alpha1", ("int64 size = 1", "int64 size = 3"))
    assert history(capsys, "check", "--date", "2026-02-01")[0] == 0


def test_changes_are_in_the_changelog(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(capsys, "1.0", "2026-01-01")
    write(folder, "v2alpha1")
    write(folder, "v1", DEPRECATED, ("int64 size = 1;", "int64 size = 1; string name = 3;"))
    write(folder, "v2alpha1", ("int64 size = 1;", "int64 size = 1; string name = 3;"))
    assert history(capsys, "diff")[1].splitlines() == [
        "work",
        "  + v1 Task.name (string)",
        "  ~ v1 Work.Stop: now deprecated",
        "  + v2alpha1 (served, 9 elements)",
    ]
    record(capsys, "1.1", "2026-02-01")
    log = history(capsys, "changelog")[1]
    assert "### API group work\n\n- `v1`: `Task.name` is new (string).\n" in log
    removal = "Removal is possible in 1.4 or later, but not before 2027-02-01."
    assert f"- `v1`: `Work.Stop` has changed: now deprecated. {removal}\n" in log
    assert "- Version `v2alpha1` is new (served, 9 elements).\n" in log
    assert history(capsys, "diff", "1.0", "1.1", "--json")[1].startswith("[\n")


def test_a_changed_record_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(capsys, "1.0", "2026-01-01")
    path = folder / "history/1.0/groups.json"
    path.write_text(path.read_text().replace('"number": 1', '"number": 2'))
    assert '"groups.json" of release 1.0 was changed after it was recorded' in history(capsys, "check")[1]
    path.write_text(json.dumps({"format": 1, "kinds": {"work": {"facts": {}, "versions": 3}}}))
    output = history(capsys, "show")[1]
    assert "was changed after it was recorded" in output
    assert "Traceback" not in output


SHOP = ROOT / "testdata" / "groups" / "annotated" / "shop.proto"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A recorded history of the annotated service; the path of its file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "protoc-gen-crd.yaml").write_text("inputs: [proto]\nout: gen\ngroups: groups\n")
    (tmp_path / "proto/shop").mkdir(parents=True)
    shutil.copy(SHOP, tmp_path / "proto/shop")
    record(capsys, "1.0", "2026-01-01")
    return tmp_path / "proto/shop/shop.proto"


def test_the_protos_of_annotated_versions_are_recorded(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "-q"]) == 0
    capsys.readouterr()
    for version in ("v1alpha1", "v1beta1", "v1"):
        name = f"shop/{version}/shop.proto"
        assert Path(f"history/1.0/protos/{name}").read_text() == Path(f"gen/groups/proto/{name}").read_text()


@pytest.mark.parametrize(("before", "after", "message"), [
    ("optional int32 count = 3", "optional int64 count = 3", '"Order.count" of recorded version v1alpha1 of shop is'),
    ("int64 cents = 1;", "int64 cents = 1; int64 more = 9;", '"Money.more" of recorded version v1alpha1 of shop'),
    ("  repeated Color colors = 8;\n", "", '"Order.colors" of recorded version v1alpha1 of shop is removed'),
    ("RED = 1;", "RED = 1; BLUE = 9;", '"Color" of recorded version v1alpha1 of shop is changed'),
    ('since = "v1beta1";\n', 'since = "v1";\n', '"Shop.Watch" of recorded version v1beta1 of shop is removed'),
])  # fmt: skip
def test_a_recorded_annotated_version_is_frozen(
    shop: Path, capsys: pytest.CaptureFixture[str], before: str, after: str, message: str
) -> None:
    text = SHOP.read_text()
    assert before in text
    shop.write_text(text.replace(before, after))
    status, output = history(capsys, "check", "--date", "2026-02-01")
    assert (status, message in output, "[history-frozen]" in output) == (1, True, True), output
    assert "proto/shop/shop.proto:" in output


def test_a_frozen_version_can_be_deprecated_and_followed(shop: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = SHOP.read_text().replace('versions: ["v1",', 'versions: ["v2alpha1", "v1",')
    text = text.replace("// How many.", "// The count.").replace("rpc Buy(Order) returns (Receipt);",
        "rpc Buy(Order) returns (Receipt) { option deprecated = true; }")  # fmt: skip
    added = '  string name = 3 [(protoc_gen_crd.v1.field).since = "v2alpha1"];\n'
    shop.write_text(text.replace("  int64 cents = 1;\n", f"  int64 cents = 1;\n{added}"))
    assert history(capsys, "check", "--date", "2026-02-01")[0] == 0
    record(capsys, "1.1", "2026-02-01")
