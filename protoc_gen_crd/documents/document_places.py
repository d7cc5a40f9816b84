"""Reader of the places of a document that were not kept."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.documents.document_files import read_content
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.findings.finding import Location, Problems


class PlaceReader:
    """The places of the only object of a file. The first request reads the file again.

    Shortcut reread-places: places are a function of the content of the file and of the version of Kubernetes. They take
    as much memory as the schema of a CRD, and only those of changed CRDs are shown. If the file has changed since, all
    places are the start of the object.
    """

    def __init__(self, case: DocumentCase, data: bytes, minor: int) -> None:
        self._at, self._key, self._minor = case.at, hash(data), minor
        self._case: DocumentCase | None = None
        self._is_read = False

    def get_place(self, path: Sequence[str | int], *, key: bool = False) -> Location:
        """Return the place of a path of the object, or of its key."""
        if not self._is_read:
            self._is_read, self._case = True, self._read()
        return self._case.get_place(tuple(path), key=key) if self._case else self._at

    def _read(self) -> DocumentCase | None:
        data = read_content(self._at.file, Problems())
        cases = read_cases(data, self._at.file, Problems(), self._minor) if hash(data) == self._key else []
        return drop_values(cases[0]) if len(cases) == 1 else None


def drop_values(case: DocumentCase) -> DocumentCase:
    """Return a case with its places only, for less memory."""
    return case.replace(source_object={}, object={}, document=case.document.replace(value=None))
