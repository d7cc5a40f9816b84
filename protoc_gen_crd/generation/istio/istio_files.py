"""Check for files that the Go plugin cannot read."""

from __future__ import annotations

from protoc_gen_crd.generation.istio.failure_reporter import FailureReporter
from protoc_gen_crd.generation.istio.istio_descriptions import is_fatal
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.source_locations import ElementPlace

_SYNTAX = 12  # number of `syntax` in a file descriptor, with which protoc locates the statement `edition`


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
