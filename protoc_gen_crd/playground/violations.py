"""Parts of the findings of a manifest: the field, the violated constraint, and the element of the API to link to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.objects.error_origins import ErrorOrigin, find_error_origin
from protoc_gen_crd.admission.objects.error_paths import DocumentPath, get_error_path, resolve_path
from protoc_gen_crd.base.bounded_json import format_json
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.testing.document_errors_and_expectations import find_unknown_field

NO_FIELD = "<nil>"  # the path of errors about no field
_STANDARD_FIELDS = ("apiVersion", "kind", "metadata")  # the explorer does not show them
_LOGICAL_KEYWORDS = ("allOf", "anyOf", "oneOf", "not", "additionalProperties")  # their values are schemas


class Violation(Record):
    """Parts of a finding about an object.

    `path` is the path of the field in the object. `constraint` is the violated keyword with its value, `rule` the
    violated CEL rule; at most one is set. `field` is the path of the nearest field of the schema, such as
    `spec.backends[].host`. `prefix` and `suffix` are the parts of the message that repeat the name of the object and
    the path.
    """

    path: str = ""
    constraint: str = ""
    rule: str = ""
    field: str = ""
    prefix: str = ""
    suffix: str = ""

    def strip_message(self, message: str) -> str:
        """Return the message of the finding without the name of the object and the path."""
        message = message.removeprefix(self.prefix)
        return message.replace(self.suffix, "", 1) if self.suffix else message


def find_violation(case: DocumentCase, cause: Cause, schema: Schema | None) -> Violation:
    """Return the parts of a finding whose cause is this one."""
    prefix = f"{case.name} is rejected: "
    if cause.path == NO_FIELD:
        return Violation(prefix=prefix + cause.message.removesuffix(cause.detail))
    if not cause.type:  # an unknown field
        steps = find_unknown_field(case, cause.detail)
        field = _find_field(schema, steps) if schema else ""
        return Violation(field=field, prefix=prefix, suffix=f" in {case.name}")
    steps, rest = resolve_path(case.object, get_error_path(cause))
    origin = find_error_origin(cause, schema, steps, rest) if schema and cause.path else None
    return Violation(
        cause.path,
        _format_constraint(origin) if origin else "",
        origin.rule.rule if origin and origin.rule else "",
        _find_field(schema, [*steps, rest] if rest else steps) if schema else "",
        f"{prefix}{cause.path}: ",
    )


def _format_constraint(origin: ErrorOrigin) -> str:
    """Return the violated keyword with its value, without schemas; empty for a CEL rule."""
    if origin.rule or not origin.keyword:
        return ""
    if origin.required_field:
        return f"required: {origin.required_field}"
    if origin.keyword in _LOGICAL_KEYWORDS:
        return origin.keyword
    value = origin.node.get(origin.keyword)
    return f"{origin.keyword}: {value if isinstance(value, str) else format_json(value)}"


def _find_field(schema: Schema, steps: Sequence[str | int] | DocumentPath) -> str:
    """Return the path of a field in the schema, as far as the schema has it; empty for fields of all objects."""
    path, node = "", schema
    if steps and steps[0] in _STANDARD_FIELDS:
        return ""
    for step in steps:
        if step in node.properties:
            path, node = f"{path}.{step}" if path else str(step), node.properties[str(step)]
        elif isinstance(step, int) and node.items is not None:
            path, node = f"{path}[]", node.items
        elif isinstance(node.additional, Schema):
            path, node = f"{path}{{}}", node.additional
        else:
            break
    return path.rstrip("[]{}")


def encode_violation(violation: Violation, message: str) -> dict[str, Any]:
    """Return the parts as plain data, with the rest of the message."""
    return {
        "path": violation.path,
        "detail": violation.strip_message(message),
        "constraint": violation.constraint,
        "cel": violation.rule,
        "field": violation.field,
    }
