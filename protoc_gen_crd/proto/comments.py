"""One leading comment to its description and its marker lines."""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.locations import CommentPlace, ElementPlace

_MARKER = re.compile(r"[ \t]*\+(?=[A-Za-z])", re.ASCII)
_CUE_TAG = "+cue-gen:"
_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_INTERNAL = re.compile(r"\(--.*?--\)", re.DOTALL)


class MarkerLine(Record):
    """A marker as written, its `+` included, and its place. Lines that continue a +cue-gen tag are joined to it."""

    text: str
    at: CommentPlace


class Comment(Record):
    """A comment read: its text without the marker lines, and these."""

    text: str
    markers: tuple[MarkerLine, ...]

    @property
    def description(self) -> str:
        """The prose: without HTML comments and internal `(-- --)` parts, empty for what is hidden from docs."""
        return _prose(self.text) if self.text else ""


_EMPTY = Comment("", ())


def read_comment(text: str, element: ElementPlace) -> Comment:
    """Split a comment. A +cue-gen tag goes on over following lines up to `-->`, a blank line or another marker."""
    if "+" not in text:
        return Comment(text, ()) if text else _EMPTY
    prose: list[str] = []
    markers: list[MarkerLine] = []
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        match = _MARKER.match(line)
        if match is None:
            prose.append(line)
            index += 1
            continue
        start, column = index, match.end() - 1
        parts = [line.strip()]
        index += 1
        if parts[0].startswith(_CUE_TAG):
            while index < len(lines) and _continues(lines[index]):
                parts.append(lines[index].strip())
                index += 1
        joined = " ".join(parts)
        markers.append(MarkerLine(joined, CommentPlace(element, start, column, joined)))
    return Comment("\n".join(prose), tuple(markers))


def _continues(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and stripped != "-->" and not _MARKER.match(line)


def _prose(text: str) -> str:
    """The description of a text: common indentation and blank lines at both ends are dropped."""
    if "$hide_from_docs" in text:
        return ""
    if "<!--" in text:
        text = _HTML_COMMENT.sub("", text)
    if "(--" in text:
        text = _INTERNAL.sub("", text)
    lines = [line.rstrip() for line in text.split("\n")]
    indent = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return "\n".join([line[indent:] for line in lines]).strip("\n")
