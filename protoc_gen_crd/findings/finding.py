"""Findings, their locations, and their collector.

A rule id names the kind of finding; its default severity and documentation are in
`protoc_gen_crd/findings/*.md` and are read only when there is something to report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Any, Protocol

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest

MAX_SUGGESTION_SEARCHES = 200


class Severity(IntEnum):
    """Severity of a finding, in rising order."""

    OFF = 0
    NOTE = 1
    WARNING = 2
    ERROR = 3


class Location(Record):
    """A location in a file: the name as the user wrote it, line and column from 1; 0 if unknown."""

    file: str
    line: int = 0
    column: int = 0

    def resolve(self) -> Location:
        """Return the location itself."""
        return self

    def find_owner(self) -> str:
        """Return an empty name, since a location has no element."""
        return ""

    def __str__(self) -> str:
        parts = [self.file, *(str(number) for number in (self.line, self.column) if number)]
        return ":".join(parts)


class Place(Protocol):
    """The origin of an element, resolved only when a finding needs it."""

    def resolve(self) -> Location:
        """Return the location of the element."""

    def find_owner(self) -> str:
        """Return the full name of the element at this place, empty if unknown."""


class PlacesOnDemand(Mapping[str, Place]):
    """Places by name that only findings read. The function that returns them is called when the first is read."""

    __slots__ = ("_find", "_places")

    def __init__(self, find: Callable[[], Mapping[str, Place]]) -> None:
        self._find = find
        self._places: Mapping[str, Place] | None = None

    def _get_places(self) -> Mapping[str, Place]:
        if self._places is None:
            self._places = self._find()
        return self._places

    def __getitem__(self, name: str) -> Place:
        return self._get_places()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._get_places())

    def __len__(self) -> int:
        return len(self._get_places())


class Excerpt(Record):
    """A string such as a CEL rule, with the part to mark: column from 0 and width, in characters."""

    text: str
    column: int = 0
    width: int = 1


class Finding(Record):
    """One finding: rule id, message that describes the problem, place, and a hint that describes how to fix it.

    `path` is the proto full name or the object path that the finding is about (the key of accepted
    findings in the settings). `severity` None means the rule's own default. `details` are further members in JSON.
    `related` is another place that the finding is about, such as that of a removed element in the old API. `aliases`
    are further rules by which settings may refer to the finding at its path; a final "*" matches any end. `is_first` is
    true for a finding that reports put in front of all others.
    """

    rule: str
    message: str
    at: Place | None = None
    path: str = ""
    hint: str = ""
    excerpt: Excerpt | None = None
    severity: Severity | None = None
    details: Mapping[str, Any] = {}
    related: Place | None = None
    aliases: tuple[str, ...] = ()
    is_first: bool = False

    def has_rule(self, rule: str) -> bool:
        """Return whether a rule is the rule of the finding or an alias of it."""
        prefixes = (alias.removesuffix("*") for alias in self.aliases if alias.endswith("*"))
        return rule == self.rule or rule in self.aliases or any(map(rule.startswith, prefixes))


class Problems:
    """The collector of findings. User errors are reported here and never raised."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self._searches = 0

    def report(
        self, rule: str, message: str, at: Place | None = None, *, path: str = "", hint: str = "",
        excerpt: Excerpt | None = None, severity: Severity | None = None,
    ) -> None:  # fmt: skip
        """Add one finding.

        Args:
            rule: The rule id, which the catalog declares.
            message: What is wrong.
            at: Its place, resolved only if the finding is shown.
            path: The full name of the proto element or the path of the object, which suppressions name.
            hint: What to do about it.
            excerpt: The string with the problem, if it is not the source line itself.
            severity: The severity, if it differs from that of the catalog.
        """
        self.findings.append(Finding(rule, message, at, path, hint, excerpt, severity))

    def suggest(self, name: str, known: Iterable[str]) -> str:
        """Return a hint with the nearest known name, empty if none is near."""
        return did_you_mean(self.nearest(name, known))

    def nearest(self, name: str, known: Iterable[str]) -> str | None:
        """Return the known name nearest to an unknown one, None if none is near.

        A search takes time, and a report does not show the last of many mistakes, so searches are limited.
        """
        self._searches += 1
        return find_nearest(name, known) if self._searches <= MAX_SUGGESTION_SEARCHES else None
