"""The judge of random branches itself: a selection of changes with a planted defect fails, whatever the defect."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis, judge_changes
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.documents.api_side import ApiSide
from tests.fuzz.harness import attempt
from tests.fuzz.surfaces.branches import Branches, find_changes

SEED, COUNT = 1, 60
Find = Callable[[ApiSide, ApiSide, ApiSide], Sequence[Change]]


def _compare_with_release(_: ApiSide, released: ApiSide, new: ApiSide) -> Sequence[Change]:
    return judge_changes(released.crds, new.crds)


def _compare_with_base(base: ApiSide, _: ApiSide, new: ApiSide) -> Sequence[Change]:
    return judge_changes(base.crds, new.crds)


def _match_paths(base: ApiSide, released: ApiSide, new: ApiSide) -> Sequence[Change]:
    """Report the changes since the release at the paths where the branch has a change, too."""
    paths = {change.path for change in compare_apis(base.crds, new.crds)}
    return [change for change in judge_changes(released.crds, new.crds) if change.path in paths]


def _omit(base: ApiSide, released: ApiSide, new: ApiSide) -> Sequence[Change]:
    return find_changes(base, released, new)[1:]


@pytest.mark.parametrize(
    ("find", "message"),
    [
        (_compare_with_release, "changes of a branch without changes"),
        (_compare_with_base, "no changes since the release"),
        (_match_paths, "not reported"),
        (_omit, "instead of"),
    ],
)
def test_a_defect_is_found(find: Find, message: str) -> None:
    fuzzer = Branches(find)
    failures = (attempt(fuzzer, fuzzer.input(SEED, index)) for index in range(COUNT))
    assert any(failed is not None and message in failed[0] for failed in failures)
