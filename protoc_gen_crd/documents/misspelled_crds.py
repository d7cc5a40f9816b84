"""Errors of documents that are intended as CRDs, but have another kind or group, or no apiVersion."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from protoc_gen_crd.documents.crd_definitions import CrdDefinitions
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.unknown_kinds import UnknownKinds, resembles_crd
from protoc_gen_crd.findings.finding import Finding


def find_misspelled_crds(cases: Iterable[DocumentCase], skip_kinds: Sequence[str] = ()) -> Iterator[Finding]:
    """Yield the errors of documents that are intended as CRDs. Test documents and other manifests have none.

    Args:
        cases: The documents of files.
        skip_kinds: The setting of the same name: documents of these kinds have no error.
    """
    kinds = UnknownKinds(CrdDefinitions(()), skip_kinds, allowed=())
    intended = (case for case in cases if resembles_crd(case) and not case.has_expectation)
    yield from filter(None, map(kinds.find_error, intended))
