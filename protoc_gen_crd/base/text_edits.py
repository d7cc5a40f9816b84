"""Edits of a text by offset, which leave every other character as it is."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.base.record import Record


class TextEdit(Record):
    """A replacement of the characters from `start` to `end`; an insertion if both are the same."""

    start: int
    end: int
    text: str = ""


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Return a text with all edits, which are applied once if they are repeated. Insertions keep their order.

    An edit within a removed part is dropped. Raises ValueError for edits that overlap otherwise.
    """
    distinct = {(edit.start, edit.end, edit.text): edit for edit in edits}.values()
    parts: list[str] = []
    position = 0
    last: TextEdit | None = None
    for edit in sorted(distinct, key=lambda edit: (edit.start, edit.end == edit.start and -1, -edit.end)):
        if last is not None and edit.start < position and edit.end <= position and not last.text:
            continue
        if edit.start < position:
            raise ValueError(f"edits overlap at {edit.start}")
        parts += text[position : edit.start], edit.text
        position = edit.end
        last = edit if edit.end > edit.start else last
    return "".join((*parts, text[position:]))


def find_line_start(text: str, offset: int) -> int:
    """Return the offset of the start of the line with an offset."""
    return text.rfind("\n", 0, offset) + 1


def find_line_end(text: str, offset: int) -> int:
    """Return the offset after the end of the line with an offset, including its line break."""
    end = text.find("\n", offset)
    return len(text) if end < 0 else end + 1


def get_line_break(text: str) -> str:
    """Return the line break of a text, which is that of its first line."""
    end = text.find("\n")
    return "\r\n" if end > 0 and text[end - 1] == "\r" else "\n"


def get_indent(text: str, offset: int) -> str:
    """Return the blanks before an offset if only blanks precede it on its line, otherwise those of the line."""
    line = text[find_line_start(text, offset) : offset]
    return line[: len(line) - len(line.lstrip(" \t"))]


def starts_line(text: str, offset: int) -> bool:
    """Return whether only blanks precede an offset on its line."""
    return not text[find_line_start(text, offset) : offset].strip(" \t")


def extend_to_lines(text: str, start: int, end: int) -> TextEdit:
    """Return the removal of a part: of whole lines if nothing else is on them, otherwise with the blanks before it."""
    line_end = find_line_end(text, end)
    if starts_line(text, start) and not text[end:line_end].strip():
        return TextEdit(find_line_start(text, start), line_end)
    blanks = len(text[:start]) - len(text[:start].rstrip(" \t"))
    return TextEdit(start - blanks, end)
