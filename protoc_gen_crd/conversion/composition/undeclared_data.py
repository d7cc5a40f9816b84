"""Data that a conversion keeps without a declaration: shadowed metadata, and objects without fields."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.conversion.checks.lost_fields import find_unaccounted_objects
from protoc_gen_crd.conversion.plan.copy_steps import Keep
from protoc_gen_crd.conversion.plan.plan import Direction, VersionPair, get_sort_key
from protoc_gen_crd.conversion.plan.shadowed_metadata import keep_shadowed_metadata
from protoc_gen_crd.schema.schema import Schema


def keep_undeclared(pair: VersionPair, schemas: Mapping[str, Schema]) -> VersionPair:
    """Add the steps that keep data without a declaration, for the schemas by version."""
    to_hub, from_hub = pair.to_hub, pair.from_hub
    kept = pair.replace(
        to_hub=_keep_objects((to_hub, from_hub), schemas[to_hub.source]),
        from_hub=_keep_objects((from_hub, to_hub), schemas[from_hub.source]),
    )
    return keep_shadowed_metadata(kept)


def _keep_objects(directions: tuple[Direction, Direction], root: Schema) -> Direction:
    """Keep the objects that have no fields and no counterpart: their presence may have a meaning."""
    objects = find_unaccounted_objects(directions, root)
    steps = [Keep(path, (), schema.origin, declared=False) for path, schema in objects]
    direction = directions[0]
    return direction.replace(steps=tuple(sorted((*direction.steps, *steps), key=get_sort_key))) if steps else direction
