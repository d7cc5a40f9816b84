"""The verdict of API servers on one CRD."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.causes import Cause, format_error
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd
from protoc_gen_crd.admission.crd.warnings import AdmissionWarning
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place


class CrdVerdict(Record):
    """The verdict that the servers of some minor versions share: equal errors, whose messages may differ by version.

    `decode_error` is the error, located at `origin`, of a manifest that cannot be decoded; then there are no others.
    `strict_errors` are the unknown fields, which kubectl's default validation rejects. `warnings` are Warning headers.
    """

    minors: tuple[int, ...]
    errors: tuple[Cause, ...] = ()
    warnings: tuple[AdmissionWarning, ...] = ()
    strict_errors: tuple[AdmissionWarning, ...] = ()
    decode_error: str = ""
    origin: Place | None = None
    internal: InternalCrd | None = None
    old: InternalCrd | None = None

    @property
    def rejected(self) -> bool:
        """True if the CRD is rejected."""
        return bool(self.errors or self.decode_error)

    def format_error(self, error: Cause, minor: int | None = None) -> str:
        """Return the message of an error from this version, by default the newest of the verdict's."""
        return format_error(error, Switches.from_minor(minor or self.minors[-1]))

    def get_stored(self, minor: int | None = None) -> dict[str, Any] | None:
        """Return the stored CRD, None if it is rejected: defaulted, with status, without uid and creationTimestamp."""
        from protoc_gen_crd.admission.crd.update import storage_form  # noqa: PLC0415 - rarely called

        if self.rejected or self.internal is None:
            return None
        switches = Switches.from_minor(minor or self.minors[-1])
        if self.old is not None:
            return storage_form.encode_updated(self.internal, self.old, switches)
        return storage_form.encode_created(self.internal, switches)
