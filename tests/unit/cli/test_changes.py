"""The command `changes`: profiles of the settings, recorded releases, and the members of its JSON."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.comparison.change_verdict import DEPRECATION
from tests.support.repositories import ENVIRONMENT

CRD = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {color: {type: string, maxLength: 64}}}
"""
TIGHTENED = CRD.replace("64", "8")
ADDED = CRD.replace("color:", "size: {type: integer}, color:")
ACCEPTED = """
findings:
- {rule: change-bound-tightened, path: acme.example/Widget.v1.spec.color, reason: unused}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "old.yaml").write_text(CRD)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *flags: str) -> dict[str, Any]:
    """Compare new.yaml and return the report."""
    capsys.readouterr()
    main(["changes", "new.yaml", *flags, "--format-findings", "json"])
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def list_rules(report: dict[str, Any]) -> list[str]:
    return [f"{finding['severity']} {finding['rule']}" for finding in report["findings"]]


def record(release: str, path: str) -> None:
    assert main(["history", "record", release, path, "--date", "2026-01-15"]) == 0


@pytest.mark.parametrize(
    ("settings", "verdict"),
    [
        ("profile: istio\n", "not allowed: add a new field or kind instead"),
        ("profile: istio\nprofiles: {acme.example: kubernetes}\n", "new version v2alpha1"),
        ("profiles: {acme.example: istio, acme.example/Widget: kubernetes}\n", "new version v2alpha1"),
        ("profiles: {other.example: istio}\n", "new version v2alpha1"),
    ],
)
def test_the_settings_choose_the_profile(
    settings: str, verdict: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "new.yaml").write_text(TIGHTENED)
    (folder / "protoc-gen-crd.yaml").write_text(settings)
    report = run(capsys, "--old", "old.yaml")
    assert report["verdict"] == verdict
    assert ("warning option-unused" in list_rules(report)) == ("other.example" in settings)


def test_the_flag_takes_precedence_and_the_path_is_in_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.yaml").write_text(ADDED)
    (folder / "protoc-gen-crd.yaml").write_text("profile: istio\n")
    report = run(capsys, "--old", "old.yaml", "--profile", "immutable")
    assert list_rules(report) == ["error change-field-added"]
    assert report["path"][0] == "profile immutable (csi-proxy):"
    assert report["checklist"] == []


def test_a_wrong_profile_is_a_finding(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.yaml").write_text(ADDED)
    (folder / "protoc-gen-crd.yaml").write_text("profiles: {acme.example: instio}\n")
    report = run(capsys, "--old", "old.yaml")
    (finding,) = (finding for finding in report["findings"] if finding["rule"] == "option-value")
    assert finding["hint"] == 'did you mean "istio"?'


def git(*arguments: str) -> None:
    subprocess.run(["git", *arguments], check=True, capture_output=True, env=ENVIRONMENT)


def commit(branch: str) -> None:
    git("checkout", "-B", branch)
    git("add", ".")
    git("commit", "-m", branch)


@pytest.fixture
def released(folder: Path) -> Path:
    """Record release 1.0 in the first commit of a repository; new.yaml is its API."""
    (folder / "new.yaml").write_text(CRD)
    record("1.0", "new.yaml")
    git("init", "-b", "main")
    commit("main")
    return folder


NAMED = ("old.yaml", "history:1.0", "git:main")


@pytest.mark.parametrize("reference", [*NAMED, "merge-base:main"])
@pytest.mark.parametrize(
    ("new", "rule"),
    [
        (TIGHTENED, "error change-bound-tightened"),
        (CRD.replace("color: {type: string, maxLength: 64}", ""), "error change-field-removed"),
    ],
)
def test_a_release_that_a_branch_records_hides_none_of_its_changes(
    reference: str, new: str, rule: str, released: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (released / "new.yaml").write_text(new)
    settings = released / "protoc-gen-crd.yaml"
    settings.write_text(
        "findings: [{rule: history-removal, path: acme.example/Widget.*, reason: unused, severity: warning}]"
    )
    record("1.1", "new.yaml")
    settings.unlink()
    commit("branch")
    report = run(capsys, "--old", reference)
    assert rule in list_rules(report)
    assert report["verdict"] == "new version v2alpha1"


GADGET = CRD.replace("widget", "gadget").replace("Widget", "Gadget")
UNDECODABLE = GADGET.replace("64", "sixty-four")


@pytest.mark.parametrize(
    ("old", "new", "messages", "verdict"),
    [
        (GADGET, UNDECODABLE, ["gadgets.acme.example is rejected"], "rejected by API servers"),
        (UNDECODABLE, GADGET, ["old CRD is rejected"], "new version v2alpha1"),
        (
            UNDECODABLE, UNDECODABLE, ["gadgets.acme.example is rejected", "old CRD is rejected"],
            "rejected by API servers",
        ),
        (f"{GADGET}---{GADGET.replace('64', '63')}", GADGET, ["has the name gadgets.acme"], "new version v2alpha1"),
    ],
)  # fmt: skip
def test_a_crd_that_cannot_be_compared_does_not_hide_the_others(
    old: str, new: str, messages: list[str], verdict: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "old.yaml").write_text(f"{CRD}---{old}")
    (folder / "new.yaml").write_text(f"{TIGHTENED}---{new}")
    report = run(capsys, "--old", "old.yaml")
    others = [finding for finding in report["findings"] if finding["rule"] != "change-bound-tightened"]
    assert len(others) == len(messages) == len(report["findings"]) - 1
    found = sorted(finding["message"] for finding in others)
    assert all(part in message for part, message in zip(messages, found, strict=True))
    assert {finding["severity"] for finding in report["findings"]} == {"error"}
    assert report["verdict"] == verdict


def test_the_verdict_names_a_crd_whose_old_state_cannot_be_decoded(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "old.yaml").write_text(UNDECODABLE)
    (folder / "new.yaml").write_text(GADGET)
    report = run(capsys, "--old", "old.yaml")
    assert (report["verdict"], report["verdict_note"]) == ("compatible", "not compared: gadgets.acme.example")


@pytest.mark.parametrize("limits", [("64", "8"), ("8", "64"), ("70", "8")])
def test_each_of_two_crds_with_one_name_is_compared(
    limits: tuple[str, str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "new.yaml").write_text("---".join(CRD.replace("64", limit) for limit in limits))
    report = run(capsys, "--old", "old.yaml")
    assert {"error crd-repeated", "error change-bound-tightened"} <= {*list_rules(report)}
    assert report["verdict"] == "new version v2alpha1"


def test_suppressions_of_a_crd_that_cannot_be_decoded_are_not_unused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "old.yaml").write_text(f"{CRD}---{GADGET}")
    (folder / "new.yaml").write_text(f"{CRD}---{UNDECODABLE}")
    (folder / "protoc-gen-crd.yaml").write_text(ACCEPTED.replace("Widget", "Gadget"))
    assert list_rules(run(capsys, "--old", "old.yaml")) == ["error crd-rejected"]


def test_the_next_microversion_follows_the_last_release(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.yaml").write_text(ADDED)
    record("3.4", "old.yaml")
    report = run(capsys, "--profile", "microversion")
    assert report["verdict"] == "next microversion 3.5"
    assert list_rules(report) == ["error change-field-added", "note change-open"]
    assert [(item["name"], item["done"]) for item in report["checklist"]] == [("history-entry", False)]


def test_an_expired_suppression_accepts_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.yaml").write_text(TIGHTENED)
    for until, verdict in (("2099-01-01", "compatible"), ("2026-01-01", "new version v2alpha1")):
        settings = ACCEPTED.replace("unused}", f"unused, until: {until}}}")
        (folder / "protoc-gen-crd.yaml").write_text(settings)
        assert run(capsys, "--old", "old.yaml")["verdict"] == verdict


def test_notes_are_required_moved_and_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.yaml").write_text(ADDED)
    record("1.0", "old.yaml")
    (folder / "changelog.d").mkdir()
    (finding,) = (
        finding for finding in run(capsys)["findings"] if finding["path"] == "changelog-note.acme.example/Widget"
    )
    assert (finding["rule"], finding["severity"]) == ("change-open", "warning")
    (folder / "changelog.d" / "Widget.spec.size.md").write_text("Widgets have a size.\n")
    assert "warning change-open" not in list_rules(run(capsys))
    main(["history", "changelog"])
    assert "## Unreleased\n\n- Widgets have a size.\n" in capsys.readouterr().out
    record("1.1", "new.yaml")
    assert [path.name for path in (folder / "changelog.d").iterdir()] == ["README.md"]  # Git drops empty folders
    capsys.readouterr()
    main(["history", "changelog"])
    assert "## 1.1 (2026-01-15)\n\n- Widgets have a size.\n\n###" in capsys.readouterr().out
    assert main(["history", "check"]) == 0
    (folder / "new.yaml").write_text(ADDED.replace("size:", "width: {type: integer}, size:"))
    assert "changelog-note.acme.example/Widget" in [finding["path"] for finding in run(capsys)["findings"]]


@pytest.mark.parametrize(
    ("settings", "verdict", "rules"),
    [
        ("", "new version v2alpha1", ["error change-field-removed", "warning change-open", "note change-open"]),
        (
            "deprecation_policy: {acme.example/Widget.v1.spec.color: {months: 0, releases: 0}}\n",
            "minor release",
            ["note change-field-removed", "note change-open"],
        ),
    ],
)
def test_a_removal_is_accepted_at_the_end_of_the_period_of_the_element(
    settings: str, verdict: str, rules: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "new.yaml").write_text(CRD.replace("color: {type: string, maxLength: 64}", ""))
    (folder / "protoc-gen-crd.yaml").write_text(settings)
    record("1.0", "old.yaml")
    report = run(capsys)
    assert report["verdict"] == verdict
    assert sorted(list_rules(report)) == sorted(rules)


RULE = "!(self.split('-').size() == 3 && self.split('-')[1].size() == 4 && self.split('-')[2].startsWith('q'))"
DOCUMENT = "{apiVersion: acme.example/v1, kind: Widget, metadata: {name: a}, spec: {color: abcdef-wxyz-qrs}}"


@pytest.mark.parametrize("has_document", [False, True])
def test_documents_of_the_old_side_are_replayed_where_the_search_finds_no_example(
    folder: Path, capsys: pytest.CaptureFixture[str], *, has_document: bool
) -> None:
    rule = f'maxLength: 64, x-kubernetes-validations: [{{rule: "{RULE}"}}]'
    (folder / "new.yaml").write_text(CRD.replace("maxLength: 64", rule))
    (folder / "document.yaml").write_text(DOCUMENT)
    report = run(capsys, "--old", "old.yaml", *(("--old", "document.yaml") if has_document else ()))
    (finding,) = report["findings"]
    assert finding["severity"] == ("error" if has_document else "warning")
    assert (finding["example"] or {}).get("spec") == ({"color": "abcdef-wxyz-qrs"} if has_document else None)


@pytest.mark.parametrize(
    ("element", "hint"),
    [
        ("acme.example/Widget.v1.spec.color", None),
        ("acme.example/Widget.v1", None),
        ("acme.example/Widget.v1.spec.colour", 'did you mean "acme.example/Widget.v1.spec.color"?'),
    ],
)
def test_unknown_elements_of_the_deprecation_policy_are_reported(
    element: str, hint: str | None, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "new.yaml").write_text(CRD)
    (folder / "protoc-gen-crd.yaml").write_text(f"deprecation_policy: {{{element}: {{months: 1}}}}\n")
    report = run(capsys, "--old", "old.yaml")
    assert [finding["hint"] for finding in report["findings"]] == ([hint] if hint else [])
    assert list_rules(report) == (["warning option-unused"] if hint else [])


def test_a_new_rule_is_located_at_its_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = "- {rule: self.color != 'a'}"
    for name, rules in (("old", [first]), ("new", [first, "- {rule: self.color != 'b'}"])):
        lines = ["", "x-kubernetes-validations:", *rules]
        spec = "spec:\n            type: object\n            properties: {color: {type: string}}"
        text = CRD.replace("spec: {type: object, properties: {color: {type: string, maxLength: 64}}}", spec)
        (folder / f"{name}.yaml").write_text(text.rstrip() + "\n            ".join(lines) + "\n")
    (finding,) = run(capsys, "--old", "old.yaml")["findings"]
    assert (finding["rule"], finding["line"]) == ("change-rule-added", 22)


MESSAGE = 'syntax = "proto3"; package work.v1; message Job { string name = 1; }\n'
SERVICE = "service Work { rpc Get(Job) returns (Job); }\n"
KIND = """
import "protoc_gen_crd/v1/options.proto";
message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1"]};
  Job spec = 1;
}
"""


@pytest.mark.parametrize(
    ("element", "settings", "rules"),
    [
        (SERVICE, "groups: gen\n", ["error change-kind-removed", "warning change-open"]),
        (KIND, "", ["error change-kind-removed", "warning change-open"]),
        (SERVICE, "", ["error crd-none", "error old-empty"]),
        ("", "groups: gen\n", ["error crd-none", "error old-empty"]),
    ],
)
def test_an_api_without_its_only_element(
    element: str, settings: str, rules: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("old", MESSAGE + element), ("new", MESSAGE)):
        (folder / name).mkdir()
        (folder / name / "work.proto").write_text(text)
    (folder / "protoc-gen-crd.yaml").write_text(settings)
    main(["changes", "new", "--old", "old", "--format-findings", "json"])
    report = json.loads(capsys.readouterr().out)
    assert list_rules(report) == rules
    assert report["verdict"] == (DEPRECATION if "error change-kind-removed" in rules else "")


@pytest.mark.parametrize("form", ["json", "markdown"])
def test_a_side_that_cannot_be_read_has_no_verdict(form: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "new.yaml").write_text(CRD)
    assert main(["changes", "new.yaml", "--old", "git:HEAD", "--format-findings", form]) == 1
    output = capsys.readouterr().out
    assert json.loads(output)["verdict"] == "" if form == "json" else "verdict" not in output.lower()
