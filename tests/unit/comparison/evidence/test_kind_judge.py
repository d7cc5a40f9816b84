"""Evidence of changes: with one version of Kubernetes it is that of a server of its own."""

from __future__ import annotations

import pytest

from protoc_gen_crd.admission.crd.rules.rule_compiler import RuleCompiler
from protoc_gen_crd.admission.server import AdmissionServer
from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.change_findings import make_findings
from protoc_gen_crd.comparison.evidence import kind_judge
from protoc_gen_crd.crd.crd import Crd, PrinterColumn
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location, Severity
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.schema.schema import VALIDATIONS, Schema, ValidationRule


def _make_crd(limit: int, rule: str) -> Crd:
    color = {"type": "string", "maxLength": limit}
    size = {"type": "integer", "default": 1, "x-kubernetes-validations": [{"rule": rule}]}
    spec = {"type": "object", "properties": {"color": color, "size": size}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    names = {"kind": "Widget", "plural": "widgets"}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": schema}]
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.acme.example"},
            "spec": {"group": "acme.example", "scope": "Namespaced", "names": names, "versions": versions},
        }
    ).crd
    assert crd is not None
    return crd


def _judge(minors: tuple[int, ...]) -> tuple[Change, ...]:
    return judge_changes([_make_crd(8, "self < 9")], [_make_crd(4, "self < 5")], minors)


def _show(changes: tuple[Change, ...]) -> list[tuple[object, ...]]:
    return [(change.rule, change.path, change.hint, change.example, change.before) for change in changes]


def test_one_server_has_the_verdicts_of_two(monkeypatch: pytest.MonkeyPatch) -> None:
    shared = _show(_judge((NEWEST,)))
    create = kind_judge.KindJudge.__init__

    def create_with_two(self: kind_judge.KindJudge, *arguments: object) -> None:
        create(self, *arguments)  # type: ignore[arg-type]
        assert self._servers is self._server
        self._servers = AdmissionServer((NEWEST,), RuleCompiler())

    monkeypatch.setattr(kind_judge.KindJudge, "__init__", create_with_two)
    assert shared == _show(_judge((NEWEST,)))
    assert len(shared) == 2
    assert all("stay valid until the value changes" in str(hint) for _, _, hint, *_ in shared)


def test_several_versions_have_a_server_of_their_own() -> None:
    judge = kind_judge.KindJudge(_make_crd(8, "true"), _make_crd(4, "true"), (NEWEST - 1, NEWEST))
    assert judge._servers is not judge._server


def test_an_added_kind_that_servers_reject_is_reported() -> None:
    accepted, rejected = _make_crd(8, "true"), _make_crd(8, "self ==")
    assert [change.rule for change in judge_changes([], [accepted])] == ["change-kind-added"]
    changes = judge_changes([], [rejected])
    assert [(change.rule, change.is_rejected) for change in changes] == [
        ("change-crd-rejected", True),
        ("change-kind-added", False),
    ]


def test_what_servers_reject_is_reported_even_without_changes() -> None:
    old = _make_crd(8, "true")
    (version,) = old.versions
    twice = old.replace(versions=(version, version.replace(storage=False)))
    renamed = old.replace(metadata={"name": "gadgets.acme.example"})
    selected = version.replace(selectable_fields=(".spec.color", ".spec.color"))
    again = old.replace(versions=(selected,))
    once = old.replace(versions=(selected.replace(selectable_fields=(".spec.color",)),))
    for before, after in ((old, twice), (old, renamed), (once, again)):
        (change,) = judge_changes([before], [after])
        assert (change.rule, change.is_rejected) == ("change-crd-rejected", True)
    for member in ({"storage": False}, {"schema": None}):
        rejections = judge_changes([old], [old.replace(versions=(version.replace(**member),))])
        assert {(change.rule, change.is_rejected) for change in rejections} == {("change-crd-rejected", True)}
    assert judge_changes([old], [_make_crd(8, "true")]) == ()


def test_another_group_is_reported_with_its_rejection() -> None:
    old = _make_crd(8, "true").replace(metadata={"name": "widgets.acme.example"})
    rejected, change = judge_changes([old], [old.replace(group="other.example")])
    assert (rejected.rule, "metadata.name" in rejected.message) == ("change-crd-rejected", True)
    assert (change.rule, change.message) == ("change-names", 'group "acme.example" is now "other.example"')
    assert change.is_rejected
    assert "spec.group: Invalid value" in change.hint


def test_another_plural_is_one_finding() -> None:
    old = _make_crd(8, "true")
    new = old.replace(names=old.names.replace(plural="widgetz"), metadata={"name": "widgetz.acme.example"})
    (change,) = judge_changes([old], [new])
    assert (change.rule, change.is_rejected) == ("change-names", True)
    assert "spec.names.plural: Invalid value" in change.hint


