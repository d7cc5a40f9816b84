"""Checksum files in the format of sha256sum, which users can check without this tool."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

MANIFEST = ".protoc-gen-crd.sum"  # the checksum file of an output folder
RELEASES = "checksums.txt"  # the checksum file of a history of releases

_LINE = r"([0-9a-f]{64})  (.+)"


def compute_digest(data: bytes) -> str:
    """Return the SHA-256 digest of the content of a file."""
    import hashlib  # noqa: PLC0415 - it takes longer than most runs that only read checksum files

    return hashlib.sha256(data).hexdigest()


def read_sums(content: str) -> Iterator[tuple[int, str, str, str]]:
    """Yield the number, content, file name and digest of each line but comments; empty names in invalid lines."""
    for number, line in enumerate(content.splitlines(), start=1):
        match = re.fullmatch(_LINE, line)
        if match or (line and not line.startswith("#")):
            yield number, line, match[2] if match else "", match[1] if match else ""


def write_sums(comment: str, entries: Mapping[str, str]) -> bytes:
    """Format a comment and the entries, which are digests by file name, in their order."""
    return (f"# {comment}\n" + "".join(f"{digest}  {name}\n" for name, digest in entries.items())).encode()
