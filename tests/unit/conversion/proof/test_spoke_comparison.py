"""Rules between spokes that change a value several times are run and compared with the conversion through the hub."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleReader
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.crd_loader import generate_crds
from protoc_gen_crd.findings.finding import Location, Problems, Severity
from protoc_gen_crd.settings.settings import Settings
from tests.support.conversion import crd, fields, listed, rules

Json = dict[str, Any]
Found = list[tuple[str, Severity | None, str]]


def find_problems(schema: Json, path: str, bracket: str, between: tuple[str, str]) -> Found:
    """Return the problems of rules between v1 and v2, whose hub is v3."""
    ends = {name: path.replace("X", field) for name, field in (("v1", "a"), ("v2", "b"), ("v3", "c"))}
    changes = {
        ("v1", "v3"): "self + 1",
        ("v3", "v1"): "self - 1",
        ("v3", "v2"): "self * 10",
        ("v2", "v3"): "self / 10",
        ("v1", "v2"): between[0],
        ("v2", "v1"): between[1],
    }
    directions = [
        (
            source,
            target,
            [{"field": ends[source].replace("[]", bracket), "destination": ends[target], "transformation": cel}],
        )
        for (source, target), cel in changes.items()
    ]
    kind = decode(crd(v1=schema["a"], v2=schema["b"], v3=schema["c"])).crd
    assert kind is not None
    problems = Problems()
    file = RuleReader(lambda at: Location("/".join(map(str, at))), problems).read(rules(*directions))
    build_plan(kind, problems, [file.replace(name=kind.name)])
    known = [finding for finding in problems.findings if finding.rule == "conversion-rule"]
    return [(str(item.at), item.severity, item.message) for item in known]


INTEGER: Json = {"type": "integer", "maximum": 1000, "minimum": 0}
FIELDS = {name: fields(**{name: INTEGER}) for name in "abc"}
ITEMS = {name: fields(rows=listed(**{name: INTEGER})) for name in "abc"}


@pytest.mark.parametrize(("schema", "path"), [(FIELDS, "spec.X"), (ITEMS, "spec.rows[].X")])
def test_a_contradiction_is_an_error_with_an_example(schema: Json, path: str) -> None:
    problems = find_problems(schema, path, "[i]", ("self * 50", "self / 10 - 1"))
    errors = [(at, message) for at, severity, message in problems if severity is None]
    ((at, message),) = errors
    assert at == "spec/conversions/4/rules/0"
    assert " from v1 to v2 differs from the conversion through the hub v3: " in message
    count, direct, composed = [int(word) for word in message.partition("hub v3: ")[2].split() if word.isdigit()]
    assert (direct, composed) == (count * 50, (count + 1) * 10)


def test_equal_results_are_a_warning() -> None:
    problems = find_problems(FIELDS, "spec.X", "", ("(self + 1) * 10", "self / 10 - 1"))
    assert [severity for _, severity, _ in problems] == [Severity.WARNING] * 2
    assert all("cannot be compared with the conversion through the hub v3" in message for _, _, message in problems)


API = """syntax = "proto3";
package x;
import "protoc_gen_crd/v1/options.proto";
message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "x.io" versions: ["v1", "v2", "v3"] storage_version: "v3"};
  int64 a = 1 [(protoc_gen_crd.v1.field) = {
    until: "v1" maximum: 1000 conversion: {renamed_from: "c" versions: "v3" cel: {from: "self - 1" to: "self + 1"}}
    conversion: {renamed_from: "b" versions: "v2" cel: {from: "self / 10 - 1" to: "%s"}}
  }];
  int64 b = 2 [(protoc_gen_crd.v1.field) = {
    since: "v2" until: "v2" maximum: 1000
    conversion: {renamed_from: "c" versions: "v3" cel: {from: "self * 10" to: "self / 10"}}
  }];
  int64 c = 3 [(protoc_gen_crd.v1.field) = {since: "v3" maximum: 1000}];
}
"""


@pytest.mark.parametrize(("cel", "count"), [("(self + 1) * 10", 0), ("self * 50", 1)])
def test_options_are_compared_as_well(cel: str, count: int, tmp_path: Any) -> None:
    (tmp_path / "api.proto").write_text(API % cel)
    generate_crds([str(tmp_path / "api.proto")], Settings(), {}, problems := Problems())
    messages = [finding.message for finding in problems.findings if finding.rule == "conversion-version"]
    assert len(messages) == count
    assert all(" differs from the conversion through the hub v3: " in message for message in messages)
