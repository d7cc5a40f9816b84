"""The CRDs of one side by the text of their documents, so that the other side does not read the same text again."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.schema.known_structs import KnownStructs
from protoc_gen_crd.schema.schema_decoder import PROPS, copy_schema
from protoc_gen_crd.yaml.document_stream import blank_documents, can_be_json, split_documents
from protoc_gen_crd.yaml.go_yaml.events import ReadError
from protoc_gen_crd.yaml.go_yaml.similar_documents import SimilarDocuments


class KnownCrds:
    """CRDs by the hash of their documents.

    The documents are also in `similar`, for other documents that are nearly the same, and the schemas of their equal
    blocks in `structs`.

    A CRD of the other side has the places of this side. They are never shown: a CRD with the same text has no changes.
    """

    def __init__(self) -> None:
        self._crds: dict[tuple[int, int], Crd] = {}
        self.similar = SimilarDocuments()
        self.structs = KnownStructs(PROPS, copy_schema)

    def add(self, data: bytes, decoded: Iterable[tuple[DocumentCase, Crd]]) -> None:
        """Add the CRDs of a YAML file that are a document each."""
        by_line = {case.document.line: crd for case, crd in decoded if not case.prefix}
        if not can_be_json(data):
            documents = ((line, text) for line, text in split_documents(data) if line + 1 in by_line)
            self._crds |= {_make_key(text): by_line[line + 1] for line, text in documents}

    def take(self, data: bytes) -> tuple[bytes, list[Crd]]:
        """Return the rest of a file, with the same line numbers, and its CRDs that are known."""
        taken: list[Crd] = []

        def is_known(text: bytes) -> bool:
            crd = self._crds.get(_make_key(text))
            taken.extend([crd] if crd else ())
            return crd is not None

        try:
            rest = data if can_be_json(data) or not self._crds else blank_documents(data, is_known)
        except ReadError:
            return data, []
        return rest, taken


def _make_key(text: bytes) -> tuple[int, int]:
    """Return the length and the hash of 64 bits; the import of hashlib takes longer than to hash the documents."""
    return len(text), hash(text)
