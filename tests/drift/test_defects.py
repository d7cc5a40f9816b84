"""Each of the 39 known defects of Istio's generator has a case that shows the behavior of default mode."""

from __future__ import annotations

import pytest

from tests.cases.test_generate import CASES
from tests.conftest import ROOT

LINES = [line for line in (CASES / "defects.txt").read_text().splitlines() if not line.startswith("#")]
UNLIKE = 38  # it is about the tests beside the generator, not about what it writes


def _parsed(line: str) -> tuple[int, list[str], list[str]]:
    description, _, kept = line.partition("|")
    number, *instead = description.split()
    return int(number), instead, kept.split()


def _is_compat(name: str) -> bool:
    parameter = CASES / name / "parameter"
    return parameter.exists() and "compat=istio" in parameter.read_text()


def test_all_defects_are_listed() -> None:
    assert [_parsed(line)[0] for line in LINES] == list(range(1, 40))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line.split()[0])
def test_a_defect_is_shown_in_both_modes(line: str) -> None:
    number, instead, kept = _parsed(line)
    assert instead
    assert kept or number == UNLIKE
    for name in (*instead, *kept):
        if "::" in name:
            file, _, function = name.partition("::")
            assert f"def {function}(" in (ROOT / file).read_text()
        else:
            assert (CASES / name / "expected").is_dir(), name
    assert [name for name in instead if "::" not in name and _is_compat(name)] == []
    assert [name for name in kept if not _is_compat(name)] == []


def test_every_case_of_a_defect_is_listed() -> None:
    listed = {name for line in LINES for name in line.split()}
    assert sorted(path.name for path in CASES.glob("istio-*") if path.name not in listed) == []
