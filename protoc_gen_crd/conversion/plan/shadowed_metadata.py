"""Labels and annotations of objects that have the same name as a converted field."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import Duplicate, Keep
from protoc_gen_crd.conversion.plan.plan import Direction, VersionPair, get_sort_key


def keep_shadowed_metadata(pair: VersionPair) -> VersionPair:
    """Keep shadowed labels and annotations in conversion data: the other version would read them as the field."""
    return pair.replace(to_hub=_add_keep_steps(pair.to_hub), from_hub=_add_keep_steps(pair.from_hub))


def _add_keep_steps(direction: Direction) -> Direction:
    """Add a keep step for each shadowed label and annotation."""
    return direction.replace(steps=tuple(sorted((*direction.steps, *_find_shadowed(direction)), key=get_sort_key)))


def _find_shadowed(direction: Direction) -> Iterator[Keep]:
    read = {path for step in direction.steps if not isinstance(step, Duplicate) for path in step.get_reads()}
    written = {path: step for step in direction.steps for path in step.get_writes() if paths.is_metadata_entry(path)}
    yield from (Keep(path, (), step.origin, declared=False) for path, step in written.items() if path not in read)
