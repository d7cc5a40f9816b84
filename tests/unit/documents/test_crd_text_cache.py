"""CRDs that both sides have in the same text: they are read once, and everything else is read as before."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.schemas.node_pair import NodePair
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import LoadOptions, load_crds
from protoc_gen_crd.documents.api_side import merge_sides
from protoc_gen_crd.documents.crd_text_cache import KnownCrds
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader
from tests.unit.yaml.go_yaml.test_similar_documents import edit, make_crd

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %(plural)s.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: %(kind)s, plural: %(plural)s}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
"""
WIDGET, GADGET = CRD % {"kind": "Widget", "plural": "widgets"}, CRD % {"kind": "Gadget", "plural": "gadgets"}
CHANGED = GADGET.replace("Namespaced", "Cluster")
LIST = "apiVersion: v1\nkind: List\nitems:\n- " + WIDGET.replace("\n", "\n  ").rstrip() + "\n"
OTHER = "apiVersion: acme.example/v1\nkind: Widget\nmetadata: {name: a}\n"


def _read(new: str, old: str, folder: Path, name: str = "old.yaml") -> tuple[list[Crd], list[Crd], list[str]]:
    """Return the CRDs of both sides, and the findings."""
    problems, known = Problems(), KnownCrds()
    for file, text in (("new.yaml", new), (name, old)):
        (folder / file).write_bytes(text.encode())
    crds = list(load_crds([str(folder / "new.yaml")], Settings(), {}, problems, problems, LoadOptions(known)))
    side = SideReader("old", Settings(), problems, known=known).read([str(folder / name)])
    return crds, list(side.crds), [f"{finding.rule} {finding.at}" for finding in problems.findings]


@pytest.mark.parametrize("separator", ["---\n", "--- # next\n", "---\r\n"])
def test_a_document_with_the_same_text_is_the_same_crd(separator: str, tmp_path: Path) -> None:
    new, old, findings = _read(WIDGET + separator + GADGET, CHANGED + separator + WIDGET, tmp_path)
    assert (new[0] is old[0], [crd.scope for crd in old], findings) == (True, ["Namespaced", "Cluster"], [])
    assert old[1].origin is not None
    assert (Path(old[1].origin.resolve().file).name, old[1].origin.resolve().line) == ("old.yaml", 1)


def test_the_places_of_later_documents_stay(tmp_path: Path) -> None:
    _, old, _ = _read(WIDGET, WIDGET + "---\n" + CHANGED, tmp_path)
    at = old[1].get_place("scope")
    assert at is not None
    assert at.resolve().line == CHANGED.splitlines().index("  scope: Cluster") + WIDGET.count("\n") + 2


@pytest.mark.parametrize("text", [LIST, "{}", OTHER, "# nothing\n"])
def test_other_documents_are_read_again(text: str, tmp_path: Path) -> None:
    new, old, _ = _read(text, text, tmp_path)
    assert [crd.name for crd in new] == [crd.name for crd in old]
    assert not any(first is second for first, second in zip(new, old, strict=True))


def test_a_wrong_separator_is_reported(tmp_path: Path) -> None:
    _, _, findings = _read(WIDGET, WIDGET + "--- x\n" + GADGET, tmp_path)
    assert [finding.split()[0] for finding in findings] == ["document-syntax"]


def test_a_document_that_expects_a_rejection_is_no_crd_of_the_side(tmp_path: Path) -> None:
    assert _read(WIDGET, WIDGET, tmp_path, "old-invalid.yaml")[1] == []


def test_of_crds_with_one_name_the_first_counts(tmp_path: Path) -> None:
    problems, known = Problems(), KnownCrds()
    (tmp_path / "new.yaml").write_text(WIDGET)
    (tmp_path / "old.yaml").write_text(WIDGET.replace("Namespaced", "Cluster") + "---\n" + WIDGET)
    list(load_crds([str(tmp_path / "new.yaml")], Settings(), {}, problems, problems, LoadOptions(known)))
    side = SideReader("old", Settings(), problems, known=known).read([str(tmp_path / "old.yaml")])
    merged = merge_sides([side], problems)
    assert [crd.scope for crd in merged.crds] == ["Cluster"]
    (finding,) = problems.findings
    assert finding.at is not None
    at = finding.at.resolve()
    assert (finding.rule, Path(at.file).name, at.line) == ("crd-repeated", "old.yaml", WIDGET.count("\n") + 2)
    assert f"{tmp_path / 'old.yaml'}:1:1" in finding.hint


def _describe_changes(texts: tuple[str, str], folder: Path, *, known: bool) -> list[object]:
    """Return the changes between the texts of two sides, with their places, where equal blocks are read once or not."""
    problems, shared = Problems(), KnownCrds() if known else None
    for file, text in zip(("new.yaml", "old.yaml"), texts, strict=True):
        (folder / file).write_text(text)
    options = LoadOptions(shared)
    new = list(load_crds([str(folder / "new.yaml")], Settings(), {}, problems, problems, options))
    old = SideReader("old", Settings(), problems, known=shared).read([str(folder / "old.yaml")])
    return [
        *((finding.message, str(finding.at and finding.at.resolve())) for finding in problems.findings),
        *(
            (change.rule, change.path, change.versions, str(change.at and change.at.resolve()), change.old_at.resolve())
            for change in compare_apis(old.crds, new)
            if change.old_at is not None
        ),
    ]


def _count_differences(count: int, folder: Path) -> tuple[int, int]:
    """Return the number of changes of random edits, and of the edits with other changes if equal blocks are shared."""
    random = Random(16)  # noqa: S311 - not a secret
    changes = differences = 0
    for _ in range(count):
        lines = make_crd(12, random.choice((1, 2, 3)))
        new, old = (b"\n".join(item).decode() for item in random.sample((lines, edit(lines, random)), 2))
        result = _describe_changes((new, old), folder, known=True)
        differences += result != _describe_changes((new, old), folder, known=False)
        changes += len(result)
    return changes, differences


def test_changes_and_places_are_those_of_sides_that_share_nothing(tmp_path: Path) -> None:
    changes, differences = _count_differences(60, tmp_path)
    assert differences == 0
    assert changes > 60


def test_a_defect_of_places_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NodePair, "find_old_place", lambda pair, keyword="": pair.old.get_place(keyword))
    assert _count_differences(60, tmp_path)[1] > 0
