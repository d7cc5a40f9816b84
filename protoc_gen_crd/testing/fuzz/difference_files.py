"""Writer of differences as test documents for `validate`, with the verdict of API servers as expectation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from protoc_gen_crd.admission.field_errors import RULES_NOT_CHECKED
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.documents.document_reader import read_cases
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.testing.case_runner import CaseResult
from protoc_gen_crd.testing.fuzz.external_validator import shorten
from protoc_gen_crd.testing.fuzz.verdict_comparison import VerdictDifference
from protoc_gen_crd.testing.missing_error_insertion import find_missing_errors
from protoc_gen_crd.yaml import writer

_UNKNOWN_FIELD = re.compile(r'unknown field "(.*)"', re.DOTALL)


def make_file_name(difference: VerdictDifference) -> str:
    """Return the name of the file of a difference. Its suffix is the expected verdict."""
    document = difference.document
    version = str(document["apiVersion"]).rpartition("/")[2]
    digest = sha256(difference.size[2].encode()).hexdigest()[:8]
    return f"{document['kind'].lower()}-{version}-{digest}-{'invalid' if difference.is_rejected else 'valid'}.yaml"


def format_document(difference: VerdictDifference, definition: CrdDefinition) -> str:
    """Format the test document: the errors that all Kubernetes versions report, and a comment on the other verdict."""
    external = difference.external_verdict
    outcome = (
        "accepts it" if external.accepted else f"rejects it: {_format_comment(external.message) or 'no reason given'}"
    )
    return f"# An external validator {outcome}\n{writer.dump_document(dict(_make_keys(difference, definition)))}"


def _format_comment(message: str) -> str:
    return shorten(re.sub("[^ -~]", " ", message))


def _make_keys(difference: VerdictDifference, definition: CrdDefinition) -> Iterator[tuple[str, Any]]:
    document, verdict = difference.document, difference.verdict
    errors = _find_common_errors(difference, definition) if verdict.causes else []
    if len(errors) == 1:
        yield "_err", errors[0]
    elif errors:
        yield "_errs", errors
    unknown = [match[1] for cause in verdict.unknown_fields if (match := _UNKNOWN_FIELD.fullmatch(cause.detail))]
    if unknown and not verdict.causes:
        yield "_unknown", unknown
    yield from document.items()


def _find_common_errors(difference: VerdictDifference, definition: CrdDefinition) -> list[str]:
    """Return the errors that all versions of the CRD report."""
    minors = sorted(definition.minors)
    verdicts: tuple[Verdict, ...] = tuple(definition.validate(difference.document, None, minors, status=False))
    content = writer.dump_document({"_err": None, **difference.document}).encode()
    (case,) = read_cases(content, "", Problems())
    errors = find_missing_errors(case, CaseResult(case.name, case.at, verdicts=verdicts))
    return [content for content in errors if RULES_NOT_CHECKED not in content] or errors
