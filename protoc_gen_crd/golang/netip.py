"""IP addresses as Go's net/netip reads and prints them..

Python's ipaddress takes other texts (zones, embedded IPv4) and says other things of those it refuses. Source: Go 1.26
net/netip netip.go.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.golang.fmt import quote

_GROUP = re.compile("[0-9a-fA-F]*")


class AddressError(Exception):
    """Why a text is no address; the message is Go's."""


class Address(Record):
    """An address of 32 or 128 bits."""

    number: int
    bits: int
    zone: str = ""

    @property
    def is_ipv4_mapped(self) -> bool:
        """Whether it is an IPv4 address in IPv6's clothing."""
        return self.bits == 128 and self.number >> 32 == 0xFFFF

    def __str__(self) -> str:
        if self.bits == 32:
            return _format_ipv4(self.number)
        zone = f"%{self.zone}" if self.zone else ""
        return (
            f"::ffff:{_format_ipv4(self.number & 0xFFFFFFFF)}" if self.is_ipv4_mapped else _format_ipv6(self.number)
        ) + zone


def is_link_local(address: Address) -> bool:
    """169.254.0.0/16 or fe80::/10."""
    return address.number >> 16 == 0xA9FE if address.bits == 32 else address.number >> 118 == 0xFE80 >> 6


def is_local_multicast(address: Address) -> bool:
    """224.0.0.0/24 or ffx2::/16."""
    return address.number >> 8 == 0xE00000 if address.bits == 32 else address.number >> 112 & 0xFF0F == 0xFF02


def parse_address(text: str) -> Address:
    """Raises AddressError."""
    found = re.search("[.:%]", text)
    if found is None:
        raise _make_error(text, "unable to parse IP")
    if found[0] == "%":
        raise _make_error(text, "missing IPv6 address")
    return Address(_parse_ipv4(text, text), 32) if found[0] == "." else _parse_ipv6(text)


def parse_prefix(text: str) -> tuple[Address, int]:
    """An address and a number of bits. Raises AddressError."""
    before, slash, bits = text.rpartition("/")
    said = f"netip.ParsePrefix({quote(text)}): "
    if not slash:
        raise AddressError(f"{said}no '/'")
    try:
        address = parse_address(before)
    except AddressError as fault:
        raise AddressError(f"{said}{fault}") from None
    if address.zone:
        raise AddressError(f"{said}IPv6 zones cannot be present in a prefix")
    number = re.fullmatch("0|[1-9][0-9]*", bits)
    if number is None or len(bits) > 19 or int(bits) >> 63:
        raise AddressError(f"{said}bad bits after slash: {quote(bits)}")
    if int(bits) > address.bits:
        raise AddressError(f"{said}prefix length out of range")
    return address, int(bits)


def _make_error(text: str, said: str, at: str = "") -> AddressError:
    place = f" (at {quote(at)})" if at else ""
    return AddressError(f"ParseAddr({quote(text)}): {said}{place}")


def _parse_ipv4(text: str, whole: str) -> int:
    """The number of four octets; `whole` is what messages quote."""
    octets = [""]
    for at, char in enumerate(text):
        if char in "0123456789":
            if octets[-1] == "0":
                raise _make_error(whole, "IPv4 field has octet with leading zero")
            octets[-1] += char
            if int(octets[-1]) > 255:
                raise _make_error(whole, "IPv4 field has value >255")
        elif char != ".":
            raise _make_error(whole, "unexpected character", text[at:])
        elif not octets[-1] or at == len(text) - 1:
            raise _make_error(whole, "IPv4 field must have at least one digit", text[at:])
        elif len(octets) == 4:
            raise _make_error(whole, "IPv4 address too long")
        else:
            octets.append("")
    if len(octets) < 4:
        raise _make_error(whole, "IPv4 address too short")
    return int.from_bytes([int(octet) for octet in octets])


def _parse_ipv6(text: str) -> Address:
    rest, percent, zone = text.partition("%")
    if percent and not zone:
        raise _make_error(text, "zone must be a non-empty string")
    groups: list[int] = []
    gap = -1
    if rest.startswith("::"):
        gap, rest = 0, rest[2:]
    while len(groups) < 8 and (rest or gap < 0 or groups):
        digits = _read_hex_digits(rest, text)
        rest = rest[len(digits) :]
        if rest.startswith("."):
            groups += _parse_embedded_ipv4(digits + rest, text, len(groups), gap)
            rest = ""
            break
        groups.append(int(digits, 16))
        if not rest:
            break
        rest, found = _skip_colon(rest, text, gap)
        if found:
            gap = len(groups)
            if not rest:
                break
    if rest:
        raise _make_error(text, "trailing garbage after address", rest)
    return Address(_join_groups(groups, gap, text), 128, zone)


def _read_hex_digits(rest: str, text: str) -> str:
    """The hexadecimal digits that a text begins with."""
    match = _GROUP.match(rest)
    digits = match[0] if match else ""
    if len(digits) > 4:
        raise _make_error(text, "each group must have 4 or less digits", rest)
    if not digits:
        raise _make_error(text, "each colon-separated field must have at least one digit", rest)
    return digits


def _parse_embedded_ipv4(rest: str, text: str, count: int, gap: int) -> list[int]:
    """The two groups of an IPv4 address at the end."""
    if gap < 0 and count != 6:
        raise _make_error(text, "embedded IPv4 address must replace the final 2 fields of the address", rest)
    if count > 6:
        raise _make_error(text, "too many hex fields to fit an embedded IPv4 at the end of the address", rest)
    number = _parse_ipv4(rest, text)
    return [number >> 16, number & 0xFFFF]


def _skip_colon(rest: str, text: str, gap: int) -> tuple[str, bool]:
    """What follows the colon behind a group, and whether there was a second one."""
    if rest[0] != ":":
        raise _make_error(text, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise _make_error(text, "colon must be followed by more characters", rest)
    if rest[1] != ":":
        return rest[1:], False
    if gap >= 0:
        raise _make_error(text, "multiple :: in address", rest[1:])
    return rest[2:], True


def _join_groups(groups: list[int], gap: int, text: str) -> int:
    if len(groups) < 8:
        if gap < 0:
            raise _make_error(text, "address string too short")
        groups = [*groups[:gap], *[0] * (8 - len(groups)), *groups[gap:]]
    elif gap >= 0:
        raise _make_error(text, "the :: must expand to at least one field of zeros")
    number = 0
    for group in groups:
        number = number << 16 | group
    return number


def _format_ipv4(number: int) -> str:
    return ".".join(map(str, number.to_bytes(4)))


def _format_ipv6(number: int) -> str:
    """Eight groups, the first longest run of two or more zeros left out."""
    groups = [number >> shift & 0xFFFF for shift in range(112, -1, -16)]
    runs = [(start, _find_zero_run(groups[start:])) for start in range(8)]
    start, length = max(runs, key=lambda run: (run[1], -run[0]))
    if length < 2:
        return ":".join([f"{group:x}" for group in groups])
    before, behind = groups[:start], groups[start + length :]
    return ":".join([f"{group:x}" for group in before]) + "::" + ":".join([f"{group:x}" for group in behind])


def _find_zero_run(groups: list[int]) -> int:
    return next((at for at, group in enumerate(groups) if group), len(groups))
