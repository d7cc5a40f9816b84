"""Places that are read again on demand: they are those that would have been kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from protoc_gen_crd.cli import changes
from protoc_gen_crd.cli.main import main
from protoc_gen_crd.documents.document_places import PlaceReader
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST

CRD = """\
# a comment
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %(plural)s.acme.example}
spec:
  group: acme.example
  scope: Namespaced
  names: {kind: %(kind)s, plural: %(plural)s}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {color: {type: string, maxLength: 8}}}}
"""
NAMES = {"Gadget": "gadgets", "Widget": "widgets"}


def _list_paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        yield from _list_paths(item, (*path, step))


def _read(file: Path) -> DocumentCase:
    return read_cases(file.read_bytes(), str(file), Problems())[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_place_is_that_of_the_document(name: str, tmp_path: Path) -> None:
    file = tmp_path / "crd.yaml"
    file.write_text(CRD % {"kind": name, "plural": NAMES[name]})
    case = _read(file)
    reader = PlaceReader(case, file.read_bytes(), NEWEST)
    paths = [*_list_paths(case.object), ("spec", "versions", 0, "missing")]
    assert len(paths) > 20
    assert [reader.get_place(path) for path in paths] == [case.get_place(path) for path in paths]


def test_places_of_a_changed_file_are_the_start_of_the_object(tmp_path: Path) -> None:
    file = tmp_path / "crd.yaml"
    file.write_text(CRD % {"kind": "Widget", "plural": "widgets"})
    case = _read(file)
    reader = PlaceReader(case, file.read_bytes(), NEWEST)
    file.write_text("\n" + file.read_text()[1:])
    assert reader.get_place(("spec", "scope")) == case.at
    file.unlink()
    assert PlaceReader(case, b"other", NEWEST).get_place(("spec", "scope")) == case.at


@pytest.mark.parametrize("kept", [1, 1 << 40])
def test_findings_have_the_same_places(
    kept: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    reads: list[str] = []
    read = PlaceReader._read

    def count(self: PlaceReader) -> DocumentCase | None:
        reads.append(self._at.file)
        return read(self)

    monkeypatch.setattr(PlaceReader, "_read", count)
    monkeypatch.setattr(changes, "_KEPT_PLACES", kept)
    monkeypatch.chdir(tmp_path)
    for side, limit in (("old", 8), ("new", 4)):
        Path(side).mkdir()
        for kind, plural in NAMES.items():
            text = CRD % {"kind": kind, "plural": plural}
            text = text.replace("maxLength: 8", f"maxLength: {limit}") if kind == "Widget" else text
            Path(side, f"{plural}.yaml").write_text(text)
    assert main(["changes", "new", "--old", "old"]) == 1
    assert "new/widgets.yaml:13:92: error:" in capsys.readouterr().err
    assert reads == (["new/widgets.yaml"] if kept == 1 else [])
