"""Places that are found when the first is read."""

from __future__ import annotations

import pytest

from protoc_gen_crd.findings.finding import Location, Place, PlacesOnDemand

PLACES: dict[str, Place] = {"group": Location("a.proto", 1, 2), "labels[x]": Location("a.proto", 3, 4)}


def test_places_are_found_once_and_only_if_one_is_read() -> None:
    calls: list[int] = []

    def find() -> dict[str, Place]:
        calls.append(1)
        return PLACES

    places = PlacesOnDemand(find)
    assert calls == []
    assert places["group"] is PLACES["group"]
    assert places.get("kind") is None
    assert "labels[x]" in places
    assert calls == [1]


def test_all_operations_of_a_mapping_have_the_same_places() -> None:
    assert PlacesOnDemand(lambda: PLACES) == PLACES
    assert {**PlacesOnDemand(lambda: PLACES), "hub": PLACES["group"]} == {**PLACES, "hub": PLACES["group"]}
    assert len(PlacesOnDemand(lambda: PLACES)) == 2
    assert not PlacesOnDemand(dict)
    with pytest.raises(KeyError):
        PlacesOnDemand(dict)["group"]
