"""Changes of one spoke in the conversion data of another: unseen fields stay with their object, and only with it."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.conversion.runtime import spoke_to_spoke


@pytest.mark.parametrize(
    ("data", "before", "after", "expected"),
    [
        pytest.param(
            {"seen": 1, "unseen": 1}, {"seen": 1}, {"seen": 2}, {"seen": 2, "unseen": 1}, id="a changed field"
        ),
        pytest.param({"seen": 1, "unseen": 1}, {"seen": 1}, {}, {"unseen": 1}, id="a removed field"),
        pytest.param(
            {"items": [{"name": "a", "unseen": 1}], "unseen": 1},
            {"items": [{"name": "a"}]},
            {"items": [{"name": "b"}]},
            {"items": [{"name": "b"}], "unseen": 1},
            id="another item of a list",
        ),
    ],
)
def test_fields_that_a_client_does_not_see_are_kept(data: Any, before: Any, after: Any, expected: Any) -> None:
    entries = [{"object": ["", value]} for value in (data, before, after)]
    assert spoke_to_spoke._merge_changes(*entries) == {"object": ["", expected]}


@pytest.mark.parametrize("entries", [([], [], ["", {"seen": 1}]), (["", {"seen": 1}], ["", {"seen": 1}], [])])
def test_empty_entries_are_replaced_as_a_whole(entries: tuple[list[Any], ...]) -> None:
    data, before, after = ({"field": entry} for entry in entries)
    assert spoke_to_spoke._merge_changes(data, before, after) == after
