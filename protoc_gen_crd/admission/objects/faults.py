"""What is wrong with a value, as the schema validator words it before it becomes a field error.

Source: k8s.io/kube-openapi pkg/validation/errors.
"""

from __future__ import annotations

from protoc_gen_crd.admission.errors import ABSENT, INVALID, TYPE_INVALID, FieldError
from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.base.record import Record


class Fault(Record):
    """The server's type of error, the value's name, the text by which repetitions are known, what is shown.

    `name` None stands for an error that the server knows no place for.
    """

    type: str
    name: str | None
    text: str | tuple[str, str]
    value: object = ABSENT
    detail: str = ""

    def error(self, path: str | None) -> FieldError:
        """The field error of a value that stands at a path, None for a whole object."""
        step = (self.name or "").removeprefix(".")
        where = "<nil>" if path is None else path
        if step:
            where = step if path is None else f"{path}.{step}"
        return FieldError(self.type, where, self.detail, self.value)


def misfit(name: str, wanted: str, found: str) -> Fault:
    """A value of another type or format."""
    words = f"{name} in body must be of type {wanted}: {quote(found)}"
    return Fault(TYPE_INVALID, name, words, found, words)


def plain(name: str, words: str, value: object) -> Fault:
    """A value that does not hold to a keyword."""
    return Fault(INVALID, name, words, value, words)


def unplaced(words: str) -> Fault:
    """What is said of no place."""
    return Fault(INVALID, None, words, "", words)
