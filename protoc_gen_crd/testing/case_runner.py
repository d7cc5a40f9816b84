"""Validation of test documents. The verdicts of all requested Kubernetes versions are reported as findings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from protoc_gen_crd.admission.field_errors import BAD_REQUEST, NOT_SUPPORTED, Cause
from protoc_gen_crd.admission.objects.error_paths import DocumentPath
from protoc_gen_crd.admission.type_hints import suggest_type
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest, suggest
from protoc_gen_crd.crd.metadata_go_types import OBJECT_META
from protoc_gen_crd.crd.metadata_go_types import STRUCTS as METADATA_STRUCTS
from protoc_gen_crd.documents.crd_definitions import CrdDefinition, CrdDefinitions, find_decoding_hint
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.kind_messages import make_error, make_version_error
from protoc_gen_crd.documents.old_object_key import OLD
from protoc_gen_crd.documents.unknown_kinds import BUILT_IN, NO_CRD, NO_OBJECT, SKIP_RULE, SKIPPED, UnknownKinds
from protoc_gen_crd.findings.finding import Finding, Location, Place
from protoc_gen_crd.generation.admission_findings import match_unknown_field
from protoc_gen_crd.kubernetes.supported_versions import format_minors
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.testing.document_errors_and_expectations import (
    IGNORE,
    ExpectationFailure,
    check_expectations,
    find_unknown_field,
)
from protoc_gen_crd.testing.key_checks import STORED, check_old_version, find_unknown_nulls, make_key_case

CRD_REJECTED = "its CRD is rejected"
_ENUM_LIKENESS = 0.75  # high, since the message lists all values
_MAX_OLD_FIELDS = 100  # that are reported for an old object
OTHER_VERSIONS = "it is for other Kubernetes versions"
_NO_TEST = "remove it from the test documents"
# Reason why a test document is skipped -> its description, and what to do about it.
_UNCHECKED = {
    BUILT_IN: ("its kind is built in", _NO_TEST),
    NO_CRD: ("no CRD defines its kind", "add its CRD to the paths"),
    SKIPPED: ("its kind is in skip_kinds and has no CRD", f"add its CRD to the paths, or {_NO_TEST}"),
}


class CaseResult(Record):
    """The result of a case: its findings and verdicts, or the reason why it was skipped."""

    name: str
    at: Location
    skipped: str = ""
    findings: tuple[Finding, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    is_update: bool = False  # there is an old object
    causes: tuple[Cause | None, ...] = ()  # of the findings, None for one that is not about an error of servers


class CaseRunner:
    """Validates cases. `format_place` formats a place in a CRD so that the user can open it."""

    def __init__(
        self,
        definitions: CrdDefinitions,
        unknown_kinds: UnknownKinds,
        format_place: Callable[[Place], str],
        *,
        field_validation: str = "warn",
    ) -> None:
        self.definitions = definitions
        self.unknown_kinds = unknown_kinds
        self._format_place = format_place
        self._field_validation = field_validation

    def validate(self, case: DocumentCase) -> CaseResult:
        """Validate a case."""
        try:
            return self._validate(case)
        except RecursionError:
            message = f"{case.name} is nested too deeply to be validated"
            return self._make_failure(case, "document-syntax", message, case.at)

    def _validate(self, case: DocumentCase) -> CaseResult:
        requested_minors = tuple(minor for minor in self.definitions.minors if minor in case.expectation.minors)
        if not requested_minors:
            return CaseResult(case.name, case.at, OTHER_VERSIONS)
        if case.is_crd:
            return self._validate_crd(case, requested_minors)
        definition = self.definitions.find(case)
        if definition is None:
            return self._handle_unknown_kind(case)
        requested_minors = tuple(minor for minor in requested_minors if minor in definition.minors)
        if not requested_minors:
            return CaseResult(case.name, case.at, CRD_REJECTED)
        if not definition.serves(case.version):
            error = make_version_error(case, definition.list_served_versions())
            return CaseResult(case.name, case.at, "", (error,))
        return self._validate_object(case, definition, requested_minors)

    def _validate_object(
        self, case: DocumentCase, definition: CrdDefinition, requested_minors: Sequence[int]
    ) -> CaseResult:
        updates = self.definitions.old_state.find_object(case) is not None
        if case.expectation.status and not updates:
            message = '"_status" requires an old object, but there is none in "_old" or --old'
            return self._make_failure(case, "case-value", message, case.get_place(("_status",), key=True))
        verdicts = tuple(self._get_verdicts(definition, case, requested_minors))
        result = self._make_result(case, verdicts, requested_minors, definition, updates=updates)
        key_findings = (
            *check_old_version(case, definition),
            *self._check_old_fields(case, definition, requested_minors),
            *self._check_stored_fields(case, definition, requested_minors),
        )
        causes = (*result.causes, *[None for _ in key_findings])
        return result.replace(findings=(*result.findings, *key_findings), causes=causes)

    def _check_old_fields(
        self, case: DocumentCase, definition: CrdDefinition, requested_minors: Sequence[int]
    ) -> Iterator[Finding]:
        """Report unknown fields of `_old`. Stored objects have none, so a misspelled field would change the test."""
        written, old = case.source_object.get(OLD), case.expectation.old
        if not isinstance(written, dict) or old is None or self._field_validation == IGNORE:
            return
        old_case = make_key_case(case, OLD, old)
        written_case = case.replace(object=written)
        if self.definitions.find(old_case) is not definition or not definition.serves(old_case.version):
            return
        for verdict in definition.validate(old, None, requested_minors[-1:], status=False):
            for error in verdict.unknown_fields[:_MAX_OLD_FIELDS]:
                path = find_unknown_field(old_case, error.detail)
                if path != find_unknown_field(written_case, error.detail):
                    continue  # copied from the document
                yield self._make_unknown_field(case, old_case, path, error.detail, definition)

    def _check_stored_fields(
        self, case: DocumentCase, definition: CrdDefinition, requested_minors: Sequence[int]
    ) -> Iterator[Finding]:
        """Report unknown fields that `_stored` expects to be missing. They always are."""
        if case.expectation.stored is None or self._field_validation == IGNORE:
            return
        stored = {**case.expectation.stored, "apiVersion": case.object["apiVersion"], "kind": case.kind}
        stored_case = make_key_case(case, STORED, stored)
        for path, message in find_unknown_nulls(case, definition, requested_minors[-1]):
            yield self._make_unknown_field(case, stored_case, path, message, definition)

    def _make_unknown_field(
        self, case: DocumentCase, key_case: DocumentCase, path: DocumentPath, error: str, definition: CrdDefinition
    ) -> Finding:
        """Return the finding of an unknown field in the object of a key."""
        schema = definition.get_schema(key_case.version)
        hint = self._make_field_hint(key_case, Cause(detail=error), schema) if schema else ""
        message = f'{error} in "{key_case.prefix[-1]}" of {case.name}'
        return Finding("document-unknown-field", message, key_case.get_place(path, key=True), case.name, hint)

    def _validate_crd(self, case: DocumentCase, requested_minors: Sequence[int]) -> CaseResult:
        try:
            verdicts = tuple(self.definitions.validate_crd(case, requested_minors))
        except ValueError as error:
            return self._make_failure(
                case, "case-value", f'"_old" is not a valid CRD: {error}', case.get_place(("_old",))
            )
        updates = self.definitions.old_state.find_object(case) is not None
        return self._make_result(case, verdicts, requested_minors, None, updates=updates)

    @staticmethod
    def _make_failure(case: DocumentCase, rule: str, message: str, at: Location, hint: str = "") -> CaseResult:
        return CaseResult(case.name, case.at, "", (Finding(rule, message, at, case.name, hint),))

    def _handle_unknown_kind(self, case: DocumentCase) -> CaseResult:
        error = self.unknown_kinds.find_error(case)
        if error is None and not case.kind and case.is_test:
            error = make_error(case, "test document has no kind")
        if error is not None:
            return CaseResult(case.name, case.at, "", (error,))
        skipped = self.unknown_kinds.check(case).skipped
        findings = (*_make_skip_notes(case, skipped), *_report_unchecked(case, skipped))
        return CaseResult(case.name, case.at, skipped, findings)

    def _make_result(
        self,
        case: DocumentCase,
        verdicts: tuple[Verdict, ...],
        requested_minors: Sequence[int],
        definition: CrdDefinition | None,
        *,
        updates: bool,
    ) -> CaseResult:
        """Report each failure once, with its versions and the message of the newest version."""
        failures: dict[tuple[str, object], tuple[ExpectationFailure, list[int]]] = {}
        for verdict in sorted(verdicts, key=lambda verdict: max(verdict.minors), reverse=True):
            for failure in check_expectations(case, verdict, self._field_validation):
                failures.setdefault((failure.rule, failure.key), (failure, []))[1].extend(verdict.minors)
        findings = tuple(
            self._make_finding(case, failure, sorted(minors), requested_minors, definition, verdicts)
            for failure, minors in failures.values()
        )
        causes = tuple(failure.error for failure, _ in failures.values())
        return CaseResult(case.name, case.at, "", findings, verdicts, updates, causes)

    def _make_finding(
        self,
        case: DocumentCase,
        failure: ExpectationFailure,
        minors: Sequence[int],
        requested_minors: Sequence[int],
        definition: CrdDefinition | None,
        verdicts: Sequence[Verdict],
    ) -> Finding:
        message = failure.message
        if len(minors) < len(requested_minors):
            message += f" (Kubernetes {format_minors(minors)})"
        hint = self._make_hint(case, failure, definition, minors, verdicts)
        return Finding(failure.rule, message, failure.at, case.name, hint, severity=failure.severity)

    def _make_hint(
        self,
        case: DocumentCase,
        failure: ExpectationFailure,
        definition: CrdDefinition | None,
        minors: Sequence[int],
        verdicts: Sequence[Verdict],
    ) -> str:
        """Return a hint with the place of the violated rule, or with the versions that report the expected error.

        `minors` are the versions of the failure. A CRD has no `definition`; its hint is the name of a misspelled field.
        """
        if definition is None:
            return _make_crd_hint(failure.error, verdicts)
        schema, error = definition.get_schema(case.version), failure.error
        if schema is not None and error is not None:
            return (
                self._make_rule_hint(case, error, schema) if error.path else self._make_field_hint(case, error, schema)
            )
        if failure.rule in ("document-error-mismatch", "document-not-rejected"):
            reporting_minors = self._find_matching_versions(case, failure)
            return _make_version_hint(failure, reporting_minors, strictly=not reporting_minors.isdisjoint(minors))
        return ""

    def _make_rule_hint(self, case: DocumentCase, error: Cause, schema: Schema) -> str:
        from protoc_gen_crd.admission.objects.error_origins import find_error_place  # noqa: PLC0415 - most documents are as they should be

        place = find_error_place(error, schema, case.object)
        rule = f"the rule is defined at {self._format_place(place)}" if place else ""
        quotes = suggest_type(error.message)
        return " ".join(filter(None, (f"{quotes};" if quotes and rule else quotes or _suggest_enum_value(error), rule)))

    def _make_field_hint(self, case: DocumentCase, error: Cause, schema: Schema) -> str:
        """Suggest quotes for a value of the wrong type, or a similar name for an unknown field and the known fields."""
        from protoc_gen_crd.documents.unknown_field_hints import find_misplaced, make_field_hint  # noqa: PLC0415

        if error.type == BAD_REQUEST:
            return find_decoding_hint(error.message)
        steps = find_unknown_field(case, error.message)
        if len(steps) == 2 and steps[0] == "metadata":
            name = str(steps[1])
            return find_misplaced(name, ("metadata",), schema) or suggest(name, METADATA_STRUCTS[OBJECT_META])
        return make_field_hint(schema, steps, self._format_place)

    def _find_matching_versions(self, case: DocumentCase, failure: ExpectationFailure) -> frozenset[int]:
        """Return all supported versions that reject the document or report the expected error."""
        definition = self.definitions.get_for_all_versions(case)
        requested_minors = sorted(definition.minors & set(case.expectation.minors))
        return frozenset(
            minor
            for verdict in self._get_verdicts(definition, case, requested_minors)
            if (verdict.causes if failure.missing_text is None else failure.missing_text in verdict.message)
            for minor in verdict.minors
        )

    def _get_verdicts(
        self, definition: CrdDefinition, case: DocumentCase, requested_minors: Sequence[int]
    ) -> Iterable[Verdict]:
        return definition.validate(
            case.object, self.definitions.old_state.find_object(case), requested_minors, status=case.expectation.status
        )


def _suggest_enum_value(error: Cause) -> str:
    """Return a hint for a misspelled value of an enum, empty for another error."""
    is_string = error.type == NOT_SUPPORTED and isinstance(error.value, str)
    values = re.findall('"([^"]*)"', error.detail) if is_string else []
    return did_you_mean(find_nearest(str(error.value), values, _ENUM_LIKENESS))


def _make_crd_hint(error: Cause | None, verdicts: Sequence[Verdict]) -> str:
    crd = next((verdict.object for verdict in verdicts if verdict.object is not None), None)
    field = match_unknown_field(crd, error.message) if crd and error else None
    return field.make_hint() if field else find_decoding_hint(error.message) if error else ""


def _make_skip_notes(case: DocumentCase, skipped: str) -> tuple[Finding, ...]:
    """Return the note on a document that is not an object. Unknown kinds are reported once for all documents."""
    missing = [key for key, value in (("apiVersion", case.version), ("kind", case.kind)) if not value]
    message = f"document without {' and '.join(missing)} is skipped"
    return (Finding(SKIP_RULE, message, case.at, case.name),) if skipped == NO_OBJECT else ()


def _report_unchecked(case: DocumentCase, skipped: str) -> Iterator[Finding]:
    """Report a test document that is skipped although it has expectation keys or must be rejected."""
    keys = case.expectation.keys
    if skipped in _UNCHECKED and (keys or case.expectation.is_rejected):
        reason, hint = _UNCHECKED[skipped]
        at = case.get_place(keys[:1], key=True) if keys else case.at
        yield Finding(
            "document-unvalidated", f"test document {case.name} is not validated: {reason}", at, case.name, hint
        )


def _make_version_hint(failure: ExpectationFailure, reporting_minors: frozenset[int], *, strictly: bool) -> str:
    if strictly:
        return "API servers report this error only for documents without unknown fields"
    verb = "rejected" if failure.missing_text is None else "reported"
    return f"it is {verb} by Kubernetes {format_minors(sorted(reporting_minors))}" if reporting_minors else ""
