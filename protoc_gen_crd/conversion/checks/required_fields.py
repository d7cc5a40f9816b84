"""Required fields: every cause of an object must also set its required fields.

An object in the target may have several causes: its counterpart, a value that is moved into it, a default. For each
cause, the check determines the fields that are always set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.conversion.checks.lost_fields import get_rejected_places
from protoc_gen_crd.conversion.derivation.conversion_options import get_declarations
from protoc_gen_crd.conversion.derivation.endpoints import COMMON_FIELDS
from protoc_gen_crd.conversion.document_hints import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import (
    ContainerStep,
    Gather,
    HandwrittenField,
    ListToMap,
    MapToList,
    UnwrapObject,
)
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyNonNull, CopyWithDefault, Default, Duplicate, ObjectStep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction, Plan
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import First, Split
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema


def check_required(plan: Plan, direction: Direction, faults: Collection[tuple[str, Path]], problems: Problems) -> None:
    """Report required fields that may be missing in a converted object, unless their conversion is reported."""
    fields = _RequiredFields(plan, direction)
    for target, has in fields.iterate_objects():
        for name in has.get("required") or ():
            path = (*target, name)
            is_reported = (name in COMMON_FIELDS and not target) or (direction.target, path) in faults
            if not is_reported and not fields.is_always_set(path):
                _report_missing(
                    direction,
                    path,
                    has,
                    problems,
                    fields.find_missing_source(path),
                    _suggest_default(direction, path, fields.find_writers(path), has),
                    next((step.source for step in fields.find_writers(path)), ()),
                )
    for path, has, lacking in fields.iterate_values():
        _report_missing(direction, path, has, problems, lacking)
    for schema, target, other in fields.iterate_copied():
        for name in other.get("required") or ():
            if name not in (schema.get("required") or ()) and not (name in COMMON_FIELDS and not target):
                path = (*target, name)
                _report_missing(direction, path, other, problems, (), _format_renaming(direction, name), path)


def _suggest_default(direction: Direction, path: Path, makers: Sequence[Step], around: Schema) -> str:
    """Return the option that gives a field a default; empty if there is none for its step."""
    field = paths.get_child(around, path[-1])
    if not makers or field is None:
        return "{default: ...}"
    declared_places = [declaration.origin for declaration in get_declarations(field)]
    copies = [
        step
        for step in makers
        if type(step) in (Copy, CopyNonNull) and (not step.declared or step.origin in declared_places)
    ]
    if len(copies) < len(makers) or any(step.target != path for step in copies):
        return ""
    return "{... default: ...}" if copies[0].declared else _format_renaming(direction, copies[0].source[-1])


def _format_renaming(direction: Direction, name: str) -> str:
    return f'{{renamed_from: "{name}" default: ... versions: "{direction.source}"}}'


def _report_missing(
    direction: Direction,
    path: Path,
    around: Schema,
    problems: Problems,
    lacking: Path = (),
    default: str = "",
    source: Path = (),
) -> None:
    field = paths.get_child(around, path[-1])
    at = field.origin if field else around.origin
    rejected = get_rejected_places(problems)
    if field is not None and any(declaration.origin in rejected for declaration in get_declarations(field)):
        return  # its declaration is reported already
    problem = f'field "{paths.format_path(path)}" is required in {direction.target}, but {direction.source} may have '
    problem += "no value for it"
    hint = f"require {_describe_source(direction, lacking)}"
    if default:
        rule = _suggest_default_rule(source, path)
        hint = f"{choose_hint(at, f'set a default: conversion {default}', rule)}, or {hint}"
    problems.report("conversion-required", problem, at, path=at.find_owner() if at else "", hint=hint)


def _suggest_default_rule(source: Path, path: Path) -> str:
    """Suggest the rule that gives a field a default."""
    here, there = f'"{paths.format_path(source)}"', f'"{paths.format_path(path)}"'
    if not source:
        return f"add a rule with a default: {{destination: {there}, default: ...}}"
    return f"add a rule with a default, {{field: {here}, destination: {there}, default: ...}}, and a rule back"


def _describe_source(direction: Direction, lacking: Path) -> str:
    return f'"{paths.format_path(lacking)}" in {direction.source}' if lacking else "its source fields"


class _RequiredFields:
    """The values that a direction writes, by paths of the target version."""

    def __init__(self, plan: Plan, direction: Direction) -> None:
        self.source, self.target = plan.get_schema(direction.source), plan.get_schema(direction.target)
        self._steps = direction.steps
        self._writers: dict[Path, list[Step]] = {}
        self._below: dict[Path, list[Step]] = {}
        self._entered: dict[Path, Path] = {(): ()}  # entered objects: target path to source path
        self._keys = set()
        for step in direction.steps:
            for path in step.get_writes():
                self._writers.setdefault(path, []).append(step)
                for cut in range(len(paths.get_scope(path)), len(path)):
                    self._below.setdefault(path[:cut], []).append(step)
            if isinstance(step, ContainerStep):
                self._entered[step.target_scope] = step.source_scope
            elif isinstance(step, ObjectStep):
                self._entered[step.target] = step.source
            if isinstance(step, MapToList) and not isinstance(step, ListToMap):
                self._keys.add((*step.target_scope, step.key))

    def iterate_objects(self) -> Iterator[tuple[Path, Schema]]:
        """Iterate over the objects that are converted field by field."""
        for path in {**self._entered, **self._below}:
            has = paths.find_schema(self.target, path) if path[:1] != paths.METADATA_PATH else None
            if has is not None and has.properties:
                yield path, has

    def iterate_copied(self) -> Iterator[tuple[Schema, Path, Schema]]:
        """Iterate over the schemas of values that are copied whole."""
        for step in self._steps:
            if not isinstance(step, Copy | Duplicate) or isinstance(step, ObjectStep):
                continue
            had, has = paths.find_schema(self.source, step.source), paths.find_schema(self.target, step.target)
            stack = [(had, step.target, has)] if had and has else []
            while stack:
                source_schema, target_path, target_schema = stack.pop()
                yield source_schema, target_path, target_schema
                for name in (*source_schema.properties, paths.ITEM, paths.VALUE):
                    children = paths.get_child(source_schema, name), paths.get_child(target_schema, name)
                    if children[0] is not None and children[1] is not None and children[0] is not children[1]:
                        stack.append((children[0], (*target_path, name), children[1]))

    def iterate_values(self) -> Iterator[tuple[Path, Schema, Path]]:
        """Iterate over items and entries whose source may be missing: path, parent schema, missing path."""
        for path, inside in self._entered.items():
            has, present = paths.find_schema(self.target, path[:-1]), frozenset((inside,))
            if has is None or path[-1:] not in ((paths.ITEM,), (paths.VALUE,)):
                continue
            for step in self._writers.get(path, ()):
                if isinstance(step, Copy) and not self._is_written(step, present):
                    yield path, has, self._find_gap(step.source, present)

    def find_writers(self, path: Path) -> Sequence[Step]:
        """Return the steps that write a field, or a part of it."""
        return (*self._writers.get(path, ()), *self._below.get(path, ()))

    def is_always_set(self, path: Path) -> bool:
        """Return true if a field is set whenever the object around it is present."""
        if path in self._keys or any(
            isinstance(step, HandwrittenField) for step in self._writers.get(paths.strip_object_scopes(path), ())
        ):
            return True
        return all(self._is_given(path, present) for present in self._find_causes(path[:-1]))

    def find_missing_source(self, path: Path) -> Path:
        """Return the part of a field's source that may be missing; empty for none."""
        causes = (present for present in self._find_causes(path[:-1]) if not self._is_given(path, present))
        reads = [read for step in self._writers.get(path, ()) for read in step.get_reads()]
        gaps = (self._find_gap(read, present) for present in causes for read in reads)
        return next((gap for gap in gaps if gap and gap[-1] not in paths.BRACKETS), ())

    def _find_gap(self, read: Path, present: frozenset[Path]) -> Path:
        """Return the first part of a path that may be missing."""
        start = max((paths.get_common_prefix(path, read) for path in present), key=len, default=())
        node = paths.find_schema(self.source, start)
        for cut in range(len(start), len(read)):
            required = (node.get("required") or ()) if node is not None else ()
            if read[cut] not in (*paths.BRACKETS, *required):
                return read[: cut + 1]
            node = paths.get_child(node, read[cut]) if node is not None else None
        return ()

    def _find_causes(self, around: Path) -> Iterator[frozenset[Path]]:
        """Iterate over the causes of an object: for each, the source paths that are then present."""
        scope = self._entered.get(paths.get_scope(around), ())
        own = self._entered.get(around)
        if own is not None:
            yield frozenset((scope, own))
        for step in self._below.get(around, ()):
            if own is not None and isinstance(step, Default | CopyWithDefault):
                continue  # written only if the object is present
            for read in step.get_reads() or ((),):
                if own is None or read[: len(own)] != own:
                    yield frozenset((scope, read))

    def _is_given(self, path: Path, present: frozenset[Path]) -> bool:
        """Return true if a field is written when these source paths are present."""
        below = [step for step in self._below.get(path, ()) if not isinstance(step, ObjectStep)]
        return any(self._is_written(step, present) for step in (*self._writers.get(path, ()), *below))

    def _is_written(self, step: Step, present: frozenset[Path]) -> bool:
        """Return true if a step always writes a value."""
        if isinstance(step, Default | CopyWithDefault):
            return True
        if isinstance(step, Gather) or (isinstance(step, Split) and step.index):
            return False
        return any(self._is_present(read, present, step) for read in step.get_reads())

    def _is_present(self, read: Path, present: frozenset[Path], step: Step) -> bool:
        """Return true if a source value is always present and has a result."""
        start = max((paths.get_common_prefix(path, read) for path in present), key=len, default=())
        node = paths.find_schema(self.source, start)
        for name in read[len(start) :]:
            if node is None or (name not in paths.BRACKETS and name not in (node.get("required") or ())):
                return False
            node = paths.get_child(node, name)
            if node is not None and node.get("nullable") and (name != read[-1] or self._is_null_dropped(step)):
                return False
        if isinstance(step, First | UnwrapObject):
            return bool(node and node.get("minItems"))
        return not (self._is_null_dropped(step) and node is not None and node.get("nullable"))

    def _is_null_dropped(self, step: Step) -> bool:
        """Return true if a copy omits null."""
        target = paths.find_schema(self.target, step.target)
        again = isinstance(step, Duplicate) and target is not None and not target.get("nullable")
        return again or isinstance(step, CopyNonNull)
