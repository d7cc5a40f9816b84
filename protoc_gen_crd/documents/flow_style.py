"""JSON objects and YAML flow mappings: search for their end, and formatting in the same style."""

from __future__ import annotations

import json
import re
from typing import Any

_TOKEN = re.compile(
    r"""(?<=[\s{\[,:])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?<=\s)\#[^\n]*|[{}\[\]]""", re.DOTALL | re.VERBOSE
)
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")  # in YAML; JSON accepts them
_DEPTH = {"{": 1, "[": 1, "}": -1, "]": -1}
_INDENT = re.compile(r"\n([ \t]+)")
_SPACED_SEPARATOR = re.compile(r"[:,]\s")


def find_object_end(text: str, start: int) -> int:
    """Return the end of the object that starts with the brace at `start`."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return _find_flow_end(text, start)


def _find_flow_end(text: str, start: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += _DEPTH.get(token[0], 0)
        if not depth:
            return token.end()
    return len(text)


def format_like(value: Any, old: str) -> str:
    """Format a value as JSON in the style of an old value: on one line or indented, with or without blanks."""
    if "\n" in old:
        indent = _INDENT.search(old)
        return escape_unprintable(json.dumps(value, indent=indent[1] if indent else "  ", ensure_ascii=False))
    return escape_unprintable(
        json.dumps(value, separators=None if _SPACED_SEPARATOR.search(old) else (",", ":"), ensure_ascii=False)
    )


def escape_unprintable(text: str) -> str:
    """Escape the characters in JSON that YAML rejects."""
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
