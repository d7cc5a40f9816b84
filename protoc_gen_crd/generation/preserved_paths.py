"""Application of the paths of a resource that preserve unknown fields, such as `configPatches.[].patch.value`."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.declared_resources import DeclaredResource
from protoc_gen_crd.markers.keyword_values import describe_type
from protoc_gen_crd.markers.option_declarations import SCHEMA
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_OPTION = SCHEMA["preserve_unknown_fields"]


class _PathProblem(Record):
    """A problem of a path: an unknown step, or, without a step, a schema that cannot preserve unknown fields."""

    schema: Schema
    step: str = ""


def apply_preserved_paths(schema: Schema, resource: DeclaredResource, problems: Problems, full_name: str) -> Schema:
    """Return the schema of the spec with unknown fields preserved at the paths of the resource."""
    for path in resource.get("preserve_unknown_fields") or ():
        at = resource.get_place(f"{_OPTION.name}[{path}]")
        changed = _mark_path(schema, [step for step in path.split(".") if step], at)
        if isinstance(changed, Schema):
            schema = changed
        elif changed.step:
            problem = f'unknown path "{path}" in {_OPTION.name}: the spec has no "{changed.step}" there'
            hint = problems.suggest(changed.step, changed.schema.properties)
            problems.report("marker-field", problem, at, path=full_name, hint=hint)
        else:
            problem = (
                f'"{_OPTION.name}" applies to objects and lists, not to {describe_type(changed.schema)} at "{path}"'
            )
            problems.report("marker-type", problem, at, path=full_name)
    return schema


def _mark_path(schema: Schema, steps: Sequence[str], at: Place) -> Schema | _PathProblem:
    if not steps:
        return schema.with_keywords({PRESERVE: True}, at) if schema.type in _OPTION.types else _PathProblem(schema)
    step, *rest = steps
    keyword = ("items" if schema.items is not None else "additionalProperties") if step == "[]" else "properties"
    child = schema.get(keyword) if step == "[]" else schema.properties.get(step)
    if not isinstance(child, Schema):
        return _PathProblem(schema, step)
    changed = _mark_path(child, rest, at)
    if isinstance(changed, _PathProblem):
        return changed
    return schema.with_keywords({keyword: changed if step == "[]" else {**schema.properties, step: changed}})
