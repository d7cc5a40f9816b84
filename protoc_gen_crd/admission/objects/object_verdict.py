"""The verdict of API servers on one object."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.causes import Cause, format_error
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record


class ObjectVerdict(Record):
    """The verdict on an object that the servers of some minor versions share, with equal messages.

    `decode_error` is the error of a body that cannot be decoded; then there are no others. `status_error` is an error
    without fields. `strict_errors` are the unknown and duplicate fields, which kubectl's default validation rejects.
    `object` is the response, or the validated object if it is rejected. `stored` is the object that is written, None
    if it is rejected.
    """

    minors: tuple[int, ...]
    errors: tuple[Cause, ...] = ()
    warnings: tuple[str, ...] = ()
    strict_errors: tuple[str, ...] = ()
    object: Any = None
    stored: Any = None
    decode_error: str = ""
    status_error: str = ""

    @property
    def rejected(self) -> bool:
        """True if the object is rejected; unknown fields alone are no reason."""
        return bool(self.errors or self.decode_error or self.status_error)

    def format_error(self, error: Cause, minor: int | None = None) -> str:
        """Return the message of an error from this version, by default the newest of the verdict's."""
        return format_error(error, Switches.from_minor(minor or self.minors[-1]))
