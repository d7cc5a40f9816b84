"""Markers in comments that belong to no element: those that a request tells of, and those that protoc drops.

The latter stand in the text of a file alone, which is at hand where the file lies on disk under its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.base.diagnostics import Location, Place
from protoc_gen_crd.base.render.sources import counted
from protoc_gen_crd.markers.comments import marker_in, read_comment
from protoc_gen_crd.markers.slips import has_effect
from protoc_gen_crd.proto.locations import PACKAGE_PATH, ElementPlace, Path
from protoc_gen_crd.proto.model import File

# What stands below files, messages and enums, by the numbers of descriptor.proto, as far as it may have markers.
_BELOW: Mapping[str, Mapping[int, str]] = {
    "file": {4: "message", 5: "enum"},
    "message": {2: "field", 3: "message", 4: "enum", 8: "oneof"},
    "enum": {2: "value"},
}

BEHIND, DETACHED = "behind one", "with a blank line below"

Lost = tuple[str, Place, str]


def lost_markers(file: File) -> Iterator[Lost]:
    """The markers of a file that no element owns, each with its place, and what that is."""
    for lost in file.source.lost:
        if lost.trailing or lost.path != PACKAGE_PATH:
            for line in read_comment(lost.text, ElementPlace(file.source, lost.path)).markers:
                column = lost.column + 2 + line.at.column if lost.column else 0
                at = Location(file.name, lost.line + line.at.line, column)
                if line.text[0] == "+" and has_effect(line.name):
                    yield line.text, at, BEHIND if lost.trailing else DETACHED
    for path, text in file.source.leading.items():
        if "+" in text and path != PACKAGE_PATH and not _is_element(path):
            for line in read_comment(text, ElementPlace(file.source, path)).markers:
                if line.text[0] == "+" and has_effect(line.name):
                    yield line.text, line.at, "above a statement that takes none"


def dropped_markers(file: File, lines: Sequence[str]) -> Iterator[Lost]:
    """The markers of a file that the request does not tell of; none where its text is another one than was compiled."""
    text = "\n".join(lines)
    if "+" not in text:
        return
    from protoc_gen_crd.proto.gaps import outline  # noqa: PLC0415 - the text is seldom at hand

    read = outline(text)
    if (read.first, read.last) != file.source.extent():
        return
    told = Counter(
        (line, marker)
        for line, comment in file.source.comments()
        if "+" in comment
        for part in comment.split("\n")
        if (marker := marker_in(part))
    )
    found: list[Lost] = []
    for gap in read.gaps:
        marker = marker_in(gap.text)
        key = next((key for line in (gap.before, gap.behind) if told[key := (line, marker)]), None)
        if key:
            told[key] -= 1
        elif marker:
            column = counted(lines[gap.line - 1], gap.column + gap.text.index("+"))
            found.append((marker, Location(file.name, gap.line, column), gap.where))
    if not told.total():
        yield from found


def _is_element(path: Path) -> bool:
    kind = "file"
    for number in path[::2]:
        kind = _BELOW.get(kind, {}).get(number, "")
    return bool(kind) and len(path) % 2 == 0
