"""One comment to its description and its marker lines. What is a marker is taken out of the description, prose stays.

protoc takes `//` and `/*` off, and the star of each line but the first of a block. What more stars, slashes and
exclamation marks there are, as in `/**`, `///` and boxes, is decoration and taken off here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.slips import has_effect, is_marker, is_ours, lacks_plus, may_lack_plus
from protoc_gen_crd.proto.locations import CommentPlace, ElementPlace
from protoc_gen_crd.proto.model import Element

_CUE_TAG = "+cue-gen:"
_TAG_END = "-->"
_BLANKS = r"[ \t]*"
_DECORATIONS = "*/!"
_DECORATED = r"([*/!])\1*(?=[ \t]|\Z)"
_RULER = r"[ \t]*(\*+|/+)[ \t]*"
# (what stands before a plus, what stands behind it, what a marker may be). A quote or a bracket makes it a quotation.
_STRAY = r"""[^0-9A-Za-z\\"'`()\[\]{}]*"""
_UNREAD = r"[\s*/!<\u200b-\u200d\u2060\ufeff]+"  # blanks, what decorates comments, what nobody sees
_LINE = rf"({_STRAY}?)\+({_STRAY})([A-Za-z].*)"
# What documentation does not show: HTML comments, which need no end, and internal parts.
_CODE = r"^[ \t]*(`{3,}|~{3,})[^\n]*\n(?:.*?\n)?[ \t]*\1[`~]*[ \t]*$|(?<!`)(`+)(?!`)[^\n]*?(?<!`)\2(?!`)"
_UNSEEN = (("<!--", "-->", True), ("(--", "--)", False))


class MarkerLine(Record):
    """A marker as written, its `+` included, and its place. Lines that continue a +cue-gen tag are joined to it.

    A slip is a line that is no marker for the characters `before` its plus, or for blanks and the like behind that.
    """

    text: str
    at: CommentPlace
    before: str

    @property
    def slip(self) -> bool:
        """Whether the author perhaps meant a marker that this is not."""
        return bool(self.before) or self.text[0] != "+" or not self.text[1].isalpha()

    @property
    def name(self) -> str:
        """The marker that a slip is perhaps meant to be, from its name on."""
        return re.sub(r"^[\W_]+", "", self.text)

    def on(self, letter: str, owner: str, element: Element | None) -> StandingLine:
        """The line with the element it stands on."""
        return StandingLine(self.text, self.at, self.before, letter, owner, element)


class StandingLine(MarkerLine):
    """A marker line and the element that it stands on: its letter (P for the package line) and its full name."""

    letter: str
    owner: str
    element: Element | None


class Comment(Record):
    """A comment read: its text without what are surely marker lines, and all lines that may be some."""

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
    elif "+" not in text and not may_lack_plus(text):
        return Comment(text, ()) if text else _EMPTY
    else:
        lines, taken = text.split("\n"), {}
    matches = re.compile(_LINE).match
    index = text.count("\n", 0, min([at for at in (text.find("+"), text.find(":")) if at >= 0], default=-1))
    prose = lines[:index]  # no line before the first of these signs is a marker
    markers: list[MarkerLine] = []
    left_out = False
    while index < len(lines):
        line = lines[index]
        found = matches(line) if "+" in line else None
        plain = found is not None and not found[1].strip() and not found[2]
        if found is None or not (plain and is_marker(found[3].rstrip())):
            if (
                line.strip() or not left_out or not prose or prose[-1].strip()
            ):  # else the one above the marker is enough
                prose.append(line)
            left_out = False
        else:
            left_out = True
        start = index
        index += 1
        if found and (plain or _meant(found)):
            parts = [line[found.end(1) :].rstrip()]
            if parts[0].startswith(_CUE_TAG):
                index = _read_tag(lines, index, parts, hidden="<!--" in text)
            joined = " ".join(parts)
            at = CommentPlace(element, start, found.end(1) + taken.get(start, 0), joined)
            markers.append(MarkerLine(joined, at, found[1].lstrip() if found[1].strip() else ""))
        elif ":" in line and lacks_plus(line.strip(), "".join(lines[index : index + 1])):
            bare = line.strip()
            at = CommentPlace(element, start, line.index(bare) + taken.get(start, 0), bare)
            markers.append(MarkerLine(bare, at, ""))
    return Comment("\n".join(prose), tuple(markers))


def marker_in(line: str) -> str:
    """What a line of a comment may hold as a marker that has an effect, from its plus on; empty if nothing."""
    found = re.match(_LINE, line)
    if found is None:
        return ""
    rest = found[3].rstrip()
    plain = not found[1].strip() and not found[2]
    return line[found.end(1) :].rstrip(" \t\r*/") if (has_effect(rest) if plain else _meant(found)) else ""


def _meant(found: re.Match[str]) -> bool:
    """Whether a line that is no marker for what stands around its plus is one by its name, and no item of a list."""
    return is_ours(found[3].rstrip(), bare=not re.sub(_UNREAD, "", found[1] + found[2]))


def _read_tag(lines: list[str], index: int, parts: list[str], *, hidden: bool) -> int:
    """Add the lines that a +cue-gen tag goes on over to its parts; the index of the line behind it."""
    while index < len(lines) and _continues(lines[index]):
        parts.append(lines[index].strip())
        index += 1
    ended = index < len(lines) and lines[index].strip() == _TAG_END
    return index + (ended and not hidden)  # what ends the tag, and no HTML comment, is no prose


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
    another = stripped[:1] == "+" and stripped[1:2].isascii() and stripped[1:2].isalpha()
    return bool(stripped) and stripped != _TAG_END and not another


def _prose(text: str) -> str:
    """The description of a text: common indentation and blanks at both ends are dropped."""
    if "$" in text and "$hide_from_docs" in text:
        return ""
    for opening, closing, endless in _UNSEEN if "--" in text else ():
        if opening in text:
            text = "".join(_seen(text, opening, closing, endless=endless))
    lines = [line.rstrip() for line in text.split("\n")]
    indent = len(text)
    for line in lines:
        if line and (blanks := len(line) - len(line.lstrip())) < indent:
            indent = blanks
    return "\n".join([line[indent:] for line in lines]).strip()


def _opening(text: str, opening: str, at: int) -> int:
    """Where the next one begins, -1 for none. Code of Markdown may show one, in a span or between fences."""
    start = text.find(opening, at)
    if start < 0 or not ("`" in text or "~~~" in text):
        return start
    for found in re.compile(f"{_CODE}|{re.escape(opening)}", re.MULTILINE | re.DOTALL).finditer(text, at):
        if found[0] == opening:
            return found.start()
    return -1


def _seen(text: str, opening: str, closing: str, *, endless: bool) -> Iterator[str]:
    """What is left without the parts from opening to closing: whole lines go, else the blanks before a part do."""
    at = 0
    while (start := _opening(text, opening, at)) >= 0:
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
