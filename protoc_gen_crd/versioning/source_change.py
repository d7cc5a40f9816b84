"""A change of source files: edits of files, new files and removed ones, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from protoc_gen_crd.base.text_edits import TextEdit, apply_edits
from protoc_gen_crd.proto.source_elements import SourceFile


class SourceChange:
    """The new contents of files by path; None for a removed file. `notes` are steps that are left to people."""

    def __init__(self) -> None:
        self._edits: dict[str, tuple[str, list[TextEdit]]] = {}
        self._contents: dict[str, bytes | None] = {}
        self.notes: list[str] = []

    def edit(self, file: SourceFile, edits: Iterable[TextEdit]) -> None:
        """Add edits of a .proto file."""
        new_edits = list(edits)
        if new_edits:
            self._edits.setdefault(file.path, (file.text, []))[1].extend(new_edits)

    def write(self, path: str, content: bytes) -> None:
        """Add a new file, or replace the content of one."""
        self._contents[path] = content

    def remove(self, path: str) -> None:
        """Add the removal of a file."""
        self._contents[path] = None

    def get_content(self, path: str, before: bytes) -> bytes:
        """Return the content of a file after the change so far."""
        content = self._contents.get(path)
        return before if content is None else content

    @property
    def contents(self) -> Mapping[str, bytes | None]:
        """The new contents of all changed files by path."""
        edited = {
            path: apply_edits(text, edits).encode(errors="surrogateescape")
            for path, (text, edits) in self._edits.items()
        }
        return {**{path: data for path, data in edited.items() if path not in self._contents}, **self._contents}
