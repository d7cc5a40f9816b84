"""The findings of changes: severities, and versions that entries of the settings are about."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_findings import make_findings, merge_kinds
from protoc_gen_crd.comparison.evidence_severity import get_severity
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.findings.finding import Finding, Location, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry

KIND = "acme.io/Widget"


def _make_change(path: str = "spec.a", *versions: str, is_proven: bool = True) -> Change:
    return Change("change-bound-added", ChangeClass.TIGHTEN, KIND, path, "m", versions, is_proven=is_proven)


@pytest.mark.parametrize(
    ("change", "severity"),
    [
        (_make_change("spec.a", "v1"), None),
        (_make_change("spec.a", "v1alpha1"), Severity.WARNING),
        (_make_change("spec.a", "v1alpha1", "v1"), None),
        (_make_change("spec.a", "v1", is_proven=False), Severity.WARNING),
        (_make_change("status.a", "v1"), Severity.WARNING),
        (_make_change("spec.a", "v1").replace(change_class=ChangeClass.BREAK), Severity.ERROR),
    ],
)
def test_severities_of_kubernetes(change: Change, severity: Severity | None) -> None:
    assert get_severity(change) is severity


@pytest.mark.parametrize("profile", ["immutable", "microversion"])
@pytest.mark.parametrize("rule", ["change-bound-added", "change-pattern", "change-rule", "change-logic"])
@pytest.mark.parametrize("path", ["spec.a", "status.a"])
def test_missing_evidence_does_not_matter_where_every_change_counts(profile: str, rule: str, path: str) -> None:
    change = Change(rule, ChangeClass.TIGHTEN, KIND, path, "m", ("v1",), is_proven=False)
    severity = get_severity(change, ProfileChoice({"": profile}))
    assert severity in (Severity.ERROR, None)  # None is that of the rule, an error


@pytest.mark.parametrize("rule", ["change-bound-added", "history-narrowed"])
def test_a_version_that_an_entry_is_about_is_separate(rule: str) -> None:
    entry = PolicyEntry(rule, Severity.OFF, f"{KIND}.v1beta1.spec.a")
    findings = list(make_findings([_make_change("spec.a", "v1", "v1beta1", "v2")], [entry]))
    assert [change.versions for change, _ in findings] == [("v1", "v2"), ("v1beta1",)]
    assert [entry.matches(finding) for _, finding in findings] == [False, True]


def test_an_entry_without_a_path_is_about_its_own_rule_only() -> None:
    finding = Finding("history-narrowed", "m", path=f"{KIND}.v1.spec.a", aliases=("change-*",))
    assert not PolicyEntry("change-bound-added", Severity.OFF).matches(finding)
    assert PolicyEntry("change-bound-added", Severity.OFF, f"{KIND}.v1.*").matches(finding)


def test_a_change_of_a_message_that_kinds_share_is_one_finding() -> None:
    first = _make_change("spec.part.name", "v1").replace(at=Location("api.proto", 9, 3))
    changes = [first, first.replace(kind="acme.io/Gadget"), first.replace(kind="acme.io/Other", versions=("v2",))]
    shared, other = merge_kinds(make_findings(changes, ()), ())
    assert shared.message == '"spec.part.name" of acme.io/Widget v1: m (also at "acme.io/Gadget.v1.spec.part.name")'
    assert shared.details["otherElements"] == ["acme.io/Gadget.v1.spec.part.name"]
    assert other.path == "acme.io/Other.v2.spec.part.name"


def test_a_kind_that_an_entry_is_about_has_a_finding_of_its_own() -> None:
    first = _make_change("spec.part.name", "v1").replace(at=Location("api.proto", 9, 3))
    entries = (PolicyEntry("change-bound-added", Severity.OFF, f"{KIND}.v1.spec.part.name"),)
    changes = [first, first.replace(kind="acme.io/Gadget")]
    findings = list(merge_kinds(make_findings(changes, entries), entries))
    assert [finding.path for finding in findings] == [f"{KIND}.v1.spec.part.name", "acme.io/Gadget.v1.spec.part.name"]
