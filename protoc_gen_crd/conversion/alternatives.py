"""Fields of which an object may have one at a time, as its schema says: the members of a oneof."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion import paths
from protoc_gen_crd.conversion.paths import Path
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
    own = cel_name(path[-1])
    for count in all_counts(said(around)):
        terms = count.terms
        if count.most == 1 and own in terms and all(term in ("", f"has(self.{name})") for name, term in terms.items()):
            yield from (
                (*path[:-1], name) for name in around.properties if cel_name(name) in terms and name != path[-1]
            )
