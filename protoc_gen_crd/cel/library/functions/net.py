"""IP addresses and CIDR ranges as values. Source: k8s.io/apiserver pkg/cel/library/ip.go, cidr.go; Go net/netip."""

from __future__ import annotations

from typing import ClassVar

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.library.declarations.net import IP_ADDRESS, IP_RANGE
from protoc_gen_crd.cel.values.runtime_values import CelError, Opaque, Value, make_no_such_overload
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.golang.netip import (
    Address,
    AddressError,
    is_link_local,
    is_local_multicast,
    parse_address,
    parse_prefix,
)


class Ip(Opaque):
    """An IP address."""

    address: Address
    cel_type: ClassVar[Type] = IP_ADDRESS
    native_type: ClassVar[str] = "netip.Addr"

    def equals(self, other: Value) -> bool:
        """Check whether both are the same address."""
        if not isinstance(other, Ip):
            raise make_no_such_overload()
        return self.address == other.address

    @property
    def cost_size(self) -> int:
        """The size in bytes."""
        return self.address.bits // 8

    def __str__(self) -> str:
        return str(self.address)


class Cidr(Opaque):
    """A CIDR range: any address of the range, and the length of its prefix."""

    address: Address
    length: int
    cel_type: ClassVar[Type] = IP_RANGE
    native_type: ClassVar[str] = "netip.Prefix"

    def equals(self, other: Value) -> bool:
        """Check whether address and prefix length are the same."""
        if not isinstance(other, Cidr):
            raise make_no_such_overload()
        return self.address == other.address and self.length == other.length

    @property
    def cost_size(self) -> int:
        """The size of the prefix in bytes."""
        return -(-self.length // 8)

    def __str__(self) -> str:
        return f"{self.address}/{self.length}"

    def contains(self, address: Address) -> bool:
        """Check whether the range contains an address."""
        return address.bits == self.address.bits and self._compute_network(address) == self._compute_network(
            self.address
        )

    def _compute_network(self, address: Address) -> int:
        return address.number >> (address.bits - self.length)


def parse_ip(string: str) -> Ip:
    """Parse an IP address. Raises CelError."""
    try:
        address = parse_address(string)
    except AddressError as fault:
        raise CelError(f"IP Address {quote(string)} parse error during conversion from string: {fault}") from None
    if address.zone:
        raise CelError(f"IP address {quote(string)} with zone value is not allowed")
    if address.is_ipv4_mapped:
        raise CelError(f"IPv4-mapped IPv6 address {quote(string)} is not allowed")
    return Ip(address)


def is_ip(string: str) -> bool:
    """Check whether a string is an IP address."""
    try:
        parse_ip(string)
    except CelError:
        return False
    return True


def is_canonical(string: str) -> bool:
    """Check whether a string is the canonical form of its address. Raises CelError."""
    return str(parse_ip(string)) == string


def get_family(value: Ip) -> int:
    """Return 4 or 6."""
    return 4 if value.address.bits == 32 else 6


def is_unspecified(value: Ip) -> bool:
    """Check for 0.0.0.0 or ::."""
    return not value.address.number


def is_loopback(value: Ip) -> bool:
    """Check for 127.0.0.0/8 or ::1."""
    address = value.address
    return address.number >> 24 == 127 if address.bits == 32 else address.number == 1


def is_link_local_multicast(value: Ip) -> bool:
    """Check for 224.0.0.0/24 or ffx2::/16."""
    return is_local_multicast(value.address)


def is_link_local_unicast(value: Ip) -> bool:
    """Check for 169.254.0.0/16 or fe80::/10."""
    return is_link_local(value.address)


def is_global_unicast(value: Ip) -> bool:
    """Check that the address is none of the special ones."""
    address = value.address
    top = 14 if address.bits == 32 else 0xFF
    multicast = address.number >> (address.bits - top.bit_length()) == top
    broadcast = address.bits == 32 and address.number == 0xFFFFFFFF
    return not (multicast or broadcast or is_unspecified(value) or is_loopback(value) or is_link_local(address))


def parse_cidr(string: str) -> Cidr:
    """Parse a CIDR range. Raises CelError."""
    message = "network address parse error during conversion from string"
    try:
        address, length = parse_prefix(string)
    except AddressError as fault:
        raise CelError(f"{message}: {message}: {fault}") from None
    if address.is_ipv4_mapped:
        raise CelError(f"{message}: IPv4-mapped IPv6 address {quote(string)} is not allowed")
    return Cidr(address, length)


def is_cidr(string: str) -> bool:
    """Check whether a string is a CIDR range."""
    try:
        parse_cidr(string)
    except CelError:
        return False
    return True


def contains_ip(value: Cidr, other: Ip) -> bool:
    """Check whether a range contains an address."""
    return value.contains(other.address)


def contains_ip_string(value: Cidr, string: str) -> bool:
    """Check whether a range contains an address given as a string, whose parse error servers do not report."""
    if not is_ip(string):
        raise make_no_such_overload()
    return value.contains(parse_ip(string).address)


def contains_cidr(value: Cidr, other: Cidr) -> bool:
    """Check whether a range contains a range."""
    return value.length <= other.length and value.contains(other.address)


def contains_cidr_string(value: Cidr, string: str) -> bool:
    """Check whether a range contains a range given as a string. Raises CelError."""
    return contains_cidr(value, parse_cidr(string))


def old_contains_cidr(value: Cidr, other: Cidr) -> bool:
    """Check containment before 1.32: the address of the other range must be the first of this range."""
    first = mask_cidr(value)
    return value.length <= other.length and first.address == other.address


def old_contains_cidr_string(value: Cidr, string: str) -> bool:
    """Check containment before 1.32 for a string. Raises CelError."""
    return old_contains_cidr(value, parse_cidr(string))


def get_cidr_ip(value: Cidr) -> Ip:
    """Return the address as it was written."""
    return Ip(value.address)


def get_prefix_length(value: Cidr) -> int:
    """Return the length of the prefix."""
    return value.length


def mask_cidr(value: Cidr) -> Cidr:
    """Return the range with its first address."""
    free = value.address.bits - value.length
    return Cidr(value.address.replace(number=value.address.number >> free << free), value.length)


def format_address(value: Ip | Cidr) -> str:
    """Format an address or range in its canonical form."""
    return str(value)
