"""Members of options and comment markers in the text of .proto files, with what is needed to edit them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.proto.option_text_values import TextEntry, TextValue, read_text_format
from protoc_gen_crd.proto.source_elements import FILE, SourceElement, SourceFile
from protoc_gen_crd.proto.source_tokens import Token, tokenize

RESOURCE, SCHEMA, PACKAGE = "resource", "schema", "package"
SINCE, UNTIL = "since", "until"
VERSIONS = "versions"

_EXTENSION, _RESOURCE_EXTENSION = 62411, 62412  # options.proto
_MARKER = re.compile(r"\+(?=\S)[^\n]*")
_PREFIX = re.compile(r"(since|until)\(([^()]*)\):")
_CUE_TAG = re.compile(r"\+cue-gen:(?:[^:\n]*:)??(version|versions|storageVersion):[ \t]*")
_NATIVE = "+protoc-gen-crd:"
_CUE_NAMES = {"version": VERSIONS, "versions": VERSIONS, "storageVersion": "storage_version"}


class MarkerLine(Record):
    """A comment marker: its element, its offsets from the plus sign to the end of the line, and its text."""

    element: SourceElement
    start: int
    end: int
    text: str


class VersionMember(Record):
    """A member of an option or marker: the message that it belongs to (`root`), its names, its value and offsets.

    `start` and `end` are those of the value, with its quotes. `entries` are the entries around it, outermost first;
    `items` is the number of values if it is an item of a list. `holder` has the offsets of the option or marker line.
    """

    file: SourceFile
    element: SourceElement
    root: str
    names: tuple[str, ...]
    value: str
    start: int
    end: int
    quote: str
    entries: tuple[TextEntry, ...]
    items: int
    holder: tuple[int, int]
    is_line: bool = False
    is_prefix: bool = False

    @property
    def at(self) -> Location:
        """The place of the value."""
        return Location(self.file.path, *self.file.find_position(self.start))

    @property
    def is_whole(self) -> bool:
        """True for the range of an element, false for that of a part such as a rule."""
        return len(self.names) == 1 and not self.is_prefix

    @property
    def range_key(self) -> tuple[str, int]:
        """The common parts of the ends of a range."""
        if self.is_whole:
            return self.element.full_name, -1
        return self.element.full_name, self.holder[0] if self.is_prefix else self.entries[-2].start


def list_marker_lines(file: SourceFile, element: SourceElement) -> Iterator[MarkerLine]:
    """Yield the comment markers above an element."""
    for comment in element.comments:
        for start, end in _list_lines(comment):
            match = _MARKER.match(file.text, start, end)
            if match:
                text = match[0].rstrip()
                yield MarkerLine(element, start, start + len(text), text)


def _list_lines(comment: Token) -> Iterator[tuple[int, int]]:
    """Yield the start of the text of each line of a comment, and its end."""
    end = comment.end - 2 * comment.text.startswith("/*")
    for line in re.finditer(r"(?:^//|^/\*+|^[ \t]*\*?)[ \t]*([^\n]*)", comment.text, re.MULTILINE):
        yield comment.start + line.start(1), min(comment.start + line.end(1), end)


def list_members(file: SourceFile, names: Iterable[str] | None = None) -> Iterator[VersionMember]:
    """Yield the members of this tool's options and markers in a file, of the named elements or of all."""
    selected = None if names is None else frozenset(names)
    for element in file.elements.values():
        if selected is None or element.full_name in selected:
            yield from _list_option_members(file, element)
            for line in list_marker_lines(file, element):
                yield from _list_line_members(file, line)


def _list_option_members(file: SourceFile, element: SourceElement) -> Iterator[VersionMember]:
    for option in element.options:
        if option.path[0] in (_EXTENSION, _RESOURCE_EXTENSION):
            root = RESOURCE if option.path[0] == _RESOURCE_EXTENSION else PACKAGE if element.kind == FILE else SCHEMA
            for value in option.values:
                yield _make_member(file, element, root, value, (option.start, option.end))


def _make_member(
    file: SourceFile, element: SourceElement, root: str, value: TextValue, holder: tuple[int, int]
) -> VersionMember:
    return VersionMember(
        file, element, root, value.names, value.value, value.start, value.end, value.quote, value.entries, value.items,
        holder,
    )  # fmt: skip


def _list_line_members(file: SourceFile, line: MarkerLine) -> Iterator[VersionMember]:
    holder, text, at = (line.start, line.end), line.text, 1
    if text.startswith(_NATIVE):
        at = len(_NATIVE)
    elif match := _CUE_TAG.match(text):
        yield from _list_tag_members(file, line, (_CUE_NAMES[match[1]],), match.end())
        return
    elif text.startswith("+versionName="):
        yield from _list_bare_members(file, line, PACKAGE, ("version",), text.index("=") + 1)
        return
    while prefix := _PREFIX.match(text, at):
        start = line.start + prefix.start(2)
        entry = TextEntry((prefix[1],), *holder)
        yield VersionMember(
            file, line.element, SCHEMA, (prefix[1],), prefix[2], start, line.start + prefix.end(2), "", (entry,), 0,
            holder, is_line=True, is_prefix=True,
        )  # fmt: skip
        at = prefix.end()
    if text.startswith(_NATIVE):
        yield from _list_native_members(file, line, at)


def _list_native_members(file: SourceFile, line: MarkerLine, at: int) -> Iterator[VersionMember]:
    path, equals, _ = line.text[at:].partition("=")
    names = tuple(path.strip().split("."))
    root = PACKAGE if line.element.kind == FILE else SCHEMA
    if names[0] in (RESOURCE, PACKAGE):
        root, names = names[0], names[1:]
    if equals:
        yield from _list_bare_members(file, line, root, names, at + len(path) + 1)


def _list_bare_members(
    file: SourceFile, line: MarkerLine, root: str, names: tuple[str, ...], at: int
) -> Iterator[VersionMember]:
    """Yield the members of the value of a marker, which starts at an offset of its line."""
    values, _ = read_text_format(tokenize(file.text, line.start + at, line.end), names)
    for value in values:
        yield _make_member(file, line.element, root, value, (line.start, line.end)).replace(is_line=True)


def _list_tag_members(file: SourceFile, line: MarkerLine, names: tuple[str, ...], at: int) -> Iterator[VersionMember]:
    """Yield the versions in the value of a +cue-gen tag, which are separated by commas."""
    holder = line.start, line.end
    matches = list(re.finditer(r"[^\s,]+", line.text[at:]))
    for match in matches:
        start = line.start + at + match.start()
        entry = TextEntry(names, *holder)
        yield VersionMember(
            file, line.element, RESOURCE, names, match[0], start, start + len(match[0]), "", (entry,), len(matches),
            holder, is_line=True,
        )  # fmt: skip
