"""The deprecation policy: periods in months and releases, by stability level or channel.

Kubernetes' deprecation policy has the same periods for alpha and beta versions (rule 4a). It forbids the removal of GA
versions within a major version, and of elements from any version (rule 1). The period of stable versions here is that
of older texts of rule 4a.

Source: https://kubernetes.io/docs/reference/using-api/deprecation-policy/
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.kubernetes.version_ranges import get_next_release

STAGES = ("alpha", "beta", "stable")


class Term(Record):
    """A period: a number of months or a number of releases, whichever is longer."""

    months: int
    releases: int

    def __str__(self) -> str:
        parts = ((self.months, "month"), (self.releases, "release"))
        return " and ".join(f"{number} {unit}{'s' * (number != 1)}" for number, unit in parts if number)


class Removal(Record):
    """The first release and date (YYYY-MM-DD) for a removal; empty where there is no limit."""

    release: str = ""
    date: str = ""

    def __str__(self) -> str:
        if not self.release:
            return f"on or after {self.date}" if self.date else "at any time"
        return f"in {self.release} or later{f', but not before {self.date}' if self.date else ''}"


def is_element(name: str) -> bool:
    """Return whether a name in a policy is that of an element, not of a stage or channel."""
    return "/" in name or "." in name


POLICY: Mapping[str, Term] = {"alpha": Term(0, 0), "beta": Term(9, 3), "stable": Term(12, 3)}


class DeprecationPolicy:
    """The policy for a sequence of releases and their dates, oldest first.

    `policy` is by stage, by channel, or by element: `group/Kind`, `group/Kind.v1`, or `group/Kind.v1.spec.color`, and
    for groups of gRPC services `group.v1` or `group.v1.Service.Rpc`.
    """

    def __init__(
        self, releases: Sequence[tuple[str, str]], policy: Mapping[str, Term], channels: Sequence[str]
    ) -> None:
        self._releases = list(releases)
        self._policy = {**POLICY, **policy}
        self.channels = channels

    def add_elements(self, elements: Iterable[tuple[str, Term]]) -> DeprecationPolicy:
        """Return the policy with the periods of further elements; those of the settings take precedence."""
        return DeprecationPolicy(self._releases, {**dict(elements), **self._policy}, self.channels)

    def find_term(self, version: str, channel: str = "", element: str = "") -> Term:
        """Return the deprecation period of an element in an API version and channel.

        The period of the element itself or of the nearest one around it comes first. Later channels have none by
        default.
        """
        around = [name for name in self._policy if is_element(name) and f"{element}.".startswith(f"{name}.")]
        if around:
            return self._policy[max(around, key=len)]
        parsed = parse_version(version)
        term = self._policy[STAGES[parsed[1]] if parsed else "stable"]
        if not channel or channel in self.channels[:1]:
            return term
        own = self._policy.get(channel, Term(0, 0))
        return Term(min(term.months, own.months), min(term.releases, own.releases))

    def find_earliest_removal(self, announced: str, version: str, channel: str = "", element: str = "") -> Removal:
        """Return the earliest removal of an element.

        Args:
            announced: The first release in which the element is deprecated.
            version: The API version of the element, which decides the stability level.
            channel: The release channel of the element, empty for the default one.
            element: The path of the element, for periods of single elements; empty for the period of the version.

        Raises:
            ValueError: The policy does not include the release.
        """
        term = self.find_term(version, channel, element)
        names = [name for name, _ in self._releases]
        at = names.index(announced)
        day = _add_months(self._releases[at][1], term.months) if term.months else ""
        return Removal(_find_release(names[at:], term.releases) if term.releases else "", day)


def _find_release(names: Sequence[str], index: int) -> str:
    """Return the release at an index, which can be one after the last name."""
    return names[index] if index < len(names) else get_next_release(names[-1], index - len(names) + 1)


def _add_months(day: str, months: int) -> str:
    """Return the same day some months later, or the last day of that month. Dates are YYYY-MM-DD.

    No day is after the last one of the year 9999.
    """
    start = date.fromisoformat(day)
    years, month = divmod(start.month - 1 + months, 12)
    if start.year + years > date.max.year:
        return date.max.isoformat()
    for last in (start.day, 30, 29, 28):
        try:
            return date(start.year + years, month + 1, min(start.day, last)).isoformat()
        except ValueError:
            continue
    raise ValueError(day)
