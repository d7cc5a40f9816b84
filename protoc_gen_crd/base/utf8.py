"""Bytes that should be UTF-8 as text."""

from __future__ import annotations

import codecs

_ERRORS = "protoc-gen-crd"


def decode(data: bytes) -> str:
    """The text of UTF-8, with U+FFFD for every byte that is none, one each as Go has it."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        codecs.register_error(_ERRORS, _replace_byte)
        return data.decode(errors=_ERRORS)


def _replace_byte(error: UnicodeError) -> tuple[str, int]:
    return "\ufffd", getattr(error, "start", 0) + 1
