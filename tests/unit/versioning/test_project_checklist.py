"""The checklist of changes: each item is open without what it requires, and done with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli.main import main
from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.crd_checklist import ChecklistItem, list_crd_items, make_open_finding
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Location, Problems, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.schema.schema import DEPRECATED_VALUES
from protoc_gen_crd.settings.settings import ConversionsEntry, Settings
from protoc_gen_crd.versioning.deprecation_policy_checks import DeprecationPolicyChecker
from protoc_gen_crd.versioning.project_checklist import ProjectChecklist
from tests.support.yaml_data import load_yaml

KIND = "acme.example/Widget"
CRD = """
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
  - name: NAME
    served: true
    storage: STORAGE
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {color: {type: string}}}
"""


def make_version(name: str, *, storage: bool = False, field: str = "color") -> str:
    return VERSION.replace("NAME", name).replace("STORAGE", str(storage).lower()).replace("color", field)


def make(*versions: str, end: str = "") -> Crd:
    crd = decode(load_yaml("".join((CRD, *versions, end)))).crd
    assert crd is not None
    return crd


V1 = make_version("v1", storage=True)
BETA = make_version("v1beta1", storage=True)
WITH_SIZE = V1.replace("properties: {color:", "properties: {size: {type: integer, minimum: 0}, color:")
WEBHOOK = """
  conversion:
    strategy: Webhook
    webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://acme.example"}}
