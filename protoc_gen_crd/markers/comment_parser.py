"""Parser of a comment into its description and its marker lines.

protoc removes `//` and `/*`, and the star of each line but the first of a block. Further stars, slashes and
exclamation marks, as in `/**`, `///` and boxes, are decoration and are removed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.marker_recognition import (
    can_lack_plus,
    find_embedded_marker,
    is_effective_marker,
    is_effective_name,
    is_marker,
    is_missing_plus,
)
from protoc_gen_crd.proto.element_model import Element
from protoc_gen_crd.proto.source_locations import CommentPlace, ElementPlace

_CUE_TAG = "+cue-gen:"
_TAG_END = "-->"
_BLANKS = r"[ \t]*"
_DECORATIONS = ("*", "/", "!")
_DECORATED = r"([*/!])\1*(?=[ \t]|\Z)"
_RULER = r"[ \t]*(\*+|/+)[ \t]*"
# (characters before a plus, characters after it, possible marker). After a quote or a bracket it is a quotation.
# Possessive: the characters end where a marker's name begins, so the first plus decides and there is no backtracking.
_NO_STRAY = r"""0-9A-Za-z\\"'`()\[\]{}"""
_UNREAD = r"[\s*/!<+\u200b-\u200d\u2060\ufeff]+"  # blanks, decoration of comments, repeated plus, invisible characters
_LINE = rf"([^+{_NO_STRAY}]*+)\+([^{_NO_STRAY}]*+)([A-Za-z].*)"
# Parts hidden from documentation: HTML comments, whose end is optional, and internal parts.
_CODE_BLOCK = r"^[ \t]*(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?\n)?[ \t]*(?P=fence)[`~]*[ \t]*$|"
_CODE_SPAN = r"(?<!`)(?P<ticks>`+)(?!`)[^\n]*?(?<!`)(?P=ticks)(?!`)|"
_HIDDEN = (("<!--", "-->", True), ("(--", "--)", False))


class MarkerLine(Record):
    """A marker as written, including its `+`, and its place. Continuation lines of a +cue-gen tag are joined to it.

    A suspicious line is not a marker because of characters or prose `before` its plus, or because of blanks after it.
    """

    text: str
    at: CommentPlace
    before: str

    @property
    def is_suspicious(self) -> bool:
        """True if the line is not a marker, but its author may have intended one."""
        return bool(self.before) or self.text[0] != "+" or not self.text[1].isalpha()

    @property
    def is_embedded(self) -> bool:
        """True if prose is before the plus."""
        return any(map(str.isalnum, self.before))

    @property
    def suspected_name(self) -> str:
        """The line from the name of the suspected marker on."""
        return re.sub(r"^[\W_]+", "", self.text)

    def place_on(self, letter: str, owner: str, element: Element | None) -> ElementMarkerLine:
        """Return the line with its element."""
        return ElementMarkerLine(self.text, self.at, self.before, letter, owner, element)


class ElementMarkerLine(MarkerLine):
    """A marker line and its element: the letter (P for the package line) and the full name."""

    letter: str
    owner: str
    element: Element | None


class Comment(Record):
    """A comment without decoration, and all lines that may be markers.

    `hidden` are the numbers of the lines that are not part of its text, each with whether it belongs to a marker.
    """

    comment: str
    markers: tuple[MarkerLine, ...] = ()
    hidden: Mapping[int, bool] = {}

    @property
    def text(self) -> str:
        """The comment without marker lines. Of the blank lines around a marker, only the one above it remains."""
        if not self.hidden:
            return self.comment
        prose: list[str] = []
        is_below = False
        for number, line in enumerate(self.comment.split("\n")):
            if number in self.hidden:
                is_below = self.hidden[number]
                continue
            if line.strip() or not is_below or not prose or prose[-1].strip():
                prose.append(line)
            is_below = False
        return "\n".join(prose)

    @property
    def description(self) -> str:
        """The prose without HTML comments and internal `(-- --)` parts; empty if the comment is hidden from docs."""
        return _format_description(self.text)


