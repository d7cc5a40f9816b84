"""Formats; recorded servers hold most of this, through defaults, in tests/conformance/test_crd.py."""

from __future__ import annotations

import pytest

from protoc_gen_crd.admission.objects.format_checks import FORMATS, VERSIONED_FORMATS, is_known, is_valid
from protoc_gen_crd.kubernetes.shared_results import Switches

NEW = Switches.from_minor(37)

VALID = {
    "bsonobjectid": "507f1f77bcf86cd799439011",
    "byte": "YQ==",
    "cidr": "10.0.0.0/8",
    "creditcard": "4111 1111 1111 1111",
    "date": "2024-02-29",
    "date-time": "2024-02-29t23:59:59.5z",
    "duration": "1h30m",
    "email": "A <a@b.c>",
    "hexcolor": "#FFF",
    "hostname": "example.com",
    "ipv4": "01.2.3.4",
    "ipv6": "::ffff:1.2.3.4",
    "isbn": "0321751043",
    "isbn10": "0-321-75104-3",
    "isbn13": "978-0321751041",
    "k8s-long-name": "a.b",
    "k8s-short-name": "a-b",
    "mac": "00:11:22:33:44:55",
    "password": "",
    "rgbcolor": "rgb( 0 , 255,10 )",
    "ssn": "123-45-6789",
    "uri": "/a/b",
    "uuid": "550e8400e29b41d4a716446655440000",
    "uuid3": "6ba7b810-9dad-31d1-80b4-00c04fd430c8",
    "uuid4": "550e8400-e29b-41d4-a716-446655440000",
    "uuid5": "6ba7b810-9dad-51d1-80b4-00c04fd430c8",
}
INVALID = [
    ("bsonobjectid", "507f1f77bcf86cd79943901"),
    ("byte", "YQ="),
    ("cidr", "10.0.0.0/33"),
    ("cidr", "fe80::1%eth0/64"),
    ("creditcard", "4111111111111112"),
    ("date", "2023-02-29"),
    ("date", "2023-13-01"),
    ("date-time", "2024-02-29T24:00:00Z"),
    ("date-time", "2024-02-29T00:00:00"),
    ("duration", "5"),
    ("duration", "5 x"),
    ("email", "a@b, c@d"),
    ("hexcolor", "#FFFF"),
    ("hostname", "a_b"),
    ("hostname", "a" * 64),
    ("ipv4", "1.2.3.256"),
    ("ipv4", "::1"),
    ("ipv6", "fe80::1%eth0"),
    ("ipv6", "::1.2.3.04"),
    ("isbn", "0321751044"),
    ("isbn13", "978-0321751042"),
    ("k8s-long-name", "A.b"),
    ("k8s-short-name", "a.b"),
    ("mac", "00:11:22:33:44"),
    ("mac", "00:11:22:33:44:5g"),
    ("rgbcolor", "rgb(256,0,0)"),
    ("ssn", "123456789"),
    ("uri", "a/b"),
    ("uuid", "550e8400-e29b-41d4-a716"),
    ("uuid3", "550e8400-e29b-41d4-a716-446655440000"),
    ("uuid4", "6ba7b810-9dad-31d1-80b4-00c04fd430c8"),
]


def test_every_format_has_a_sample() -> None:
    assert {name.replace("-", "") for name in VALID} == FORMATS.keys() | VERSIONED_FORMATS.keys()


@pytest.mark.parametrize(("name", "text"), VALID.items())
def test_valid_texts(name: str, text: str) -> None:
    assert is_known(name, NEW)
    assert is_valid(name, text, NEW)


@pytest.mark.parametrize(("name", "text"), INVALID)
def test_invalid_texts(name: str, text: str) -> None:
    assert not is_valid(name, text, NEW)


def test_dashes_in_names_are_of_no_account() -> None:
    assert is_known("da-te", NEW)
    assert is_valid("datetime", VALID["date-time"], NEW)


def test_unknown_formats() -> None:
    assert not is_known("colour", NEW)
    assert not is_known("int32", NEW)


@pytest.mark.parametrize("name", ["k8s-short-name", "k8s-long-name"])
def test_name_formats_exist_in_newer_servers(name: str) -> None:
    assert is_known(name, Switches.from_minor(34))
    assert not is_known(name, Switches.from_minor(33))


@pytest.mark.parametrize("text", ["001122334455", "0011223344556677", "00" * 20])
def test_macs_without_separators_came_with_go_1_26(text: str) -> None:
    assert is_valid("mac", text, Switches.from_minor(36))
    assert not is_valid("mac", text, Switches.from_minor(35))
    assert not is_valid("mac", text[1:], Switches.from_minor(36))


@pytest.mark.parametrize("text", ["3 days", "1 week", "2 hr", "1 d 2 h", "-5s", ".5s", "5µs", "0"])
def test_durations_in_words(text: str) -> None:
    assert is_valid("duration", text, NEW)


@pytest.mark.parametrize("text", ["x", "99999999999999999999 s", "1e3", ""])
def test_durations_that_are_none(text: str) -> None:
    assert not is_valid("duration", text, NEW)