EXPENSIVE = "self.all(x, self.all(y, self.all(z, x != y || y != z)))"


def _make_list_crd(max_items: int | None, *rules: str) -> Crd:
    """A CRD with a list of strings; the places of rules are their lines."""
    crd = _make_crd(8, "true")
    (version,) = crd.versions
    validations = tuple(
        ValidationRule(rule, origin=Location("widget.proto", line)) for line, rule in enumerate(rules, 1)
    )
    tags = {"type": "array", "items": Schema({"type": "string"}), "maxItems": max_items, VALIDATIONS: validations}
    keywords = {keyword: value for keyword, value in tags.items() if value}
    root = Schema({"type": "object", "properties": {"tags": Schema(keywords)}})
    return crd.replace(versions=(version.replace(schema=root),))


def test_a_new_rule_that_costs_too_much_is_one_change() -> None:
    (change,) = judge_changes([_make_list_crd(None)], [_make_list_crd(None, EXPENSIVE)])
    assert (change.rule, change.is_rejected) == ("change-rule-added", True)
    assert change.hint.startswith(
        "API servers reject the CRD: spec.validation.openAPIV3Schema: Forbidden: x-kubernetes"
    )


def test_rules_that_become_too_expensive_are_one_rejection_at_the_most_expensive() -> None:
    rules = "self.all(x, self.all(y, x != y))", EXPENSIVE
    rejected, change = judge_changes([_make_list_crd(3, *rules)], [_make_list_crd(None, *rules)])
    assert (rejected.rule, change.rule) == ("change-crd-rejected", "change-bound-removed")
    assert "rule cost total" in rejected.message
    assert rejected.at is not None
    assert rejected.at.resolve().line == 2


def test_errors_of_the_old_crd_are_reported_if_the_new_crd_has_them() -> None:
    old, described = _make_crd(8, "self =="), _make_crd(8, "self ==")
    (version,) = described.versions
    assert judge_changes([old], [_make_crd(8, "self ==")]) == ()
    column = PrinterColumn("Color", "string", ".spec.color")
    changes = judge_changes([old], [described.replace(versions=(version.replace(columns=(column,)),))])
    assert [(change.rule, change.is_rejected) for change in changes] == [
        ("change-crd-rejected", True),
        ("change-column-added", False),
    ]
    rejections = judge_changes([old], [described.replace(versions=(version.replace(storage=False),))])
    assert {change.rule for change in rejections} == {"change-crd-rejected"}
    assert ["spec.versions: " in change.message for change in rejections].count(True) == 1
    assert not any(change.is_rejected for change in judge_changes([old], [_make_crd(8, "true")]))


def test_each_removed_version_with_stored_objects_is_rejected() -> None:
    new = _make_crd(8, "true")
    (version,) = new.versions
    removed = [version.replace(name=name, storage=False) for name in ("v1alpha1", "v1alpha2", "v1beta1")]
    old = new.replace(versions=(*removed, version), status={"storedVersions": ["v1alpha1", "v1beta1", "v1"]})
    changes = judge_changes([old], [new])
    assert [(change.old, change.is_rejected, f'"{change.old}"' in change.hint) for change in changes] == [
        ("v1alpha1", True, True),
        ("v1alpha2", False, False),
        ("v1beta1", True, True),
    ]
    severities = [finding.severity for _, finding in make_findings(changes, ())]
    assert severities == [None, Severity.WARNING, None]  # None is the severity of the rule, an error


@pytest.mark.parametrize(("served", "expected"), [(False, "NONE"), (True, "BREAK")])
def test_the_removal_of_a_version_that_no_client_can_use_is_harmless(*, served: bool, expected: str) -> None:
    new = _make_crd(8, "true")
    unstored = new.versions[0].replace(name="v1beta1", served=served, storage=False)
    (change,) = judge_changes([new.replace(versions=(*new.versions, unstored))], [new])
    assert (change.rule, change.change_class.name) == ("change-version-removed", expected)
    assert ("no client can use v1beta1" in change.hint) is not served


@pytest.mark.parametrize(("served", "expected"), [(False, "NONE"), (True, "TIGHTEN")])
def test_a_change_in_a_version_that_no_client_can_use_is_harmless(*, served: bool, expected: str) -> None:
    used, others = _make_crd(8, "true"), [_make_crd(limit, "true").versions[0] for limit in (8, 4)]
    old, new = (
        used.replace(versions=(*used.versions, other.replace(name="v1beta1", served=served, storage=False)))
        for other in others
    )
    (change,) = judge_changes([old], [new])
    assert (change.rule, change.change_class.name) == ("change-bound-tightened", expected)
    assert ("no client can use v1beta1" in change.hint) is not served