_EMPTY = Comment("")
_DEPRECATED = r"(?:\A|\n[ \t]*\n)[ \t]*Deprecated:"


def has_deprecated_paragraph(comment: str, element: ElementPlace) -> bool:
    """Return whether a paragraph of a leading comment begins with `Deprecated:`, as in Go and protobuf-go.

    Paragraphs are separated by blank lines. Case matters. Marker lines and hidden parts are ignored.
    """
    return "Deprecated:" in comment and bool(re.search(_DEPRECATED, read_comment(comment, element).description))


def needs_parsing(comment: str) -> bool:
    """Return whether a comment is decorated or may contain a marker. It is fast, since every comment is checked."""
    return "+" in comment or comment.startswith(_DECORATIONS) or can_lack_plus(comment)


def read_comment(comment: str, element: ElementPlace) -> Comment:
    """Split a comment. A +cue-gen tag continues on the following lines up to `-->`, a blank line, or another marker."""
    if not needs_parsing(comment):
        return Comment(comment) if comment else _EMPTY
    removed: Mapping[int, int] = {}
    if comment.startswith(_DECORATIONS):
        comment, removed = _strip_decoration(comment)
    plus = comment.find("+")
    start = 0 if plus < 0 or can_lack_plus(comment[:plus]) else comment.rfind("\n", 0, plus) + 1
    above, lines = comment.count("\n", 0, start), comment[start:].split("\n")  # no line above is a marker
    markers: list[MarkerLine] = []
    hidden: dict[int, bool] = {}
    index = 0
    while index < len(lines):
        number, line = above + index, lines[index]
        index += 1
        if "+" not in line and ":" not in line:
            continue
        text = line.strip()
        is_plain = text[:1] == "+" and text[1:2].isascii() and text[1:2].isalpha()
        if not is_plain:
            text = _find_suspicious(line, text, "".join(lines[index : index + 1]))
            if not text:
                continue
        elif is_marker(text[1:]):
            hidden[number] = True
        column = line.index(text)
        if text.startswith(_CUE_TAG):
            parts = [text]
            index = _read_tag(lines, index, parts, hidden="<!--" in comment)
            text = " ".join(parts)
            hidden |= dict.fromkeys(range(number + 1, above + index), number in hidden)
        at = CommentPlace(element, number, column + removed.get(number, 0), text)
        before = "" if is_plain else line[:column].strip() and line[:column].lstrip()
        markers.append(MarkerLine(text, at, before))
    return Comment(comment, tuple(markers), hidden)


def read_description(element: Element, above: Comment | None = None) -> str:
    """Return the comment above an element without its markers, or the trailing comment if that is empty.

    `above` is the parsed comment above the element, if it has been read.
    """
    text = (above or read_comment(element.comment, element.at)).text
    trailing = "" if text.strip() else element.at.source.get_trailing_comment(element.at.path)
    return read_comment(trailing, element.at).description if trailing else _format_description(text)


def _find_suspicious(line: str, stripped: str, following: str) -> str:
    """Return the part of a line that may be intended as a marker, up to its end; empty if there is none."""
    match = re.compile(_LINE).match(line) if "+" in line else None
    if match and _is_intended_marker(match):
        return line[match.end(1) :].rstrip()
    if ":" in line and is_missing_plus(stripped, following):
        return stripped
    return find_embedded_marker(line, following) if "+" in line else ""


def find_marker(line: str) -> str:
    """Return the effective marker of a comment line, from its plus on; empty if there is none."""
    match = re.match(_LINE, line)
    if match is None:
        return ""
    marker = match[3].rstrip()
    plain = not match[1].strip() and not match[2]
    return (
        line[match.end(1) :].rstrip(" \t\r*/")
        if (is_effective_name(marker) if plain else _is_intended_marker(match))
        else ""
    )


