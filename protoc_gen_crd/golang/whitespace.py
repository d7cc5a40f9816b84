"""Trimming and splitting of strings as in Go's standard library, where Python's methods differ.

Source: Go 1.26, strings.TrimSpace, strings.Fields. White space is Unicode's property of that name.
"""

from __future__ import annotations

import re

SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
    "\u202f\u205f\u3000"
)


def trim_space(string: str) -> str:
    """Return the string without white space at both ends."""
    return string.strip(SPACE)


def split_fields(string: str) -> list[str]:
    """Return the substrings between white space."""
    if "\x1c" in string or "\x1d" in string or "\x1e" in string or "\x1f" in string:  # white space only to Python
        return re.findall(f"[^{SPACE}]+", string)
    return string.split()


def join_fields(string: str) -> str:
    """Return the substrings between white space, with a blank between them."""
    # Shortcut single-blanks: ASCII has no white space but these characters, and no blank follows another.
    joined = string.replace("\n ", " ").strip(" ")
    is_line = "\n" not in joined and "\r" not in joined and "\v" not in joined and "\f" not in joined
    if is_line and "\t" not in joined and "  " not in joined and joined.isascii():
        return joined
    return " ".join(split_fields(string))
