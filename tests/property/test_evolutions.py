"""Objects of random kinds are converted through any versions and back: they are restored, or the conversion fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protoc_gen_crd import ConversionError, Converter
from protoc_gen_crd.conversion.proof.data_comparison import remove_annotations
from protoc_gen_crd.conversion.runtime import conversion_data
from protoc_gen_crd.conversion.runtime.spoke_to_spoke import Spokes
from tests.property.evolutions import Evolution, Json

SEEDS = range(66)
TRIPS = 6
FEWEST_KINDS = 60  # share of the seeds: the others have rules that cannot be composed


def _convert(converters: list[Converter], evolution: Evolution) -> tuple[Json, Json] | None:
    """Return an object before and after a trip with random converters; None if a conversion failed."""
    before = evolution.make_object()
    versions = [evolution.random.choice(evolution.versions) for _ in range(evolution.random.randint(1, 3))]
    after = before
    try:
        for version in (*versions, before["apiVersion"].rpartition("/")[2]):
            after = evolution.random.choice(converters).convert(after, version)
    except ConversionError:
        return None
    data = [f"acme.example/conversion-data.{version}" for version in evolution.versions]
    return before, remove_annotations(after, data)


def _make_converters(evolution: Evolution, *, mixed: bool) -> list[Converter]:
    """Return the converter of a kind, or those with each version as the hub if `mixed`; empty for rejected rules."""
    hubs = evolution.versions if mixed else ("",)
    try:
        return [Converter(evolution.crd, evolution.rules, hub=hub) for hub in hubs]
    except ValueError:
        return []


def _find_losses(*, mixed: bool = False) -> Iterator[tuple[int, Json, Json]]:
    """Yield the seeds with an object that changed, after it checked that there are enough kinds."""
    kinds = 0
    for seed in SEEDS:
        evolution = Evolution(seed)
        converters = _make_converters(evolution, mixed=mixed)
        kinds += bool(converters)
        trips = filter(None, (_convert(converters, evolution) for _ in range(TRIPS if converters else 0)))
        yield from ((seed, before, after) for before, after in trips if before != after)
    assert kinds >= FEWEST_KINDS


def test_no_conversion_loses_data() -> None:
    assert not list(_find_losses())


def test_modules_with_different_hubs_lose_no_data() -> None:
    assert not list(_find_losses(mixed=True))


def test_a_loss_between_hubs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Spokes, "can_have_written", lambda *_: True)
    assert any(_find_losses(mixed=True))


def test_a_loss_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversion_data, "keep_data", lambda *_: None)
    assert any(_find_losses())
