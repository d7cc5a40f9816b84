"""Notes of microversions: one Markdown file for each number, `GROUP/3.4.md`, whose first line is a title.

Two branches that allocate the same number add the same file, so that Git reports a conflict.
"""

from __future__ import annotations

import re
from keyword import iskeyword
from pathlib import Path

from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Place, Problems
from protoc_gen_crd.groups.group_model import ServiceGroup

_SUFFIX = ".md"
_WORDS = re.compile(r"[^A-Za-z0-9]+")
_RESERVED = frozenset(["MINIMUM", "MAXIMUM", "HEADER", "POOL"])  # of the module with the constants
_HINT = 'begin the note with a title, such as "# Volume metadata", and describe the change for users'


class NumberNote(Record):
    """A note of a microversion: its path, its title, and the Markdown text below the title."""

    number: str
    file: str
    title: str
    text: str

    @property
    def constant(self) -> str:
        """The name of the constant of the number: VOLUME_METADATA for the title "Volume metadata"."""
        return _WORDS.sub("_", self.title).strip("_").upper()


def get_note_path(folder: str, group: str, number: str) -> Path:
    """Return the path of the note of a number."""
    return Path(folder, group, f"{number}{_SUFFIX}")


def read_number_notes(folder: str, group: ServiceGroup, problems: Problems) -> dict[str, NumberNote]:
    """Return the notes of a group of microversions by number, and report those that are not valid.

    Missing notes are reported if there is a folder of notes of the group.
    """
    notes: dict[str, NumberNote] = {}
    for version in group.versions:
        note = _read_note(get_note_path(folder, group.name, version.name), version.name, problems)
        if note is not None:
            notes[version.name] = note
    _check_constants(notes, problems)
    if Path(folder, group.name).is_dir():
        report_missing_notes(folder, group, notes, group.versions[-1].service.at, problems)
        _report_unknown_notes(Path(folder, group.name), group, problems)
    return notes


def report_missing_notes(
    folder: str, group: ServiceGroup, notes: dict[str, NumberNote], at: Place | None, problems: Problems
) -> None:
    """Report the numbers without a note at the place of the group."""
    for version in group.versions:
        path = get_note_path(folder, group.name, version.name)
        if version.name not in notes and not path.exists():
            problem = f'microversion {version.name} of "{group.name}" has no note'
            hint = f'describe the change for users in "{path}"'
            problems.report("microversion-note", problem, at, path=group.name, hint=hint)


def _read_note(path: Path, number: str, problems: Problems) -> NumberNote | None:
    if not path.exists():
        return None
    at: Place = Location(str(path))
    try:
        first, _, rest = read_text(path).strip().partition("\n")
    except (OSError, ValueError) as error:
        problems.report("microversion-note", f'cannot read the note "{path}": {error}', at)
        return None
    note = NumberNote(number, str(path), first.removeprefix("#").strip(), rest.strip())
    if not first.startswith("# ") or not note.constant[:1].isalpha():
        problems.report("microversion-note", f'note "{path}" has no title', at, hint=_HINT)
        return None
    if not note.text:
        problems.report("microversion-note", f'note "{path}" has only a title', at, hint=_HINT)
    return note


def _check_constants(notes: dict[str, NumberNote], problems: Problems) -> None:
    """Report titles whose constants are reserved or have another number, too."""
    numbers: dict[str, str] = {}
    for note in notes.values():
        other = numbers.setdefault(note.constant, note.number)
        if other != note.number or note.constant in _RESERVED or iskeyword(note.constant):
            reason = f"microversion {other} has the same" if other != note.number else "it is reserved"
            problem = f'title "{note.title}" has the constant {note.constant}: {reason}'
            problems.report("microversion-note", problem, Location(note.file), hint="choose another title")


def _report_unknown_notes(folder: Path, group: ServiceGroup, problems: Problems) -> None:
    """Report notes of numbers above the maximum. Those below the minimum remain as the history."""
    numbers = [version.name for version in group.versions]
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        number = path.name.removesuffix(_SUFFIX)
        parts = [int(part) if part.isdecimal() else -1 for part in number.split(".")]
        newest = [int(part) for part in numbers[-1].split(".")]
        if number not in numbers and (len(parts) != 2 or -1 in parts or parts > newest) and number != "README":
            problem = f'note "{path}" is not about a microversion of "{group.name}"'
            hint = f"raise the maximum {numbers[-1]}, or remove the note"
            problems.report("microversion-note", problem, Location(str(path)), hint=hint)
