"""Objects of random kinds are converted through any versions and back: they are restored, or the conversion fails."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protoc_gen_crd import ConversionError, Converter
from protoc_gen_crd.conversion import plan_builder
from protoc_gen_crd.conversion.proof.data_comparison import remove_annotations
from tests.property.evolutions import Evolution, Json

SEEDS = range(100)
TRIPS = 6
FEWEST_KINDS = 60  # of the seeds: the other ones have rules that cannot be composed


def _convert(converter: Converter, evolution: Evolution) -> tuple[Json, Json] | None:
    """Return an object before and after a trip; None if a conversion failed."""
    before = evolution.make_object()
    versions = [evolution.random.choice(evolution.versions) for _ in range(evolution.random.randint(1, 3))]
    after = before
    try:
        for version in (*versions, before["apiVersion"].rpartition("/")[2]):
            after = converter.convert(after, version)
    except ConversionError:
        return None
    data = [f"acme.example/conversion-data.{version}" for version in evolution.versions]
    return before, remove_annotations(after, data)


def _find_losses() -> Iterator[tuple[int, Json, Json]]:
    """Yield the seeds with an object that changed, after it checked that there are enough kinds."""
    kinds = 0
    for seed in SEEDS:
        evolution = Evolution(seed)
        try:
            converter = Converter(evolution.crd, evolution.rules)
        except ValueError:
            continue
        kinds += 1
        trips = filter(None, (_convert(converter, evolution) for _ in range(TRIPS)))
        yield from ((seed, before, after) for before, after in trips if before != after)
    assert kinds >= FEWEST_KINDS


def test_no_conversion_loses_data() -> None:
    assert not list(_find_losses())


def test_a_loss_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan_builder, "keep_undeclared", lambda pair, _: pair)
    assert any(_find_losses())
