"""IP addresses and ranges as values. Source: k8s.io/apiserver pkg/cel/library/ip.go, cidr.go; Go net/netip."""

from __future__ import annotations

from typing import ClassVar

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.library.net import IP_ADDRESS, IP_RANGE
from protoc_gen_crd.cel.values.values import CelError, Opaque, Value, make_no_such_overload
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
    """An address."""

    address: Address
    cel_type: ClassVar[Type] = IP_ADDRESS
    native_type: ClassVar[str] = "netip.Addr"

    def equals(self, other: Value) -> bool:
        """Whether both are the same address."""
        if not isinstance(other, Ip):
            raise make_no_such_overload()
        return self.address == other.address

    @property
    def cost_size(self) -> int:
        """Bytes."""
        return self.address.bits // 8

    def __str__(self) -> str:
        return str(self.address)


class Cidr(Opaque):
    """A range: an address, which may lie anywhere in it, and the bits that all of it have in common."""

    address: Address
    length: int
    cel_type: ClassVar[Type] = IP_RANGE
    native_type: ClassVar[str] = "netip.Prefix"

    def equals(self, other: Value) -> bool:
        """Whether both were written alike."""
        if not isinstance(other, Cidr):
            raise make_no_such_overload()
        return self.address == other.address and self.length == other.length

    @property
    def cost_size(self) -> int:
        """Bytes."""
        return -(-self.length // 8)

    def __str__(self) -> str:
        return f"{self.address}/{self.length}"

    def contains(self, address: Address) -> bool:
        """Whether an address lies in it."""
        return address.bits == self.address.bits and self._compute_network(address) == self._compute_network(
            self.address
        )

    def _compute_network(self, address: Address) -> int:
        return address.number >> (address.bits - self.length)


def parse_ip(text: str) -> Ip:
    """Raises CelError."""
    try:
        address = parse_address(text)
    except AddressError as fault:
        raise CelError(f"IP Address {quote(text)} parse error during conversion from string: {fault}") from None
    if address.zone:
        raise CelError(f"IP address {quote(text)} with zone value is not allowed")
    if address.is_ipv4_mapped:
        raise CelError(f"IPv4-mapped IPv6 address {quote(text)} is not allowed")
    return Ip(address)


def is_ip(text: str) -> bool:
    """Whether a text is one."""
    try:
        parse_ip(text)
    except CelError:
        return False
    return True


def is_canonical(text: str) -> bool:
    """Whether a text is the canonical one of its address. Raises CelError."""
    return str(parse_ip(text)) == text


def get_family(value: Ip) -> int:
    """4 or 6."""
    return 4 if value.address.bits == 32 else 6


def is_unspecified(value: Ip) -> bool:
    """0.0.0.0 or ::."""
    return not value.address.number


def is_loopback(value: Ip) -> bool:
    """127.0.0.0/8 or ::1."""
    address = value.address
    return address.number >> 24 == 127 if address.bits == 32 else address.number == 1


def is_link_local_multicast(value: Ip) -> bool:
    """224.0.0.0/24 or ffx2::/16."""
    return is_local_multicast(value.address)


def is_link_local_unicast(value: Ip) -> bool:
    """169.254.0.0/16 or fe80::/10."""
    return is_link_local(value.address)


def is_global_unicast(value: Ip) -> bool:
    """None of the special addresses."""
    address = value.address
    top = 14 if address.bits == 32 else 0xFF
    multicast = address.number >> (address.bits - top.bit_length()) == top
    broadcast = address.bits == 32 and address.number == 0xFFFFFFFF
    return not (multicast or broadcast or is_unspecified(value) or is_loopback(value) or is_link_local(address))


def parse_cidr(text: str) -> Cidr:
    """Raises CelError."""
    said = "network address parse error during conversion from string"
    try:
        address, length = parse_prefix(text)
    except AddressError as fault:
        raise CelError(f"{said}: {said}: {fault}") from None
    if address.is_ipv4_mapped:
        raise CelError(f"{said}: IPv4-mapped IPv6 address {quote(text)} is not allowed")
    return Cidr(address, length)


def is_cidr(text: str) -> bool:
    """Whether a text is one."""
    try:
        parse_cidr(text)
    except CelError:
        return False
    return True


def contains_ip(value: Cidr, other: Ip) -> bool:
    """Whether an address lies in a range."""
    return value.contains(other.address)


def contains_ip_text(value: Cidr, text: str) -> bool:
    """The same of a text, which no server tells what is wrong with."""
    if not is_ip(text):
        raise make_no_such_overload()
    return value.contains(parse_ip(text).address)


def contains_cidr(value: Cidr, other: Cidr) -> bool:
    """Whether a range lies in a range."""
    return value.length <= other.length and value.contains(other.address)


def contains_cidr_text(value: Cidr, text: str) -> bool:
    """The same of a text. Raises CelError."""
    return contains_cidr(value, parse_cidr(text))


def old_contains_cidr(value: Cidr, other: Cidr) -> bool:
    """Whether a range that is written as its first address is the larger one's first address, too."""
    first = mask_cidr(value)
    return value.length <= other.length and first.address == other.address


def old_contains_cidr_text(value: Cidr, text: str) -> bool:
    """The same of a text. Raises CelError."""
    return old_contains_cidr(value, parse_cidr(text))


def get_cidr_ip(value: Cidr) -> Ip:
    """The address as it was written."""
    return Ip(value.address)


def get_prefix_length(value: Cidr) -> int:
    """The bits that all addresses have in common."""
    return value.length


def mask_cidr(value: Cidr) -> Cidr:
    """The range, written as its first address."""
    free = value.address.bits - value.length
    return Cidr(value.address.replace(number=value.address.number >> free << free), value.length)


def format_address(value: Ip | Cidr) -> str:
    """The canonical text."""
    return str(value)
