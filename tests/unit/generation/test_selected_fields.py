"""The fields that rules select: rules that select known fields are not parsed again."""

from __future__ import annotations

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.generation import run_context
from protoc_gen_crd.pipeline import build_crds
from protoc_gen_crd.settings.settings import Settings
from tests.support.compile import proto_text

_API = """syntax = "proto3";
package acme;
// +protoc-gen-crd:resource={{group: "acme.com" versions: ["v1"]}}
message Kind {{
  // +kubebuilder:validation:XValidation:rule="{rule}",message="short"
  Part part = 1;
}}
message Part {{
  string name = 1;
  repeated string names = 2;
}}
"""


@pytest.mark.parametrize(
    ("rule", "parsed", "findings"),
    [
        ("self.name.size() < 3 && self . names.all(x, x != '')", 0, []),
        ("has(self.name) ? self.exists(name, name == 'a') : true", 0, []),
        ("self.size() < 3 && self.name != 'a'", 0, []),
        ("self.nam != 'a'", 1, ["cel-field"]),
        ("self.size() < 3 && self . nam != 'a'", 1, ["cel-field"]),
    ],
)
def test_only_rules_that_select_unknown_fields_are_parsed_again(rule: str, parsed: int, findings: list[str]) -> None:
    run_context._find_selected_fields.cache_clear()
    problems = Problems()
    build_crds(proto_text(_API.format(rule=rule)), Settings(), problems)
    assert run_context._find_selected_fields.cache_info().misses == parsed
    assert [finding.rule for finding in problems.findings if finding.rule == "cel-field"] == findings
