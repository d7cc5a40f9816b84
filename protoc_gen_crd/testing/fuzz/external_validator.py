"""What an external validator is: it says of a document whether it is allowed, and why not."""

from __future__ import annotations

import json
from typing import Any, Protocol

from protoc_gen_crd.base.record import Record

Json = dict[str, Any]


class ValidatorError(Exception):
    """The validator gave no answer; the text is for the user."""


class ValidationRequest(Record):
    """A document, the same as servers show it to webhooks, defaulted and pruned, and the plural name of its kind."""

    document: Json
    admitted_object: Json
    plural: str = ""


class ExternalVerdict(Record):
    """What the validator says."""

    allowed: bool
    message: str = ""


class ValidatorOptions(Record):
    """How the validator is reached: how long an answer may take, and whom to trust."""

    timeout: int = 10
    ca_file: str = ""
    insecure: bool = False


class ExternalValidator(Protocol):
    """A validator that is asked again and again."""

    def validate(self, request: ValidationRequest) -> ExternalVerdict:
        """What it says. Raises ValidatorError."""

    def close(self) -> None:
        """Let go of what it holds."""


def parse_verdict(line: Any) -> ExternalVerdict:
    """An answer from JSON data: an object with allowed, true or false, and perhaps message. Raises ValidatorError."""
    found = line.get("allowed") if isinstance(line, dict) else None
    message = line.get("message", "") if isinstance(line, dict) else ""
    if not isinstance(found, bool) or not isinstance(message, str):
        raise ValidatorError(f'it must answer {{"allowed": true or false, "message": text}}, found {shorten(line)}')
    return ExternalVerdict(found, message)


def shorten(value: Any) -> str:
    """A value in a line of a message."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= 100 else f"{text[:100]}..."
