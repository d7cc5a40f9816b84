"""Comparison of verdicts with the expectations of a document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.admission.field_errors import BAD_REQUEST, RULES_NOT_CHECKED, Cause
from protoc_gen_crd.admission.objects.error_paths import DocumentPath, get_error_path, resolve_path
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.bounded_json import format_json
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.expectation_keys import ExpectedString
from protoc_gen_crd.findings.finding import Location, Severity
from protoc_gen_crd.generation.admission_findings import DROPPED, list_dropped_fields

WARN, STRICT, IGNORE = "warn", "strict", "ignore"

_QUOTED_NAME = re.compile(r'"(.*)"', re.DOTALL)
_STRICT_PREFIX = "strict decoding error: "
_STRING_MAPS = ("metadata", "labels"), ("metadata", "annotations")
_MAX_ERRORS = 100  # errors of a document that are reported individually


class ExpectationFailure(Record):
    """An expectation that a verdict does not meet.

    Failures of several versions with the same `key` are reported once, with the message of the newest version.
    `error` is the reported error, `missing_text` the expected string that no error contains.
    """

    rule: str
    key: object
    message: str
    at: Location
    error: Cause | None = None
    missing_text: str | None = None
    severity: Severity | None = None


def check_expectations(case: DocumentCase, verdict: Verdict, field_validation: str) -> Iterator[ExpectationFailure]:
    """Yield the expectations of a document that a verdict does not meet."""
    dropped_fields = [cause.detail for cause in list_dropped_fields(verdict.object)] if case.is_crd else []
    unknown_fields = [cause.detail for cause in verdict.unknown_fields]
    unexpected = [message for message in unknown_fields if not _is_expected(message, case.expectation.unknown_fields)]
    strict_errors = (
        tuple(Cause(detail=_STRICT_PREFIX + message) for message in unexpected) if field_validation == STRICT else ()
    )
    effective = verdict.replace(causes=strict_errors or verdict.causes)  # strict decoding fails before validation
    error_text = _STRICT_PREFIX + ", ".join(unexpected) if strict_errors else verdict.message
    server_warnings = [cause.detail for cause in verdict.warnings]
    warnings = (*server_warnings, *(unknown_fields if field_validation == WARN else ()))
    yield from _check_rejection(case, effective)
    yield from _check_error_texts(case, effective, error_text)
    yield from _check_texts(
        case, case.expectation.warnings, ", ".join(warnings), "document-warning-mismatch", "a warning"
    )
    yield from _check_unknown_fields(case, [*unknown_fields, *dropped_fields])
    if not effective.causes:
        yield from _report_warnings(case, server_warnings)
        yield from _check_stored(case, verdict.stored)
    if field_validation == WARN:
        yield from _report_unknown_fields(case, unexpected)
    if field_validation != IGNORE:
        missed = [message for message in dropped_fields if not _is_expected(message, case.expectation.unknown_fields)]
        yield from _report_unknown_fields(case, missed, DROPPED)


def _check_rejection(case: DocumentCase, verdict: Verdict) -> Iterator[ExpectationFailure]:
    if case.expectation.is_rejected:
        if not verdict.causes:
            message = f"expected an error, but {case.name} is accepted"
            yield ExpectationFailure("document-not-rejected", "", message, _locate_expected_rejection(case))
        return
    counts: dict[tuple[str, str], int] = {}
    remaining = len(verdict.causes) - _MAX_ERRORS
    if remaining > 0:
        message = f"{case.name} is rejected: {remaining:,} more errors"
        yield ExpectationFailure("document-rejected", "more", message, case.at)
    for error in verdict.causes[:_MAX_ERRORS]:
        kind = error.path, error.type if error.path else error.message
        counts[kind] = counts.get(kind, 0) + 1
        message = f"{case.name} is rejected: {error.message}"
        severity = Severity.NOTE if RULES_NOT_CHECKED in error.message and len(verdict.causes) > 1 else None
        place = _locate_error(case, error)
        yield ExpectationFailure("document-rejected", (kind, counts[kind]), message, place, error, severity=severity)


def _locate_expected_rejection(case: DocumentCase) -> Location:
    """Return the place of `_err` or `_errs`, or the start of a document that only its file name marks as invalid."""
    key = next((key for key in ("_err", "_errs") if key in case.source_object), None)
    return case.get_place((key,), key=True) if key else case.at


def _locate_error(case: DocumentCase, error: Cause) -> Location:
    if error.message.startswith(_STRICT_PREFIX):
        return _locate_field(case, error.message)
    steps, _ = resolve_path(case.object, get_error_path(error))
    if error.type == BAD_REQUEST:
        return _locate_undecodable(case, error)
    if steps in _STRING_MAPS:
        return _locate_entry(case, steps, error.value)
    return case.get_value_place(steps) if steps else case.get_place(("kind",), key=True)


def _locate_undecodable(case: DocumentCase, error: Cause) -> Location:
    """Return the place of the value that cannot be decoded: for an object, one in its metadata."""
    from protoc_gen_crd.admission.objects.metadata_codec import find_mismatch  # noqa: PLC0415 - only an error pays for it

    if error.place is not None:
        return error.place.resolve()
    path = find_mismatch(case.object.get("metadata"))
    return case.get_place(("kind",), key=True) if path is None else case.get_value_place(("metadata", *path))


def _locate_entry(case: DocumentCase, path: DocumentPath, invalid: object) -> Location:
    """Return the place of an invalid label or annotation, of which API servers report only the key or the value."""
    entries = case.object["metadata"][path[-1]]
    key = next((key for key, value in entries.items() if invalid in (key, value)), None)
    return case.get_place(path if key is None else (*path, key), key=key is None or key == invalid)


def _check_error_texts(case: DocumentCase, verdict: Verdict, error_text: str) -> Iterator[ExpectationFailure]:
    """Yield the expected strings that no error contains. A document without errors is already reported."""
    if verdict.causes and case.expectation.errors:
        errors = "; ".join(error.message for error in verdict.causes[:_MAX_ERRORS])
        yield from _check_texts(
            case, case.expectation.errors, error_text, "document-error-mismatch", "an error", errors
        )


def _check_texts(
    case: DocumentCase,
    expected_strings: Sequence[ExpectedString],
    actual: str,
    rule: str,
    noun: str,
    displayed: str = "",
) -> Iterator[ExpectationFailure]:
    for expected in expected_strings:
        if expected.text not in actual:
            message = f"expected {noun} that contains {format_json(expected.text)}, got {displayed or actual or 'none'}"
            yield ExpectationFailure(
                rule, expected.path, message, case.get_place(expected.path), missing_text=expected.text
            )


def _is_expected(message: str, expected: Sequence[ExpectedString]) -> bool:
    match = _QUOTED_NAME.search(message)
    return any(match and string.text.removeprefix(".") == match[1] for string in expected)


def _check_unknown_fields(case: DocumentCase, strict: Sequence[str]) -> Iterator[ExpectationFailure]:
    for expected in case.expectation.unknown_fields:
        if not any(_is_expected(message, (expected,)) for message in strict):
            message = f"expected unknown field {format_json(expected.text)}, got {', '.join(strict) or 'none'}"
            yield ExpectationFailure("document-unknown-mismatch", expected.path, message, case.get_place(expected.path))


def _report_unknown_fields(
    case: DocumentCase, unexpected: Sequence[str], outcome: str = ""
) -> Iterator[ExpectationFailure]:
    if len(unexpected) > _MAX_ERRORS:
        message = f"{len(unexpected) - _MAX_ERRORS:,} more unknown fields in {case.name}"
        yield ExpectationFailure("document-unknown-field", "more", message, case.at)
    for error_message in unexpected[:_MAX_ERRORS]:
        message = f"{error_message} in {case.name}{outcome}"
        yield ExpectationFailure(
            "document-unknown-field",
            error_message,
            message,
            _locate_field(case, error_message),
            Cause(detail=error_message),
        )


def _locate_field(case: DocumentCase, message: str) -> Location:
    return case.get_place(find_unknown_field(case, message), key=True)


def find_unknown_field(case: DocumentCase, message: str) -> DocumentPath:
    """Return the path of the field in an error message of strict decoding."""
    match = _QUOTED_NAME.search(message)
    return resolve_path(case.object, match[1] if match else "")[0]


def _report_warnings(case: DocumentCase, warnings: Sequence[str]) -> Iterator[ExpectationFailure]:
    for warning in warnings:
        if not any(expected.text in warning for expected in case.expectation.warnings):
            message = f"{case.name} is accepted with a warning: {warning}"
            yield ExpectationFailure("document-server-warning", warning, message, case.get_place(("apiVersion",)))


def _check_stored(case: DocumentCase, stored: Any) -> Iterator[ExpectationFailure]:
    for path, expected, actual in _find_differences(case.expectation.stored or {}, stored, ()):
        field_path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")
        message = f"stored {field_path or 'object'} is {_format_value(actual)}, expected {format_json(expected)}"
        yield ExpectationFailure("document-stored-mismatch", path, message, case.get_place(("_stored", *path)))


class _MissingValue:
    """The value of a missing field."""


_MISSING = _MissingValue()


def _find_differences(expected: Any, actual: Any, path: DocumentPath) -> Iterator[tuple[DocumentPath, Any, Any]]:
    """Yield the differences between two values. Fields that only `actual` has are ignored."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key, value in expected.items():
            yield from _find_differences(value, actual.get(key, _MISSING), (*path, key))
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, value in enumerate(expected):
            yield from _find_differences(value, actual[index], (*path, index))
    elif not (expected is None and actual is _MISSING) and not _is_same(expected, actual):
        yield path, expected, actual


def _is_same(expected: Any, actual: Any) -> bool:
    return isinstance(expected, bool) == isinstance(actual, bool) and bool(expected == actual)


def _format_value(value: Any) -> str:
    return "missing" if value is _MISSING else format_json(value)
