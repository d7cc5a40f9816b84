"""Scanning of anchors, aliases, tags and directives.

Source: go.yaml.in/yaml/v2 v2.4.4, scannerc.go.
"""

from __future__ import annotations

import re
from typing import Final

from protoc_gen_crd.yaml.go_yaml.scanner_cursor import BLANK, BLANKZ, Cursor
from protoc_gen_crd.yaml.go_yaml.utf_decoder import get_utf8_width

_WORD: Final = "[0-9A-Za-z_-]"
_NAME = f"{_WORD}*"
_HANDLE = f"!{_WORD}*!?"
_URI = f"(?:{_WORD}|[;/?:@&=+$,.!~*'()\\[\\]])+"
_OCTET = "%([0-9A-Fa-f]{2})"
_DIGIT = "[0-9]"
_AFTER_NAME = frozenset(BLANKZ + "?:,]}%@`")


def read_anchor(cursor: Cursor) -> str:
    """Return the name after & or *."""
    cursor.position += 1
    cursor.load(1)
    name = cursor.skip(_NAME)
    if not name or cursor.char not in _AFTER_NAME:
        cursor.fail("did not find expected alphabetic or numeric character")
    return name


def read_tag(cursor: Cursor) -> tuple[str, str]:
    """Return the handle and the suffix of a tag."""
    cursor.load(2)
    if cursor.text[cursor.position + 1] == "<":
        cursor.position += 2
        handle, suffix = "", _read_uri(cursor)
        if cursor.char != ">":
            cursor.fail("did not find the expected '>'")
        cursor.position += 1
    else:
        handle, suffix = _read_short_tag(cursor)
    cursor.load(1)
    if cursor.char not in BLANKZ:
        cursor.fail("did not find expected whitespace or line break")
    return handle, suffix


def _read_short_tag(cursor: Cursor) -> tuple[str, str]:
    handle = _read_handle(cursor)
    if len(handle) > 1 and handle.endswith("!"):
        return handle, _read_uri(cursor)
    suffix = _read_uri(cursor, head=handle)
    return ("!", suffix) if suffix else ("", "!")


def _read_handle(cursor: Cursor) -> str:
    cursor.load(1)
    if cursor.char != "!":
        cursor.fail("did not find expected '!'")
    return cursor.skip(_HANDLE)


def _read_uri(cursor: Cursor, head: str = "") -> str:
    """Return a decoded URI, prefixed with the part of `head` after its "!"."""
    parts = [head[1:].encode()]
    cursor.load(1)
    while True:
        if part := cursor.skip(_URI):
            parts.append(part.encode())
        elif cursor.char == "%":
            parts.append(_read_uri_escape(cursor))
        else:
            break
    if not head and len(parts) == 1:
        cursor.fail("did not find expected tag URI")
    return b"".join(parts).decode(errors="replace")


def _read_uri_escape(cursor: Cursor) -> bytes:
    """Return the bytes of one character that is written as %XX octets."""
    octets = bytearray()
    width = 1
    while len(octets) < width:
        cursor.load(3)
        match = re.compile(_OCTET).match(cursor.text, cursor.position)
        if match is None:
            cursor.fail("did not find URI escaped octet")
        octet = int(match[1], 16)
        if not octets:
            width = get_utf8_width(octet)
            if not width:
                cursor.fail("found an incorrect leading UTF-8 octet")
        elif octet >> 6 != 2:
            cursor.fail("found an incorrect trailing UTF-8 octet")
        octets.append(octet)
        cursor.position += 3
    cursor.load(1)
    return bytes(octets)


def read_directive(cursor: Cursor) -> tuple[str, str, str]:
    """Return the name of a directive with its two values: version numbers, or a tag handle and its prefix."""
    cursor.position += 1
    cursor.load(1)
    name = cursor.skip(_NAME)
    if not name:
        cursor.fail("could not find expected directive name")
    if cursor.char not in BLANKZ:
        cursor.fail("found unexpected non-alphabetical character")
    if name == "YAML":
        first, second = _read_version(cursor)
    elif name == "TAG":
        first, second = _read_tag_prefix(cursor)
    else:
        cursor.fail("found unknown directive name")
    cursor.skip_line_end()
    return f"%{name}", first, second


def _read_version(cursor: Cursor) -> tuple[str, str]:
    cursor.skip_blanks()
    major = _read_version_number(cursor)
    if cursor.char != ".":
        cursor.fail("did not find expected digit or '.' character")
    cursor.position += 1
    return major, _read_version_number(cursor)


def _read_version_number(cursor: Cursor) -> str:
    cursor.load(1)
    digits = ""
    while digit := cursor.skip(_DIGIT):
        digits += digit
        if len(digits) == 2 and cursor.char in "0123456789":
            cursor.fail("found extremely long version number")
    if not digits:
        cursor.fail("did not find expected version number")
    return digits


def _read_tag_prefix(cursor: Cursor) -> tuple[str, str]:
    cursor.skip_blanks()
    handle = _read_handle(cursor)
    if handle != "!" and not handle.endswith("!"):
        cursor.fail("did not find expected '!'")
    cursor.load(1)
    if cursor.char not in BLANK:
        cursor.fail("did not find expected whitespace")
    cursor.skip_blanks()
    prefix = _read_uri(cursor)
    cursor.load(1)
    if cursor.char not in BLANKZ:
        cursor.fail("did not find expected whitespace or line break")
    return handle, prefix
