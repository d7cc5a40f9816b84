from __future__ import annotations

import pytest

from protoc_gen_crd.golang.email_address import is_address


@pytest.mark.parametrize(
    "address",
    [
        "a@b", "a@b.c", "A <a@b.c>", '"x y"@b', r'"x\"y"@b', "a@b (c)", "a@[1.2.3.4]", "<a@b>", "x: a@b;", "é@b.c",
        '"A" B <c@d>', "A(b) <c@d>", "A.B <a@b>", " a@b", r"a@b (c (d\)))", "a@b.c ", "x: a@b(d);(e)",
    ],
)  # fmt: skip
def test_addresses(address: str) -> None:
    assert is_address(address)


@pytest.mark.parametrize(
    "address",
    [
        "", "a", "a@", "@b", "a@b, c@d", "x:;", "x: a@b, c@d;", "a.@b", ".a@b", "a..b@c", "a@b@c", "a@[x]",
        "a@[1.2.3.4", "<a@b", "A <a@b> c", '"a@b', "a@b (c", "A", "x: a@b", "a\x01@b", "A <>",
        "(c) a@b", '"a\x01"@b', '"A"@ <a@b>', "a@[[1]]",
    ],
)  # fmt: skip
def test_others(address: str) -> None:
    assert not is_address(address)
