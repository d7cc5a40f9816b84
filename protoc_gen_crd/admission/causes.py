"""Field errors of an API server and their messages.

Source: k8s.io/apimachinery pkg/util/validation/field errors.go.
"""

from __future__ import annotations

from protoc_gen_crd.admission.switches import BYTES_LIMIT, SINGULAR_LIMITS, Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place

REQUIRED = "FieldValueRequired"
INVALID = "FieldValueInvalid"
TYPE_INVALID = "FieldValueTypeInvalid"
NOT_SUPPORTED = "FieldValueNotSupported"
FORBIDDEN = "FieldValueForbidden"
DUPLICATE = "FieldValueDuplicate"
TOO_LONG = "FieldValueTooLong"
TOO_MANY = "FieldValueTooMany"
INTERNAL = "InternalError"

_TYPE_MESSAGES = {
    REQUIRED: "Required value",
    INVALID: "Invalid value",
    TYPE_INVALID: "Invalid value",
    NOT_SUPPORTED: "Unsupported value",
    FORBIDDEN: "Forbidden",
    DUPLICATE: "Duplicate value",
    TOO_LONG: "Too long",
    TOO_MANY: "Too many",
    INTERNAL: "Internal error",
}
_VALUELESS = (REQUIRED, FORBIDDEN, TOO_LONG, INTERNAL)


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()


class Cause(Record):
    """One field error: Kubernetes' error type, the server's path, detail, rejected value, and place.

    `value` is plain JSON data, a `typed_values.GoTypedValue` for other Go types, or ABSENT if the message has no value.
    """

    type: str
    path: str
    detail: str = ""
    value: object = ABSENT
    place: Place | None = None


def format_supported_values(choices: tuple[str, ...] | list[str]) -> str:
    """Return the detail of an unsupported value."""
    from protoc_gen_crd.golang.fmt import quote  # noqa: PLC0415 - only an error pays for it

    return "supported values: " + ", ".join(quote(choice) for choice in choices)


def format_too_many(limit: int, switches: Switches) -> str:
    """Return the detail of a list or map with more than `limit` entries."""
    if limit < 0:
        return "has too many items"
    return f"must have at most {limit} {'item' if limit == 1 and SINGULAR_LIMITS in switches else 'items'}"


def format_too_long(limit: int, switches: Switches) -> str:
    """Return the detail of a string of more than `limit` characters, which the server calls bytes."""
    if limit < 0:
        return "value is too long"
    if BYTES_LIMIT not in switches:
        return f"may not be longer than {limit}"
    return f"may not be more than {limit} {'byte' if limit == 1 and SINGULAR_LIMITS in switches else 'bytes'}"


def format_error_body(error: Cause, switches: Switches) -> str:
    """Return the error message without the path."""
    message = _TYPE_MESSAGES[error.type]
    if error.type not in _VALUELESS and error.value is not ABSENT:
        from protoc_gen_crd.admission.go_syntax import format_error_value  # noqa: PLC0415 - only an error pays for it

        message += f": {format_error_value(error.value, switches)}"
    return f"{message}: {error.detail}" if error.detail else message


def format_error(error: Cause, switches: Switches) -> str:
    """Return the error message with its path, as `kubectl` prints it: `spec.group: Required value`."""
    return f"{error.path}: {format_error_body(error, switches)}"
