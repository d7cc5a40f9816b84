"""Formatting of JSON like `json.dumps(value, indent=2, ensure_ascii=False)`, with parts that are shared formatted once.

The indent of deep levels does not grow, since most of a very deep document would be spaces. With an indent, the
standard library passes each token through a generator for each level of nesting.
"""

from __future__ import annotations

import json
from typing import Any

_INDENT = "  "
_MAX_INDENT = 200  # far more than people nest
_format_compact = json.JSONEncoder(ensure_ascii=False).encode


class JsonFormatter:
    """A formatter of values that its caller keeps alive and unchanged: parts are cached by identity and indent.

    The cache has the tokens of all values once. A string for each level of a deep value would take the square of its
    size.
    """

    def __init__(self) -> None:
        self._tokens: list[str] = []
        self._known: dict[tuple[int, str], tuple[int, int]] = {}  # the first token, and that after the last

    def format(self, value: Any) -> str:
        """Format a value."""
        start = len(self._tokens)
        self._append(value, "\n")
        return "".join(self._tokens[start:])

    def _append(self, value: Any, line_break: str) -> None:
        """Append a value; `line_break` is followed by the indent of the line that it starts on."""
        if not value or not isinstance(value, dict | list | tuple):
            self._tokens.append(_format_compact(value))
            return
        key = id(value), line_break
        known = self._known.get(key)
        if known is not None:
            self._tokens += self._tokens[slice(*known)]
            return
        start = len(self._tokens)
        self._append_collection(value, line_break)
        self._known[key] = start, len(self._tokens)

    def _append_collection(self, value: Any, line_break: str) -> None:
        is_object = isinstance(value, dict)
        inner = line_break + _INDENT if len(line_break) <= _MAX_INDENT else line_break
        separator = "{" if is_object else "["
        for name, item in value.items() if is_object else enumerate(value):
            self._tokens.append(f"{separator}{inner}{_format_compact(name)}: " if is_object else separator + inner)
            self._append(item, inner)
            separator = ","
        self._tokens.append(line_break + ("}" if is_object else "]"))
