"""Paths of a resource where unknown fields are kept, such as `configPatches.[].patch.value`."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.markers.resource import Declared
from protoc_gen_crd.schema.types import PRESERVE, Schema


def preserving(schema: Schema, resource: Declared, problems: Problems, full_name: str) -> Schema:
    """The spec with the resource's paths marked."""
    for path in resource.get("preserve_unknown_fields") or ():
        steps = [step for step in path.split(".") if step]
        missing: list[tuple[str, Schema]] = []
        schema = _marked(schema, steps, missing, resource)
        for step, parent in missing:
            problems.report(
                "marker-field",
                f'preserve_unknown_fields must hold paths of the spec, found "{path}" with no "{step}"',
                resource.place("preserve_unknown_fields"),
                path=full_name,
                hint=problems.suggestion(step, parent.properties),
            )
    return schema


def _marked(schema: Schema, steps: list[str], missing: list[tuple[str, Schema]], resource: Declared) -> Schema:
    if not steps:
        return schema.having({PRESERVE: True}, resource.place("preserve_unknown_fields"))
    step, *rest = steps
    if step == "[]":
        keyword = "items" if schema.items is not None else "additionalProperties"
        child = schema.get(keyword)
        if isinstance(child, Schema):
            return schema.having({keyword: _marked(child, rest, missing, resource)})
    elif step in schema.properties:
        changed = _marked(schema.properties[step], rest, missing, resource)
        return schema.having({"properties": {**schema.properties, step: changed}})
    missing.append((step, schema))
    return schema
