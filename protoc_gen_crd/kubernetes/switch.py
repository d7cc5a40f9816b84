"""A difference between Kubernetes versions: the notation of `admission.switches` and `cel.versions`."""

from __future__ import annotations

UNLIMITED = 1000  # higher than any minor version


class Switch:
    """One named difference, on for minor versions `since` <= minor < `until`; compared by identity.

    `source` is the path in Kubernetes' or a library's code that the difference follows from.
    """

    __slots__ = ("name", "since", "source", "until")

    def __init__(self, name: str, since: int, source: str, until: int = UNLIMITED) -> None:
        self.name, self.since, self.source, self.until = name, since, source, until

    def is_on(self, minor: int) -> bool:
        """Return whether the switch is on in Kubernetes 1.<minor>."""
        return self.since <= minor < self.until

    def __repr__(self) -> str:
        return f"Switch({self.name})"
