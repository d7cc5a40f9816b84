"""Output files and the option `header`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator

from protoc_gen_crd.base.escapes import yaml_comment
from protoc_gen_crd.base.record import Record


class DerivedParts:
    """Parts of a large file that are generated whenever they are read, instead of staying in memory."""

    def __init__(self, generate: Callable[[], Iterable[str]]) -> None:
        self._generate = generate

    def __iter__(self) -> Iterator[str]:
        return iter(self._generate())


class OutputFile(Record):
    """A file to write: its name below the output folder, with slashes, and its content in parts.

    A file that `is_written_once` belongs to the user once it exists.
    """

    name: str
    parts: tuple[str, ...] | list[str] | DerivedParts  # not any sequence, since a string is one
    is_written_once: bool = False

    @property
    def text(self) -> str:
        """The content. The plugin writes the parts instead: a large file would be in memory twice."""
        return "".join(self.parts)

    def encode(self) -> bytes:
        """Return the content as bytes, without a second copy in memory."""
        data = io.BytesIO()
        for part in self.parts:
            data.write(part.encode())
        return data.getvalue()


def format_header(header: str) -> str:
    """Format the option `header` as YAML comments."""
    return "".join([f"# {yaml_comment(line)}".rstrip() + "\n" for line in header.splitlines()])
