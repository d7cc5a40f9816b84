"""Verdicts of API servers on CRDs and objects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protoc_gen_crd.admission.field_errors import ABSENT, Cause, format_error_body
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.kubernetes.shared_results import Switches

_VERSION_INDEPENDENT = frozenset((str, bool, int, float, type(ABSENT)))  # types with one format in all messages


class Verdict(Record):
    """The verdict that the servers of some minor versions share, with equal messages.

    Attributes:
        minors: The minor versions of Kubernetes.
        causes: The errors; empty if the servers accept the object.
        warnings: Warning headers.
        unknown_fields: Unknown and duplicate fields. Strict field validation, kubectl's default, rejects an object
            with such fields; here they do not reject it.
        object: The object in the response, for a CRD a `Crd`; if it is rejected, the validated object, or None if it
            cannot be decoded.
        storage_form: The stored object, for a CRD a function of the version that encodes it.
    """

    minors: tuple[int, ...] = ()
    causes: tuple[Cause, ...] = ()
    warnings: tuple[Cause, ...] = ()
    unknown_fields: tuple[Cause, ...] = ()
    object: Any = None
    storage_form: Any = None

    @property
    def accepted(self) -> bool:
        """True if the servers accept the object."""
        return not self.causes

    @property
    def kubernetes(self) -> tuple[str, ...]:
        """The versions, such as `("1.33", "1.34")`."""
        return tuple([f"1.{minor}" for minor in self.minors])

    @property
    def message(self) -> str:
        """The messages of all causes in one string."""
        return ", ".join([cause.message for cause in self.causes])

    @property
    def stored(self) -> Any:
        """The object in the storage version, as the newest of the servers stores it; None if it is rejected."""
        if self.causes:
            return None
        return self.storage_form(self.minors[-1]) if callable(self.storage_form) else self.storage_form

    def assign(self, minors: Iterable[int]) -> Verdict:
        """Return the verdict as that of these versions, with the messages of the last one."""
        minors = tuple(minors)
        causes = [cause.replace(minor=minors[-1]) if _is_versioned(cause) else cause for cause in self.causes]
        return self.replace(minors=minors, causes=tuple(causes))


def has_versioned_messages(causes: Iterable[Cause]) -> bool:
    """Return true if the format of values in the messages depends on the version."""
    return any(map(_is_versioned, causes))


def record_formats(causes: Iterable[Cause], switches: Switches) -> None:
    """Record the switches that the messages depend on."""
    for cause in causes:
        if _is_versioned(cause):
            format_error_body(cause, switches)


def _is_versioned(cause: Cause) -> bool:
    """Return true if the format of the value depends on the version.

    Shortcut spelled-alike: scalars are written in the same way by all versions, so their errors have one message.
    """
    return type(cause.value) not in _VERSION_INDEPENDENT
