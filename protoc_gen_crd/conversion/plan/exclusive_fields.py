"""Mutually exclusive fields of a schema: the members of a oneof."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.comparison.schemas.narrowed_constraints import get_constraints, list_counts
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import Schema


def find_alternatives(root: Schema, path: Path) -> tuple[Path, ...]:
    """Return the fields that exclude a field, or an object around it in the same scope."""
    start = len(paths.get_scope(path))
    alternatives = {
        other for depth in range(start, len(path)) for other in _find_exclusive_siblings(root, path[: depth + 1])
    }
    return tuple(sorted(alternatives))


def _find_exclusive_siblings(root: Schema, path: Path) -> Iterator[Path]:
    around = paths.find_schema(root, path[:-1])
    if around is None or path[:1] == paths.METADATA_PATH:
        return
    for group in find_exclusive_groups(around):
        yield from ((*path[:-1], name) for name in group if path[-1] in group and name != path[-1])


def find_exclusive_groups(schema: Schema) -> tuple[tuple[str, ...], ...]:
    """Return the groups of fields of which an object may have at most one each."""
    groups = []
    for count in list_counts(get_constraints(schema)) if schema.properties else ():
        terms = count.terms
        if count.most == 1 and all(term in ("", f"has(self.{name})") for name, term in terms.items()):
            groups.append(tuple([name for name in schema.properties if escape_cel_name(name) in terms]))
    return tuple([group for group in groups if len(group) > 1])
