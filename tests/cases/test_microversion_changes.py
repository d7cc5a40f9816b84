"""`changes` and `history check` of microversions: Cinder's decision table, and shared numbers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

WORK = """syntax = "proto3";
package work;
import "protoc_gen_crd/v1/options.proto";

service Work {
  option (protoc_gen_crd.v1.service).microversions = {minimum: "3.0" maximum: "3.4"};
  rpc Show(Task) returns (Answer);
}
message Task { string name = 1; Level level = 2; }
message Answer { string name = 1; int32 size = 2; Level level = 3; }
enum Level { LOW = 0; HIGH = 1; }
"""
SETTINGS = "inputs: [work.proto]\ngroups: groups\nprofile: microversion\n"
ALLOCATED = ('maximum: "3.4"', 'maximum: "3.5"')


def write(text: str, *numbers: int) -> None:
    Path("work.proto").write_text(text)
    Path("microversions/work").mkdir(parents=True, exist_ok=True)
    for number in (*range(5), *numbers):
        Path(f"microversions/work/3.{number}.md").write_text(f"# Change {number}\n\nText.\n")


def git(*arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)


@pytest.fixture(autouse=True)
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Record a release with 3.4, in a Git repository."""
    monkeypatch.chdir(tmp_path)
    Path("protoc-gen-crd.yaml").write_text(SETTINGS)
    write(WORK)
    assert main(["history", "record", "1.0", "--date", "2026-01-15"]) == 0
    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "release")
    capsys.readouterr()


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main([*arguments])
    return status, "".join(capsys.readouterr())


def change(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    "pair",
    [
        ("int32 size = 2;", "int32 size = 2; string color = 4;"),  # an attribute is added to a payload
        ("int32 size = 2;", ""),  # or removed
        ("int32 size = 2;", "int64 size = 2;"),
        ("message Task { string name = 1;", "message Task { string name = 1; string filter = 3;"),  # a parameter
        ("HIGH = 1;", "HIGH = 1; HIGHER = 2;"),  # a value of a parameter
        ("returns (Answer);", "returns (Answer);\n  rpc Stop(Task) returns (Answer);"),  # a resource
    ],
)
def test_a_change_of_the_contract_needs_the_next_number(
    capsys: pytest.CaptureFixture[str], pair: tuple[str, str]
) -> None:
    write(change(WORK, pair))
    status, output = run(capsys, "changes", "--old", "history")
    assert (status, "verdict: next microversion 3.5" in output) == (1, True), output
    status, output = run(capsys, "history", "check")
    assert (status, "[history-frozen]" in output) == (1, True), output


def test_a_comment_needs_none(capsys: pytest.CaptureFixture[str]) -> None:
    write(change(WORK, ("service Work", "// Works.\nservice Work")))
    status, output = run(capsys, "changes", "--old", "history")
    assert (status, "verdict: compatible" in output) == (0, True), output


def test_a_bug_fix_needs_none(capsys: pytest.CaptureFixture[str]) -> None:
    """Accept a change with a reason: the old code failed."""
    write(change(WORK, ("int32 size = 2;", "int64 size = 2;")))
    entry = "- {rule: change-type, severity: 'off', path: work.Answer.size, reason: 'It failed with 500.'}\n"
    Path("protoc-gen-crd.yaml").write_text(f"{SETTINGS}findings:\n{entry}")
    status, output = run(capsys, "changes", "--old", "history", "--explain")
    assert (status, "verdict: compatible" in output) == (0, True), output
    assert "Is it a bug fix" in output


def test_an_allocated_number_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    color = ("int32 size = 2;", 'int32 size = 2; string color = 4 [(protoc_gen_crd.v1.field).since = "3.5"];')
    write(change(WORK, ALLOCATED, color), 5)
    status, output = run(capsys, "changes", "--old", "history")
    assert (status, "verdict: next microversion 3.5" in output) == (0, True), output
    assert run(capsys, "history", "check")[0] == 0


def test_changes_before_a_release_share_a_number(capsys: pytest.CaptureFixture[str]) -> None:
    """Merge 3.5 without a release, and change it on a branch."""
    since = '[(protoc_gen_crd.v1.field).since = "3.5"]'
    merged = change(WORK, ALLOCATED, ("int32 size = 2;", f"int32 size = 2; string color = 4 {since};"))
    write(merged, 5)
    git("add", ".")
    git("commit", "-m", "allocate 3.5")
    git("checkout", "-b", "branch")
    write(change(merged, ("string color", f"string shape = 5 {since}; string color")), 5)
    status, output = run(capsys, "changes", "--old", "merge-base:main")
    assert (status, "verdict: compatible" in output) == (0, True), output
    assert run(capsys, "history", "check")[0] == 0
    shape = 'string shape = 5 [(protoc_gen_crd.v1.field).since = "3.6"]; string color'
    write(change(merged, ('"3.5"};', '"3.6"};'), ("string color", shape)), 5, 6)
    output = run(capsys, "changes", "--old", "merge-base:main")[1]
    assert "verdict: next microversion 3.5" in output
    status, output = run(capsys, "history", "check")
    assert (status, 'microversion 3.6 of "work" is allocated, but 3.5 is not released yet' in output) == (1, True)
