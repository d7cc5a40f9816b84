"""Which files of an output folder are ours: those that the manifest lists with the digest they still have.

The manifest is a hidden file in the form of sha256sum, so that kubectl and Helm pass over it and people can check it.
A file that was edited, or that somebody else wrote, has another digest or no line, and is never removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.filenames import is_below
from protoc_gen_crd.base.sums import MANIFEST, read_sums, write_sums
from protoc_gen_crd.cli.folder import content, leaves

NAME = MANIFEST

_COMMENT = "Files written by protoc-gen-crd; --prune removes those that it no longer writes."


def read_manifest(folder: Path, problems: Problems) -> dict[str, str]:
    """Digests by file name; empty where there is no manifest. A line that is none of ours is a finding."""
    entries: dict[str, str] = {}
    text = (content(folder / NAME) or b"").decode("utf-8", "replace")
    for number, line, name, digest in read_sums(text):
        if name and is_below(name) and not leaves(folder, name):
            entries[name] = digest
        else:
            wanted = f"line {number} must be a digest and the name of a file below the folder"
            at = Location(str(folder / NAME))  # the file is written anew before the finding is shown
            problems.report("output-manifest", f'{wanted}, found "{line}"', at)
    return entries


def manifest(entries: Mapping[str, str]) -> bytes:
    """The manifest of these digests by file name."""
    return write_sums(_COMMENT, dict(sorted(entries.items())))
