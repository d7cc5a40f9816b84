"""Paths of a resource where unknown fields are kept, such as `configPatches.[].patch.value`."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.resource import Declared
from protoc_gen_crd.markers.values import found
from protoc_gen_crd.schema.types import PRESERVE, Schema

_OPTION = SCHEMA["preserve_unknown_fields"]


class _Fault(Record):
    """What is wrong with a path: that a schema has no such step, or, without a step, that it can keep nothing."""

    schema: Schema
    step: str = ""


def preserving(schema: Schema, resource: Declared, problems: Problems, full_name: str) -> Schema:
    """The spec with the resource's paths marked."""
    for path in resource.get("preserve_unknown_fields") or ():
        at = resource.place(f"{_OPTION.name}[{path}]")
        changed = _marked(schema, [step for step in path.split(".") if step], at)
        if isinstance(changed, Schema):
            schema = changed
        elif changed.step:
            problem = f'{_OPTION.name} must hold paths of the spec, found "{path}" with no "{changed.step}"'
            hint = problems.suggestion(changed.step, changed.schema.properties)
            problems.report("marker-field", problem, at, path=full_name, hint=hint)
        else:
            problem = f'"{_OPTION.name}" applies to objects and lists, found {found(changed.schema)} at "{path}"'
            problems.report("marker-type", problem, at, path=full_name)
    return schema


def _marked(schema: Schema, steps: Sequence[str], at: Place) -> Schema | _Fault:
    if not steps:
        return schema.having({PRESERVE: True}, at) if schema.type in _OPTION.types else _Fault(schema)
    step, *rest = steps
    keyword = ("items" if schema.items is not None else "additionalProperties") if step == "[]" else "properties"
    child = schema.get(keyword) if step == "[]" else schema.properties.get(step)
    if not isinstance(child, Schema):
        return _Fault(schema, step)
    changed = _marked(child, rest, at)
    if isinstance(changed, _Fault):
        return changed
    return schema.having({keyword: changed if step == "[]" else {**schema.properties, step: changed}})
