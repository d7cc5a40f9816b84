"""What had been put aside comes back under another hub, and what a client has changed meanwhile wins."""

from __future__ import annotations

import pytest

from tests.support.conversion import Case, cases
from tests.support.hubs import Moves, broken


def sound() -> list[Case]:
    """The cases that declare how they convert under other hubs as well."""
    return [case for case in cases() if not (case.folder / "expected" / "findings.txt").exists()]


@pytest.mark.parametrize("case", sound(), ids=lambda case: case.name)
def test_what_was_put_aside_comes_back_under_another_hub(case: Case) -> None:
    names = [version.name for version in case.plan.crd.versions]
    moves = Moves(case, names[:1] if len(names) < 3 else [])
    for trip in moves.trips():
        for obj in moves.objects(trip.own, 1):
            assert broken(moves, trip, obj) == "", trip
