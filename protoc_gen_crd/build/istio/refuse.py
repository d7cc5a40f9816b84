"""The one finding of this room: the Go plugin stops here."""

from __future__ import annotations

from protoc_gen_crd.base.diagnostics import Excerpt, Place, Problems


class StopError(Exception):
    """The Go plugin ends here: the text completes "found ...", the place is that of the line, where there is one."""

    def __init__(self, reason: str, at: Place | None = None) -> None:
        super().__init__(reason)
        self.at = at


class Refusals:
    """Reports where the Go plugin would end without output."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def add(
        self, reason: str, at: Place | None, *, path: str = "", excerpt: Excerpt | None = None, hint: str = ""
    ) -> None:
        """The Go plugin refuses or crashes for this reason."""
        message = f"with compat=istio the input must be one that Istio's generator takes, found {reason}"
        self._problems.report("istio-refuses", message, at, path=path, hint=hint, excerpt=excerpt)
