"""Interface of external validators, which accept or reject documents with a message."""

from __future__ import annotations

import json
from typing import Any, Protocol

from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.record import Record

Json = dict[str, Any]


class ValidatorError(Exception):
    """The validator gave no valid answer. The message is for the user."""


class ValidationRequest(Record):
    """A document; the defaulted and pruned object that API servers send to webhooks; the plural name of its kind."""

    document: Json
    admitted_object: Json
    plural: str = ""


class ValidatorOptions(Record):
    """Options of the connection: the time limit for an answer in seconds, and the trusted certificates."""

    timeout: int = 10
    ca_file: str = ""
    insecure: bool = False


class ExternalValidator(Protocol):
    """A validator of documents."""

    def validate(self, request: ValidationRequest) -> Verdict:
        """Validate a document. Raises ValidatorError if there is no valid answer."""

    def close(self) -> None:
        """Release the resources."""


def parse_verdict(line: Any) -> Verdict:
    """Parse an answer: an object with the boolean `allowed` and optionally `message`. Raises ValidatorError."""
    allowed = line.get("allowed") if isinstance(line, dict) else None
    message = line.get("message", "") if isinstance(line, dict) else ""
    if not isinstance(allowed, bool) or not isinstance(message, str):
        raise ValidatorError(f'answer is not {{"allowed": true or false, "message": string}}: {shorten(line)}')
    return Verdict(causes=() if allowed else (Cause(detail=message),))


def shorten(value: Any) -> str:
    """Format a value on one line of a message, shortened."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= 100 else f"{text[:100]}..."
