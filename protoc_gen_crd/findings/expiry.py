"""The ends of suppressions: the last day or the last release for which they are effective."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import TYPE_CHECKING

from protoc_gen_crd.kubernetes.version_ranges import parse_release

if TYPE_CHECKING:
    from protoc_gen_crd.findings.severity_policy import PolicyEntry


def is_limit(value: str) -> bool:
    """Return whether a value of `until` is a day (YYYY-MM-DD) or a release."""
    return parse_release(value) is not None or _is_day(value)


def _is_day(value: str) -> bool:
    try:
        return datetime.date.fromisoformat(value).isoformat() == value
    except ValueError:
        return False


def is_expired(until: str, release: str, today: str) -> bool:
    """Return whether a suppression has ended: it is effective through its last day (YYYY-MM-DD) or its last release.

    Without a known release, a suppression that ends with a release is effective.
    """
    last, current = parse_release(until), parse_release(release)
    if last is not None:
        return current is not None and current > last
    return bool(until) and today > until


def mark_expired(entries: Iterable[PolicyEntry], release: str, today: str = "") -> tuple[PolicyEntry, ...]:
    """Return the entries, with those marked that have ended.

    Args:
        entries: The entries of the settings.
        release: The release that the run is for, empty if unknown.
        today: The day, YYYY-MM-DD; by default the current one in UTC.
    """
    today = today or datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return tuple(
        [
            entry.replace(is_expired=is_expired(entry.until, release, today)) if entry.until else entry
            for entry in entries
        ]
    )
