"""For which versions of Kubernetes an answer holds that was worked out for one of them. Knows no difference itself."""

from __future__ import annotations

_NEVER = 1000


class Era:
    """The minor versions around `minor` for which all that was asked of it has the same answer.

    Whoever treats versions differently asks here, so that what was made for one can serve all others of its era.
    """

    __slots__ = ("first", "minor", "until")

    def __init__(self, minor: int) -> None:
        self.minor, self.first, self.until = minor, 0, _NEVER

    def since(self, minor: int) -> bool:
        """Whether the version is this one or newer."""
        if self.minor >= minor:
            self.narrow(minor, self.until)
            return True
        self.narrow(self.first, minor)
        return False

    def narrow(self, first: int, until: int) -> None:
        """The answer holds from one version to before another at most."""
        self.first, self.until = max(self.first, first), min(self.until, until)

    def holds(self, minor: int) -> bool:
        """Whether a version is of the era."""
        return self.first <= minor < self.until
