"""Kinds for which samples are hard to find: an accepted sample or a finding, within 10 s and 512 MiB, no traceback.

Each entry of `tests.support.hostile_samples.SPECS` is input of a process; its output is a golden.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.goldens import compare
from tests.support.hostile_samples import SPECS
from tests.support.measured import MEBIBYTES, SECONDS, measured

GOLDENS = ROOT / "testdata" / "hostile-samples"
SHOWN = 1_500  # characters of a report


def crd_of(name: str) -> str:
    """Return the CRD of a kind with this spec, without keywords that servers reject."""
    root = {"type": "object", "properties": {"spec": SPECS[name]()}, "required": ["spec"]}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": root}}
    names = {"kind": "Thing", "plural": "things"}
    spec = {"group": "example.com", "scope": "Cluster", "names": names, "versions": [version]}
    metadata = {"name": "things.example.com"}
    of = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    return json.dumps({**of, "metadata": metadata, "spec": spec}, indent=1)


@pytest.mark.parametrize("name", sorted(SPECS))
def test_samples(name: str, update: bool, tmp_path: Path) -> None:
    (tmp_path / "crd.json").write_text(crd_of(name), "utf-8")
    arguments = ("samples", "crd.json", "--kubernetes", "1.36..1.37")
    text, seconds, memory = measured(arguments, tmp_path)
    assert "Traceback" not in text
    assert seconds < SECONDS
    assert memory < MEBIBYTES
    result = text if len(text) <= SHOWN else f"{text[: SHOWN // 2]}\n...\n{text[-SHOWN // 2 :]}"
    differences = compare(GOLDENS / name, {"report.txt": result}, update=update)
    assert not differences, "\n".join(differences)


def test_every_golden_has_its_kind() -> None:
    assert sorted(path.name for path in GOLDENS.iterdir()) == sorted(SPECS)
