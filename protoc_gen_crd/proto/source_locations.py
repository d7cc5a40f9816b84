"""SourceCodeInfo: descriptor paths to places. A place is worked out only when a finding needs it.

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
    """A comment that belongs to no element: behind the one at `path`, or above it with a blank line between.

    `line` and `column` are those of its first line, as near as the request tells; the column is 0 behind an element.
    """

    path: Path
    text: str
    trailing: bool
    line: int
    column: int


class SourceMap:
    """The places and comments of one file. Without source info there are no comments and places name the file only."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self.file = file.name
        self._file = file
        self._info = file.source_code_info
        self._spans: dict[Path, tuple[int, int]] | None = None
        self._lines: dict[Path, int] = {}
        self.leading: dict[Path, str] = {}
        self._behind: dict[Path, tuple[str, int]] = {}
        self._edges: list[tuple[int, int]] = []
        self.lost: list[UnattachedComment] = []
        self.garbled: list[Path] = []  # of elements whose comments are no UTF-8
        for location in self._info.location:
            comment = location.leading_comments
            if comment:
                path = tuple(location.path)
                self.leading.setdefault(path, comment if type(comment) is str else self._decode_comment(comment, path))
            if location.trailing_comments or location.leading_detached_comments:
                self._record_unattached(location)

    @property
    def has_source_info(self) -> bool:
        """Report whether the request contains source info of the file."""
        return bool(self._info.location)

    def _record_unattached(self, location: SourceCodeInfo.Location) -> None:
        """Remember the comments that belong to no element, if they may hold a marker."""
        path, span = tuple(location.path), location.span if len(location.span) > 2 else (0, 0, 0)
        trailing = self._decode_comment(location.trailing_comments, path)
        end = span[0] if _is_block(path) else _get_last_line(span)
        if trailing:
            self._behind.setdefault(path, (trailing, end))
        if "+" in trailing:
            self.lost.append(UnattachedComment(path, trailing, trailing=True, line=end + 1, column=0))
        line = span[0] + 1 - _split_comment(self.leading.get(path, ""))
        for comment in reversed(location.leading_detached_comments):
            text = self._decode_comment(comment, path)
            line -= 1 + _split_comment(text)
            if "+" in text:
                self.lost.append(UnattachedComment(path, text, trailing=False, line=max(line, 1), column=span[1] + 1))

    def _decode_comment(self, comment: str | bytes, path: Path) -> str:
        """A comment as text. Where it is no UTF-8, protobuf hands over bytes, whatever its types say."""
        if isinstance(comment, str):
            return comment
        self.garbled.append(path)
        return decode(comment)

    def get_trailing_comment(self, path: Path) -> str:
        """The comment on the line where an element ends, or its brace opens.

        protoc hands over a comment below that line in the same way, a field that is commented out, say. It is told by
        its lines: such a comment needs room for itself, and for a blank line if another element follows.
        """
        text, end = self._behind.get(path, ("", 0))
        if not text:
            return ""
        from bisect import bisect_left  # noqa: PLC0415 - of few elements is a comment behind them asked for

        if not self._edges:
            self._edges = sorted(self._find_edges().items()) or [(0, 0)]
        line, room = self._edges[bisect_left(self._edges, (end + 1, 0), hi=len(self._edges) - 1)]
        return text if line - end <= _split_comment(text) + room else ""

    def _find_edges(self) -> dict[int, int]:
        """The lines on which an element with its comments starts, as 1, or one ends and none starts, as 0."""
        spans = [(one, one.span) for one in self._info.location if len(one.span) > 2]
        edges = {_get_last_line(span): 0 for _, span in spans}
        for one, span in spans:
            detached = sum(1 + _split_comment(str(comment)) for comment in one.leading_detached_comments)
            edges[span[0] - detached - _split_comment(str(one.leading_comments))] = 1
        return edges

    def list_comments(self) -> Iterator[tuple[int, str]]:
        """Every comment, and the line from 1 of the first token of the element that the request ties it to."""
        for one in self._info.location:
            for comment in (one.leading_comments, one.trailing_comments, *one.leading_detached_comments):
                if comment and one.span:
                    yield one.span[0] + 1, comment if isinstance(comment, str) else decode(comment)

    def find_extent(self) -> tuple[int, int]:
        """The lines, from 1, of the first and the last token of the file; (0, 0) if the request does not tell."""
        spans = [one.span for one in self._info.location if not one.path]
        return (spans[0][0] + 1, _get_last_line(spans[0]) + 1) if spans and len(spans[0]) > 2 else (0, 0)

    def get_detached_comments(self, path: Path) -> tuple[str, ...]:
        """The detached comments before an element."""
        for location in self._info.location:
            if tuple(location.path) == path:
                return tuple([self._decode_comment(comment, path) for comment in location.leading_detached_comments])
        return ()

    def find_location(self, path: Path) -> Location:
        """The place of the longest prefix of a path that has one, as protoc and buf stop at different depths."""
        if self._spans is None:
            self._spans = {}
            for location in self._info.location:
                span = tuple(location.span)
                if len(span) > 1 and min(span) >= 0:
                    self._spans.setdefault(tuple(location.path), (span[0], span[1]))
        for end in range(len(path), 0, -1):
            if path[:end] in self._spans:
                line, column = self._spans[path[:end]]
                return Location(self.file, line + 1, column + 1)
        return Location(self.file)

    def find_owner(self, path: Path) -> str:
        """The full name of the element at a path, or of the innermost one around it."""
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
        known = self._lines.get(path)
        if known is None:
            known = self._lines[path] = _split_comment(self.leading.get(path, "\n"))
        return known


