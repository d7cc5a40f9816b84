"""A fixed slice of each fuzzer, and the inputs of testdata/fuzz, each of which has exposed a defect."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.corpus import TESTDATA
from tests.fuzz.harness import attempt, campaign
from tests.fuzz.surfaces import FUZZERS

SEED = 0
EXPOSED = sorted((TESTDATA / "fuzz").glob("*/*"))


@pytest.mark.parametrize("name", FUZZERS)
def test_no_input_exposes_a_defect(name: str) -> None:
    fuzzer = FUZZERS[name]
    report = campaign(fuzzer, SEED, count=fuzzer.slice)
    assert report.count == fuzzer.slice
    assert not report.failures, "\n\n".join(map(str, report.failures))


@pytest.mark.parametrize("path", EXPOSED, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_that_exposed_a_defect_passes(path: Path) -> None:
    failed = attempt(FUZZERS[path.parent.name], path.read_bytes(), repeat=True)
    assert failed is None, failed[1]


def test_every_folder_of_inputs_has_its_fuzzer() -> None:
    assert {path.parent.name for path in EXPOSED} <= set(FUZZERS)
