"""Value tables of neighboring versions whose conversion through the hub would depend on the choice of the hub."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.settings.settings import Settings

API = """syntax = "proto3";
package x;
import "protoc_gen_crd/v1/options.proto";
message Widget {{
  option (protoc_gen_crd.v1.resource) = {{group: "x.io" versions: ["v1", "v2", "v3"] storage_version: "v3"}};
  {types[0]} a = 1 [(protoc_gen_crd.v1.field).until = "v1"];
  {types[1]} b = 2 [(protoc_gen_crd.v1.field) = {{
    since: "v2" until: "v2" conversion: {{renamed_from: "a" values: [{tables[0]}]}}
  }}];
  {types[2]} c = 3 [(protoc_gen_crd.v1.field) = {{
    since: "v3" conversion: {{renamed_from: "b" values: [{tables[1]}]}}
  }}];
}}
enum A {{ L = 0; {more} }}
enum B {{ LARGE = 0; HUGE = 1; }}
enum C {{ GREAT = 0; }}
"""
Pairs = Sequence[tuple[str, str]]
OLD, NEW = (("L", "LARGE"), ("L", "HUGE")), (("LARGE", "GREAT"), ("HUGE", "GREAT"))
STRINGS = ("string",) * 3


def find_contradictions(
    folder: Path, pairs: tuple[Pairs, Pairs], *, hub: str = "v3", types: Sequence[str] = "ABC", more: str = "",
    unserved: Sequence[str] = (),
) -> list[str]:  # fmt: skip
    """Return the contradictions of a kind with a of v1, b of v2, and c of v3, for one hub."""
    tables = [", ".join(f'{{there: "{there}" here: "{here}"}}' for there, here in table) for table in pairs]
    (folder / "api.proto").write_text(API.format(types=types, tables=tables, more=more))
    (crd,) = generate_crds([str(folder / "api.proto")], Settings(), {}, Problems())
    versions = tuple([version.replace(served=version.name not in unserved) for version in crd.versions])
    build_plan(crd.replace(versions=versions, hub=hub), problems := Problems())
    messages = [finding.message for finding in problems.findings if finding.rule == "conversion-version"]
    assert bool(messages) is has_error(problems.findings, (), complete=True)
    return messages


@pytest.mark.parametrize(
    ("hub", "expected"),
    [
        ("v1", ['"GREAT" becomes "HUGE" instead of "LARGE"']),
        ("v2", []),
        ("v3", ['"L" becomes "LARGE" instead of "HUGE"']),
    ],
)
def test_merged_values_with_different_counterparts_are_an_error_unless_the_hub_has_all(
    hub: str, expected: list[str], tmp_path: Path
) -> None:
    messages = find_contradictions(tmp_path, (OLD, NEW[::-1]), hub=hub)
    text = f" differs from the conversion through the hub {hub}: "
    assert [message.partition(text)[2] for message in messages] == expected


@pytest.mark.parametrize("hub", ["v1", "v2", "v3"])
@pytest.mark.parametrize(
    ("pairs", "types", "more"),
    [
        pytest.param((OLD, NEW), "ABC", "", id="the same counterpart"),
        pytest.param(((OLD[0], ("BIG", "HUGE")), NEW[::-1]), "ABC", "BIG = 1;", id="merged in one version"),
        pytest.param((OLD[:1], NEW[:1]), STRINGS, "", id="other strings"),
    ],
)
def test_values_that_every_hub_converts_equally_are_no_error(
    pairs: tuple[Pairs, Pairs], types: Sequence[str], more: str, hub: str, tmp_path: Path
) -> None:
    assert find_contradictions(tmp_path, pairs, types=types, more=more, hub=hub) == []


def test_strings_without_an_enum_are_compared_for_the_values_of_the_tables(tmp_path: Path) -> None:
    pairs = (("S", "SMALL"), ("a", "SMALL"))
    (message,) = find_contradictions(tmp_path, (pairs, pairs), types=STRINGS)
    assert message.endswith('"S" becomes "SMALL" instead of "S"')


def test_versions_that_no_client_requests_are_not_compared(tmp_path: Path) -> None:
    pairs = (OLD, NEW[::-1])
    assert find_contradictions(tmp_path, pairs, unserved=("v1", "v2")) == []
    assert find_contradictions(tmp_path, pairs, unserved=("v1",)) != []
