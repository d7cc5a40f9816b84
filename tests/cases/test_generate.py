"""Protos to CRDs or findings: each folder of testdata/generate is a case.

A case holds .proto files, `expected/` with the output files (and warnings.txt) or errors.txt, and optionally
`parameter` with the plugin parameter and `targets` with the files to generate. Comments describe the case;
protos of other projects that several cases import are in testdata/include.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.goldens import compare
from tests.support.plugin import compiled, run
from tests.support.transcripts import cases_in

CASES = ROOT / "testdata" / "generate"
NAMES = [name for name in cases_in(CASES) if name != "hostile"]  # test_hostile.py generates their requests


def generated(case: Path) -> dict[str, str]:
    """The output of a case."""
    protos = case / "protos" if (case / "protos").is_dir() else case
    listed = case / "targets"
    targets = {name: str(protos / name) for name in listed.read_text().split()} if listed.exists() else None
    parameter = case / "parameter"
    return run(compiled(protos, targets), parameter.read_text().strip() if parameter.exists() else "", folder=protos)


@pytest.mark.parametrize("name", NAMES)
def test_case(name: str, update: bool) -> None:
    case = CASES / name
    files = generated(case)
    assert not (differences := compare(case / "expected", files, update=update)), "\n".join(differences)


def test_there_are_cases() -> None:
    assert len(NAMES) > 10


def test_a_wrong_golden_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1\n")
    assert compare(tmp_path, {"a.yaml": "a: 1\n"}, update=False) == []
    assert len(compare(tmp_path, {"a.yaml": "a: 2\n", "b.yaml": ""}, update=False)) == 2
