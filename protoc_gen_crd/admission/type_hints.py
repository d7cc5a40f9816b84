"""Hints for error messages of API servers about values of another type than the schema, which often need quotes."""

from __future__ import annotations

import re

_QUOTE = "quote the value"
# Expected and actual type -> a hint.
_HINTS = {
    ("string", "boolean"): _QUOTE,
    ("string", "integer"): _QUOTE,
    ("string", "number"): _QUOTE,
    ("integer", "string"): "write an integer without quotes",
    ("number", "string"): "write a number without quotes",
    ("boolean", "string"): "write true or false without quotes",
}


def suggest_type(message: str) -> str:
    """Return a hint for an error message about the type of a value, empty for another one."""
    match = re.search(r'must be of type ([\w,]+): "(\w+)"$', message)
    types = [(expected, match[2]) for expected in match[1].split(",")] if match else []
    return next((_HINTS[pair] for pair in types if pair in _HINTS), "")
