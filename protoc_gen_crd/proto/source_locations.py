"""Locations of elements and comments in SourceCodeInfo, by descriptor path. They are resolved on demand.

Source: descriptor.proto, message SourceCodeInfo.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, SourceCodeInfo

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.utf8 import decode
from protoc_gen_crd.findings.finding import Location

Path = tuple[int, ...]
PACKAGE_PATH: Path = (FileDescriptorProto.PACKAGE_FIELD_NUMBER,)
SYNTAX_PATH: Path = (FileDescriptorProto.SYNTAX_FIELD_NUMBER,)
_BLOCKS = (
    FileDescriptorProto.MESSAGE_TYPE_FIELD_NUMBER,
    FileDescriptorProto.ENUM_TYPE_FIELD_NUMBER,
    FileDescriptorProto.SERVICE_FIELD_NUMBER,
)
_INNER_BLOCKS = (
    DescriptorProto.NESTED_TYPE_FIELD_NUMBER,
    DescriptorProto.ENUM_TYPE_FIELD_NUMBER,
    DescriptorProto.ONEOF_DECL_FIELD_NUMBER,
)


class UnattachedComment(Record):
    """A comment that belongs to no element: after the element at `path`, or above it and a blank line.

    `line` and `column` locate its first line, as exactly as the request allows. The column after an element is 0.
    """

    path: Path
    text: str
    trailing: bool
    line: int
    column: int


class SourceMap:
    """The places and comments of a file. Without source info, there are no comments, and places are the file.

    Locations contain `shown_name`, by default the name of the file. Paths and spans are copied by slices: an iteration
    of a repeated field ends with an exception, which takes most of the time.
    """

    def __init__(self, file: FileDescriptorProto, shown_name: str = "") -> None:
        self.file = file.name
        self._shown_name = shown_name or file.name
        self._file = file
        self._info = file.source_code_info
        self._spans: dict[Path, tuple[int, int]] = {}
        self._depth = 0  # length of the longest path that `_spans` contains; most paths are longer
        self._lines: dict[Path, int] = {}
        self.leading: dict[Path, str] = {}
        self._trailing: dict[Path, tuple[str, int]] = {}
        self._detached: dict[Path, tuple[str, ...]] = {}
        self._edges: list[tuple[int, int]] = []
        self.lost: list[UnattachedComment] = []
        self.garbled: list[Path] = []  # elements whose comments are not UTF-8
        for location in self._info.location[:]:
            comment = location.leading_comments
            if comment:
                path = tuple(location.path[:])
                self.leading.setdefault(path, comment if type(comment) is str else self._decode_comment(comment, path))
            if location.trailing_comments or location.leading_detached_comments:
                self._record_unattached(location)

    @property
    def has_source_info(self) -> bool:
        """True if the request contains source info of the file."""
        return bool(self._info.location)

    def _record_unattached(self, location: SourceCodeInfo.Location) -> None:
        """Record the comments that belong to no element, if they can contain a marker."""
        path, span = tuple(location.path[:]), location.span if len(location.span) > 2 else (0, 0, 0)
        trailing = self._decode_comment(location.trailing_comments, path)
        end = span[0] if _is_block(path) else _get_last_line(span)
        if trailing:
            self._trailing.setdefault(path, (trailing, end))
        if "+" in trailing:
            self.lost.append(UnattachedComment(path, trailing, trailing=True, line=end + 1, column=0))
        line = span[0] + 1 - _count_lines(self.leading.get(path, ""))
        detached = [self._decode_comment(comment, path) for comment in location.leading_detached_comments[:]]
        if detached:
            self._detached.setdefault(path, tuple(detached))
        for text in reversed(detached):
            line -= 1 + _count_lines(text)
            if "+" in text:
                self.lost.append(UnattachedComment(path, text, trailing=False, line=max(line, 1), column=span[1] + 1))

    def _decode_comment(self, comment: str | bytes, path: Path) -> str:
        """Return a comment as a string. protobuf returns bytes for invalid UTF-8, despite its type hints."""
        if isinstance(comment, str):
            return comment
        self.garbled.append(path)
        return decode(comment)

    def get_trailing_comment(self, path: Path) -> str:
        """Return the comment on the line where an element ends, or where its block starts; empty if there is none.

        In a request, a comment below that line, such as a field that is commented out, looks the same. The number of
        lines decides: a comment below needs its own lines, and a blank line if another element follows.
        """
        text, end = self._trailing.get(path, ("", 0))
        if not text:
            return ""
        from bisect import bisect_left  # noqa: PLC0415 - few elements have a trailing comment

        if not self._edges:
            self._edges = sorted(self._find_edges().items()) or [(0, 0)]
        line, room = self._edges[bisect_left(self._edges, (end + 1, 0), hi=len(self._edges) - 1)]
        return text if line - end <= _count_lines(text) + room else ""

    def _find_edges(self) -> dict[int, int]:
        """Return the lines where an element with its comments starts, with 1, or where elements only end, with 0."""
        spans = [(location, location.span) for location in self._info.location if len(location.span) > 2]
        edges = {_get_last_line(span): 0 for _, span in spans}
        for location, span in spans:
            detached = sum(1 + _count_lines(str(comment)) for comment in location.leading_detached_comments)
            edges[span[0] - detached - _count_lines(str(location.leading_comments))] = 1
        return edges

    def list_comments(self) -> Iterator[tuple[int, str]]:
        """Yield every comment after the line, from 1, of the first token of its element."""
        for location in self._info.location:
            for comment in (location.leading_comments, location.trailing_comments, *location.leading_detached_comments):
                if comment and location.span:
                    yield location.span[0] + 1, comment if isinstance(comment, str) else decode(comment)

    def find_extent(self) -> tuple[int, int]:
        """Return the lines, from 1, of the first and the last token of the file; (0, 0) if unknown."""
        spans = [location.span for location in self._info.location if not location.path]
        return (spans[0][0] + 1, _get_last_line(spans[0]) + 1) if spans and len(spans[0]) > 2 else (0, 0)

    def get_detached_comments(self, path: Path) -> tuple[str, ...]:
        """Return the detached comments before an element."""
        return self._detached.get(path, ())

    def find_location(self, path: Path) -> Location:
        """Return the place of the longest prefix of a path with a place: protoc and buf stop at different depths."""
        if self._depth < len(path):
            self._read_spans(len(path))
        for end in range(len(path), 0, -1):
            if path[:end] in self._spans:
                line, column = self._spans[path[:end]]
                return Location(self._shown_name, line + 1, column + 1)
        return Location(self._shown_name)

    def _read_spans(self, depth: int) -> None:
        """Read the spans of all paths up to a length."""
        for location in self._info.location:
            path = location.path
            if self._depth < len(path) <= depth:
                span = location.span[:]
                if len(span) > 1 and min(span) >= 0:
                    self._spans.setdefault(tuple(path[:]), (span[0], span[1]))
        self._depth = depth

    def find_owner(self, path: Path) -> str:
        """Return the full name of the element at a path, or of the innermost element around it."""
        node: Any = self._file
        names = [node.package] if node.package else []
        for number, index in zip(path[::2], path[1::2], strict=False):
            member = node.DESCRIPTOR.fields_by_number.get(number)
            if member is None or member.message_type is None or "name" not in member.message_type.fields_by_name:
                break
            node = getattr(node, member.name)[index]
            names.append(node.name)
        return ".".join([name if isinstance(name, str) else decode(name) for name in names])

    def count_comment_lines(self, path: Path) -> int:
        """Count the lines of the leading comment of an element."""
        count = self._lines.get(path)
        if count is None:
            count = self._lines[path] = _count_lines(self.leading.get(path, "\n"))
        return count


def _get_last_line(span: Sequence[int]) -> int:
    """Return the line of the end of a span. A span without it ends on the line of its start."""
    return span[2] if len(span) == 4 else span[0]


def _count_lines(comment: str) -> int:
    """Count the lines of a comment. A comment that starts like a block has a last line `*/` outside its text."""
    block = comment.endswith("\n") and comment[0] in "*\n" and len(comment) > 1
    return comment.count("\n") + bool(comment and not comment.endswith("\n")) + block


def _is_block(path: Path) -> bool:
    """Return whether trailing comments of an element are after its opening brace."""
    return path[0] in _BLOCKS if len(path) == 2 else len(path) > 2 and path[-2] in _INNER_BLOCKS


class ElementPlace:
    """The place of an element."""

    __slots__ = ("path", "source")

    def __init__(self, source: SourceMap, path: Path) -> None:
        self.source = source
        self.path = path

    def resolve(self) -> Location:
        """Return the start of the element's declaration."""
        return self.source.find_location(self.path)

    def find_owner(self) -> str:
        """Return the full name of the element."""
        return self.source.find_owner(self.path)

    def find_message(self) -> str:
        """Return the full name of the innermost message around the element, or of the element if there is none."""
        return self.source.find_owner(self.path[: self._find_message_end()])

    def get_path_in_message(self) -> Path:
        """Return the path of the element from the innermost message around it."""
        return self.path[self._find_message_end() :]

    def _find_message_end(self) -> int:
        end = 2
        while self.path[end : end + 1] == (DescriptorProto.NESTED_TYPE_FIELD_NUMBER,):
            end += 2
        return end

    def append(self, *steps: int) -> ElementPlace:
        """Return the place of a part of the element, such as an option statement."""
        return ElementPlace(self.source, (*self.path, *steps))


class CommentPlace:
    """The place of a line in an element's leading comment.

    The lines end directly above the element and start in its column. If the first line of `//` is empty, or text
    follows `/*` on its line, the line is off by one: the request does not distinguish the two.
    """

    __slots__ = ("column", "element", "line", "text")

    def __init__(self, element: ElementPlace, line: int, column: int, text: str = "") -> None:
        self.element = element
        self.line = line
        self.column = column
        self.text = text

    def resolve(self) -> Location:
        """Return the line and column of the text, as exactly as the request allows."""
        at = self.element.resolve()
        if not at.line:
            return at
        count = self.element.source.count_comment_lines(self.element.path)
        return Location(at.file, max(1, at.line - count + self.line), at.column + 2 + self.column)

    def find_owner(self) -> str:
        """Return the full name of the element with the comment."""
        return self.element.find_owner()
