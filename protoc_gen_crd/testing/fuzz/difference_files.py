"""Differences as test documents that `validate` reads, with what API servers say of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

from protoc_gen_crd.admission.verdicts import VersionVerdict
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.documents.document_cases import read_cases
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.testing.case_runner import CaseResult
from protoc_gen_crd.testing.expectation_failures import RULES_NOT_CHECKED
from protoc_gen_crd.testing.expected_errors import find_missing_errors
from protoc_gen_crd.testing.fuzz.external_validator import shorten
from protoc_gen_crd.testing.fuzz.verdict_comparison import VerdictDifference
from protoc_gen_crd.yaml import writer

_UNKNOWN_FIELD = re.compile(r'unknown field "(.*)"', re.DOTALL)


def make_file_name(difference: VerdictDifference) -> str:
    """The name of its file, which says whether the document is valid."""
    document = difference.document
    version = str(document["apiVersion"]).rpartition("/")[2]
    digest = sha256(difference.size[2].encode()).hexdigest()[:8]
    return f"{document['kind'].lower()}-{version}-{digest}-{'invalid' if difference.is_rejected else 'valid'}.yaml"


def format_document(difference: VerdictDifference, definition: CrdDefinition) -> str:
    """The test document: what the versions that are asked say in common, and a comment on what the validator says."""
    theirs = difference.external_verdict
    said = "accepts it" if theirs.allowed else f"refuses it: {_format_comment(theirs.message) or 'it does not say why'}"
    return f"# An external validator {said}\n{writer.dump(dict(_make_keys(difference, definition)))}"


def _format_comment(text: str) -> str:
    return shorten(re.sub("[^ -~]", " ", text))


def _make_keys(difference: VerdictDifference, definition: CrdDefinition) -> Iterator[tuple[str, Any]]:
    document, ours = difference.document, difference.verdict
    texts = _find_common_errors(difference, definition) if ours.errors else []
    if len(texts) == 1:
        yield "_err", texts[0]
    elif texts:
        yield "_errs", texts
    unknown = [found[1] for text in ours.unknown_fields if (found := _UNKNOWN_FIELD.fullmatch(text))]
    if unknown and not ours.errors:
        yield "_unknown", unknown
    yield from document.items()


def _find_common_errors(difference: VerdictDifference, definition: CrdDefinition) -> list[str]:
    """What all versions that the CRD is asked for say."""
    minors = sorted(definition.minors)
    answers: tuple[VersionVerdict, ...] = tuple(definition.validate(difference.document, None, minors, status=False))
    text = writer.dump({"_err": None, **difference.document}).encode()
    (case,) = read_cases(text, "", Problems())
    texts = find_missing_errors(case, CaseResult(case.name, case.at, verdicts=answers))
    return [text for text in texts if RULES_NOT_CHECKED not in text] or texts
