"""What is wrong with a value, as the schema validator words it before it becomes a field error.

Source: k8s.io/kube-openapi pkg/validation/errors.
"""

from __future__ import annotations

from protoc_gen_crd.admission.field_errors import ABSENT, INVALID, TYPE_INVALID, FieldError
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.golang.fmt import quote


class SchemaError(Record):
    """The server's type of error, the value's name, the text by which repetitions are known, what is shown.

    `name` None stands for an error that the server knows no place for.
    """

    type: str
    name: str | None
    text: str | tuple[str, str]
    value: object = ABSENT
    detail: str = ""

    def to_field_error(self, path: str | None) -> FieldError:
        """The field error of a value that stands at a path, None for a whole object."""
        step = (self.name or "").removeprefix(".")
        where = "<nil>" if path is None else path
        if step:
            where = step if path is None else f"{path}.{step}"
        return FieldError(self.type, where, self.detail, self.value)


def make_type_error(name: str, wanted: str, found: str) -> SchemaError:
    """A value of another type or format."""
    words = f"{name} in body must be of type {wanted}: {quote(found)}"
    return SchemaError(TYPE_INVALID, name, words, found, words)


def make_invalid_error(name: str, words: str, value: object) -> SchemaError:
    """A value that does not hold to a keyword."""
    return SchemaError(INVALID, name, words, value, words)


def make_pathless_error(words: str) -> SchemaError:
    """What is said of no place."""
    return SchemaError(INVALID, None, words, "", words)
