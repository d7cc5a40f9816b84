"""Fields of a version that no step converts: they would be lost."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derivation.endpoints import COMMON_FIELDS
from protoc_gen_crd.conversion.derivation.schema_compatibility import CONTAINER_SHAPES, get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import Gather, HandwrittenField, ListToMap
from protoc_gen_crd.conversion.plan.copy_steps import Keep, ObjectStep
from protoc_gen_crd.conversion.plan.paths import BRACKETS, ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Direction
from protoc_gen_crd.findings.finding import Place, Problems, Severity
from protoc_gen_crd.kubernetes.version_phrases import format_versions
from protoc_gen_crd.schema.schema import Schema


class LostField(Record):
    """A field of a version without a counterpart in another one. `other_use` is the step that uses its name."""

    field: str
    source: str
    target: str
    other_use: str
    at: Place | None
    hint: str


def report_lost_fields(lost_fields: Sequence[LostField], versions: Sequence[str], problems: Problems) -> None:
    """Report lost fields, each once for several of the versions of the kind."""
    targets: dict[tuple[LostField, str], dict[str, None]] = {}
    for lost in lost_fields:
        key = lost.replace(source="", target=""), lost.source
        targets.setdefault(key, {})[lost.target] = None
    sources: dict[tuple[LostField, tuple[str, ...]], list[str]] = {}
    for (lost, source), other_versions in targets.items():
        sources.setdefault((lost, tuple(other_versions)), []).append(source)
    for (lost, names), source_names in sources.items():
        problem = f'field "{lost.field}" of {format_versions(source_names, versions)} has no counterpart in '
        problem += f"{format_versions(names, versions)} and would be lost"
        problem += f': "{lost.other_use}" already uses the field of this name' if lost.other_use else ""
        owner = lost.at.find_owner() if lost.at else ""
        problems.report("conversion-lost", problem, lost.at, path=owner, hint=lost.hint)


def get_rejected_places(problems: Problems) -> Collection[Place | None]:
    """Return the locations of elements with errors."""
    errors = (finding for finding in problems.findings if finding.severity in (None, Severity.ERROR))
    return {finding.at for finding in errors if finding.rule != "conversion-narrowed"}  # only a warning


def find_unaccounted_fields(directions: tuple[Direction, Direction], root: Schema) -> Iterator[tuple[Path, Schema]]:
    """Return the source fields that are neither converted in both directions, nor kept, nor dropped.

    Objects without fields are not among them: see `find_unaccounted_objects`.
    """
    yield from (field for field in _find_unaccounted(directions, root) if not _is_empty(field[1]))


def find_unaccounted_objects(directions: tuple[Direction, Direction], root: Schema) -> Iterator[tuple[Path, Schema]]:
    """Return the objects of the source that have no fields and no counterpart: only their presence can be lost."""
    entered = {paths.strip_object_scopes(step.source) for step in directions[0].steps if isinstance(step, ObjectStep)}
    for path, schema in _find_unaccounted(directions, root):
        if _is_empty(schema) and path not in entered:
            yield path, schema


def _find_unaccounted(directions: tuple[Direction, Direction], root: Schema) -> Iterator[tuple[Path, Schema]]:
    direction, reverse = directions
    kept = [path for step in direction.steps if isinstance(step, Keep) for path in step.get_reads()]
    read = [path for step in direction.steps if not isinstance(step, ObjectStep | Gather) for path in step.get_reads()]
    read += [step.source for step in direction.steps if isinstance(step, Gather)]
    read += [
        step.target for step in reverse.steps if isinstance(step, HandwrittenField)
    ]  # functions receive the whole object
    written = [path for step in reverse.steps if not isinstance(step, ObjectStep) for path in step.get_writes()]
    kept += [(*step.source_scope, step.key) for step in direction.steps if isinstance(step, ListToMap)]
    entered = [step.source for step in direction.steps if isinstance(step, ObjectStep)]
    kept, read, written, entered = (
        [*map(paths.strip_object_scopes, field_paths)] for field_paths in (kept, read, written, entered)
    )
    yield from _find_lost_fields(root, kept, (read, written), entered)


def _find_lost_fields(
    root: Schema, kept: list[Path], both: tuple[list[Path], list[Path]], entered: list[Path]
) -> Iterator[tuple[Path, Schema]]:
    """Return the fields that no step reads and writes, each with its descendants."""
    read, written = map(set, both)
    kept_paths = set(kept)
    around = {
        path_of_step[:cut]
        for field_paths in (kept, *both, entered)
        for path_of_step in field_paths
        for cut in range(len(path_of_step) + 1)
    }
    stack: list[tuple[Path, Schema]] = [
        ((name,), child) for name, child in root.properties.items() if name not in COMMON_FIELDS
    ]
    while stack:
        path, schema = stack.pop()
        if _has_ancestor(path, kept_paths) or (_has_ancestor(path, read) and _has_ancestor(path, written)):
            continue
        below = list(_iterate_children(path, schema))
        if below and (path in around or path[-1] in BRACKETS):
            stack += reversed(below)
        else:
            yield path, schema


def _has_ancestor(path: Path, starts: set[Path]) -> bool:
    return any(path[:cut] in starts for cut in range(len(path) + 1))


def _iterate_children(path: Path, schema: Schema) -> Iterator[tuple[Path, Schema]]:
    for step, child in ((ITEM, schema.items), (VALUE, schema.additional), *schema.properties.items()):
        if isinstance(child, Schema):
            yield (*path, step), child


def _is_empty(schema: Schema) -> bool:
    """Return true if an object can have no fields."""
    return get_shape(schema) in CONTAINER_SHAPES and not any(True for _ in _iterate_children((), schema))
