"""What an answer says against what a document expects: complaints, each about some of the versions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Severity
from protoc_gen_crd.base.jsontext import shown
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.testing.answers import Answer, Said
from protoc_gen_crd.testing.cases import Case
from protoc_gen_crd.testing.keys import Steps, Text
from protoc_gen_crd.testing.places import located, place_in

VERSIONS = "\0"  # stands in a message where the versions go that it is about
WARN, STRICT = "warn", "strict"

_NAMED = re.compile(r'"(.*)"', re.DOTALL)
_STRICT = "strict decoding error: "
_MOST = 100  # errors of a document that are told one by one
FOLLOWS = "some validation rules were not checked"  # what servers add to other errors


class Complaint(Record):
    """One difference. Complaints of several versions with the same key are one; the newest words count.

    `said` is the error behind it, `text` what was looked for in vain.
    """

    rule: str
    key: object
    message: str
    at: Location
    said: Said | None = None
    text: str | None = None
    severity: Severity | None = None


def complaints(case: Case, answer: Answer, field_validation: str) -> Iterator[Complaint]:
    """Everything in an answer that is not as the document has it."""
    unexpected = [text for text in answer.strict if not _is_expected(text, case.expected.unknown)]
    strictly = tuple(Said(_STRICT + text) for text in unexpected) if field_validation == STRICT else ()
    judged = answer.replace(errors=strictly or answer.errors)  # of other errors a server has not yet looked for any
    joined = _STRICT + ", ".join(unexpected) if strictly else answer.joined
    warnings = (*answer.warnings, *(answer.strict if field_validation == WARN else ()))
    yield from _verdict(case, judged)
    yield from _texts(case, judged, joined)
    yield from _missing(case, case.expected.warnings, ", ".join(warnings), "document-warning", "warnings")
    yield from _unknown(case, answer.strict)
    if not judged.errors:
        yield from _notices(case, answer.warnings)
        yield from _stored(case, answer.stored)
    if field_validation == WARN:
        yield from _fields(case, unexpected)


def _verdict(case: Case, answer: Answer) -> Iterator[Complaint]:
    if case.expected.refused:
        if not answer.errors:
            message = f"an API server{VERSIONS} must refuse {case.name}, found it accepted"
            yield Complaint("document-accepted", "", message, _says_refused(case))
        return
    counts: dict[tuple[str, str], int] = {}
    more = len(answer.errors) - _MOST
    if more > 0:
        message = f"an API server{VERSIONS} must accept {case.name}, found {more:,} more errors"
        yield Complaint("document-refused", "more", message, case.at)
    for said in answer.errors[:_MOST]:
        kind = said.path, said.error.type if said.error else said.text
        counts[kind] = counts.get(kind, 0) + 1
        message = f"an API server{VERSIONS} must accept {case.name}, found {said.text}"
        severity = Severity.NOTE if FOLLOWS in said.text and len(answer.errors) > 1 else None
        place = _error_place(case, said)
        yield Complaint("document-refused", (kind, counts[kind]), message, place, said, severity=severity)


def _says_refused(case: Case) -> Location:
    """Where a document says that it must be refused; where only its file does, the document itself."""
    key = next((key for key in ("_err", "_errs") if key in case.given), None)
    return case.place((key,), key=True) if key else case.at


def _error_place(case: Case, said: Said) -> Location:
    if said.text.startswith(_STRICT):
        return _field_place(case, said.text)
    steps, _ = located(case.object, place_in(said.error) if said.error else said.path)
    if not steps:
        return case.place(("kind",), key=True)
    value: Any = case.object
    for step in steps:
        value = value[step]
    return case.place(steps, key=isinstance(value, dict | list))


def _texts(case: Case, answer: Answer, joined: str) -> Iterator[Complaint]:
    """Texts that the errors lack; where there are no errors, that is complaint enough."""
    if answer.errors and case.expected.errors:
        found = "; ".join(said.text for said in answer.errors[:_MOST])
        yield from _missing(case, case.expected.errors, joined, "document-text", "errors", found)


def _missing(
    case: Case, texts: Sequence[Text], joined: str, rule: str, what: str, found: str | None = None
) -> Iterator[Complaint]:
    for text in texts:
        if text.text not in joined:
            message = (
                f"the {what} of an API server{VERSIONS} must hold {shown(text.text)}, found {found or joined or 'none'}"
            )
            yield Complaint(rule, text.path, message, case.place(text.path), text=text.text)


def _is_expected(text: str, expected: Sequence[Text]) -> bool:
    named = _NAMED.search(text)
    return any(named and each.text.removeprefix(".") == named[1] for each in expected)


def _unknown(case: Case, strict: Sequence[str]) -> Iterator[Complaint]:
    for text in case.expected.unknown:
        if not any(_is_expected(each, (text,)) for each in strict):
            found = ", ".join(strict) or "none"
            message = f"an API server{VERSIONS} must not know the field {shown(text.text)}, found {found}"
            yield Complaint("document-unknown", text.path, message, case.place(text.path))


def _fields(case: Case, unexpected: Sequence[str]) -> Iterator[Complaint]:
    if len(unexpected) > _MOST:
        more = f"{len(unexpected) - _MOST:,} more unknown fields"
        message = f"an API server{VERSIONS} should know the fields of {case.name}, found {more}"
        yield Complaint("document-field", "more", message, case.at)
    for text in unexpected[:_MOST]:
        message = f"an API server{VERSIONS} should know the fields of {case.name}, found {text}"
        yield Complaint("document-field", text, message, _field_place(case, text), Said(text))


def _field_place(case: Case, text: str) -> Location:
    return case.place(field_in(case, text), key=True)


def field_in(case: Case, text: str) -> Steps:
    """The field that strict decoding names."""
    named = _NAMED.search(text)
    return located(case.object, named[1] if named else "")[0]


def _notices(case: Case, warnings: Sequence[str]) -> Iterator[Complaint]:
    for warning in warnings:
        if not any(text.text in warning for text in case.expected.warnings):
            message = f"an API server{VERSIONS} should take {case.name} without a warning, found {warning}"
            yield Complaint("document-notice", warning, message, case.place(("apiVersion",)))


def _stored(case: Case, stored: Any) -> Iterator[Complaint]:
    for path, wanted, found in _differences(case.expected.stored or {}, stored, ()):
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
        stored = f"{where or 'the object'} as stored by an API server{VERSIONS}"
        message = f"{stored} must be {shown(wanted)}, found {_value(found)}"
        yield Complaint("document-stored", path, message, case.place(("_stored", *path)))


class _Nothing:
    """What is not there."""


_NOTHING = _Nothing()


def _differences(wanted: Any, found: Any, path: Steps) -> Iterator[tuple[Steps, Any, Any]]:
    """Where a value lacks what is wanted of it: fields that are named must be there, others may."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, value in wanted.items():
            yield from _differences(value, found.get(key, _NOTHING), (*path, key))
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for index, value in enumerate(wanted):
            yield from _differences(value, found[index], (*path, index))
    elif not (wanted is None and found is _NOTHING) and not _same(wanted, found):
        yield path, wanted, found


def _same(wanted: Any, found: Any) -> bool:
    return isinstance(wanted, bool) == isinstance(found, bool) and bool(wanted == found)


def _value(found: Any) -> str:
    return "nothing" if found is _NOTHING else shown(found)
