from __future__ import annotations

import pytest

from protoc_gen_crd.golang.base64 import CorruptInputError, decode, encode


@pytest.mark.parametrize(
    ("encoded", "plain"),
    [("", b""), ("YWJj", b"abc"), ("YQ==", b"a"), ("YWI=", b"ab"), ("YR==", b"a"), ("Y\nQ=\r\n=\n", b"a"), ("\n", b"")],
)
def test_strings(encoded: str, plain: bytes) -> None:
    assert decode(encoded) == plain


@pytest.mark.parametrize(
    ("encoded", "offset"),
    [
        ("Y?==", 1), ("YQ=", 3), ("YQ=x", 2), ("YQ", 0), ("Y", 0), ("YWJjY", 4), ("YWJj\nYQ", 5), ("YWJj*", 4),
        ("=", 0), ("Y===", 1), ("YQ==YQ==", 4), ("YQ==x", 4), ("YWI=x", 4), ("Y Q==", 1), ("é", 0),
    ],
)  # fmt: skip
def test_others(encoded: str, offset: int) -> None:
    with pytest.raises(CorruptInputError, match=f"^illegal base64 data at input byte {offset}$"):
        decode(encoded)


def test_round_trip() -> None:
    assert encode(b"a") == "YQ=="
    assert decode(encode(bytes(range(256)))) == bytes(range(256))