def _get_last_line(span: Sequence[int]) -> int:
    """The line of the end: a span leaves it out where it is that of the start."""
    return span[2] if len(span) == 4 else span[0]


def _split_comment(comment: str) -> int:
    """The lines of a comment. What starts as blocks do is taken for one, whose last line, `*/`, is none of its text."""
    block = comment.endswith("\n") and comment[0] in "*\n" and len(comment) > 1
    return comment.count("\n") + bool(comment and not comment.endswith("\n")) + block


def _is_block(path: Path) -> bool:
    """Whether a comment behind the element is one behind its opening brace."""
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
        """The element's full name."""
        return self.source.find_owner(self.path)

    def find_message(self) -> str:
        """The full name of the innermost message around the element, or of the element if there is none."""
        return self.source.find_owner(self.path[: self._find_message_end()])

    def get_path_in_message(self) -> Path:
        """The path of the element from the innermost message around it."""
        return self.path[self._find_message_end() :]

    def _find_message_end(self) -> int:
        end = 2
        while self.path[end : end + 1] == (DescriptorProto.NESTED_TYPE_FIELD_NUMBER,):
            end += 2
        return end

    def append(self, *steps: int) -> ElementPlace:
        """The place of something inside the element, such as one option statement."""
        return ElementPlace(self.source, (*self.path, *steps))


class CommentPlace:
    """The place of a line in an element's leading comment.

    The lines end right above the element and start in its column. Where the first line of `//` is empty, or a `/*` has
    text behind it, the line is off by one: the request does not tell the two apart.
    """

    __slots__ = ("column", "element", "line", "text")

    def __init__(self, element: ElementPlace, line: int, column: int, text: str = "") -> None:
        self.element = element
        self.line = line
        self.column = column
        self.text = text

    def resolve(self) -> Location:
        """Line and column of the text, as near as the request tells."""
        at = self.element.resolve()
        if not at.line:
            return at
        count = self.element.source.count_comment_lines(self.element.path)
        return Location(at.file, max(1, at.line - count + self.line), at.column + 2 + self.column)

    def find_owner(self) -> str:
        """The full name of the element with the comment."""
        return self.element.find_owner()
