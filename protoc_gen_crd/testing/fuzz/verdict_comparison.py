"""One document put to API servers as we know them and to an external validator: whether they agree."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from protoc_gen_crd.admission.verdicts import VerdictError, VersionVerdict
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.testing.expectation_failures import RULES_NOT_CHECKED
from protoc_gen_crd.testing.fuzz.external_validator import ExternalValidator, ExternalVerdict, Json, ValidationRequest

_VALUES = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'|\[[^\]]*\]|[-+]?[0-9][0-9.e+]*')
_NOT_VALIDATED = "not judged: "


class VerdictDifference(Record):
    """A document on which the two disagree, and the reasons of the one that refuses it, without values."""

    document: Json
    verdict: VersionVerdict
    external_verdict: ExternalVerdict
    reasons: frozenset[str]

    @property
    def is_rejected(self) -> bool:
        """Whether API servers refuse the document."""
        return bool(self.verdict.errors)

    def can_explain(self, other: VerdictDifference) -> bool:
        """Whether another document differs for the same reasons, and perhaps more."""
        return self.is_rejected is other.is_rejected and self.reasons <= other.reasons

    @property
    def size(self) -> tuple[int, int, str]:
        """What is to be small: first how much is wrong, then the document."""
        text = json.dumps(self.document, sort_keys=True)
        return len(self.reasons), len(text), text


class VerdictComparer:
    """Asks both, each document once. `unknown_fields` refuses unknown fields."""

    def __init__(self, external: ExternalValidator, minor: int, *, strict: bool) -> None:
        self.request_count = self.response_count = 0
        self._external, self._minor, self._strict = external, minor, strict
        self._differences: dict[str, VerdictDifference | None] = {}

    def __call__(self, document: Json, definition: CrdDefinition) -> VerdictDifference | None:
        """How they differ on a document, None where they agree. Raises ValidatorError."""
        key = json.dumps(document, sort_keys=True)
        if key not in self._differences:
            self._differences[key] = self._compare(document, definition)
        return self._differences[key]

    def _compare(self, document: Json, definition: CrdDefinition) -> VerdictDifference | None:
        (ours,) = definition.validate(document, None, (self._minor,), status=False)
        if any(said.text.startswith(_NOT_VALIDATED) for said in ours.errors):
            return None
        if self._strict:
            ours = ours.replace(errors=(*map(VerdictError, ours.unknown_fields), *ours.errors))
        resource = definition.crd.names.plural if definition.crd else ""
        self.request_count += 1
        theirs = self._external.validate(
            ValidationRequest(document, document if ours.returned_object is None else ours.returned_object, resource)
        )
        self.response_count += 1
        if theirs.allowed is not bool(ours.errors):
            return None
        return VerdictDifference(
            document,
            ours,
            theirs,
            _collect_our_reasons(ours.errors) if ours.errors else _split_external_reasons(theirs.message),
        )


def _collect_our_reasons(errors: Sequence[VerdictError]) -> frozenset[str]:
    """Our errors; one that only follows from others says nothing."""
    reasons = frozenset(_mask_values(_format_error(said)) for said in errors if RULES_NOT_CHECKED not in said.text)
    return reasons or frozenset((RULES_NOT_CHECKED,))


def _format_error(said: VerdictError) -> str:
    error = said.error
    return said.text if error is None else f"{error.type} {error.path} {error.detail}"


def _split_external_reasons(message: str) -> frozenset[str]:
    """Theirs, as far as they can be told apart."""
    return frozenset(re.split("[,;\n]+ *", _mask_values(message)))


def _mask_values(text: str) -> str:
    return _VALUES.sub("#", text)
