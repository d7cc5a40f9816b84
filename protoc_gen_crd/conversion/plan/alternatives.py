"""Fields of which an object may have one at a time, as its schema says: the members of a oneof."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.narrower import all_counts, said
from protoc_gen_crd.schema.types import Schema


def alternatives(root: Schema, path: Path) -> tuple[Path, ...]:
    """The fields that may not stand beside a field, or beside an object around it in the same scope."""
    start = len(paths.scope(path))
    found = {other for depth in range(start, len(path)) for other in _beside(root, path[: depth + 1])}
    return tuple(sorted(found))


def _beside(root: Schema, path: Path) -> Iterator[Path]:
    around = paths.at(root, path[:-1])
    if around is None or path[:1] == paths.METADATA:
        return
    for group in apart(around):
        yield from ((*path[:-1], name) for name in group if path[-1] in group and name != path[-1])


def apart(schema: Schema) -> tuple[tuple[str, ...], ...]:
    """The fields of an object of which it may have one of each group at a time."""
    found = []
    for count in all_counts(said(schema)) if schema.properties else ():
        terms = count.terms
        if count.most == 1 and all(term in ("", f"has(self.{name})") for name, term in terms.items()):
            found.append(tuple([name for name in schema.properties if cel_name(name) in terms]))
    return tuple([group for group in found if len(group) > 1])
