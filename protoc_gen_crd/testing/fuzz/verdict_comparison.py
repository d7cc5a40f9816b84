"""Comparison of the verdicts of API servers and of an external validator on a document."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from protoc_gen_crd.admission.field_errors import RULES_NOT_CHECKED, Cause
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.testing.fuzz.external_validator import ExternalValidator, Json, ValidationRequest

_VALUES = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|\[[^\]]*\]|[-+]?[0-9][0-9.e+]*')
_NOT_VALIDATED = "not judged: "


class VerdictDifference(Record):
    """A document with different verdicts, and the reasons of the rejection without values."""

    document: Json
    verdict: Verdict
    external_verdict: Verdict
    reasons: frozenset[str]

    @property
    def is_rejected(self) -> bool:
        """True if API servers reject the document."""
        return not self.verdict.accepted

    def can_explain(self, other: VerdictDifference) -> bool:
        """Return whether another document differs for at least the same reasons."""
        return self.is_rejected is other.is_rejected and self.reasons <= other.reasons

    @property
    def size(self) -> tuple[int, int, str]:
        """The key to minimize: first the number of reasons, then the size of the document."""
        message = json.dumps(self.document, sort_keys=True)
        return len(self.reasons), len(message), message


class VerdictComparer:
    """Compares the verdicts on each document once. With `strict`, unknown fields are errors."""

    def __init__(self, external: ExternalValidator, minor: int, *, strict: bool) -> None:
        self.request_count = self.response_count = 0
        self._external, self._minor, self._strict = external, minor, strict
        self._differences: dict[str, VerdictDifference | None] = {}

    def __call__(self, document: Json, definition: CrdDefinition) -> VerdictDifference | None:
        """Return the difference on a document, None if both agree. Raises ValidatorError if there is no answer."""
        key = json.dumps(document, sort_keys=True)
        if key not in self._differences:
            self._differences[key] = self._compare(document, definition)
        return self._differences[key]

    def _compare(self, document: Json, definition: CrdDefinition) -> VerdictDifference | None:
        (verdict,) = definition.validate(document, None, (self._minor,), status=False)
        if any(error.message.startswith(_NOT_VALIDATED) for error in verdict.causes):
            return None
        if self._strict:
            verdict = verdict.replace(causes=(*verdict.unknown_fields, *verdict.causes))
        resource = definition.crd.names.plural if definition.crd else ""
        self.request_count += 1
        external_verdict = self._external.validate(
            ValidationRequest(document, document if verdict.object is None else verdict.object, resource)
        )
        self.response_count += 1
        if external_verdict.accepted is verdict.accepted:
            return None
        return VerdictDifference(
            document,
            verdict,
            external_verdict,
            _collect_our_reasons(verdict.causes)
            if not verdict.accepted
            else _split_external_reasons(external_verdict.message),
        )


def _collect_our_reasons(errors: Sequence[Cause]) -> frozenset[str]:
    """Return our errors as reasons, without errors that only follow from others."""
    reasons = frozenset(
        _mask_values(f"{error.type} {error.path} {error.detail}")
        for error in errors
        if RULES_NOT_CHECKED not in error.message
    )
    return reasons or frozenset((RULES_NOT_CHECKED,))


def _split_external_reasons(message: str) -> frozenset[str]:
    """Split the message of the validator into reasons."""
    return frozenset(re.split("[,;\n]+ *", _mask_values(message)))


def _mask_values(message: str) -> str:
    return _VALUES.sub("#", message)
