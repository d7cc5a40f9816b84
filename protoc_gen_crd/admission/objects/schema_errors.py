"""Errors of the schema validator, before their conversion to field errors.

Source: k8s.io/kube-openapi pkg/validation/errors.
"""

from __future__ import annotations

from protoc_gen_crd.admission.field_errors import ABSENT, INVALID, TYPE_INVALID, Cause
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.golang.fmt import quote


class SchemaError(Record):
    """One error: the server's error type, the name of the value, its message, the shown value, and the detail.

    Errors with equal messages are reported once. `name` is None for an error without a path.
    """

    type: str
    name: str | None
    text: str | tuple[str, str]
    value: object = ABSENT
    detail: str = ""

    def to_cause(self, path: str | None) -> Cause:
        """Convert the error of a value at a path, None for a whole object, to a field error."""
        step = (self.name or "").removeprefix(".")
        field_path = "<nil>" if path is None else path
        if step:
            field_path = step if path is None else f"{path}.{step}"
        return Cause(self.type, field_path, self.detail, self.value)


def make_type_error(name: str, expected: str, actual: str) -> SchemaError:
    """Return the error of a value of another type or format."""
    message = f"{name} in body must be of type {expected}: {quote(actual)}"
    return SchemaError(TYPE_INVALID, name, message, actual, message)


def make_invalid_error(name: str, message: str, value: object) -> SchemaError:
    """Return the error of a value that does not satisfy a keyword."""
    return SchemaError(INVALID, name, message, value, message)


def make_pathless_error(message: str) -> SchemaError:
    """Return an error without a path."""
    return SchemaError(INVALID, None, message, "", message)
