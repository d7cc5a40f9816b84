from __future__ import annotations

import pytest

from protoc_gen_crd.base.utf8 import decode


# What Go's encoding/json makes of these bytes in a string.
@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", ""),
        ("é€😀".encode(), "é€😀"),
        (b"a\xffb", "a\ufffdb"),
        (b"\xe2\x82", "\ufffd\ufffd"),
        (b"\xe2\x82a", "\ufffd\ufffda"),
        (b"\xf0\x9f\x98", "\ufffd\ufffd\ufffd"),
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd"),
        (b"\xc0\x80\xe9", "\ufffd\ufffd\ufffd"),
        (b"\xff" * 100_000, "\ufffd" * 100_000),
    ],
)  # fmt: skip
def test_every_wrong_byte_is_one_replacement(data: bytes, text: str) -> None:
    assert decode(data) == text
