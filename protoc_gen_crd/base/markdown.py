"""Foreign strings in Markdown, on one line or as a block of code: nothing in them has a meaning.

Source: CommonMark 0.31, GitHub Flavored Markdown for tables.
"""

from __future__ import annotations

import re
import unicodedata

SPECIAL = re.compile(r"[\\`*_\[\]<|~$]|&(?=[#\w]+;)|!(?=\[)")


def plain(text: str) -> str:
    """A text on one line, nothing in it means anything to Markdown."""
    return SPECIAL.sub(r"\\\g<0>", " ".join(printable(text).split())).replace(r"\[\]", "[]")


def code(text: str) -> str:
    """A text on one line as code, whatever quotes it holds; a table's cell takes it, too."""
    shown = " ".join(printable(text).split()) or " "
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{ticks}{pad}{shown}{pad}{ticks}"


def cell(text: str) -> str:
    """Markdown on one line as the cell of a table."""
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def fenced(text: str, language: str = "") -> list[str]:
    """Lines as a block of code, whatever they hold."""
    lines = [printable(line) for line in text.split("\n")]
    longest = max((len(run) for run in re.findall("`{3,}", "\n".join(lines))), default=2)
    ticks = "`" * (longest + 1)
    return [f"{ticks}{language}", *lines, ticks]


def printable(text: str) -> str:
    """A text without control characters and those that turn the direction of writing."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char in "\n\t" or unicodedata.category(char)[0] != "C" else "\ufffd" for char in text)
