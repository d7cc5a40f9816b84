"""The command `changes --old merge-base:main`: the changes of a branch for users of the last release."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli.main import main
from tests.support.repositories import Repository

HEAD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
"""
VERSION = """
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {color: {type: string, maxLength: 64}}}
"""
CRD = f"{HEAD}{VERSION}"
OTHER = VERSION.replace("v1", "v2").replace("storage: true", "storage: false")
COLOR = "color: {type: string, maxLength: 64}"


class Branch:
    """A repository with a release, and with a branch that others were faster than."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.repository = Repository(folder)
        self._capsys = capsys

    def compare(self, release: str, on_main: str, on_branch: str, *, old: str = "merge-base:main") -> dict[str, Any]:
        """Record a release, commit its successor and the API of the branch, and return the report."""
        self.repository.commit({"protoc-gen-crd.yaml": "inputs: [crd.yaml]\n", "crd.yaml": release})
        assert main(["history", "record", "1.0", "--date", "2026-01-15"]) == 0
        self.repository.commit({"crd.yaml": on_main})
        self.repository.git("checkout", "--quiet", "-b", "branch")
        self.repository.commit({"crd.yaml": on_branch})
        self._capsys.readouterr()
        main(["changes", "--old", old, "--format-findings", "json"])
        report: dict[str, Any] = json.loads(self._capsys.readouterr().out)
        return report


@pytest.fixture
def branch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Branch:
    monkeypatch.chdir(tmp_path)
    return Branch(tmp_path, capsys)


def list_rules(report: dict[str, Any]) -> list[str]:
    """Return severities and rules of findings, except those of the history."""
    shown = [finding for finding in report["findings"] if not finding["path"].startswith("history-entry")]
    return sorted(f"{finding['severity']} {finding['rule'].removeprefix('change-')}" for finding in shown)


@pytest.mark.parametrize(
    ("on_main", "on_branch", "expected"),
    [
        ("100", "70", ["note bound-loosened", "note unreleased"]),
        ("100", "64", ["note unreleased"]),
        ("100", "60", ["error bound-tightened"]),
        ("8", "64", ["note unreleased"]),
        ("8", "8, description: a", []),
        ("8", "8, pattern: ^a$", ["error bound-tightened", "error pattern-added"]),
        ("8", "9", ["note unreleased"]),
        ("8", "9, pattern: ^a$", ["error bound-tightened", "error pattern-added"]),
        ("8", "7", ["error bound-tightened"]),
        ("100", "200", ["note bound-loosened"]),
    ],
)
def test_a_limit_is_compared_with_that_of_the_release(
    on_main: str, on_branch: str, expected: list[str], branch: Branch
) -> None:
    report = branch.compare(CRD, CRD.replace("64", on_main), CRD.replace("64", on_branch))
    assert list_rules(report) == expected
    messages = [finding["message"] for finding in report["findings"] if "maxLength" in finding["message"]]
    assert all("maxLength 64 is now" in message for message in messages)


@pytest.mark.parametrize(
    ("on_main", "on_branch", "others"),
    [
        ("size: {type: string}", "size: {type: string, maxLength: 3}", []),
        ("size: {type: string}", "size: {type: integer}", ["note field-added"]),
        ("size: {type: string, maxLength: 3}", "size: {type: string}", []),
        ("size: {type: string, maxLength: 3}", "size: {type: string, default: a, maxLength: 3}", []),
    ],
)
def test_constraints_of_unreleased_fields_are_counted(
    on_main: str, on_branch: str, others: list[str], branch: Branch
) -> None:
    report = branch.compare(CRD, *(CRD.replace("color:", f"{field}, color:") for field in (on_main, on_branch)))
    assert list_rules(report) == [*others, "note unreleased"]
    assert report["verdict"] == ("minor release" if others else "compatible")


def test_a_removed_field_that_was_never_released_is_counted(branch: Branch) -> None:
    added = CRD.replace("color:", "size: {type: integer}, color:")
    report = branch.compare(CRD, added, CRD.replace("64", "8"))
    assert list_rules(report) == ["error bound-tightened", "note unreleased"]
    (note,) = (finding for finding in report["findings"] if finding["rule"] == "change-unreleased")
    assert note["message"] == "1 change without effect on the API of release 1.0 is not reported"


@pytest.mark.parametrize("old", ["git:main", "history:1.0"])
def test_other_old_sides_are_compared_as_they_are(old: str, branch: Branch) -> None:
    report = branch.compare(CRD, CRD.replace("64", "100"), CRD.replace("64", "70"), old=old)
    assert list_rules(report) == [{"git:main": "error bound-tightened"}.get(old, "note bound-loosened")]


@pytest.mark.parametrize(
    ("color", "expected"),
    [
        (COLOR, ["note unreleased"]),
        ("color: {type: string}", ["note bound-removed"]),
        ("color: {type: string, maxLength: 3}", ["error bound-tightened"]),
        ("color: {type: integer}", ["error type"]),
    ],
)
def test_a_field_that_is_added_again_is_compared_with_the_release(
    color: str, expected: list[str], branch: Branch
) -> None:
    report = branch.compare(CRD, CRD.replace(COLOR, ""), CRD.replace(COLOR, color))
    assert list_rules(report) == expected
    assert all(finding["example"] for finding in report["findings"] if finding["severity"] == "error")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("a, b, d", ["note enum-value-added", "note unreleased"]),
        ("a, b", ["note unreleased"]),
        ("a, d", ["error enum"]),
    ],
)
def test_a_value_that_replaces_an_unreleased_one_is_reported(values: str, expected: list[str], branch: Branch) -> None:
    report = branch.compare(*(CRD.replace("maxLength: 64", f"enum: [{own}]") for own in ("a, b", "a, b, c", values)))
    assert [rule for rule in list_rules(report) if rule != "warning open"] == expected


LIST, OBJECT = (
    "color: {type: array, items: {type: string}}",
    "color: {type: object, properties: {a: {type: string}, b: {type: string}}}",
)
MAP = "color: {type: object, additionalProperties: {type: string}}"
KEPT = "color: {type: object, x-kubernetes-preserve-unknown-fields: true}"
SMALLER = "color: {type: object, properties: {a: {type: string}}}"


@pytest.mark.parametrize(
    ("release", "on_main", "on_branch", "expected"),
    [
        # The branch changes the type back, with other items, fields, or values.
        (LIST, COLOR, LIST.replace("items: {type: string", "items: {type: integer"), "type spec.color[]"),
        (OBJECT, COLOR, OBJECT.replace("b: {type: string", "b: {type: integer"), "type spec.color.b"),
        (MAP, COLOR, MAP.replace("type: string", "type: integer"), "type spec.color{}"),
        (MAP, LIST, MAP.replace("type: string", "type: string, maxLength: 3"), "bound-added spec.color{}"),
        # The release accepts what it does not describe; others restrict it, and the branch restricts it more.
        (KEPT, f"{KEPT[:-1]}, properties: {{a: {{type: string}}}}}}",
         f"{KEPT[:-1]}, properties: {{a: {{type: string, maxLength: 3}}}}}}", "field-constrained spec.color.a"),
        (KEPT, OBJECT, SMALLER, "unknown-fields-pruned spec.color"),
        (MAP, OBJECT, SMALLER, "map-object spec.color"),
    ],
)  # fmt: skip
def test_what_is_below_a_changed_node_is_compared_with_the_release(
    release: str, on_main: str, on_branch: str, expected: str, branch: Branch
) -> None:
    report = branch.compare(*(CRD.replace(COLOR, field) for field in (release, on_main, on_branch)))
    errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
    shown = [f"{each['rule']} {each['path']}".replace("acme.example/Widget.v1.", "") for each in errors]
    assert f"change-{expected}" in shown
    assert report["verdict"] == "new version v2alpha1"


def test_an_example_has_no_field_that_was_never_released(branch: Branch) -> None:
    added = CRD.replace("color:", "size: {type: integer}, color:")
    report = branch.compare(CRD, added, added.replace("spec: {type: object", "spec: {type: object, maxProperties: 1"))
    assert list_rules(report) == ["warning bound-added"]


def test_a_change_of_others_in_another_version_is_not_reported_again(branch: Branch) -> None:
    tightened = CRD.replace("64", "8")
    report = branch.compare(CRD + OTHER, tightened + OTHER, tightened + OTHER.replace("64", "8"))
    (finding,) = (finding for finding in report["findings"] if finding["rule"] == "change-bound-tightened")
    assert (finding["path"], finding["versions"], finding["line"]) == ("spec.color", ["v2"], 27)


@pytest.mark.parametrize("limit", ["8", "100"])
def test_a_kind_that_no_release_has_is_compared_with_the_commit(limit: str, branch: Branch) -> None:
    gadget = CRD.replace("widget", "gadget").replace("Widget", "Gadget")
    report = branch.compare(CRD, f"{CRD}---{gadget}", f"{CRD}---{gadget.replace('64', limit)}")
    assert list_rules(report) == [{"8": "error bound-tightened"}.get(limit, "note bound-loosened")]


@pytest.mark.parametrize(("is_served", "is_open"), [("true", False), ("false", True)])
def test_the_storage_version_must_be_served_in_the_release(is_served: str, is_open: bool, branch: Branch) -> None:
    release = CRD + OTHER.replace("served: true", f"served: {is_served}")
    stored = CRD.replace("storage: true", "storage: false") + OTHER.replace("storage: false", "storage: true")
    assert ("error open" in list_rules(branch.compare(release, CRD + OTHER, stored))) == is_open


def test_items_of_the_checklist_that_others_left_are_not_reported_again(branch: Branch) -> None:
    stored = CRD.replace("storage: true", "storage: false") + OTHER.replace("storage: false", "storage: true")
    assert list_rules(branch.compare(CRD, stored, stored.replace("64", "65"))) == ["note bound-loosened"]


def test_a_rejected_crd_is_reported_whatever_was_released(branch: Branch) -> None:
    rejected = CRD.replace("storage: true", "storage: false")
    report = branch.compare(CRD, rejected, rejected.replace("64", "65"))
    assert "error crd-rejected" in list_rules(report)
    assert report["verdict"] == "rejected by API servers"


def test_what_is_removed_has_the_place_in_the_release(branch: Branch) -> None:
    gadget = CRD.replace("widget", "gadget").replace("Widget", "Gadget")
    report = branch.compare(f"{CRD}---{gadget}", f"{CRD}---{gadget}", CRD)
    (finding,) = (finding for finding in report["findings"] if finding["rule"] == "change-kind-removed")
    file = f"{branch.repository.git('rev-parse', 'main')[:12]}:history/1.0/crds/acme.example_gadgets.yaml"
    assert (finding["file"], finding["line"]) == (file, 2)
