"""`generate` holds what it makes to what was recorded: no version goes that clusters may have stored."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

PROTO = """syntax = "proto3";
package acme.api;
import "protoc_gen_crd/v1/options.proto";
message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: [%s] storage_version: "%s"};
  string name = 1;
}
"""
ACCEPTED = (
    "findings: [{rule: version-stored, path: acme.example/Widget.v1, severity: 'off', reason: all were migrated}]\n"
)


def generate(tmp_path: Path, versions: str, storage: str, *more: str) -> int:
    (tmp_path / "api.proto").write_text(PROTO % (versions, storage))
    return main(["generate", "api.proto", *more])


@pytest.fixture(autouse=True)
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Two releases: v1 alone, then v2 beside it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    for release, versions in (("1.0", '"v1"'), ("1.1", '"v1", "v2"')):
        (tmp_path / "api.proto").write_text(PROTO % (versions, "v1"))
        assert main(["history", "record", release, "api.proto", "--date", "2026-01-01"]) == 0
    capsys.readouterr()


def test_a_version_that_may_be_stored_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert generate(tmp_path, '"v2"', "v2") == 1
    output = capsys.readouterr()
    problem = "version v1 of acme.example/Widget is removed, but clusters may store objects in it: "
    problem += "it was the storage version in 1.0, 1.1 (recorded at history/1.1/api.json:15) [version-stored]"
    assert f"api.proto:4:1: error: {problem}" in output.err
    assert "run protoc-gen-crd migrate on every cluster" in output.err
    assert not (tmp_path / "crds").exists()


def test_one_that_nothing_was_stored_in_may_go(tmp_path: Path) -> None:
    assert generate(tmp_path, '"v1"', "v1") == 0
    assert (tmp_path / "crds").exists()


def test_what_was_migrated_may_go(tmp_path: Path) -> None:
    (tmp_path / "protoc-gen-crd.yaml").write_text(ACCEPTED)
    assert generate(tmp_path, '"v2"', "v2") == 0


def test_without_a_history_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "history").rename(tmp_path / "elsewhere")
    assert generate(tmp_path, '"v2"', "v2") == 0
    (tmp_path / "protoc-gen-crd.yaml").write_text("history: elsewhere\n")
    assert generate(tmp_path, '"v2"', "v2") == 1


CONVERTED = """syntax = "proto3";
package acme.api;
import "protoc_gen_crd/v1/options.proto";
message Gadget {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1", "v2", "v3"] storage_version: "%s" %s};
  string name = 1;
  string note = 2 [(protoc_gen_crd.v1.field) = {since: "v3" conversion: {preserved: true}}];
  string old = 3 [(protoc_gen_crd.v1.field) = {until: "v2" conversion: {preserved: true}}];
}
"""


APART = "\0"  # declares two lists of third versions without a conversion between them
LISTS = """  string host = 4 [(protoc_gen_crd.v1.field).until = "v1"];
  repeated string hosts = 5 [(protoc_gen_crd.v1.field) = {
    since: "v2" until: "v2" conversion: {renamed_from: "host" one_item: true versions: "v1"}
  }];
  repeated string addresses = 6 [(protoc_gen_crd.v1.field) = {
    since: "v3" conversion: {renamed_from: "host" one_item: true versions: "v1"} %s
  }];
}
"""
RELATED = 'conversion: {renamed_from: "hosts" versions: "v2"}'
LESS = (
    'the hub of Gadget changes from v2 to v1, which cannot represent all of "spec.addresses" of v3 '
    "[conversion-hub-change]"
)


@pytest.mark.parametrize(
    ("before", "storage", "hub", "message"),
    [
        (("v1", ""), "v1", "", ""),
        (("v1", ""), "v2", "", ""),
        (("v1", ""), "v3", "", ""),  # what v1 and v2 have in common is composed
        (("v1", ""), "v3", 'hub_version: "v1"', ""),
        (("v3", 'hub_version: "v1"'), "v3", 'hub_version: "v1"', ""),
        (("v3", 'hub_version: "v1"'), "v3", 'hub_version: "v3"', ""),
        (("v3", 'hub_version: "v1"'), "v3", "", ""),
        (("v2", APART), "v1", "", LESS),
        (("v2", APART), "v1", 'hub_version: "v1"', LESS),
        (("v3", f'hub_version: "v2" {APART}'), "v1", 'hub_version: "v1"', LESS),
    ],
)
def test_a_new_hub_shows_less(
    before: tuple[str, str], storage: str, hub: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "history").rename(tmp_path / "other")
    sources = [(CONVERTED % item).replace(APART, "") for item in (before, (storage, hub))]
    if APART in before[1]:
        sources = [
            source.removesuffix("}\n") + LISTS % declaration
            for source, declaration in zip(sources, (RELATED, ""), strict=True)
        ]
    (tmp_path / "gadget.proto").write_text(sources[0])
    assert main(["history", "record", "1.0", "gadget.proto", "--date", "2026-02-01"]) == 0
    recorded = (tmp_path / "history" / "1.0" / "api.json").read_text()
    assert ('"hub": "v' in recorded) == bool(before[1].strip(APART))
    capsys.readouterr()
    (tmp_path / "gadget.proto").write_text(sources[1])
    status = main(["generate", "gadget.proto"])
    errors = capsys.readouterr().err
    assert (status, message in errors, "conversion-hub-change" in errors) == (0, True, bool(message))
