"""The conversions of a kind: the hub, and what each direction does to each field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.conversion.plan.paths import format_path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.explorer.conversion_effects import describe_effect


def make_conversion_graph(plan: Plan) -> dict[str, Any]:
    """Return the hub and the directions of a plan: source, target, and a row for each step.

    A row has the paths that are read, the paths that are written, and the effect in words.
    """
    return {
        "hub": plan.hub,
        "directions": [
            [direction.source, direction.target, list(_make_rows(direction))]
            for pair in plan.pairs
            for direction, _ in pair.get_directions()
        ],
    }


def _make_rows(direction: Direction) -> Iterator[Sequence[Any]]:
    for step in direction.steps:
        if effect := describe_effect(step):
            yield [*map(format_path, step.get_reads())], [*map(format_path, step.get_writes())], effect
