"""Files that the Go plugin cannot read."""

from __future__ import annotations

from protoc_gen_crd.generation.istio.istio_descriptions import is_fatal
from protoc_gen_crd.generation.istio.refusals import RefusalReporter
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.source_locations import ElementPlace

_SYNTAX = 12  # where protoc puts the statement `edition`


def check_files(api: ApiSet, refusals: RefusalReporter) -> None:
    """Report what ends a run before it starts.

    protoc and buf run no plugin on files with an edition unless it declares support. Imported files may have one.
    proto3's `optional` is accepted here: protoc rejects the plugin's response, but buf only warns.
    """
    for file in api.list_targets():
        if file.syntax == "editions":
            refusals.report(
                "a file with an edition: protoc runs only plugins that support editions on it",
                ElementPlace(file.source, (_SYNTAX,)),
            )
    for file in (*api.list_targets(), *api.list_imports()):
        for path, comment in file.source.leading.items():
            if is_fatal(comment):
                refusals.report("a comment that ends in $class (it crashes)", ElementPlace(file.source, path))
