"""SourceCodeInfo: descriptor paths to places. A place is worked out only when a finding needs it.

Source: descriptor.proto, message SourceCodeInfo.
"""

from __future__ import annotations

from google.protobuf.descriptor_pb2 import FileDescriptorProto, SourceCodeInfo

from protoc_gen_crd.base.diagnostics import Location

Path = tuple[int, ...]
PACKAGE_PATH: Path = (FileDescriptorProto.PACKAGE_FIELD_NUMBER,)


class SourceMap:
    """The places and comments of one file. Without source info there are no comments and places name the file only."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self.file = file.name
        self._info = file.source_code_info
        self._spans: dict[Path, tuple[int, int]] | None = None
        self._lines: dict[Path, int] = {}
        self.leading: dict[Path, str] = {}
        self.lost: list[tuple[Path, str, bool]] = []
        for location in self._info.location:
            comment = location.leading_comments
            if comment:
                self.leading.setdefault(tuple(location.path), comment)
            if location.trailing_comments or location.leading_detached_comments:
                self._lose(location)

    def _lose(self, location: SourceCodeInfo.Location) -> None:
        """Remember the comments that belong to no element, if they may hold a marker: (path, text, trailing)."""
        path = tuple(location.path)
        if "+" in location.trailing_comments:
            self.lost.append((path, location.trailing_comments, True))
        self.lost.extend((path, comment, False) for comment in location.leading_detached_comments if "+" in comment)

    def detached(self, path: Path) -> tuple[str, ...]:
        """The detached comments before an element."""
        for location in self._info.location:
            if tuple(location.path) == path:
                return tuple(location.leading_detached_comments)
        return ()

    def location(self, path: Path) -> Location:
        """The place of the longest prefix of a path that has one, as protoc and buf stop at different depths."""
        if self._spans is None:
            self._spans = {}
            for location in self._info.location:
                if len(location.span) > 1:
                    self._spans.setdefault(tuple(location.path), (location.span[0], location.span[1]))
        for end in range(len(path), 0, -1):
            if path[:end] in self._spans:
                line, column = self._spans[path[:end]]
                return Location(self.file, line + 1, column + 1)
        return Location(self.file)

    def comment_lines(self, path: Path) -> int:
        """How many lines the leading comment of an element has."""
        known = self._lines.get(path)
        if known is None:
            comment = self.leading.get(path, "")
            known = self._lines[path] = comment.count("\n") + (not comment.endswith("\n"))
        return known


class ElementPlace:
    """The place of an element."""

    __slots__ = ("path", "source")

    def __init__(self, source: SourceMap, path: Path) -> None:
        self.source = source
        self.path = path

    def resolve(self) -> Location:
        """Where the element's declaration starts."""
        return self.source.location(self.path)

    def below(self, *steps: int) -> ElementPlace:
        """The place of something inside the element, such as one option statement."""
        return ElementPlace(self.source, (*self.path, *steps))


class CommentPlace:
    """The place of a line in an element's leading comment.

    For `//` comments the lines end right above the element and start in its column; for `/* */` the
    line may be off by the closing line, which the request does not tell.
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
        count = self.element.source.comment_lines(self.element.path)
        return Location(at.file, max(1, at.line - count + self.line), at.column + 2 + self.column)
