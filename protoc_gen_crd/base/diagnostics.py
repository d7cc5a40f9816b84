"""Findings: what they hold, where they stand, and the sink that collects them.

A rule id names the kind of finding; its default severity and documentation stand in
`protoc_gen_crd/findings/*.md` and are read only when there is something to report.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Protocol

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion

MOST_SEARCHES = 200


class Severity(IntEnum):
    """How bad a finding is, in rising order."""

    OFF = 0
    NOTE = 1
    WARNING = 2
    ERROR = 3


class Location(Record):
    """A place in a text: file name as the user knows it, line and column from 1; 0 where unknown."""

    file: str
    line: int = 0
    column: int = 0

    def resolve(self) -> Location:
        """Itself: a location is its own place."""
        return self

    def owner(self) -> str:
        """A plain place knows no element."""
        return ""

    def __str__(self) -> str:
        parts = [self.file, *(str(number) for number in (self.line, self.column) if number)]
        return ":".join(parts)


class Place(Protocol):
    """Where something came from; worked out only when a finding needs it."""

    def resolve(self) -> Location:
        """The place in its text."""

    def owner(self) -> str:
        """The full name of the element that stands there, empty where none is known."""


class Excerpt(Record):
    """A text in hand, such as a CEL rule, and what a caret should point at: column from 0, width in characters."""

    text: str
    column: int = 0
    width: int = 1


class Finding(Record):
    """One finding: rule id, message in the form "requirement, found what", place, and what to do about it.

    `path` is the proto full name or the object path that the finding is about (the key of accepted
    findings in the settings). `severity` None means the rule's own default.
    """

    rule: str
    message: str
    at: Place | None = None
    path: str = ""
    hint: str = ""
    excerpt: Excerpt | None = None
    severity: Severity | None = None


class Problems:
    """The collecting sink that every pass is handed. Nothing is raised for a user's mistake."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._searches = 0

    def report(
        self, rule: str, message: str, at: Place | None = None, *, path: str = "", hint: str = "",
        excerpt: Excerpt | None = None, severity: Severity | None = None,
    ) -> None:  # fmt: skip
        """Add one finding."""
        self.findings.append(Finding(rule, message, at, path, hint, excerpt, severity))

    def suggestion(self, name: str, known: Iterable[str]) -> str:
        """A hint for a name that is none of possibly thousands: as `registry.suggestion`, but not for ever.

        A search takes time, and of so many mistakes no report shows the last.
        """
        self._searches += 1
        return suggestion(name, known) if self._searches <= MOST_SEARCHES else ""
