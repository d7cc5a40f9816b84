"""Verdicts of API servers in one form for objects and CRDs: equal errors and messages of a group of minor versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.admission.causes import Cause
from protoc_gen_crd.admission.crd.crd_verdict import CrdVerdict
from protoc_gen_crd.admission.objects.object_verdict import ObjectVerdict
from protoc_gen_crd.base.record import Record


class VerdictError:
    """One reason for a rejection: the error message, the path it starts with, and the field error if there is one.

    Messages are formatted on demand and not kept, since there may be very many.
    """

    __slots__ = ("_message", "error", "path")

    def __init__(self, message: str | Callable[[], str], path: str = "", error: Cause | None = None) -> None:
        self._message, self.path, self.error = message, path, error

    @property
    def text(self) -> str:
        """The error message."""
        return self._message if isinstance(self._message, str) else self._message()


class VersionVerdict(Record):
    """The verdict that the servers of some minor versions share, with equal error messages.

    `unknown_fields` are the fields that the schema does not specify, `returned_object` is the validated object, and
    `stored` is the object that is written to storage.
    """

    minors: tuple[int, ...]
    errors: tuple[VerdictError, ...] = ()
    warnings: tuple[str, ...] = ()
    unknown_fields: tuple[str, ...] = ()
    returned_object: Any = None
    stored: Any = None

    @property
    def error_text(self) -> str:
        """All error messages in one string, which expectations are matched against."""
        return ", ".join(error.text for error in self.errors)


def convert_object_verdict(verdict: ObjectVerdict, requested_minors: Sequence[int]) -> Iterator[VersionVerdict]:
    """Convert the verdict on an object, restricted to the requested versions."""
    minors = tuple(minor for minor in verdict.minors if minor in requested_minors)
    if not minors:
        return
    errors = [VerdictError(message) for message in (verdict.decode_error, verdict.status_error) if message]
    errors += [
        VerdictError(partial(verdict.format_error, error, minors[-1]), error.path, error) for error in verdict.errors
    ]
    stored = verdict.stored if verdict.stored is not None else verdict.object
    yield VersionVerdict(
        minors, tuple(errors), verdict.warnings, verdict.strict_errors, verdict.object, None if errors else stored
    )


def convert_crd_verdict(verdict: CrdVerdict, requested_minors: Sequence[int]) -> Iterator[VersionVerdict]:
    """Convert the verdict on a CRD, with one result for each group of versions with equal error messages."""
    warnings = tuple(notice.text for notice in verdict.warnings)
    strict = tuple(notice.text for notice in verdict.strict_errors)
    for minors, errors in _group_by_errors(verdict, requested_minors):
        stored = None if errors else verdict.get_stored(minors[-1])
        yield VersionVerdict(minors, errors, warnings, strict, stored, stored)


def _group_by_errors(
    verdict: CrdVerdict, requested_minors: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[VerdictError, ...]]]:
    """Group the versions by error messages."""
    decode_errors = (VerdictError(verdict.decode_error),) if verdict.decode_error else ()
    groups: dict[tuple[str, ...], list[int]] = {}
    for minor in verdict.minors:
        if minor in requested_minors:
            groups.setdefault(tuple([verdict.format_error(error, minor) for error in verdict.errors]), []).append(minor)
    for messages, group in groups.items():
        field_errors = (
            VerdictError(message, error.path, error) for message, error in zip(messages, verdict.errors, strict=True)
        )
        yield tuple(group), (*decode_errors, *field_errors)
