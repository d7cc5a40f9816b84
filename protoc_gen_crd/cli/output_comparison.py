"""Comparison of generated files with an output folder: changed, outdated, and stale files."""

from __future__ import annotations

import difflib
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from protoc_gen_crd.base.checksums import compute_digest
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cli.output_folder import find_outside, read_content
from protoc_gen_crd.cli.output_manifest import MANIFEST_NAME, read_manifest
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.emit.output_names import report_invalid_names
from protoc_gen_crd.findings.finding import Location, Problems

NO_FILES: Mapping[str, bytes] = {}
_STALE = "stale file: it is no longer generated"


class Delivery(Record):
    """The work in an output folder: all files, the changed ones, and stale ones to remove."""

    folder: Path
    contents: Mapping[str, bytes]
    changed_files: Mapping[str, bytes | None]
    stale_files: tuple[str, ...]
    manifest: Mapping[str, str]
    written_once: frozenset[str] = frozenset()  # files that belong to the user once they exist


def plan_delivery(
    folder: Path,
    files: Sequence[OutputFile],
    problems: Problems,
    handwritten_names: Collection[str] = (),
    generated_files: Mapping[str, bytes] = NO_FILES,
) -> Delivery | None:
    """Compare the files with the folder; None, with findings, if a file cannot be written or would be outside."""
    names = [file.name for file in files]
    if report_invalid_names(names, problems):
        return None
    bad = find_outside(folder, [*names, MANIFEST_NAME])
    for name in bad:
        place = os.path.relpath(os.path.realpath(folder / name), os.path.realpath(folder))
        message = f'file "{name}" is outside the output folder "{folder}": it resolves to {place}'
        problems.report("output-outside", message)
    if MANIFEST_NAME in names:
        message = f'file name "{MANIFEST_NAME}" is reserved for the manifest'
        problems.report("output-repeated", message)
    if bad or MANIFEST_NAME in names:
        return None
    once = {file.name for file in files if file.is_written_once}
    contents = {
        file.name: file.encode()
        for file in files
        if not file.is_written_once or read_content(folder / file.name) is None
    }
    changed = {name: old for name, data in contents.items() if (old := read_content(folder / name)) != data}
    unlisted = {name: compute_digest(data) for name, data in generated_files.items() if name not in contents}
    known = {**unlisted, **read_manifest(folder, problems)}
    leftovers = [
        name for name in known if name not in contents and name not in handwritten_names and (folder / name).is_file()
    ]
    return Delivery(folder, contents, changed, tuple(sorted(leftovers)), known, frozenset(once))


def check_delivery(delivery: Delivery, problems: Problems, command: str = "generate") -> Iterator[str]:
    """Report outdated and stale files; yields the lines of a diff."""
    for name, old in delivery.changed_files.items():
        path = str(delivery.folder / name)
        message, hint = _describe_old_file(old, delivery.contents[name])
        hint = hint or f"run `protoc-gen-crd {command}`"
        problems.report("output-stale", message, Location(path), hint=hint)
        yield from _make_diff(path, old, delivery.contents[name])
    for name in delivery.stale_files:
        hint = f"{_explain_absence(delivery)}run `protoc-gen-crd {command} --prune` to remove it"
        problems.report("output-stale", _STALE, Location(str(delivery.folder / name)), hint=hint)


def _explain_absence(delivery: Delivery) -> str:
    """Return the start of a hint: if nothing is generated, a mistake is more likely than a removal."""
    return "" if delivery.contents else "if nothing shall be generated any more, "


def _make_diff(path: str, old: bytes | None, new: bytes) -> Iterator[str]:
    source = "/dev/null" if old is None else path
    yield from difflib.unified_diff(_split_lines(old or b""), _split_lines(new), source, path, lineterm="")


def _split_lines(data: bytes) -> list[str]:
    """Split a file into lines for a diff; carriage returns and a missing final line break are made visible."""
    lines = data.decode("utf-8", "replace").replace("\r", "^M").split("\n")
    last = lines.pop()
    return [*lines, last, "\\ No newline at end of file"] if last else lines


def _describe_old_file(old: bytes | None, new: bytes) -> tuple[str, str]:
    """Return how a file on disk differs, and a hint if the command alone does not help."""
    if old is None:
        return "file does not exist", ""
    if old.replace(b"\r\n", b"\n") != new:
        return "file is out of date", ""
    return "file has other line endings", "git's core.autocrlf changes them: set *.yaml eol=lf in .gitattributes"


def report_stale_files(delivery: Delivery, problems: Problems, *, prune: bool) -> Iterator[tuple[str, str]]:
    """Report stale files that stay, and yield their digests."""
    for name in delivery.stale_files:
        path = delivery.folder / name
        edited = compute_digest(read_content(path) or b"") != delivery.manifest[name]
        if edited or not prune:
            hint = "remove it by hand" if edited else f"{_explain_absence(delivery)}--prune removes it"
            message = _STALE + (", but was edited" if edited else "")
            problems.report("output-leftover", message, Location(str(path)), hint=hint)
            yield name, delivery.manifest[name]
