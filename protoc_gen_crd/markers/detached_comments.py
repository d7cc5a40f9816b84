"""Detection of markers in comments that belong to no element: in a request, and in comments that protoc drops.

Dropped comments are only in the source file, which can be read if it is on disk under its name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.findings.finding import Location, Place
from protoc_gen_crd.findings.source_lines import count_protoc_columns
from protoc_gen_crd.markers.comment_parser import MarkerLine, find_marker, read_comment
from protoc_gen_crd.markers.marker_recognition import is_effective_name
from protoc_gen_crd.proto.element_model import File
from protoc_gen_crd.proto.source_locations import PACKAGE_PATH, ElementPlace, Path

# The elements of files, messages, and enums that can have markers, by field numbers of descriptor.proto.
_BELOW: Mapping[str, Mapping[int, str]] = {
    "file": {4: "message", 5: "enum", 6: "service"},
    "message": {2: "field", 3: "message", 4: "enum", 8: "oneof"},
    "enum": {2: "value"},
    "service": {2: "method"},
}

BEHIND, DETACHED = "in a comment after an element", "in a comment above a blank line"
EMBEDDED = "after other text in a comment after an element"

UnattachedMarker = tuple[str, Place, str]


def list_unattached_markers(file: File) -> Iterator[UnattachedMarker]:
    """List the markers of a file that belong to no element, each with its place and a description of the place."""
    for comment in file.source.lost:
        if comment.trailing or comment.path != PACKAGE_PATH:
            for line in _read_effective_lines(comment.text, file, comment.path):
                column = comment.column + 2 + line.at.column if comment.column else 0
                at = Location(file.name, comment.line + line.at.line, column)
                if comment.trailing:
                    yield line.text, at, EMBEDDED if line.is_embedded else BEHIND
                elif not line.is_embedded:
                    yield line.text, at, DETACHED
    for path, text in file.source.leading.items():
        if "+" in text and path != PACKAGE_PATH and not _is_element(path):
            for line in _read_effective_lines(text, file, path):
                if not line.is_embedded:
                    yield line.text, line.at, "above a statement that has no markers"


def _read_effective_lines(comment: str, file: File, path: Path) -> Iterator[MarkerLine]:
    """Yield the lines of a comment that have an effect above an element."""
    for line in read_comment(comment, ElementPlace(file.source, path)).markers:
        if line.text[0] == "+" and is_effective_name(line.suspected_name):
            yield line


def list_dropped_markers(file: File, lines: Sequence[str]) -> Iterator[UnattachedMarker]:
    """List the markers in the lines of a file that are not in the request; none if the compiled file differs."""
    content = "\n".join(lines)
    if "+" not in content:
        return
    from protoc_gen_crd.proto.comment_outline import read_outline  # noqa: PLC0415 - the source file is rarely available

    outline = read_outline(content)
    if (outline.first, outline.last) != file.source.find_extent():
        return
    compiled = Counter(
        (line, marker)
        for line, comment in file.source.list_comments()
        if "+" in comment
        for part in comment.split("\n")
        if (marker := find_marker(part))
    )
    markers: list[UnattachedMarker] = []
    for gap in outline.gaps:
        marker = find_marker(gap.text)
        key = next((key for line in (gap.before, gap.after) if compiled[key := (line, marker)]), None)
        if key:
            compiled[key] -= 1
        elif marker:
            column = count_protoc_columns(lines[gap.line - 1], gap.column + gap.text.index("+"))
            markers.append((marker, Location(file.name, gap.line, column), gap.where))
    if not compiled.total():
        yield from markers


def _is_element(path: Path) -> bool:
    kind = "file"
    for number in path[::2]:
        kind = _BELOW.get(kind, {}).get(number, "")
    return bool(kind) and len(path) % 2 == 0
