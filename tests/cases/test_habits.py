"""Habits of Istio's plugin: what compat=istio makes of them, and what default mode does instead.

Each folder of testdata/istio/habits is one: api.proto, which says in its first line what it shows, perhaps `parameter`,
and the output of both modes. docs/coming-from-istio.md tells of all of them.
"""

from __future__ import annotations

import pytest

from tests.conftest import ROOT
from tests.support.goldens import compare
from tests.support.plugin import compiled, run

HABITS = ROOT / "testdata" / "istio" / "habits"
MODES = {"compat": "compat=istio", "default": ""}


@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("name", [path.name for path in sorted(HABITS.iterdir())])
def test_habit(name: str, mode: str, update: bool) -> None:
    case = HABITS / name
    parameter = case / "parameter"
    given = [MODES[mode], parameter.read_text().strip() if parameter.exists() else ""]
    found = run(compiled(case), ",".join(filter(None, given)), folder=case)
    assert not (differences := compare(case / mode, found, update=update)), "\n".join(differences)


def test_there_are_habits() -> None:
    assert len(list(HABITS.iterdir())) > 50
