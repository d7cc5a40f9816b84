"""Wording of changes in changelogs, and facts that older releases do not record."""

from __future__ import annotations

import pytest

from protoc_gen_crd.comparison.api_summary import KindSummary
from protoc_gen_crd.comparison.summary_comparison import ADDED, ApiChange, compare_summaries
from protoc_gen_crd.comparison.value_change_messages import describe_fact
from protoc_gen_crd.history.changelog_formats import ReleaseChanges, render_changelog


def test_description_of_an_added_field_is_separated_by_a_space() -> None:
    change = ApiChange("acme.example/Lamp", "v1", "spec.bulb", ADDED, {"type": (None, "string")}, 2)
    page = render_changelog([ReleaseChanges("1.1", "2026-01-01", (change,))])
    assert "- `v1`: `spec.bulb` is new (string, 2 fields)." in page


def test_items_of_lists_are_separated_by_commas() -> None:
    assert describe_fact("enum", ["RED", "PINK"], ["RED"]) == 'enum no longer has "PINK"'
    assert describe_fact("enum", ["RED"], ["RED", "BLUE", "PINK"]) == 'enum now has "BLUE", "PINK"'


@pytest.mark.parametrize(
    ("old", "new", "count"), [({}, {"hub": "v1"}, 0), ({"hub": "v1"}, {}, 0), ({"hub": "v1"}, {"hub": "v2"}, 1)]
)
def test_hub_is_compared_only_if_both_releases_record_it(old: dict[str, str], new: dict[str, str], count: int) -> None:
    changes = list(compare_summaries({"a/K": KindSummary(old, {})}, {"a/K": KindSummary(new, {})}))
    assert len(changes) == count
