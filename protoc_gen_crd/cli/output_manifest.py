"""The manifest of an output folder: the generated files and their digests.

It is a hidden file in the format of sha256sum, which kubectl and Helm ignore. A file that was edited or written by
somebody else has another digest or no line, and is never removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from protoc_gen_crd.base.checksums import MANIFEST, read_sums, write_sums
from protoc_gen_crd.base.file_names import is_below
from protoc_gen_crd.cli.output_folder import find_outside, read_content
from protoc_gen_crd.findings.finding import Location, Problems

MANIFEST_NAME = MANIFEST

_COMMENT = "Files written by protoc-gen-crd; --prune removes those that it no longer writes."


def read_manifest(folder: Path, problems: Problems) -> dict[str, str]:
    """Read the digests by file name; empty without a manifest. An invalid line is a finding."""
    entries: dict[str, str] = {}
    content = (read_content(folder / MANIFEST_NAME) or b"").decode("utf-8", "replace")
    sums = list(read_sums(content))
    outside = set(find_outside(folder, [name for _, _, name, _ in sums if name and is_below(name)]))
    for number, line, name, digest in sums:
        if name and is_below(name) and name not in outside:
            entries[name] = digest
        else:
            message = f'line {number} is not a digest and the name of a file below the folder: "{line}"'
            at = Location(str(folder / MANIFEST_NAME))  # the file is overwritten before the finding is printed
            problems.report("output-manifest", message, at)
    return entries


def format_manifest(entries: Mapping[str, str]) -> bytes:
    """Format the manifest of these digests by file name."""
    return write_sums(_COMMENT, dict(sorted(entries.items())))