"""


def list_items(old: Crd, new: Crd, **settings: Any) -> dict[str, bool]:
    """Return whether each item is done, by name; `documents` are paths of test documents."""
    return {item.name: item.is_done for item in make_items(old, new, **settings)}


def make_items(
    old: Crd, new: Crd, find_changes: Callable[..., Sequence[Change]] = compare_apis, **settings: object
) -> list[ChecklistItem]:
    documents = settings.pop("documents", ())
    absent = {"history": "none", "notes": "none", "samples": "none", "docs": "none"}
    chosen = Settings(**{**absent, **settings})
    changes = find_changes([old], [new])
    assert isinstance(documents, Sequence)
    checklist = ProjectChecklist(
        ApiSide("", (new,)),
        DeprecationPolicyChecker(chosen, "2026-01-01", Problems()),
        chosen,
        Problems(),
        list(documents),
    )
    items = list_crd_items([old], [new], changes, ProfileChoice({"": chosen.profile}), checklist.is_accepted)
    return [*items, *checklist.list_items([old], changes)]


def test_a_project_without_anything_has_no_items() -> None:
    assert list_items(make(V1), make(WITH_SIZE)) == {}


@pytest.mark.parametrize(("name", "is_done"), [("Widget.v1.spec.size.md", True), ("Widget.spec.color.md", False)])
def test_a_note_on_each_change(name: str, is_done: bool, tmp_path: Path) -> None:
    (tmp_path / name).write_text("Widgets have a size.")
    assert list_items(make(V1), make(WITH_SIZE), notes=str(tmp_path)) == {"changelog-note": is_done}


@pytest.mark.parametrize(
    ("version", "spec", "is_done"),
    [("v1", "{size: 1}", True), ("v1", "{color: red}", False), ("v2", "{size: 1}", False)],
)
def test_a_sample_and_a_test_document_of_each_field(version: str, spec: str, is_done: bool, tmp_path: Path) -> None:
    text = f"apiVersion: acme.example/{version}\nkind: Widget\nmetadata: {{name: a}}\nspec: {spec}\n"
    (tmp_path / "widget.yaml").write_text(text)
    assert list_items(make(V1), make(WITH_SIZE), samples=str(tmp_path)) == {"samples": is_done}
    stricter = make(WITH_SIZE.replace("minimum: 0", "minimum: 1"))
    assert list_items(make(WITH_SIZE), stricter, documents=[str(tmp_path)]) == {"test-documents": is_done}


@pytest.mark.parametrize(("text", "is_done"), [("Widget v1: `size`", True), ("Widget v1: color", False)])
def test_added_elements_in_the_docs(text: str, is_done: bool, tmp_path: Path) -> None:
    (tmp_path / "acme.example.md").write_text(text)
    assert list_items(make(V1), make(WITH_SIZE), docs=str(tmp_path)) == {"docs": is_done}


def test_a_version_is_deprecated_and_migrated_before_it_is_removed() -> None:
    beta = make_version("v1beta1")
    assert list_items(make(V1, beta), make(V1)) == {"migration": False, "deprecation": False}
    deprecated = beta.replace("served: true", "served: true\n    deprecated: true")
    stored = "status: {storedVersions: [v1]}\n"
    assert list_items(make(V1, deprecated, end=stored), make(V1)) == {"migration": True, "deprecation": True}


def test_a_version_that_no_client_can_use_is_only_migrated() -> None:
    unused = make_version("v1beta1").replace("served: true", "served: false")
    assert list_items(make(V1, unused), make(V1), find_changes=judge_changes) == {"migration": False}


@pytest.mark.parametrize(
    ("description", "is_done"),
    [
        ("", False), ("Deprecated, use size.", True), ("A color.\n\nDeprecated: use size.", True),
        ("A color.\n\nDeprecated.", True), ("A color.\nDeprecated: use size.", False),
    ],
)  # fmt: skip
def test_a_field_is_deprecated_before_it_is_removed(description: str, is_done: bool) -> None:
    old = V1.replace("type: string", f"type: string, description: {json.dumps(description)}")
    assert list_items(make(old), make(make_version("v1", storage=True, field="size"))) == {"deprecation": is_done}


def test_each_enum_value_is_deprecated_before_it_is_removed() -> None:
    old, new = (make(V1.replace("type: string", f"type: string, nullable: true, enum: [{values}]"))
                for values in ("RED, GREEN, BLUE, null", "RED"))  # fmt: skip
    assert old.versions[0].schema is not None
    color = old.versions[0].schema.properties["spec"].properties["color"]
    color.facts = {DEPRECATED_VALUES: ("BLUE",)}
    items = [(item.name, item.element, item.is_done) for item in make_items(old, new)]
    element = f"{KIND}.v1.spec.color"
    assert items == [("deprecation", f"{element}.GREEN", False), ("deprecation", f"{element}.BLUE", True)]


def test_the_removal_of_an_alpha_version_needs_no_deprecation() -> None:
    assert list_items(make(V1, make_version("v1alpha1")), make(V1)) == {"migration": False}


def test_the_storage_version_is_served_in_a_release_before() -> None:
    moved = make(make_version("v1beta1"), V1)
    assert list_items(make(BETA), moved) == {"storage-version": False}
    assert list_items(make(BETA, make_version("v1")), moved) == {"storage-version": True}


def test_versions_with_different_fields_have_a_conversion() -> None:
    different = make_version("v1", field="colour")
    assert list_items(make(BETA), make(BETA, make_version("v1"))) == {}
    assert list_items(make(BETA), make(BETA, different)) == {"conversion": False}
    assert list_items(make(BETA), make(BETA, different, end=WEBHOOK)) == {"webhook": False, "conversion": True}
    assert list_items(make(BETA, end=WEBHOOK), make(BETA, different, end=WEBHOOK)) == {"conversion": True}


def test_a_conversion_is_not_needed_for_accepted_differences() -> None:
    wider = make_version("v1").replace("type: string", "type: string, maxLength: 9")
    path = "widgets.acme.example"
    accepted = PolicyEntry("version-differs", Severity.OFF, path, "v1 is stricter on purpose")
    other = accepted.replace(path="gadgets.acme.example")
    assert list_items(make(BETA), make(BETA, wider), findings=(other,)) == {"conversion": False}
    assert list_items(make(BETA), make(BETA, wider), findings=(accepted,)) == {"conversion": True}
    lossy = wider.replace("color:", "size: {type: integer}, color:")
    assert list_items(make(BETA), make(BETA, lossy), findings=(accepted,)) == {"conversion": False}
    loss = accepted.replace(rule="version-loss")
    assert list_items(make(BETA), make(BETA, lossy), findings=(accepted, loss)) == {"conversion": True}


def test_another_tool_sets_the_webhook_of_a_declared_conversion() -> None:
    colour, path = make_version("v1", field="colour"), "widgets.acme.example"
    rules = [{"from": "v1beta1", "to": "v1", "rules": [{"field": "spec.color", "destination": "spec.colour"}]}]
    conversions = {path: ConversionsEntry(rules, lambda _: Location("settings.yaml"))}
    loss = PolicyEntry("version-loss", Severity.OFF, path)
    assert not list_items(make(BETA), make(BETA, colour), conversions=conversions, findings=(loss,))["conversion"]
    missing = loss.replace(rule="conversion-webhook-missing")
    assert list_items(make(BETA), make(BETA, colour), conversions=conversions, findings=(missing,))["conversion"]


def test_only_new_differences_between_versions_need_a_conversion() -> None:
    different, more = make_version("v1", field="colour"), "properties: {size: {type: integer}, "
    first, second = (text.replace("properties: {col", f"{more}col") for text in (BETA, different))
    assert list_items(make(BETA, different), make(first, second)) == {}
    assert list_items(make(BETA, different), make(BETA, second)) == {"conversion": False}
    unserved = different.replace("served: true", "served: false")
    assert list_items(make(BETA, unserved), make(first, second)) == {"conversion": False}


def test_a_removed_enum_value_is_named_as_in_json() -> None:
    old = V1.replace("color: {type: string}", "color: {type: object, enum: [{a: x}, {b: true}]}")
    new = V1.replace("color: {type: string}", "color: {type: object, enum: [{a: x}]}")
    (item,) = make_items(make(old), make(new))
    assert item.requirement == f'deprecate {KIND}.v1.spec.color.{{"b": true}} before it is removed'


def test_the_empty_string_is_named_as_an_enum_value() -> None:
    old, new = (V1.replace("type: string", f"type: string, enum: [{values}]") for values in ('"", RED', "RED"))
    (item,) = make_items(make(old), make(new))
    assert item.element == f'{KIND}.v1.spec.color.""'


def test_a_notice_of_deprecation_names_the_replacement() -> None:
    deprecated = V1.replace("served: true", "served: true\n    deprecated: true")
    assert list_items(make(V1), make(deprecated)) == {"deprecation-notice": False}
    warned = deprecated.replace("deprecated: true", "deprecated: true\n    deprecationWarning: use v2")
    assert list_items(make(V1), make(warned)) == {"deprecation-notice": True}


def test_a_notice_of_deprecation_has_the_date_of_the_removal(tmp_path: Path) -> None:
    path, history = tmp_path / "crd.yaml", str(tmp_path / "history")
    path.write_text(CRD + V1, "utf-8")
    assert main(["history", "record", "1.0", "--date", "2025-12-01", "--history", history, str(path)]) == 0
    deprecated = V1.replace("served: true", "served: true\n    deprecated: true")
    items = {item.name: item for item in make_items(make(V1), make(deprecated), history=history)}
    removal = "removal is possible in 1.4 or later, but not before 2027-01-01 (if 1.1 is released on 2026-01-01)"
    assert (
        items["deprecation-notice"].requirement
        == f"name the replacement of {KIND}.v1 in its deprecation notice; {removal}"
    )


def test_an_open_item_is_a_finding_that_names_item_and_element() -> None:
    item = ChecklistItem("samples", KIND, "use spec.size in samples", is_done=False, hint="add one")
    finding = make_open_finding(item)
    assert (finding.rule, finding.path) == ("change-open", f"samples.{KIND}")
    assert (finding.message, finding.hint) == (
        'release checklist item "samples" is open: use spec.size in samples',
        "add one",
    )
