"""Planted changes, each with its rule, class and line: one by one, and several at once."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.change_rules import CHANGE_RULES
from protoc_gen_crd.comparison.evidence.change_reversal import revert_change
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import LoadOptions, load_crds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from tests.conftest import ROOT

FOLDER = ROOT / "testdata" / "changes"
NO_FIELD = "-"
SEVERAL = 20  # groups of changes at once
SIZE = 8  # changes of a group
OPTIONS = LoadOptions(reports_unknown_fields=False)  # as in `changes`
# Rules whose examples are pages of the catalog: whole kinds and versions, and what CRDs in YAML cannot express.
ELSEWHERE = {
    "change-kind-added", "change-kind-removed", "change-version-added", "change-version-removed",
    "change-version-served", "change-storage-version", "change-status-subresource-removed", "change-scale-removed",
    "change-scale", "change-selectable-field-removed", "change-column-removed", "change-column", "change-channel",
    "change-deprecation-withdrawn", "change-list-keys", "change-field-renamed", "change-crd-rejected",
    # Rules of gRPC API groups: tests/cases/test_group_changes.py.
    "change-rpc-added", "change-rpc-removed", "change-rpc-renamed", "change-rpc-message", "change-rpc-streaming",
    "change-rpc-idempotency",
    "change-field-number", "change-field-presence", "change-field-oneof", "change-enum-number",
}  # fmt: skip
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: Widget, plural: widgets, categories: [all]}
  versions:
  - {name: v1beta1, served: true, storage: false,
     schema: {openAPIV3Schema: {type: object, properties: {a: {type: string}}}}}
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
"""


class Planted(Record):
    """A planted change: its rule and class, and the schemas before and after."""

    rule: str
    change_class: str
    old: str
    new: str


