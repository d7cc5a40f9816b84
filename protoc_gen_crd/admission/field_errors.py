"""Causes of rejections by an API server: field errors, and errors without a field, with their messages.

Source: k8s.io/apimachinery pkg/util/validation/field errors.go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protoc_gen_crd.admission.version_differences import BYTES_LIMIT, SINGULAR_LIMITS
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST

if TYPE_CHECKING:
    from protoc_gen_crd.cel.parser.issues import Issue

REQUIRED = "FieldValueRequired"
INVALID = "FieldValueInvalid"
TYPE_INVALID = "FieldValueTypeInvalid"
NOT_SUPPORTED = "FieldValueNotSupported"
FORBIDDEN = "FieldValueForbidden"
DUPLICATE = "FieldValueDuplicate"
TOO_LONG = "FieldValueTooLong"
TOO_MANY = "FieldValueTooMany"
INTERNAL = "InternalError"
BAD_REQUEST = "BadRequest"  # the reason of the Status for a body that cannot be decoded
# The detail of an error that API servers add to others.
RULES_NOT_CHECKED = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete"
    " validation"
)

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
    """One cause of a rejection, or a warning: Kubernetes' error type, the path of the field, and the message.

    Attributes:
        type: The error type, such as `FieldValueInvalid`; `BadRequest` or empty for a message without a field.
        path: The path of the field; empty for a message without a field.
        detail: The message without path, type, and value.
        value: Plain JSON data, a `typed_values.GoTypedValue` for other Go types, or ABSENT if the message has no value.
        place: The place of the violated rule, if it is known.
        minor: The minor version of Kubernetes whose format the value has in the message.
        expression: The CEL expression that exceeds a cost limit, empty for another error.
        cost: The cost of the expression at this path.
        issues: The errors of a CEL expression that is rejected.
    """

    type: str = ""
    path: str = ""
    detail: str = ""
    value: object = ABSENT
    place: Place | None = None
    minor: int = NEWEST
    expression: str = ""
    cost: int = 0
    issues: tuple[Issue, ...] = ()

    @property
    def message(self) -> str:
        """The message, formatted on demand, since there may be very many."""
        return format_error(self, Switches.from_minor(self.minor))

    def __str__(self) -> str:
        return self.message

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cause) or (self.type, self.path, self.place) != (other.type, other.path, other.place):
            return False
        return self.message == other.message  # of different versions too

    def __hash__(self) -> int:
        return hash((self.type, self.path, self.place))


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
    return f"{error.path}: {format_error_body(error, switches)}" if error.type in _TYPE_MESSAGES else error.detail
