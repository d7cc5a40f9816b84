"""Lists of files with their digests in the form of sha256sum, so that people can check them without this tool."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping

MANIFEST = ".protoc-gen-crd.sum"  # of an output folder
RELEASES = "checksums.txt"  # the list that a history of releases has

_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def compute_digest(data: bytes) -> str:
    """The digest of a file's content."""
    return hashlib.sha256(data).hexdigest()


def read_sums(text: str) -> Iterator[tuple[int, str, str, str]]:
    """Of each line but comments: its number, the line, file name and digest, which are empty if it has none."""
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.fullmatch(line)
        if match or (line and not line.startswith("#")):
            yield number, line, match[2] if match else "", match[1] if match else ""


def write_sums(comment: str, entries: Mapping[str, str]) -> bytes:
    """The list below a comment, in the order of the entries, which are digests by file name."""
    return (f"# {comment}\n" + "".join(f"{each}  {name}\n" for name, each in entries.items())).encode()
