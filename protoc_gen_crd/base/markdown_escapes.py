"""Escaping of foreign strings in Markdown, on one line or as a code block.

Source: CommonMark 0.31, GitHub Flavored Markdown for tables.
"""

from __future__ import annotations

import re
import unicodedata

SPECIAL = re.compile(r"[\\`*_\[\]<|~$]|&(?=[#\w]+;)|!(?=\[)")


# An escaped character, a code span or a run of backticks that begins none, or a separator of cells.
_CELL_PART = re.compile(r"\\.|(`++)(?:.*?(?<!`)\1(?!`))?|\|")


def plain(string: str) -> str:
    """Return a string on one line, with Markdown syntax escaped."""
    return SPECIAL.sub(r"\\\g<0>", " ".join(printable(string).split())).replace(r"\[\]", "[]")


def code(string: str) -> str:
    """Return a string on one line as a code span, whatever backticks it contains."""
    content = " ".join(printable(string).split()) or " "
    longest = max((len(run) for run in re.findall("`+", content)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if content[0] == "`" or content[-1] == "`" else ""
    return f"{ticks}{pad}{content}{pad}{ticks}"


def cell(string: str) -> str:
    """Return Markdown on one line as the cell of a table.

    A table removes the backslash before each "|" first, also in code spans, where a backslash escapes nothing.
    """
    return _CELL_PART.sub(_escape_cell_part, string)


def _escape_cell_part(part: re.Match[str]) -> str:
    return part[0] if part[0][0] == "\\" else part[0].replace("|", r"\|")


def fenced(string: str, language: str = "") -> list[str]:
    """Return the lines of a code block, whatever backticks they contain."""
    lines = [printable(line) for line in string.split("\n")]
    longest = max((len(run) for run in re.findall("`{3,}", "\n".join(lines))), default=2)
    ticks = "`" * (longest + 1)
    return [f"{ticks}{language}", *lines, ticks]


def printable(string: str) -> str:
    """Return a string without control characters and characters that change the writing direction."""
    if string.isascii() and string.isprintable():
        return string
    return "".join(char if char in "\n\t" or unicodedata.category(char)[0] != "C" else "\ufffd" for char in string)
