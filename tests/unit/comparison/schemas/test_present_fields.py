"""Bounds on the number of fields that are replaced by others with the same meaning."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change import ChangeClass
from tests.unit.comparison.evidence.test_evidence_search import make_crd

NONE, LOOSEN, TIGHTEN = ChangeClass.NONE, ChangeClass.LOOSEN, ChangeClass.TIGHTEN
_REQUIRED = [{"required": ["a"]}, {"required": ["b"]}]
_RULE = "x-kubernetes-validations"
ANY_OF, ONE_OF, MIN = {"anyOf": _REQUIRED}, {"oneOf": _REQUIRED}, {"minProperties": 1}
HAS = {_RULE: [{"rule": "has(self.a) || has(self.b)"}]}
MAX, NOT_BOTH = {"maxProperties": 1}, {"not": {"required": ["a", "b"]}}
OPEN = {"x-kubernetes-preserve-unknown-fields": True}
_TEXT = {"type": "string"}


def _make(keywords: dict[str, Any], **properties: Any) -> Any:
    node = {"type": "object", "properties": {"a": _TEXT, "b": _TEXT, **properties}, **keywords}
    return make_crd({"type": "object", "properties": {"closed": node}})


def _compare(old: Any, new: Any) -> set[ChangeClass]:
    return {change.change_class for change in judge_changes([old], [new])}


@pytest.mark.parametrize(("old", "new"), [*permutations((MIN, ANY_OF, HAS), 2), *permutations((MAX, NOT_BOTH), 2)])
def test_bounds_with_the_same_meaning_have_no_effect(old: dict[str, Any], new: dict[str, Any]) -> None:
    assert _compare(_make(old), _make(new)) == {NONE}


@pytest.mark.parametrize(
    ("old", "new", "classes"),
    [
        ({**MIN, **MAX}, ONE_OF, {NONE}),
        (ONE_OF, {**MIN, **MAX}, {NONE}),
        (ONE_OF, MIN, {NONE, LOOSEN}),
        (MIN, ONE_OF, {NONE, TIGHTEN}),
        ({"required": ["a"]}, MIN, {NONE, LOOSEN}),
        ({"required": ["a"]}, ANY_OF, {NONE, LOOSEN}),
        ({"anyOf": [{"required": ["a", "b"]}, {"required": ["b"]}]}, MIN, {NONE, LOOSEN}),
        (MIN, {"anyOf": [{"required": ["a", "b"]}, {"required": ["b"]}]}, {NONE, TIGHTEN}),
    ],
)
def test_one_of_two_directions_can_be_restricted(
    old: dict[str, Any], new: dict[str, Any], classes: set[ChangeClass]
) -> None:
    assert _compare(_make(old), _make(new)) == classes


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (_make({**MIN, **OPEN}), _make({**ANY_OF, **OPEN})),
        (_make(MIN, c=_TEXT), _make(ANY_OF, c=_TEXT)),
        (_make(MIN, a={**_TEXT, "nullable": True}), _make(HAS, a={**_TEXT, "nullable": True})),
        (_make(MIN, a={**_TEXT, "nullable": True}), _make(ANY_OF)),
        (_make(MIN, a={**_TEXT, "default": "x"}), _make(ANY_OF)),
        (_make(ONE_OF), _make(MAX, c={**_TEXT, "default": "x"})),
        (_make(NOT_BOTH, c=_TEXT), _make(MAX, c=_TEXT)),
    ],
)  # fmt: skip
def test_bounds_on_other_objects_are_restrictions(old: Any, new: Any) -> None:
    assert TIGHTEN in _compare(old, new)
