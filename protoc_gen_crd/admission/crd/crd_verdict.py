"""What servers answer: the verdict on one CRD."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd
from protoc_gen_crd.admission.crd.warnings import AdmissionWarning
from protoc_gen_crd.admission.field_errors import FieldError, format_error
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place


class CrdVerdict(Record):
    """What the servers of some minor versions say: the same errors, which older ones may word otherwise.

    `decode_error` is why a manifest is no CRD at all, found at `origin`, and then all; `errors` refuse the object;
    `strict_errors`
    is what kubectl's default validation refuses beforehand: unknown fields; `warnings` are Warning headers.
    """

    minors: tuple[int, ...]
    errors: tuple[FieldError, ...] = ()
    warnings: tuple[AdmissionWarning, ...] = ()
    strict_errors: tuple[AdmissionWarning, ...] = ()
    decode_error: str = ""
    origin: Place | None = None
    internal: InternalCrd | None = None
    old: InternalCrd | None = None

    @property
    def rejected(self) -> bool:
        """Whether the object is not taken."""
        return bool(self.errors or self.decode_error)

    def format_error(self, error: FieldError, minor: int | None = None) -> str:
        """An error as the server of this version words it, else the newest of these."""
        return format_error(error, Switches.from_minor(minor or self.minors[-1]))

    def get_stored(self, minor: int | None = None) -> dict[str, Any] | None:
        """What is stored, None where it is refused: defaulted, with its status, without uid and creationTimestamp."""
        from protoc_gen_crd.admission.crd.update import storage_form as stored  # noqa: PLC0415 - few ask

        if self.rejected or self.internal is None:
            return None
        switches = Switches.from_minor(minor or self.minors[-1])
        if self.old is not None:
            return stored.encode_updated(self.internal, self.old, switches)
        return stored.encode_created(self.internal, switches)
