"""The judge of random pairs of CRDs itself: a comparison with a planted defect fails, whatever the defect."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.schema.keywords import KEYWORDS
from tests.fuzz.crd_edits import CRD_EDITS, VERSION_EDITS
from tests.fuzz.edits import EDITS
from tests.fuzz.harness import attempt
from tests.fuzz.probes import find_differing
from tests.fuzz.surfaces.changes import Changes

SEED, COUNT = 8, 60
PAIRS_SEED, PAIRS = 16, 300  # of which some differ in each keyword: most seeds need more
# Keywords that servers reject in every structural schema.
REJECTED = {
    "$ref", "$schema", "additionalItems", "definitions", "dependencies", "id", "patternProperties", "uniqueItems",
}  # fmt: skip


def _ignore_narrowing(changes: Sequence[Change]) -> Sequence[Change]:
    return [change.replace(change_class=min(change.change_class, ChangeClass.LOOSEN)) for change in changes]


def _ignore_stored_values(changes: Sequence[Change]) -> Sequence[Change]:
    return [
        change.replace(change_class=ChangeClass.LOOSEN) if change.change_class is ChangeClass.SEMANTIC else change
        for change in changes
    ]


def _repeat(changes: Sequence[Change]) -> Sequence[Change]:
    return [*changes, *changes]


def _omit(changes: Sequence[Change]) -> Sequence[Change]:
    return changes[1:]


def _mix_up(changes: Sequence[Change]) -> Sequence[Change]:
    """Report removed bounds as new ones, in neither direction the right rule."""
    return [change.replace(rule=change.rule.replace("-removed", "-added")) for change in changes]


@pytest.mark.parametrize(
    ("defect", "message"),
    [
        (_ignore_narrowing, "not reported"),
        (_ignore_stored_values, "not reported"),
        (_repeat, "2 findings"),
        (_omit, "0 findings"),
        (_mix_up, "the mirror of"),
    ],
)
def test_a_defect_is_found(defect: Callable[[Sequence[Change]], Sequence[Change]], message: str) -> None:
    def compare(old: Sequence[Crd], new: Sequence[Crd]) -> Sequence[Change]:
        return defect(compare_apis(old, new))

    fuzzer = Changes(compare)
    failures = (attempt(fuzzer, fuzzer.input(SEED, index)) for index in range(COUNT))
    assert any(failed is not None and message in failed[0] for failed in failures)


def test_the_pairs_differ_in_every_keyword_and_by_every_edit() -> None:
    fuzzer = Changes()
    keywords, names = (
        set(KEYWORDS) - REJECTED,
        {edit.__name__.strip("_") for edit in (*EDITS, *CRD_EDITS, *VERSION_EDITS)},
    )
    seen_keywords: set[str] = set()
    seen_names: set[str] = set()
    pairs = (json.loads(fuzzer.input(PAIRS_SEED, index)) for index in range(PAIRS))
    while not (seen_keywords >= keywords and seen_names >= names) and (pair := next(pairs, None)):
        seen_keywords.update(_list_differing_keywords(pair))
        seen_names.update(pair["edits"])
    assert (seen_keywords, seen_names) == (keywords, names)


def _list_differing_keywords(pair: dict[str, Any]) -> Iterator[str]:
    sides = [
        {version["name"]: version["schema"]["openAPIV3Schema"] for version in pair[side]["spec"]["versions"]}
        for side in ("old", "new")
    ]
    for name in sides[0].keys() & sides[1].keys():
        for _, old, new in find_differing(sides[0][name], sides[1][name]):
            yield from (keyword for keyword in {*old, *new} if old.get(keyword) != new.get(keyword))