def _read(name: str) -> list[Planted]:
    rows = []
    for line in (FOLDER / name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            head, _, texts = line.partition(": ")
            change_class, _, rule = head.partition(" ")
            old, _, new = texts.partition(" => ")
            rows.append(Planted(rule, change_class, old, new.replace("\\n", "\n")))
    return rows


FIELDS, CRDS = _read("fields.txt"), _read("crds.txt")
SPELLINGS = [line for line in (FOLDER / "spellings.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
PROTO_RULES = {*re.findall(r"change-[a-z-]+", (FOLDER / "protos.txt").read_text("utf-8"))}  # test_proto_changes.py


def _make_crd(changed: set[int], *, new: bool) -> str:
    """Return the CRD with all fields, some of them changed; each has its line."""
    sides = [row.new if new and index in changed else row.old for index, row in enumerate(FIELDS)]
    return CRD + "".join(f"              f{index}: {side}\n" for index, side in enumerate(sides) if side != NO_FIELD)


def _load(text: str, name: str, folder: Path) -> list[Crd]:
    path = folder / name
    path.write_text(text)
    problems = Problems()
    crds = list(load_crds([str(path)], Settings(), {}, problems, problems, OPTIONS))
    assert problems.findings == []
    return crds


def _describe(change: Change) -> tuple[str, str, str]:
    field = change.path.split(".")[1].partition("[")[0].partition("{")[0] if "." in change.path else ""
    return change.rule, change.change_class.name.lower(), field


def _find_line(text: str, field: str) -> int:
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.strip().startswith(f"{field}:")]
    return lines[0] if lines else 0


def _check(changed: set[int], folder: Path) -> None:
    old, new = (_make_crd(changed, new=is_new) for is_new in (False, True))
    changes = compare_apis(_load(old, "old.yaml", folder), _load(new, "new.yaml", folder))
    expected = [(FIELDS[index].rule, FIELDS[index].change_class, f"f{index}") for index in changed]
    assert sorted(map(_describe, changes)) == sorted(expected)
    for change in changes:
        line = _find_line(new, _describe(change)[2])
        assert change.at is not None
        assert not line or change.at.resolve().line == line, change


@pytest.mark.parametrize("index", range(len(FIELDS)))
def test_a_change_of_a_field_is_reported_at_its_line(index: int, tmp_path: Path) -> None:
    _check({index}, tmp_path)


@pytest.mark.parametrize("seed", range(SEVERAL))
def test_several_changes_are_reported_at_once(seed: int, tmp_path: Path) -> None:
    _check(set(Random(seed).sample(range(len(FIELDS)), SIZE)), tmp_path)  # noqa: S311 - no secret


@pytest.mark.parametrize("is_reversed", [False, True])
@pytest.mark.parametrize("row", SPELLINGS)
def test_another_spelling_has_no_effect(row: str, is_reversed: bool, tmp_path: Path) -> None:
    sides = sorted(row.split(" => "), reverse=is_reversed)
    old, new = (
        _load(f"{CRD}              a: {side}\n", f"{name}.yaml", tmp_path)
        for name, side in zip(("old", "new"), sides, strict=True)
    )
    changes = compare_apis(old, new)
    assert {change.rule for change in changes} == {"change-no-effect"}


@pytest.mark.parametrize("row", CRDS, ids=lambda row: f"{row.rule}: {row.new[:30]}")
def test_a_change_of_a_crd_is_reported(row: Planted, tmp_path: Path) -> None:
    old = _make_crd(set(), new=False)
    new = old.replace(row.old, row.new, 1)
    assert new != old
    changes = compare_apis(_load(old, "old.yaml", tmp_path), _load(new, "new.yaml", tmp_path))
    expected = [] if row.rule == "change-no-difference" else [(row.rule, row.change_class, "")]
    assert list(map(_describe, changes)) == expected


def test_there_are_a_hundred_changes_and_all_rules_have_some() -> None:
    assert len(FIELDS) + len(CRDS) >= 100
    assert {row.rule for row in (*FIELDS, *CRDS)} - {
        "change-no-difference"
    } | ELSEWHERE | PROTO_RULES == CHANGE_RULES.keys()


@pytest.mark.parametrize("rule", sorted(ELSEWHERE))
def test_the_page_of_a_rule_has_a_case_with_the_finding_on_its_line(rule: str) -> None:
    pages = [file.read_text("utf-8") for file in (ROOT / "protoc_gen_crd" / "findings").glob("*.md")]
    page = "".join(pages).partition(f"\n## {rule}\n")[2]
    case = page.partition("\n## ")[0].partition("### Example")[2].partition("### Fix")[0]
    assert re.search(rf"^\S+:\d+:\d+: .*\[{rule}\]$", case, re.MULTILINE)


def test_every_narrowing_has_an_example(tmp_path: Path) -> None:
    changed = {index for index, row in enumerate(FIELDS) if row.change_class == "tighten"}
    # With a default of the wrong type, servers reject all objects before they check rules.
    wrong = {index for index in changed if "default: [a]" in FIELDS[index].new}
    assert len(wrong) == 1
    for group in (changed - wrong, wrong):
        old, new = (_load(_make_crd(group, new=is_new), "crd.yaml", tmp_path) for is_new in (False, True))
        assert [change.message for change in judge_changes(old, new) if change.example is None] == []


@pytest.mark.parametrize("index", [at for at, row in enumerate(FIELDS) if row.change_class in ("tighten", "break")])
def test_the_crd_without_a_narrowing_has_no_narrowing(index: int, tmp_path: Path) -> None:
    old, new = (_load(_make_crd({index}, new=is_new), "crd.yaml", tmp_path)[0] for is_new in (False, True))
    (change,) = (change for change in compare_apis([old], [new]) if change.nodes is not None)
    version = change.versions[0]
    reverted = revert_change(old, new, version, change, change.nodes)  # type: ignore[arg-type]
    assert not any(
        change.change_class >= ChangeClass.TIGHTEN and version in change.versions
        for change in compare_apis([old], [reverted])
    )


def test_another_kind_of_a_crd_is_rejected_by_servers(tmp_path: Path) -> None:
    old, new = (
        _load(CRD.replace("Widget", kind) + "              a: {type: string}\n", "crd.yaml", tmp_path)
        for kind in ("Widget", "Gadget")
    )
    (change,) = judge_changes(old, new)
    assert (change.rule, change.is_rejected) == ("change-names", True)
    assert change.hint.endswith('spec.names.kind: Invalid value: "Gadget": field is immutable')


def test_crds_with_other_names_are_compared_by_kind(tmp_path: Path) -> None:
    """A CRD that has the name of an old one is compared with that one, whatever its kind."""
    text = CRD + "              a: {type: string}\n"
    old = _load(text, "old.yaml", tmp_path)
    renamed = _load(text.replace("widgets", "wheels"), "renamed.yaml", tmp_path)
    assert [(change.rule, change.old, change.new) for change in compare_apis(old, renamed)] == [
        ("change-names", "widgets", "wheels")
    ]
    gadgets = _load(text.replace("Widget", "Gadget"), "gadgets.yaml", tmp_path)
    changes = [(change.rule, change.kind.rpartition("/")[2]) for change in compare_apis(old, [*renamed, *gadgets])]
    assert changes == [("change-kind-added", "Widget"), ("change-names", "Gadget")]
    assert [change.rule for change in compare_apis([*renamed, *gadgets], old)] == [
        "change-names",
        "change-kind-removed",
    ]
