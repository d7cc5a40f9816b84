"""Objects in braces, JSON or YAML in flow style: where one ends in a text, and one written anew in its style."""

from __future__ import annotations

import json
import re
from typing import Any

_TOKEN = re.compile(
    r"""(?<=[\s{\[,:])(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?<=\s)\#[^\n]*|[{}\[\]]""", re.DOTALL | re.VERBOSE
)
_UNPRINTED = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")  # to YAML, JSON takes them
_DEPTH = {"{": 1, "[": 1, "}": -1, "]": -1}
_INDENT = re.compile(r"\n([ \t]+)")
_BLANK = re.compile(r"[:,]\s")


def end_of(text: str, start: int) -> int:
    """Where the object ends that starts with a brace."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return _end_of_flow(text, start)


def _end_of_flow(text: str, start: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += _DEPTH.get(token[0], 0)
        if not depth:
            return token.end()
    return len(text)


def styled(value: Any, old: str) -> str:
    """A value as JSON: on one line if the old text was, with blanks if it had them."""
    if "\n" in old:
        found = _INDENT.search(old)
        return printed(json.dumps(value, indent=found[1] if found else "  ", ensure_ascii=False))
    return printed(json.dumps(value, separators=None if _BLANK.search(old) else (",", ":"), ensure_ascii=False))


def printed(text: str) -> str:
    """JSON with escapes for characters that YAML does not take as they are."""
    return _UNPRINTED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
