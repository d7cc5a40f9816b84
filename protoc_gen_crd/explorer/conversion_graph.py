"""The conversions of a kind: the hub, and what each direction does."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.conversion.plan.plan import Plan


def make_conversion_graph(plan: Plan) -> dict[str, Any]:
    """Return the hub and the directions of a plan: source, target, and its steps as strings."""
    return {
        "hub": plan.hub,
        "directions": [
            [direction.source, direction.target, [step.format() for step in direction.steps]]
            for pair in plan.pairs
            for direction, _ in pair.get_directions()
        ],
    }
