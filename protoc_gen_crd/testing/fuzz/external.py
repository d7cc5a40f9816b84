"""What an external validator is: it says of a document whether it is allowed, and why not."""

from __future__ import annotations

import json
from typing import Any, Protocol

from protoc_gen_crd.base.record import Record

Json = dict[str, Any]


class ValidatorError(Exception):
    """The validator gave no answer; the text is for the user."""


class Asked(Record):
    """A document, the same as servers show it to webhooks, defaulted and pruned, and the plural name of its kind."""

    document: Json
    seen: Json
    resource: str = ""


class Answered(Record):
    """What the validator says."""

    allowed: bool
    message: str = ""


class Access(Record):
    """How the validator is reached: how long an answer may take, and whom to trust."""

    timeout: int = 10
    ca_file: str = ""
    insecure: bool = False


class External(Protocol):
    """A validator that is asked again and again."""

    def ask(self, asked: Asked) -> Answered:
        """What it says. Raises ValidatorError."""

    def close(self) -> None:
        """Let go of what it holds."""


def external(against: str, access: Access) -> External:
    """The validator behind a command line or an http or https address. Raises ValueError for neither."""
    if against.startswith(("http://", "https://")):
        from protoc_gen_crd.testing.fuzz.webhook import Webhook  # noqa: PLC0415 - one of the two is wanted

        return Webhook(against, access)
    from protoc_gen_crd.testing.fuzz.command import Command  # noqa: PLC0415

    return Command(against, access)


def answered(line: Any) -> Answered:
    """An answer from JSON data: an object with allowed, true or false, and perhaps message. Raises ValidatorError."""
    found = line.get("allowed") if isinstance(line, dict) else None
    message = line.get("message", "") if isinstance(line, dict) else ""
    if not isinstance(found, bool) or not isinstance(message, str):
        raise ValidatorError(f'it must answer {{"allowed": true or false, "message": text}}, found {short(line)}')
    return Answered(found, message)


def short(value: Any) -> str:
    """A value in a line of a message."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    return text if len(text) <= 100 else f"{text[:100]}..."
