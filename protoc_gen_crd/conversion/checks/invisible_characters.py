"""Report field names with invisible characters: control characters, line breaks, direction marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.base.escapes import control_fault
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.schema.schema import Schema


def check_field_names(schemas: Mapping[str, Schema], problems: Problems) -> None:
    """Report each such name once per location."""
    reported = {finding.at for finding in problems.findings if finding.rule == "name-control"}
    seen: set[int] = set()
    for name, field in (named_field for schema in schemas.values() for named_field in _fields(schema, seen)):
        problem = control_fault("the field name", name)
        if problem and (field.origin is None or field.origin not in reported):
            problems.report("name-control", problem, field.origin)
            reported.add(field.origin)


def _fields(schema: Schema, seen: set[int]) -> Iterator[tuple[str, Schema]]:
    """Iterate over the fields of a schema and of its parts, each node once."""
    waiting = [schema]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield from node.properties.items()
        below = (node.items, node.additional, *node.properties.values())
        waiting += [child for child in below if isinstance(child, Schema)]
