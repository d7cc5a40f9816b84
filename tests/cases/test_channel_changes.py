"""Moves of fields, values, and versions to other release channels, and the channels of new elements."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.crd_checklist import list_crd_items
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT

CHANNELS = ("stable", "beta", "extended")
OLD = """\
syntax = "proto3";
package acme.v1;
import "protoc_gen_crd/v1/options.proto";

message Widget {
  option (protoc_gen_crd.v1.resource).group = "acme.example";
  string color = 1;
  // +protoc-gen-crd:channel=extended
  string tint = 2;
  // +protoc-gen-crd:channel=beta
  string shade = 3;
  Mode mode = 4;
  repeated Mode sizes = 5;
  // +kubebuilder:validation:MaxLength=3
  string name = 6;
  Part part = 7;
}

message Part {
  string name = 1;
}

enum Mode {
  OFF = 0;
  ON = 1;
}
"""
LINES = (ROOT / "testdata" / "changes" / "channels.txt").read_text("utf-8").splitlines()
ROWS = [line.replace("\\n", "\n") for line in LINES if not line.startswith("#")]
ISTIO = ProfileChoice({"": "istio"})


@pytest.fixture(name="load", scope="module")
def _load(tmp_path_factory: pytest.TempPathFactory) -> object:
    @functools.cache
    def load(text: str) -> tuple[Crd, ...]:
        path: Path = tmp_path_factory.mktemp("api") / "api.proto"
        path.write_text(text, "utf-8")
        problems = Problems()
        crds = generate_crds([str(path)], Settings(channels=CHANNELS), {}, problems)
        assert not has_error(problems.findings, (), complete=False), problems.findings
        return tuple(crds)

    return load


def edit(row: str) -> tuple[list[str], str, str]:
    """Return the expected changes, the path of the first, and the new text."""
    expected, _, rest = row.partition("@")
    path, _, change = rest.partition(": ")
    old, _, new = change.partition(" => ")
    assert old in OLD
    return sorted(filter(None, expected.strip().split(", "))), path, OLD.replace(old, new, 1)


def describe(changes: tuple[Change, ...]) -> list[str]:
    return sorted(
        f"{change.change_class.name.lower()} {change.rule}"
        for change in changes
        if change.rule != "change-documentation"
    )


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[:70].replace("\n", " "))
def test_a_move_to_another_channel_is_reported_once(
    row: str, load: functools._lru_cache_wrapper[tuple[Crd, ...]]
) -> None:
    expected, path, text = edit(row)
    changes = compare_apis(load(OLD), load(text), channels=CHANNELS)
    assert describe(changes) == expected
    assert not expected or changes[0].path == path
    moved = [change for change in changes if change.rule == "change-channel"]
    for change in moved:
        is_later = "semantic" in row
        assert (ISTIO.find(change.kind).decide(change).severity is Severity.ERROR) == is_later


@pytest.mark.parametrize(
    ("field", "is_done"),
    [
        ("string size = 9;", False),
        ("// +protoc-gen-crd:channel=extended\n  string size = 9;", True),
        ("// +protoc-gen-crd:channel=extended\n  repeated string size = 9;", True),
        ("Marked size = 9;", True),
        ("repeated Marked size = 9;", True),
    ],
)
def test_a_new_field_of_a_stable_version_is_marked_with_a_channel(
    field: str, is_done: bool, load: functools._lru_cache_wrapper[tuple[Crd, ...]]
) -> None:
    marked = "\n// +protoc-gen-crd:channel=extended\nmessage Marked { string x = 1; }\n"
    old, new = load(OLD), load(OLD.replace("Part part = 7;", f"Part part = 7;\n  {field}") + marked)
    changes = compare_apis(old, new, channels=CHANNELS)
    items = list_crd_items(old, new, changes, ISTIO, lambda *_: False)
    assert [(item.name, item.element, item.is_done) for item in items] == [
        ("channel", "acme.example/Widget.v1.spec.size", is_done)
    ]
