"""Decoding of UTF-8 with replacement characters as in Go."""

from __future__ import annotations

import codecs

_ERRORS = "protoc-gen-crd"


def decode(data: bytes) -> str:
    """Decode UTF-8, with one U+FFFD for each invalid byte, as in Go."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        codecs.register_error(_ERRORS, _replace_byte)
        return data.decode(errors=_ERRORS)


def _replace_byte(error: UnicodeError) -> tuple[str, int]:
    return "\ufffd", getattr(error, "start", 0) + 1
