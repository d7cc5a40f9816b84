"""What servers answer, of objects and of CRDs alike: the same errors, in the same words, from some minor versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.crd.verdict import Verdict
from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.admission.objects.verdict import ObjectVerdict
from protoc_gen_crd.base.record import Record


class Said(Record):
    """One reason to refuse: the server's words, the path they start with, and the error itself where it is one."""

    text: str
    path: str = ""
    error: FieldError | None = None


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
    """The answers of an object's verdict, for the versions that are asked for."""
    for minors, errors in _worded(verdict, asked, (verdict.decode, verdict.status)):
        stored = verdict.stored if verdict.stored is not None else verdict.object
        yield Answer(minors, errors, verdict.warnings, verdict.strict, verdict.object, None if errors else stored)


def of_crd(verdict: Verdict, asked: Sequence[int]) -> Iterator[Answer]:
    """The answers of a CRD's verdict."""
    warnings = tuple(notice.text for notice in verdict.warnings)
    strict = tuple(notice.text for notice in verdict.strict)
    for minors, errors in _worded(verdict, asked, (verdict.decode,)):
        stored = None if errors else verdict.stored(minors[-1])
        yield Answer(minors, errors, warnings, strict, stored, stored)


def _worded(
    verdict: Verdict | ObjectVerdict, asked: Sequence[int], others: Sequence[str]
) -> Iterator[tuple[tuple[int, ...], tuple[Said, ...]]]:
    """The versions in groups that word the errors alike."""
    minors = tuple(minor for minor in verdict.minors if minor in asked)
    plain = tuple(Said(text) for text in others if text)
    if not verdict.errors:
        if minors:
            yield minors, plain
        return
    groups: dict[tuple[str, ...], list[int]] = {}
    apart = minors if isinstance(verdict, Verdict) else minors[-1:]  # on objects, verdicts are of the same words
    for minor in apart:
        groups.setdefault(tuple([verdict.text(error, minor) for error in verdict.errors]), []).append(minor)
    if apart != minors:
        groups = {texts: list(minors) for texts in groups}
    for texts, group in groups.items():
        said = (Said(text, error.path, error) for text, error in zip(texts, verdict.errors, strict=True))
        yield tuple(group), (*plain, *said)
