"""Escaping of strings in regular expressions. Source: Go's regexp.QuoteMeta."""

from __future__ import annotations

import re


def quote_regex(value: str) -> str:
    """Escape a string for a regular expression."""
    return re.sub(r"([\\.+*?()|\[\]{}^$])", r"\\\1", value)
