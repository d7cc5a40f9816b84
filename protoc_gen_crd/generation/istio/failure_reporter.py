"""Reporter of the finding `istio-rejected`: the Go plugin fails without output, or cannot read a file."""

from __future__ import annotations

from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.generation.istio.istio_descriptions import is_fatal
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.source_locations import ElementPlace

_SYNTAX = 12  # number of `syntax` in a file descriptor, with which protoc locates the statement `edition`


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


def check_files(api: ApiSet, failures: FailureReporter) -> None:
    """Report files with which protoc does not run the plugin, or on which it crashes.

    protoc and buf run plugins on files with an edition only if they declare support. Imported files can have one.
    proto3's `optional` is accepted: protoc rejects the plugin's response, but buf only warns.
    """
    for file in api.list_targets():
        if file.syntax == "editions":
            failures.report(
                "a file with an edition: protoc runs only plugins that support editions on it",
                ElementPlace(file.source, (_SYNTAX,)),
            )
    for file in (*api.list_targets(), *api.list_imports()):
        for path, comment in file.source.leading.items():
            if is_fatal(comment):
                failures.report("a comment that ends in $class (it crashes)", ElementPlace(file.source, path))
