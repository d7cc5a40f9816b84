"""One leading comment to its description and its marker lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.locations import CommentPlace, ElementPlace

_MARKER = re.compile(r"[ \t]*\+(?=[A-Za-z])", re.ASCII)
_CUE_TAG = "+cue-gen:"
_TAG_END = "-->"
_BLANKS = re.compile(r"[ \t]*")
# What documentation does not show: HTML comments, which need no end, and internal parts.
_UNSEEN = (("<!--", "-->", True), ("(--", "--)", False))


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
            if index < len(lines) and lines[index].strip() == _TAG_END and "<!--" not in text:
                index += 1  # it ends the tag; where it ends no HTML comment it is no prose
        joined = " ".join(parts)
        markers.append(MarkerLine(joined, CommentPlace(element, start, column, joined)))
    return Comment("\n".join(prose), tuple(markers))


def _continues(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and stripped != _TAG_END and not _MARKER.match(line)


def _prose(text: str) -> str:
    """The description of a text: common indentation and blank lines at both ends are dropped."""
    if "$hide_from_docs" in text:
        return ""
    for opening, closing, endless in _UNSEEN:
        if opening in text:
            text = "".join(_seen(text, opening, closing, endless=endless))
    lines = [line.rstrip() for line in text.split("\n")]
    indent = min((len(line) - len(line.lstrip()) for line in lines if line), default=0)
    return "\n".join([line[indent:] for line in lines]).strip("\n")


def _seen(text: str, opening: str, closing: str, *, endless: bool) -> Iterator[str]:
    """What is left without the parts from opening to closing: whole lines go, else the blanks before a part do."""
    at = 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0 and not endless:
            break
        end = len(text) if end < 0 else end + len(closing)
        before = text[at:start].rstrip(" \t")
        yield before
        at = end
        if not before or before.endswith("\n"):
            following = _BLANKS.match(text, end).end()  # type: ignore[union-attr] # always matches
            if text.startswith("\n", following):
                at = following + 1
    yield text[at:]