def _is_intended_marker(match: re.Match[str]) -> bool:
    """Check whether a line with characters around its plus has the name of a marker, and is not a list item."""
    return is_effective_marker(match[3].rstrip(), bare=not re.sub(_UNREAD, "", match[1] + match[2]))


def _read_tag(lines: list[str], index: int, parts: list[str], *, hidden: bool) -> int:
    """Add the continuation lines of a +cue-gen tag to its parts. Return the index of the next line."""
    while index < len(lines) and _is_continuation(lines[index]):
        parts.append(lines[index].strip())
        index += 1
    ended = index < len(lines) and lines[index].strip() == _TAG_END
    return index + (ended and not hidden)  # the end of the tag, unless it ends an HTML comment, is not prose


def _strip_decoration(comment: str) -> tuple[str, dict[int, int]]:
    """Remove decoration from a comment. Return it and the number of characters removed from each line.

    Decoration is a prefix of the first line (`/**`) or of all lines (`///`), and rulers at both ends.
    """
    lines = comment.split("\n")
    matches = {number: match for number, line in enumerate(lines) if line and (match := re.match(_DECORATED, line))}
    decorations = {match[1] for match in matches.values()}
    if len(decorations) > 1 or any(line.strip() and number not in matches for number, line in enumerate(lines)):
        matches = {0: matches[0]} if 0 in matches else {}
    bare = [line[matches[number].end() :] if number in matches else line for number, line in enumerate(lines)]
    for number in (0, -2 if len(bare) > 2 and not bare[-1] else -1):
        if re.fullmatch(_RULER, bare[number]):
            bare[number] = ""
    return "\n".join(bare), {number: match.end() for number, match in matches.items()}


def _is_continuation(line: str) -> bool:
    stripped = line.strip()
    another = stripped[:1] == "+" and stripped[1:2].isascii() and stripped[1:2].isalpha()
    return bool(stripped) and stripped != _TAG_END and not another


def _format_description(comment: str) -> str:
    """Format a description: remove common indentation and surrounding blanks."""
    if "$" in comment and "$hide_from_docs" in comment:
        return ""
    for opening, closing, endless in _HIDDEN if "--" in comment else ():
        if opening in comment:
            comment = "".join(_drop_hidden(comment, opening, closing, endless=endless))
    lines = [line.rstrip() for line in comment.split("\n")]
    indent = len(comment)
    for line in lines:
        if line and (blanks := len(line) - len(line.lstrip())) < indent:
            indent = blanks
    return "\n".join([line[indent:] for line in lines]).strip()


def _find_opening(comment: str, opening: str, at: int) -> int:
    """Return the start of the next hidden part, -1 without one. Markdown code does not start one."""
    start = comment.find(opening, at)
    if start < 0 or not ("`" in comment or "~~~" in comment):
        return start
    code = _CODE_BLOCK + _CODE_SPAN if "```" in comment or "~~~" in comment else _CODE_SPAN
    for match in re.compile(code + re.escape(opening), re.MULTILINE | re.DOTALL).finditer(comment, at):
        if match[0] == opening:
            return match.start()
    return -1


def _drop_hidden(comment: str, opening: str, closing: str, *, endless: bool) -> Iterator[str]:
    """Remove the parts from opening to closing, with their lines or the blanks before them."""
    at = 0
    while (start := _find_opening(comment, opening, at)) >= 0:
        end = comment.find(closing, start + len(opening))
        if end < 0 and not endless:
            break
        end = len(comment) if end < 0 else end + len(closing)
        before = comment[at:start].rstrip(" \t")
        yield before
        at = end
        if not before or before.endswith("\n"):
            following = re.compile(_BLANKS).match(comment, end).end()  # type: ignore[union-attr] # always matches
            if comment.startswith("\n", following):
                at = following + 1
    yield comment[at:]
