"""The decision tables of the guides: a row for each profile, class, and stability, from the texts of the guides."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.change_verdict import REJECTED, ApiVersions, explain_verdict, find_verdict
from protoc_gen_crd.comparison.evidence_severity import get_severity
from protoc_gen_crd.comparison.severity_profiles import PROFILES, ProfileChoice, Requirement
from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.settings.option_types import PROFILE
from tests.unit.comparison.evidence.test_evidence_search import make_crd

KIND = "acme.example/Widget"
CLASSES = {
    "additive": "change-field-added",
    "loosen": "change-bound-loosened",
    "semantic": "change-default",
    "tighten": "change-bound-tightened",
    "break": "change-field-removed",
}


def make_change(rule: str, *versions: str, kind: str = KIND, path: str = "spec.color") -> Change:
    return Change(rule, CHANGE_RULES[rule].change_class, kind, path, "is changed", versions)


def judge(profile: str, rule: str, version: str) -> tuple[str, Severity]:
    change, choice = make_change(rule, version), ProfileChoice({"": profile})
    verdict = find_verdict([change], ApiVersions({KIND: {version}}, "3.5"), choice)
    severity = get_severity(change, choice)
    return verdict.text, load_rules()[rule].severity if severity is None else severity


# The requirement and the severity of each class in a stable version, and in an alpha version.
TABLE = {
    "kubernetes": {
        "additive": ("minor release note", "minor release note"),
        "loosen": ("minor release note", "minor release note"),
        "semantic": ("new version v2alpha1 warning", "minor release warning"),
        "tighten": ("new version v2alpha1 error", "minor release warning"),
        "break": ("new version v2alpha1 error", "minor release warning"),
    },
    "open-cluster-management": {
        "additive": ("minor release note", "minor release note"),
        "loosen": ("new version v2alpha1 warning", "minor release note"),
        "semantic": ("new version v2alpha1 error", "minor release warning"),
        "tighten": ("new version v2alpha1 error", "minor release warning"),
        "break": ("new version v2alpha1 error", "minor release warning"),
    },
    "istio": {
        "additive": ("minor release note", "minor release note"),
        "loosen": ("minor release note", "minor release note"),
        "semantic": ("not allowed: add a new field or kind instead error",) * 2,
        "tighten": ("not allowed: add a new field or kind instead error",) * 2,
        "break": ("not allowed: add a new field or kind instead error",) * 2,
    },
    "immutable": dict.fromkeys(CLASSES, ("new version v2alpha1 error", "new version v1alpha2 error")),
    "microversion": dict.fromkeys(CLASSES, ("next microversion 3.5 error",) * 2),
}


@pytest.mark.parametrize("profile", PROFILES)
def test_a_class_has_the_requirement_and_severity_of_the_guide(profile: str) -> None:
    judged = {
        name: tuple(f"{text} {severity.name.lower()}" for text, severity in
                    (judge(profile, rule, version) for version in ("v1", "v1alpha1")))
        for name, rule in CLASSES.items()
    }  # fmt: skip
    assert judged == TABLE[profile]


def test_the_setting_names_the_profiles() -> None:
    assert tuple(PROFILES) == PROFILE.names


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("rule", CHANGE_RULES)
def test_every_rule_has_a_decision_of_its_class(profile: str, rule: str) -> None:
    change = make_change(rule, "v1")
    decision = PROFILES[profile].decide(change)
    assert change.change_class in decision.classes


@pytest.mark.parametrize("profile", ["kubernetes", "open-cluster-management", "immutable"])
@pytest.mark.parametrize("rule", ["change-kind-removed", "change-version-removed", "change-version-unserved"])
def test_a_new_version_does_not_replace_a_removed_one(profile: str, rule: str) -> None:
    removal, other = make_change(rule, "v1beta1", path=""), make_change("change-bound-tightened", "v1")
    verdict = find_verdict([other, removal], ApiVersions({KIND: {"v1beta1", "v1"}}), ProfileChoice({"": profile}))
    assert verdict.text == "not allowed before the end of the deprecation period"
    assert verdict.note == "serve acme.example/Widget.v1beta1 as deprecated until then"
    assert verdict.reasons == (removal,)


@pytest.mark.parametrize("profile", PROFILES)
def test_documentation_and_deprecation_require_nothing(profile: str) -> None:
    for rule in ("change-documentation", "change-deprecated", "change-deprecation-withdrawn"):
        assert judge(profile, rule, "v1")[0] == "compatible"


def test_the_default_profile_has_the_severities_of_the_catalog() -> None:
    for rule in CHANGE_RULES:
        assert get_severity(make_change(rule, "v1")) is None, rule


def test_a_kind_has_its_own_profile_then_that_of_its_group() -> None:
    choice = ProfileChoice({"": "istio", "acme.example": "immutable", KIND: "microversion"})
    kinds = (KIND, "acme.example/Gadget", "other.example/Widget")
    assert [choice.find_name(kind) for kind in kinds] == ["microversion", "immutable", "istio"]


@pytest.mark.parametrize(
    ("versions", "expected"),
    [
        ({"v1alpha1"}, "v1alpha2"),
        ({"v1alpha1", "v1beta1"}, "v1beta2"),
        ({"v1beta1", "v1"}, "v2alpha1"),
        ({"v1", "v2alpha1"}, "v2alpha2"),
    ],
)
def test_the_next_name_follows_the_newest_version(versions: set[str], expected: str) -> None:
    verdict = find_verdict(
        [make_change("change-bound-tightened", min(versions))], ApiVersions({KIND: versions}),
        ProfileChoice({"": "immutable"}),
    )  # fmt: skip
    assert verdict.text == f"new version {expected}"


def test_the_strongest_requirement_of_several_kinds_counts() -> None:
    changes = [make_change("change-bound-tightened", "v1beta1"), make_change("change-field-added", "v1", kind="b.c/D")]
    verdict = find_verdict(changes, ApiVersions({KIND: {"v1beta1"}, "b.c/D": {"v1"}}))
    assert (verdict.text, verdict.requirement) == ("new version v1beta2", Requirement.NEW_VERSION)
    assert [change.kind for change in verdict.reasons] == [KIND]


def test_kinds_with_different_next_names_are_named() -> None:
    changes = [
        make_change("change-bound-tightened", "v1"),
        make_change("change-bound-tightened", "v1beta1", kind="b/D"),
    ]
    verdict = find_verdict(changes, ApiVersions({KIND: {"v1"}, "b/D": {"v1beta1"}}))
    assert verdict.text == f"new version v2alpha1 of {KIND}, v1beta2 of b/D"


@pytest.mark.parametrize(
    ("rule", "version", "versions", "expected"),
    [
        ("change-field-removed", "v1alpha1", {"v1alpha1"}, "minor release (alpha versions may change incompatibly)"),
        ("change-field-added", "v1alpha1", {"v1alpha1"}, "minor release"),
        ("change-field-removed", "v1", {"v1"}, "new version v2alpha1"),
        (
            "change-field-removed",
            "v1",
            {"v1", "v2beta1"},
            f"new version v2beta2 (v2beta1 is the newest version of {KIND})",
        ),
    ],
)
def test_a_note_explains_an_unexpected_verdict(rule: str, version: str, versions: set[str], expected: str) -> None:
    assert find_verdict([make_change(rule, version)], ApiVersions({KIND: versions})).format() == expected


def test_a_version_that_the_same_change_adds_is_the_new_version() -> None:
    changes = [make_change("change-field-removed", "v1"), make_change("change-version-added", "v2alpha1")]
    verdict = find_verdict(changes, ApiVersions({KIND: {"v1", "v2alpha1"}}))
    assert verdict.format() == f"new version v2alpha1 (v2alpha1 is already added to {KIND})"
    older = find_verdict(changes, ApiVersions({KIND: {"v1", "v2alpha1", "v2beta1"}}))
    assert older.text == "new version v2beta2"


def test_a_note_names_a_version_once_for_all_kinds() -> None:
    kinds = [f"a/{name}" for name in "ABCDE"]
    changes = [make_change("change-field-removed", "v1", kind=kind) for kind in kinds]
    changes += [make_change("change-version-added", "v2alpha1", kind=kind) for kind in kinds[:4]]
    changes += [make_change("change-field-removed", "v1alpha1", kind="b/F")]
    versions = {kind: {"v1", "v2alpha1"} for kind in kinds}
    note = find_verdict(changes, ApiVersions({**versions, "b/F": {"v1alpha1"}})).note
    assert note == "v2alpha1 is already added to a/A, a/B, a/C, 1 more; v2alpha1 is the newest version of a/E"


def test_a_change_of_another_version_outweighs_alpha() -> None:
    changes = [make_change("change-field-removed", name) for name in ("v1alpha1", "v1")]
    verdict = find_verdict(changes, ApiVersions({KIND: {"v1alpha1", "v1"}}))
    assert verdict.format() == "new version v2alpha1"


def test_a_rejection_decides() -> None:
    change = make_change("change-scope").replace(is_rejected=True)
    verdict = find_verdict([change], ApiVersions({}))
    assert verdict.text == REJECTED
    assert next(explain_verdict(verdict, [change], [], ProfileChoice({}))).startswith("Do API servers reject")


def test_a_removal_at_the_end_of_its_period_needs_no_new_version() -> None:
    change = make_change("change-version-removed", "v1beta1", path="").replace(is_due=True)
    texts = {
        name: find_verdict([change], ApiVersions({KIND: {"v1"}}, "3.5"), ProfileChoice({"": name})).text
        for name in PROFILES
    }
    assert texts == {
        "kubernetes": "minor release",
        "istio": "not allowed: keep the kind or version",
        "open-cluster-management": "minor release",
        "immutable": "minor release",
        "microversion": "next microversion 3.5",
    }


@pytest.mark.parametrize(
    ("versions", "text"),
    [
        (("v1alpha1", "v1alpha2"), "minor release"),
        (("v1alpha1", "v1beta1"), "not allowed before the end of the deprecation period"),
        (("v1",), "not allowed before the end of the deprecation period"),
    ],
)
def test_a_kind_that_has_only_alpha_versions_can_be_removed(versions: tuple[str, ...], text: str) -> None:
    """Source: Kubernetes' deprecation policy, rule 4a: alpha versions have no period."""
    crd = make_crd({"type": "object"})
    served = tuple(crd.versions[0].replace(name=name) for name in versions)
    (change,) = compare_apis([crd.replace(versions=served)], [])
    verdict = find_verdict([change], ApiVersions({}), ProfileChoice({}))
    assert (change.rule, verdict.text) == ("change-kind-removed", text)
    assert change.element == change.kind


def test_the_path_ends_at_the_decision_of_the_verdict() -> None:
    choice = ProfileChoice({"": "microversion"})
    changes = [make_change("change-default", "v1")]
    accepted = [make_change("change-field-removed", "v1", path="spec.size")]
    verdict = find_verdict(changes, ApiVersions({KIND: {"v1"}}, "3.5"), choice)
    lines = list(explain_verdict(verdict, changes, accepted, choice))
    assert lines[0] == "profile microversion (Cinder):"
    assert lines[1].endswith(f"? yes (accepted: {KIND}.v1.spec.size)")
    assert lines[-1].endswith(f"yes ({KIND}.v1.spec.color): next microversion")
    assert all(line.endswith(" no") for line in lines[2:-1])


@pytest.mark.parametrize("version", ["v1", "v1alpha1"])
def test_an_unproven_narrowing_is_at_least_as_severe_as_the_change_without_one(version: str) -> None:
    change = make_change("change-default", version).replace(change_class=ChangeClass.TIGHTEN, is_proven=False)
    assert get_severity(change) is Severity.WARNING
