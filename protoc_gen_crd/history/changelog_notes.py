"""Changelog notes: a folder of Markdown files, one for each change, written by people and named after elements.

A file is named after an element (`Widget.md`, `Widget.spec.color.md`, `acme.example_Widget.v1.spec.color.md`) or after
an issue (`1234.md`); then its text names the elements in backquotes. A note on an element covers all elements in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.base.output_files import write_file
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Problems

FOLDER = "notes"  # of a release
_SUFFIX, _README = ".md", "README.md"
_INTRODUCTION = """# Changelog notes

Add a Markdown file for each change of the API. Name it after the element, such as `Widget.v1.spec.color.md`, or after
the issue. `protoc-gen-crd history record` moves the notes to the release. `protoc-gen-crd changes` requires a note for
each change while this folder exists.
"""
_CODE = re.compile("`([^`\n]+)`")


class ChangelogNote(Record):
    """A note: the path of its file, the names of the elements that it is about, and its Markdown text."""

    file: str
    elements: tuple[str, ...]
    text: str

    @property
    def name(self) -> str:
        """The name of the file without its folder."""
        return Path(self.file).name

    def covers(self, kind: str, version: str, path: str) -> bool:
        """Return whether the note is about an element, or about one that contains it; `kind` is `group/Kind`."""
        names = [".".join(filter(None, parts)) for parts in ((version, path), (path,))]
        spellings = [
            f"{prefix}.{name}".rstrip(".").replace("[]", "").replace("{}", "")
            for prefix in (kind, kind.replace("/", "_"), kind.rpartition("/")[2])
            for name in names
        ]
        return any(
            spelling == element or spelling.startswith(f"{element}.")
            for element in self.elements
            for spelling in spellings
        )


def read_notes(folder: Path, problems: Problems) -> tuple[ChangelogNote, ...]:
    """Return the notes of a folder in the order of their names, and report files that cannot be read or are empty."""
    paths = sorted(folder.glob(f"*{_SUFFIX}")) if folder.is_dir() else []
    notes = [_read_note(path, problems) for path in paths if path.name != _README]
    return tuple([note for note in notes if note])


def _read_note(path: Path, problems: Problems) -> ChangelogNote | None:
    try:
        content = read_text(path).strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        problems.report("history-note", f'cannot read the note "{path}": {reason}', Location(str(path)))
        return None
    if not content:
        hint = "describe the change for users, or remove the file"
        problems.report("history-note", f'note "{path}" is empty', Location(str(path)), hint=hint)
        return None
    names = (path.name.removesuffix(_SUFFIX), *_CODE.findall(content))
    elements = tuple(dict.fromkeys(name.replace("[]", "").replace("{}", "") for name in names))
    return ChangelogNote(str(path), elements, content)


def remove_notes(folder: Path, notes: Sequence[ChangelogNote]) -> None:
    """Remove recorded notes. A folder without files gets a README.md, since Git does not keep empty folders."""
    for note in notes:
        Path(note.file).unlink()
    if folder.is_dir() and not any(folder.iterdir()):
        write_file(folder / _README, _INTRODUCTION.encode())


def format_notes(notes: Sequence[ChangelogNote]) -> Iterator[str]:
    """Yield the notes as items of a Markdown list; further lines are indented, so that they belong to the item."""
    for note in notes:
        first, *others = note.text.removeprefix("- ").splitlines()
        yield "\n".join([f"- {first}", *(f"  {line}".rstrip() for line in others)])
