"""Report unknown fields and null values that only one version accepts.

A null in place of a field is omitted in the other version and restored. This check covers items and entries.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.derivation.endpoints import COMMON_FIELDS
from protoc_gen_crd.conversion.derivation.schema_compatibility import OBJECT, get_shape, is_null_dropped
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import ContainerStep, HandwrittenObject, UnwrapObject, WrapObject
from protoc_gen_crd.conversion.plan.conversion_data_entries import ConversionDataEntry
from protoc_gen_crd.conversion.plan.copy_steps import Copy, ObjectStep
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_PathPair = tuple[Path, Path]  # source and target


def check_unknown_fields(plan: Plan, direction: Direction, problems: Problems) -> None:
    """Report unknown fields that only one version preserves, and null values that only one accepts."""
    seen: set[_PathPair] = set()
    for path_pair in _iterate_path_pairs(direction):
        source_schema, target_schema = (
            paths.find_schema(plan.get_schema(direction.source), path_pair[0]),
            paths.find_schema(plan.get_schema(direction.target), path_pair[1]),
        )
        if source_schema is None or target_schema is None or path_pair in seen:
            continue
        seen.add(path_pair)
        if (
            get_shape(source_schema) == get_shape(target_schema) == OBJECT
            and source_schema.get(PRESERVE)
            and not target_schema.get(PRESERVE)
        ):
            hint = f"preserve unknown fields in {direction.target} as well"
            _report_unknown(direction, path_pair[0], source_schema, hint, problems)
        if is_null_dropped(source_schema, target_schema) and not is_field_pair(*path_pair):
            _report_null(direction, path_pair, source_schema, problems)
    read = {path for step in direction.steps if not isinstance(step, ObjectStep) for path in step.get_reads()}
    whole = read | {path for path, _ in seen}
    for path, schema in _iterate_open_objects(plan.get_schema(direction.source), ()):
        if path not in whole and not any(path[:cut] in read for cut in range(1, len(path))):
            hint = "move or preserve the whole object, and compute values from it with expressions"
            _report_unknown(direction, path, schema, hint, problems)


def _iterate_open_objects(schema: Schema, path: Path) -> Iterator[tuple[Path, Schema]]:
    """Iterate over the objects below a path that have fields and preserve unknown ones."""
    if path and get_shape(schema) == OBJECT and schema.get(PRESERVE):
        yield path, schema
    inside = {**schema.properties, ITEM: schema.items, VALUE: schema.additional}
    for name, child in inside.items():
        if isinstance(child, Schema) and (path or name not in COMMON_FIELDS):
            yield from _iterate_open_objects(child, (*path, name))


def find_covered_fields(direction: Direction, source: Schema, target: Schema) -> Iterator[ConversionDataEntry]:
    """Return unknown fields of the source version that the target version has a field for.

    Such a field must not be copied by name: it may have another type and another source.
    """
    for path_pair in dict.fromkeys(_iterate_path_pairs(direction)):
        source_schema, target_schema = paths.find_schema(source, path_pair[0]), paths.find_schema(target, path_pair[1])
        if (
            source_schema is None
            or target_schema is None
            or not (source_schema.get(PRESERVE) and target_schema.get(PRESERVE))
        ):
            continue
        if get_shape(source_schema) == get_shape(target_schema) == OBJECT:
            covered = [
                name
                for name in target_schema.properties
                if name not in source_schema.properties and name not in COMMON_FIELDS
            ]
            yield from (ConversionDataEntry((*path_pair[0], name)) for name in covered)


def find_null_fields(direction: Direction, source: Schema, target: Schema) -> Iterator[ConversionDataEntry]:
    """Return the objects, lists and maps whose null the target version rejects."""
    for step in direction.steps:
        if drops_null(step, source, target):
            yield ConversionDataEntry(step.source, empty=True, null=True)


def drops_null(step: Step, source: Schema, target: Schema) -> bool:
    """Return True if a step omits null in place of an object, list or map, which conversion data keeps."""
    if not isinstance(step, ObjectStep) or isinstance(step, WrapObject | UnwrapObject):
        return False
    read, written = paths.find_schema(source, step.source), paths.find_schema(target, step.target)
    if read is None or written is None or not is_field_pair(step.source, step.target):
        return False
    return is_null_dropped(read, written)


def is_field_pair(source: Path, target: Path) -> bool:
    """Return True if both paths are those of fields, which can be absent, not of items or entries."""
    return not {source[-1:], target[-1:]} & {(), (ITEM,), (VALUE,)}


def _iterate_path_pairs(direction: Direction) -> Iterator[_PathPair]:
    """Iterate over objects, lists, maps and their contents, with their counterparts."""
    yield (), ()
    for step in direction.steps:
        if not isinstance(step, Copy) or isinstance(step, HandwrittenObject):
            continue
        if isinstance(step, ObjectStep):
            yield step.source, step.target
        if isinstance(step, ContainerStep):
            yield step.source_scope, step.target_scope
        elif not isinstance(step, ObjectStep):
            yield from (((*step.source, inside), (*step.target, inside)) for inside in (ITEM, VALUE))


def _report_unknown(direction: Direction, path: Path, had: Schema, hint: str, problems: Problems) -> None:
    at = had.get_place(PRESERVE) or had.origin
    subject = f'"{paths.format_path(path)}"' if path else "the object"
    problem = (
        f"unknown fields of {subject} in {direction.source} would be lost: {direction.target} does not preserve them"
    )
    hint = f"{hint}, or accept the loss in the settings file"
    problems.report("conversion-lost", problem, at, path=at.find_owner() if at else "", hint=hint)


def _report_null(direction: Direction, ends: _PathPair, had: Schema, problems: Problems) -> None:
    at = had.get_place("nullable") or had.origin
    problem = f'"{paths.format_path(ends[1])}" is not nullable in {direction.target}, but '
    problem += f'"{paths.format_path(ends[0])}" is nullable in {direction.source}'
    hint = "make both nullable, or neither: null cannot be omitted in this place"
    problems.report("conversion-narrowed", problem, at, path=at.find_owner() if at else "", hint=hint)
