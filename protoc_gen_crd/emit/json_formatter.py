"""Formatting of JSON like `json.dumps(value, indent=2, ensure_ascii=False)`, with parts that are shared formatted once.

With an indent, the standard library passes each token through a generator for each level of nesting.
"""

from __future__ import annotations

import json
from typing import Any

_INDENT = "  "
_format_compact = json.JSONEncoder(ensure_ascii=False).encode


class JsonFormatter:
    """A formatter of values that its caller keeps alive and unchanged: parts are cached by identity and indent."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, str], str] = {}

    def format(self, value: Any, line_break: str = "\n") -> str:
        """Format a value; `line_break` is followed by the indent of the line that it starts on."""
        if not value or not isinstance(value, dict | list | tuple):
            return _format_compact(value)
        key = id(value), line_break
        formatted = self._known.get(key)
        if formatted is None:
            formatted = self._known[key] = self._format_collection(value, line_break)
        return formatted

    def _format_collection(self, value: Any, line_break: str) -> str:
        inner = line_break + _INDENT
        if isinstance(value, dict):
            members = [f"{inner}{_format_compact(name)}: {self.format(part, inner)}" for name, part in value.items()]
            return f"{{{','.join(members)}{line_break}}}"
        return f"[{','.join([inner + self.format(item, inner) for item in value])}{line_break}]"
