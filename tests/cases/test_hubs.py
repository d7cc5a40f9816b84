"""Trips of objects through modules with different hubs: the resulting objects of each case of testdata/hubs."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path

import pytest

from tests.support.conversion import FOLDER, LIST_KEYS, Case, Object, bare, edited
from tests.support.yaml_data import load_yaml

HUBS = FOLDER.parent / "hubs"
TRIPS = [
    (path.parent, trip) for path in sorted(HUBS.glob("*/trips.yaml")) for trip in load_yaml(path.read_text("utf-8"))
]


@cache
def generation(folder: Path) -> Case:
    return Case(folder)


@pytest.mark.parametrize(("folder", "trip"), TRIPS, ids=[f"{folder.name}: {trip['name']}" for folder, trip in TRIPS])
def test_trips(folder: Path, trip: Object) -> None:
    ((version, content),) = trip["object"].items()
    source = obj = generation(folder / trip["through"][0].split()[0]).object(version, content)
    for hop in trip["through"]:
        if isinstance(hop, dict):
            obj = edited(obj, hop)
            continue
        name, version = hop.split()
        before = copy.deepcopy(obj)
        result = generation(folder / name).convert(obj, version)
        assert obj == before
        obj = result
    expected = trip.get("gives", {name: part for name, part in source.items() if name in ("spec", "status")})
    assert {name: part for name, part in obj.items() if name in ("spec", "status")} == expected
    if trip.get("bare"):
        assert bare(obj) == obj


def test_generations_are_sound() -> None:
    for folder in sorted(HUBS.glob("*/*/")):
        case = generation(folder)
        assert case.crd
        assert {finding.rule for finding in case.problems.findings} <= {LIST_KEYS}
