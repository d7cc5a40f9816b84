"""What servers answer, of objects and of CRDs alike: the same errors, in the same words, from some minor versions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from protoc_gen_crd.admission.crd.verdict import Verdict
from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.admission.objects.verdict import ObjectVerdict
from protoc_gen_crd.base.record import Record


class Said:
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


class Answer(Record):
    """What the servers of some minor versions say in the same words.

    `strict` are fields that the schema does not know, `seen` is the object that was judged, `stored` what is written.
    """

    minors: tuple[int, ...]
    errors: tuple[Said, ...] = ()
    warnings: tuple[str, ...] = ()
    strict: tuple[str, ...] = ()
    seen: Any = None
    stored: Any = None

    @property
    def joined(self) -> str:
        """All errors in one text, in which texts are looked for."""
        return ", ".join(each.text for each in self.errors)


def of_object(verdict: ObjectVerdict, asked: Sequence[int]) -> Iterator[Answer]:
    """The answer of an object's verdict, for the versions that are asked for."""
    minors = tuple(minor for minor in verdict.minors if minor in asked)
    if not minors:
        return
    errors = [Said(text) for text in (verdict.decode, verdict.status) if text]
    errors += [Said(partial(verdict.text, error, minors[-1]), error.path, error) for error in verdict.errors]
    stored = verdict.stored if verdict.stored is not None else verdict.object
    said = verdict.warnings, verdict.strict, verdict.object, None if errors else stored
    yield Answer(minors, tuple(errors), *said)


def of_crd(verdict: Verdict, asked: Sequence[int]) -> Iterator[Answer]:
    """The answers of a CRD's verdict."""
    warnings = tuple(notice.text for notice in verdict.warnings)
    strict = tuple(notice.text for notice in verdict.strict)
    for minors, errors in _worded(verdict, asked):
        stored = None if errors else verdict.stored(minors[-1])
        yield Answer(minors, errors, warnings, strict, stored, stored)


def _worded(verdict: Verdict, asked: Sequence[int]) -> Iterator[tuple[tuple[int, ...], tuple[Said, ...]]]:
    """The versions in groups that word the errors alike."""
    plain = (Said(verdict.decode),) if verdict.decode else ()
    groups: dict[tuple[str, ...], list[int]] = {}
    for minor in verdict.minors:
        if minor in asked:
            groups.setdefault(tuple([verdict.text(error, minor) for error in verdict.errors]), []).append(minor)
    for texts, group in groups.items():
        said = (Said(text, error.path, error) for text, error in zip(texts, verdict.errors, strict=True))
        yield tuple(group), (*plain, *said)
