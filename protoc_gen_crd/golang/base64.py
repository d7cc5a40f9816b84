"""Base64 as Go decodes it: padding is required, line breaks are skipped, trailing bits are ignored.

Source: Go encoding/base64 base64.go (decodeQuantum).
"""

from __future__ import annotations

import binascii

_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_BREAKS = b"\r\n"


class CorruptInputError(Exception):
    """A string that is not base64; the message is Go's."""

    def __init__(self, offset: int) -> None:
        super().__init__(f"illegal base64 data at input byte {offset}")


def decode(encoded: str) -> bytes:
    """Decode a string. Raises CorruptInputError."""
    source, position, digits = encoded.encode(), 0, b""
    while position < len(source):
        byte = source[position]
        position += 1
        if byte in _BREAKS:
            continue
        if byte in _ALPHABET:
            digits += bytes((byte,))
            continue
        if byte != ord("="):
            raise CorruptInputError(position - 1)
        return _decode_padded(source, position, digits)
    if len(digits) % 4:
        raise CorruptInputError(position - len(digits) % 4)
    return binascii.a2b_base64(digits)


def encode(plain: bytes) -> str:
    """Encode bytes, with padding."""
    return binascii.b2a_base64(plain, newline=False).decode()


def _decode_padded(source: bytes, position: int, digits: bytes) -> bytes:
    """Decode digits that are followed by padding; `position` is after the first padding character."""
    if len(digits) % 4 < 2:
        raise CorruptInputError(position - 1)
    position = _skip_breaks(source, position)
    if len(digits) % 4 == 2:
        if position == len(source):
            raise CorruptInputError(position)
        if source[position] != ord("="):
            raise CorruptInputError(position - 1)
        position = _skip_breaks(source, position + 1)
    if position < len(source):
        raise CorruptInputError(position)
    return binascii.a2b_base64(digits + b"==")


def _skip_breaks(source: bytes, position: int) -> int:
    while position < len(source) and source[position] in _BREAKS:
        position += 1
    return position
