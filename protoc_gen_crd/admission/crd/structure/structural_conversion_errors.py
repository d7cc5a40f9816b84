"""Errors of schemas that the server cannot convert to structural schemas.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema convert.go (NewStructural).
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.schema.schema import BRANCH_KEYWORDS, PRESERVE, Schema

_UNSUPPORTED = (
    ("id", "id"), ("$schema", "schema"), ("$ref", "$ref"), ("patternProperties", "patternProperties"),
    ("dependencies", "dependencies"), ("additionalItems", "additionalItems"), ("definitions", "definitions"),
)  # fmt: skip


def find_structural_error(schema: Schema) -> str | None:
    """Return the first error in the server's order, None if the schema can be converted."""
    return next(_find_errors(schema), None)


def _find_errors(schema: Schema) -> Iterator[str]:
    for keyword, name in _UNSUPPORTED:
        value = schema.get(keyword)
        if value or (keyword == "additionalItems" and value is not None):
            yield f"OpenAPIV3Schema '{name}' is not supported"
    for branch in _iterate_branches(schema):
        yield from _find_errors(branch)
    if schema.get(PRESERVE) is False:
        yield f"internal error: '{PRESERVE}' must be true or undefined"
    items = schema.get("items")
    if isinstance(items, Schema):
        yield from _find_errors(items)
    elif items:
        yield "OpenAPIV3Schema 'items' must be a schema, but is an array"
    for name in sorted(schema.properties):
        yield from _find_errors(schema.properties[name])
    if isinstance(schema.additional, Schema):
        yield from _find_errors(schema.additional)


def _iterate_branches(schema: Schema) -> Iterator[Schema]:
    if isinstance(schema.get("not"), Schema):
        yield schema.get("not")
    for keyword in BRANCH_KEYWORDS:
        yield from schema.get(keyword) or ()
