"""Changes of protos of a message or enum that several kinds share: each kind has its own severity and suppressions."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change_findings import make_findings, merge_kinds
from protoc_gen_crd.comparison.protos.proto_change_selection import ApiProtos, compare_api_protos
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd_loader import generate_crds, summarize_protos
from protoc_gen_crd.findings.finding import Finding, Problems, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.settings.settings import Settings

RESOURCE = 'option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1"]};'
PART = "message Part {\n  int32 x = 1;\n  string y = 2;\n  reserved 9;\n}"
TEXT = f"""\
syntax = "proto3";
package acme.work.v1;
import "protoc_gen_crd/v1/options.proto";
message Gadget {{
  {RESOURCE}
  Part part = 1;
  Mode mode = 2;
}}
message Widget {{
  {RESOURCE}
  Part piece = 1;
  Mode mode = 2;
}}
{PART}
enum Mode {{
  OFF = 0;
  ON = 1;
}}
"""
KINDS = ("Gadget", "Widget")
EDITS = {
    "change-wire-type": ("int32 x", "sint32 x"),
    "change-field-number": ("y = 2", "y = 3"),
    "change-enum-number": ("ON = 1", "ON = 2"),
    "change-reservation-removed": ("  reserved 9;\n", ""),
    "change-unreserved": ("  string y = 2;\n", ""),
    "change-field-renamed": ("string y = 2;", 'string y = 2 [json_name = "z"];\n  string z = 3 [json_name = "y"];'),
}
ISTIO_ERRORS = ("change-wire-type", "change-field-number", "change-enum-number")


def _load(text: str, folder: Path) -> ApiProtos:
    path = folder / "api.proto"
    path.write_text(text, "utf-8")
    requests = list[Request]()
    crds = generate_crds([str(path)], Settings(), {}, Problems(), requests=requests)
    summary = summarize_protos(requests)
    assert summary is not None
    return ApiProtos(summary, tuple(crds))


def _compare(new: str, folder: Path, profiles: ProfileChoice, *entries: PolicyEntry, old: str = TEXT) -> list[Finding]:
    before, after = _load(old, folder), _load(new, folder)
    changes = compare_api_protos(before, after, compare_apis(before.crds, after.crds), profiles)
    return list(merge_kinds(make_findings(changes, entries, profiles), entries))


@pytest.mark.parametrize("rule", EDITS)
def test_a_change_of_a_shared_type_is_one_finding(rule: str, tmp_path: Path) -> None:
    findings = _compare(TEXT.replace(*EDITS[rule]), tmp_path, ProfileChoice({}))
    (finding,) = [finding for finding in findings if finding.rule == rule]
    (other,) = finding.details["otherElements"]
    assert finding.path.startswith("acme.example/Gadget.v1.spec.")
    assert other.startswith("acme.example/Widget.v1.spec.")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rule", ISTIO_ERRORS)
def test_the_strictest_guide_of_its_kinds_decides(rule: str, kind: str, tmp_path: Path) -> None:
    profiles = ProfileChoice({f"acme.example/{kind}": "istio"})
    findings = _compare(TEXT.replace(*EDITS[rule]), tmp_path, profiles)
    errors = [finding.path for finding in findings if finding.severity in (Severity.ERROR, None)]
    assert any(path.startswith(f"acme.example/{kind}.") for path in errors)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rule", EDITS)
def test_an_entry_about_a_kind_hides_nothing_of_another(rule: str, kind: str, tmp_path: Path) -> None:
    entry = PolicyEntry(rule, Severity.OFF, f"acme.example/{kind}.v1.*")
    findings = _compare(TEXT.replace(*EDITS[rule]), tmp_path, ProfileChoice({}), entry)
    assert [entry.matches(finding) for finding in findings if finding.rule == rule].count(True) == 1
    assert [entry.matches(finding) for finding in findings if finding.rule == rule].count(False) == 1


def test_a_kind_that_starts_to_use_a_type_has_no_change_of_it(tmp_path: Path) -> None:
    old = TEXT.replace("  Part piece = 1;\n", "")
    findings = _compare(TEXT.replace("int32 x", "sint32 x"), tmp_path, ProfileChoice({}), old=old)
    assert [(finding.path, finding.details.get("otherElements")) for finding in findings] == [
        ("acme.example/Gadget.v1.spec.part.x", None)
    ]


def test_a_kind_without_the_member_has_no_change_of_it(tmp_path: Path) -> None:
    text = TEXT.replace(RESOURCE, RESOURCE.replace('"v1"', '"v2"'), 1)
    text = text.replace("  string y = 2;", "  // +protoc-gen-crd:until=v1\n  string y = 2;")
    findings = _compare(text.replace("y = 2", "y = 3"), tmp_path, ProfileChoice({}), old=text)
    assert [(finding.path, finding.details.get("otherElements")) for finding in findings] == [
        ("acme.example/Widget.v1.spec.piece.y", None)
    ]


@pytest.mark.parametrize("marker", ["skip", "opaque"])
@pytest.mark.parametrize("rule", ISTIO_ERRORS)
def test_a_kind_whose_schema_does_not_show_the_type_has_its_own_severity(
    rule: str, marker: str, tmp_path: Path
) -> None:
    text = TEXT.replace("  Part piece", f"  // +protoc-gen-crd:{marker}\n  Part piece")
    text = text.replace("Mode mode = 2;\n}\nmessage Part", "// +protoc-gen-crd:skip\n  Mode mode = 2;\n}\nmessage Part")
    profiles = ProfileChoice({"acme.example/Widget": "istio"})
    findings = _compare(text.replace(*EDITS[rule]), tmp_path, profiles, old=text)
    errors = [finding.path for finding in findings if finding.severity in (Severity.ERROR, None)]
    assert any(path.startswith("acme.example/Widget.") for path in errors)


def test_a_renamed_field_is_a_reused_number_only_for_the_kind_that_skips_it(tmp_path: Path) -> None:
    text = TEXT.replace("  Part piece", "  // +protoc-gen-crd:skip\n  Part piece")
    findings = _compare(text.replace("string y = 2", "string z = 2"), tmp_path, ProfileChoice({}), old=text)
    assert [(finding.rule, finding.path) for finding in findings] == [
        ("change-number-reused", "acme.example/Widget.v1.spec.piece.z")
    ]
