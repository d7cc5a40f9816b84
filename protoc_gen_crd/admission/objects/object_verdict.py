"""What servers answer: the verdict on one object."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.field_errors import FieldError, format_error
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record


class ObjectVerdict(Record):
    """What the servers of some minor versions say of an object, in the same words.

    `decode_error` is why the body is no object of its kind, and then all; `status_error` what refuses it otherwise
    than by field
    errors. `strict_errors` is what kubectl's default validation refuses beforehand: unknown and duplicate fields.
    `object` is what the server returns, or judged where it refuses; `stored` what it writes, None where it refuses.
    """

    minors: tuple[int, ...]
    errors: tuple[FieldError, ...] = ()
    warnings: tuple[str, ...] = ()
    strict_errors: tuple[str, ...] = ()
    object: Any = None
    stored: Any = None
    decode_error: str = ""
    status_error: str = ""

    @property
    def rejected(self) -> bool:
        """Whether the object is not taken; unknown fields alone are no reason."""
        return bool(self.errors or self.decode_error or self.status_error)

    def format_error(self, error: FieldError, minor: int | None = None) -> str:
        """An error as the server of this version words it, else the newest of these."""
        return format_error(error, Switches.from_minor(minor or self.minors[-1]))
