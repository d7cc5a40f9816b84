"""Markdown out of data: paragraphs, tables, code."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Any

import yaml

WIDTH = 120


def paragraph(text: str) -> str:
    """The text in lines of the usual width, and an empty line."""
    return fill(" ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False) + "\n\n"


def code(text: str) -> str:
    """The text as code in a line."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, and an empty line."""
    lines = [_row(head), "|" + "---|" * len(head), *map(_row, rows)]
    return "\n".join(lines) + "\n\n"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def flow(value: Any) -> str:
    """Data as YAML in one line."""
    text = yaml.safe_dump(value, default_flow_style=True, sort_keys=False, width=10**6, allow_unicode=True)
    return text.removesuffix("...\n").strip() if text.strip() != "null" else json.dumps(value)


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in words: `a, b and c`."""
    return f" {last} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
