"""The judge of random pairs of CRDs itself: a comparison with a planted defect fails, whatever the defect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.crd.crd import Crd
from tests.fuzz.harness import attempt
from tests.fuzz.surfaces.changes import Changes

SEED, COUNT = 3, 60


def _ignore_narrowing(changes: Sequence[Change]) -> Sequence[Change]:
    return [change.replace(change_class=min(change.change_class, ChangeClass.LOOSEN)) for change in changes]


def _repeat(changes: Sequence[Change]) -> Sequence[Change]:
    return [*changes, *changes]


def _omit(changes: Sequence[Change]) -> Sequence[Change]:
    return changes[1:]


def _mix_up(changes: Sequence[Change]) -> Sequence[Change]:
    """Report removed bounds as new ones, in neither direction the right rule."""
    return [change.replace(rule=change.rule.replace("-removed", "-added")) for change in changes]


@pytest.mark.parametrize(
    ("defect", "message"),
    [(_ignore_narrowing, "not reported"), (_repeat, "2 findings"), (_omit, "0 findings"), (_mix_up, "the mirror of")],
)
def test_a_defect_is_found(defect: Callable[[Sequence[Change]], Sequence[Change]], message: str) -> None:
    def compare(old: Sequence[Crd], new: Sequence[Crd]) -> Sequence[Change]:
        return defect(compare_apis(old, new))

    fuzzer = Changes(compare)
    failures = (attempt(fuzzer, fuzzer.input(SEED, index)) for index in range(COUNT))
    assert any(failed is not None and message in failed[0] for failed in failures)
