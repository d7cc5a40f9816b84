"""Addresses as Go parses and formats them; `testdata/cel/functions.jsonl` has more cases."""

from __future__ import annotations

import pytest

from protoc_gen_crd.golang.netip import AddressError, parse_address, parse_prefix


@pytest.mark.parametrize(
    ("string", "formatted"),
    [
        ("1.2.3.4", "1.2.3.4"),
        ("::", "::"),
        ("1:0:0:2:0:0:0:3", "1:0:0:2::3"),
        ("1:0:2:0:3:0:4:0", "1:0:2:0:3:0:4:0"),
        ("::ffff:1.2.3.4", "::ffff:1.2.3.4"),
        ("FE80::1%eth0", "fe80::1%eth0"),
    ],
)
def test_addresses(string: str, formatted: str) -> None:
    assert str(parse_address(string)) == formatted


@pytest.mark.parametrize(
    ("string", "error"),
    [
        ("1", 'ParseAddr("1"): unable to parse IP'),
        ("1.2.3.04", 'ParseAddr("1.2.3.04"): IPv4 field has octet with leading zero'),
        ("1::2::3", 'ParseAddr("1::2::3"): multiple :: in address (at ":3")'),
        ("::1%", 'ParseAddr("::1%"): zone must be a non-empty string'),
    ],
)
def test_errors(string: str, error: str) -> None:
    with pytest.raises(AddressError) as caught:
        parse_address(string)
    assert str(caught.value) == error


def test_prefixes() -> None:
    address, length = parse_prefix("10.1.2.3/8")
    assert (str(address), length) == ("10.1.2.3", 8)
    with pytest.raises(AddressError, match='bad bits after slash: "08"'):
        parse_prefix("10.0.0.0/08")
