"""What servers answer, of objects and of CRDs alike: the same errors, in the same words, from some minor versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.admission.crd.crd_verdict import CrdVerdict
from protoc_gen_crd.admission.field_errors import FieldError
from protoc_gen_crd.admission.objects.object_verdict import ObjectVerdict
from protoc_gen_crd.base.record import Record


class VerdictError:
    """One reason to refuse: the server's words, the path they start with, and the error itself where it is one.

    Words are put together when they are asked for, and not kept: there may be very many of them.
    """

    __slots__ = ("_words", "error", "path")

    def __init__(self, words: str | Callable[[], str], path: str = "", error: FieldError | None = None) -> None:
        self._words, self.path, self.error = words, path, error

    @property
    def text(self) -> str:
        """The words."""
        return self._words if isinstance(self._words, str) else self._words()


class VersionVerdict(Record):
    """What the servers of some minor versions say in the same words.

    `strict` are fields that the schema does not know, `returned_object` is the object that was judged, `get_stored`
    what is written.
    """

    minors: tuple[int, ...]
    errors: tuple[VerdictError, ...] = ()
    warnings: tuple[str, ...] = ()
    unknown_fields: tuple[str, ...] = ()
    returned_object: Any = None
    stored: Any = None

    @property
    def error_text(self) -> str:
        """All errors in one text, in which texts are looked for."""
        return ", ".join(each.text for each in self.errors)


def convert_object_verdict(verdict: ObjectVerdict, requested_minors: Sequence[int]) -> Iterator[VersionVerdict]:
    """The answer of an object's verdict, for the versions that are asked for."""
    minors = tuple(minor for minor in verdict.minors if minor in requested_minors)
    if not minors:
        return
    errors = [VerdictError(text) for text in (verdict.decode_error, verdict.status_error) if text]
    errors += [
        VerdictError(partial(verdict.format_error, error, minors[-1]), error.path, error) for error in verdict.errors
    ]
    stored = verdict.stored if verdict.stored is not None else verdict.object
    said = verdict.warnings, verdict.strict_errors, verdict.object, None if errors else stored
    yield VersionVerdict(minors, tuple(errors), *said)


def convert_crd_verdict(verdict: CrdVerdict, requested_minors: Sequence[int]) -> Iterator[VersionVerdict]:
    """The answers of a CRD's verdict."""
    warnings = tuple(notice.text for notice in verdict.warnings)
    strict = tuple(notice.text for notice in verdict.strict_errors)
    for minors, errors in _group_by_errors(verdict, requested_minors):
        stored = None if errors else verdict.get_stored(minors[-1])
        yield VersionVerdict(minors, errors, warnings, strict, stored, stored)


def _group_by_errors(
    verdict: CrdVerdict, asked: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[VerdictError, ...]]]:
    """The versions in groups that word the errors alike."""
    plain = (VerdictError(verdict.decode_error),) if verdict.decode_error else ()
    groups: dict[tuple[str, ...], list[int]] = {}
    for minor in verdict.minors:
        if minor in asked:
            groups.setdefault(tuple([verdict.format_error(error, minor) for error in verdict.errors]), []).append(minor)
    for texts, group in groups.items():
        said = (VerdictError(text, error.path, error) for text, error in zip(texts, verdict.errors, strict=True))
        yield tuple(group), (*plain, *said)
