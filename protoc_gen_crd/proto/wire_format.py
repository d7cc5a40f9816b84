"""Encoding of protobuf messages as bytes, without their declarations.

Source: https://protobuf.dev/programming-guides/encoding/
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

VARINT, FIXED64, BYTES, _GROUP, _END, _FIXED32 = range(6)  # wire types
_MAX_SHIFT = 63  # of the last byte of a varint of 64 bits


def read_varint(data: bytes | memoryview, at: int) -> tuple[int, int]:
    """Return a varint and the offset after it. Raises IndexError or ValueError if it is incomplete or too long."""
    value = shift = 0
    while shift <= _MAX_SHIFT:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
    raise ValueError("varint of more than 64 bits")


def encode_tag(number: int, size: int) -> bytes:
    """Encode the tag and the size of a field whose value is a string or a message."""
    return _encode_varint(number << 3 | BYTES) + _encode_varint(size)


def _encode_varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def read_fields(data: bytes) -> Iterator[tuple[int, int, Any]]:
    """Yield the field number, wire type, and payload of each field. The payload of a group is without its tags."""
    at = 0
    while at < len(data):
        key, at = read_varint(data, at)
        number, wire = key >> 3, key & 7
        payload: int | bytes
        if wire == VARINT:
            payload, at = read_varint(data, at)
        elif wire == _GROUP:
            end, after = _find_group_end(data, at, number)
            payload, at, wire = data[at:end], after, BYTES
        else:
            size = 8 if wire == FIXED64 else 4
            if wire == BYTES:
                size, at = read_varint(data, at)
            payload, at = data[at : at + size], at + size
        yield number, wire, payload


def _find_group_end(data: bytes, at: int, group: int) -> tuple[int, int]:
    """Return the end of the content of a group, and the end of its end tag."""
    while True:
        start = at
        key, at = read_varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == _END and number == group:
            return start, at
        if wire == VARINT:
            _, at = read_varint(data, at)
        elif wire == _GROUP:
            _, at = _find_group_end(data, at, number)
        elif wire == BYTES:
            size, at = read_varint(data, at)
            at += size
        else:
            at += 8 if wire == FIXED64 else 4
