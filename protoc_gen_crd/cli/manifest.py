"""Which files of an output folder are ours: those that the manifest lists with the digest they still have.

The manifest is a hidden file in the form of sha256sum, so that kubectl and Helm pass over it and people can check it.
A file that was edited, or that somebody else wrote, has another digest or no line, and is never removed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.cli.folder import content, leaves
from protoc_gen_crd.emit.names import is_below

NAME = ".protoc-gen-crd.sum"

_COMMENT = "# Files written by protoc-gen-crd generate; --prune removes those that it no longer writes.\n"
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


def digest(data: bytes) -> str:
    """The digest of a file's content."""
    return hashlib.sha256(data).hexdigest()


def read_manifest(folder: Path, problems: Problems) -> dict[str, str]:
    """Digests by file name; empty where there is no manifest. A line that is none of ours is a finding."""
    entries: dict[str, str] = {}
    text = (content(folder / NAME) or b"").decode("utf-8", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        match = _LINE.fullmatch(line)
        if match and is_below(match[2]) and not leaves(folder, match[2]):
            entries[match[2]] = match[1]
        elif line and not line.startswith("#"):
            wanted = f"line {number} must be a digest and the name of a file below the folder"
            at = Location(str(folder / NAME))  # the file is written anew before the finding is shown
            problems.report("output-manifest", f'{wanted}, found "{line}"', at)
    return entries


def manifest(entries: Mapping[str, str]) -> bytes:
    """The manifest of these digests by file name."""
    return (_COMMENT + "".join(f"{entries[name]}  {name}\n" for name in sorted(entries))).encode()
