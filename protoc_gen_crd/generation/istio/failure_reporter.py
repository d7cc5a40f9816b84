"""Reporter of the finding `istio-rejected`: the Go plugin fails without output."""

from __future__ import annotations

from protoc_gen_crd.findings.finding import Excerpt, Place, Problems


class PluginStopError(Exception):
    """A failure of the Go plugin. The reason completes "fails: ..."; `at` is the place of the line, if known."""

    def __init__(self, reason: str, at: Place | None = None) -> None:
        super().__init__(reason)
        self.at = at


class FailureReporter:
    """Reports failures of the Go plugin."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def report(
        self, reason: str, at: Place | None, *, path: str = "", excerpt: Excerpt | None = None, hint: str = ""
    ) -> None:
        """Report that the Go plugin fails or crashes for this reason."""
        message = f"Istio's generator fails: {reason}"
        self._problems.report("istio-rejected", message, at, path=path, hint=hint, excerpt=excerpt)
