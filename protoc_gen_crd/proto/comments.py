"""One leading comment to its description and its marker lines.

protoc takes `//` and `/*` off, and the star of each line but the first of a block. What more stars, slashes and
exclamation marks there are, as in `/**`, `///` and boxes, is decoration and taken off here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.proto.locations import CommentPlace, ElementPlace

_CUE_TAG = "+cue-gen:"
_TAG_END = "-->"
_BLANKS = r"[ \t]*"
_DECORATIONS = "*/!"
_DECORATED = r"([*/!])\1*(?=[ \t]|\Z)"
_RULER = r"[ \t]*(\*+|/+)[ \t]*"
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
    if text[:1] in _DECORATIONS and text:
        lines, taken = _bare(text.split("\n"))
        text = "\n".join(lines)
    elif "+" not in text:
        return Comment(text, ()) if text else _EMPTY
    else:
        lines, taken = text.split("\n"), {}
    prose: list[str] = []
    markers: list[MarkerLine] = []
    index = 0
    while index < len(lines):
        line = lines[index]
        column = _column(line) if "+" in line else -1
        if column < 0:
            prose.append(line)
            index += 1
            continue
        start, column = index, column + taken.get(index, 0)
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


def _bare(lines: list[str]) -> tuple[list[str], dict[int, int]]:
    """Lines without decoration, and how many characters were taken off the front of which.

    It is what the first line starts with, on that line alone (`/**`) or on all (`///`), and rulers at both ends.
    """
    found = {number: match for number, line in enumerate(lines) if line and (match := re.match(_DECORATED, line))}
    same = {match[1] for match in found.values()}
    if len(same) > 1 or any(line.strip() and number not in found for number, line in enumerate(lines)):
        found = {0: found[0]} if 0 in found else {}
    bare = [line[found[number].end() :] if number in found else line for number, line in enumerate(lines)]
    for number in (0, -2 if len(bare) > 2 and not bare[-1] else -1):
        if re.fullmatch(_RULER, bare[number]):
            bare[number] = ""
    return bare, {number: match.end() for number, match in found.items()}


def _continues(line: str) -> bool:
    stripped = line.strip()
    return bool(stripped) and stripped != _TAG_END and _column(line) < 0


def _column(line: str) -> int:
    """Where a marker starts in a line that is one, -1 in others."""
    bare = line.lstrip(" \t")
    found = bare[:1] == "+" and bare[1:2].isascii() and bare[1:2].isalpha()
    return len(line) - len(bare) if found else -1


def _prose(text: str) -> str:
    """The description of a text: common indentation and blanks at both ends are dropped."""
    if "$hide_from_docs" in text:
        return ""
    for opening, closing, endless in _UNSEEN:
        if opening in text:
            text = "".join(_seen(text, opening, closing, endless=endless))
    lines = [line.rstrip() for line in text.split("\n")]
    indent = min([len(line) - len(line.lstrip()) for line in lines if line], default=0)
    return "\n".join([line[indent:] for line in lines]).strip()


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
            following = re.compile(_BLANKS).match(text, end).end()  # type: ignore[union-attr] # always matches
            if text.startswith("\n", following):
                at = following + 1
    yield text[at:]
