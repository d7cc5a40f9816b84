"""The finding `istio-rejected`: the Go plugin stops without output."""

from __future__ import annotations

from protoc_gen_crd.findings.finding import Excerpt, Place, Problems


class PluginStopError(Exception):
    """The Go plugin stops here. The reason completes "fails: ...", the place is that of the line if there is one."""

    def __init__(self, reason: str, at: Place | None = None) -> None:
        super().__init__(reason)
        self.at = at


class RefusalReporter:
    """Reports where the Go plugin would end without output."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def report(
        self, reason: str, at: Place | None, *, path: str = "", excerpt: Excerpt | None = None, hint: str = ""
    ) -> None:
        """The Go plugin refuses or crashes for this reason."""
        message = f"Istio's generator fails: {reason}"
        self._problems.report("istio-rejected", message, at, path=path, hint=hint, excerpt=excerpt)
