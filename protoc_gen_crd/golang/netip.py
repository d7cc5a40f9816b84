"""Parsing and formatting of IP addresses as in Go's net/netip.

Python's ipaddress accepts other strings (zones, embedded IPv4) and has other error messages. Source: Go 1.26 net/netip
netip.go.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.golang.fmt import quote

_GROUP = re.compile("[0-9a-fA-F]*")


class AddressError(Exception):
    """A string that is not an IP address; the message is Go's."""


class Address(Record):
    """An address of 32 or 128 bits."""

    number: int
    bits: int
    zone: str = ""

    @property
    def is_ipv4_mapped(self) -> bool:
        """Return whether it is an IPv4-mapped IPv6 address."""
        return self.bits == 128 and self.number >> 32 == 0xFFFF

    def __str__(self) -> str:
        if self.bits == 32:
            return _format_ipv4(self.number)
        zone = f"%{self.zone}" if self.zone else ""
        return (
            f"::ffff:{_format_ipv4(self.number & 0xFFFFFFFF)}" if self.is_ipv4_mapped else _format_ipv6(self.number)
        ) + zone


def is_link_local(address: Address) -> bool:
    """Return whether the address is in 169.254.0.0/16 or fe80::/10."""
    return address.number >> 16 == 0xA9FE if address.bits == 32 else address.number >> 118 == 0xFE80 >> 6


def is_local_multicast(address: Address) -> bool:
    """Return whether the address is in 224.0.0.0/24 or ffx2::/16."""
    return address.number >> 8 == 0xE00000 if address.bits == 32 else address.number >> 112 & 0xFF0F == 0xFF02


def parse_address(string: str) -> Address:
    """Parse an IP address. Raises AddressError."""
    separator = re.search("[.:%]", string)
    if separator is None:
        raise _make_error(string, "unable to parse IP")
    if separator[0] == "%":
        raise _make_error(string, "missing IPv6 address")
    return Address(_parse_ipv4(string, string), 32) if separator[0] == "." else _parse_ipv6(string)


def parse_prefix(string: str) -> tuple[Address, int]:
    """Parse a CIDR prefix to its address and its length in bits. Raises AddressError."""
    before, slash, bits = string.rpartition("/")
    prefix = f"netip.ParsePrefix({quote(string)}): "
    if not slash:
        raise AddressError(f"{prefix}no '/'")
    try:
        address = parse_address(before)
    except AddressError as error:
        raise AddressError(f"{prefix}{error}") from None
    if address.zone:
        raise AddressError(f"{prefix}IPv6 zones cannot be present in a prefix")
    number = re.fullmatch("0|[1-9][0-9]*", bits)
    if number is None or len(bits) > 19 or int(bits) >> 63:
        raise AddressError(f"{prefix}bad bits after slash: {quote(bits)}")
    if int(bits) > address.bits:
        raise AddressError(f"{prefix}prefix length out of range")
    return address, int(bits)


def _make_error(string: str, reason: str, at: str = "") -> AddressError:
    place = f" (at {quote(at)})" if at else ""
    return AddressError(f"ParseAddr({quote(string)}): {reason}{place}")


def _parse_ipv4(string: str, whole: str) -> int:
    """Return the number of four octets; error messages quote `whole`."""
    octets = [""]
    for at, char in enumerate(string):
        if char in "0123456789":
            if octets[-1] == "0":
                raise _make_error(whole, "IPv4 field has octet with leading zero")
            octets[-1] += char
            if int(octets[-1]) > 255:
                raise _make_error(whole, "IPv4 field has value >255")
        elif char != ".":
            raise _make_error(whole, "unexpected character", string[at:])
        elif not octets[-1] or at == len(string) - 1:
            raise _make_error(whole, "IPv4 field must have at least one digit", string[at:])
        elif len(octets) == 4:
            raise _make_error(whole, "IPv4 address too long")
        else:
            octets.append("")
    if len(octets) < 4:
        raise _make_error(whole, "IPv4 address too short")
    return int.from_bytes([int(octet) for octet in octets])


def _parse_ipv6(string: str) -> Address:
    rest, percent, zone = string.partition("%")
    if percent and not zone:
        raise _make_error(string, "zone must be a non-empty string")
    groups: list[int] = []
    gap = -1
    if rest.startswith("::"):
        gap, rest = 0, rest[2:]
    while len(groups) < 8 and (rest or gap < 0 or groups):
        digits = _read_hex_digits(rest, string)
        rest = rest[len(digits) :]
        if rest.startswith("."):
            groups += _parse_embedded_ipv4(digits + rest, string, len(groups), gap)
            rest = ""
            break
        groups.append(int(digits, 16))
        if not rest:
            break
        rest, is_double = _skip_colon(rest, string, gap)
        if is_double:
            gap = len(groups)
            if not rest:
                break
    if rest:
        raise _make_error(string, "trailing garbage after address", rest)
    return Address(_join_groups(groups, gap, string), 128, zone)


def _read_hex_digits(rest: str, string: str) -> str:
    """Return the hexadecimal digits at the beginning of `rest`; error messages quote `string`."""
    match = _GROUP.match(rest)
    digits = match[0] if match else ""
    if len(digits) > 4:
        raise _make_error(string, "each group must have 4 or less digits", rest)
    if not digits:
        raise _make_error(string, "each colon-separated field must have at least one digit", rest)
    return digits


def _parse_embedded_ipv4(rest: str, string: str, count: int, gap: int) -> list[int]:
    """Return the two groups of an IPv4 address at the end."""
    if gap < 0 and count != 6:
        raise _make_error(string, "embedded IPv4 address must replace the final 2 fields of the address", rest)
    if count > 6:
        raise _make_error(string, "too many hex fields to fit an embedded IPv4 at the end of the address", rest)
    number = _parse_ipv4(rest, string)
    return [number >> 16, number & 0xFFFF]


def _skip_colon(rest: str, string: str, gap: int) -> tuple[str, bool]:
    """Return the rest after the colon that ends a group, and whether the colon is double."""
    if rest[0] != ":":
        raise _make_error(string, "unexpected character, want colon", rest)
    if len(rest) == 1:
        raise _make_error(string, "colon must be followed by more characters", rest)
    if rest[1] != ":":
        return rest[1:], False
    if gap >= 0:
        raise _make_error(string, "multiple :: in address", rest[1:])
    return rest[2:], True


def _join_groups(groups: list[int], gap: int, string: str) -> int:
    if len(groups) < 8:
        if gap < 0:
            raise _make_error(string, "address string too short")
        groups = [*groups[:gap], *[0] * (8 - len(groups)), *groups[gap:]]
    elif gap >= 0:
        raise _make_error(string, "the :: must expand to at least one field of zeros")
    number = 0
    for group in groups:
        number = number << 16 | group
    return number


def _format_ipv4(number: int) -> str:
    return ".".join(map(str, number.to_bytes(4)))


def _format_ipv6(number: int) -> str:
    """Format eight groups, with the first longest run of two or more zeros compressed to `::`."""
    groups = [number >> shift & 0xFFFF for shift in range(112, -1, -16)]
    runs = [(start, _find_zero_run(groups[start:])) for start in range(8)]
    start, length = max(runs, key=lambda run: (run[1], -run[0]))
    if length < 2:
        return ":".join([f"{group:x}" for group in groups])
    before, after = groups[:start], groups[start + length :]
    return ":".join([f"{group:x}" for group in before]) + "::" + ":".join([f"{group:x}" for group in after])


def _find_zero_run(groups: list[int]) -> int:
    return next((at for at, group in enumerate(groups) if group), len(groups))
