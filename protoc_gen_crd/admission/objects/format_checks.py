"""The string formats that API servers validate, with one function for each.

Source: k8s.io/kube-openapi pkg/validation/strfmt, pkg/internal/third_party/govalidator; Go net, net/mail, time.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable

from protoc_gen_crd.admission.version_differences import K8S_FORMATS, PLAIN_MACS
from protoc_gen_crd.golang.email_address import is_address
from protoc_gen_crd.kubernetes.date_byte_and_uuid_formats import is_byte, is_date, is_date_time, is_uuid
from protoc_gen_crd.kubernetes.shared_results import Switches

_CARD = (
    r"4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
    r"|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11}"
)
_OCTET = r"(?:0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])"
_HEX = frozenset("0123456789abcdefABCDEF")
_MAC_OCTETS = (6, 8, 20)
# Possessive quantifiers (`++`) match digits without backtracking, since a string may have millions of them.
_GO_DURATION = r"(?a)[-+]?(?:0|(?:(?:\d++\.?\d*+|\.\d++)(?:ns|us|µs|μs|ms|s|m|h))+)\Z"
_DURATION_WORD = r"(?a)(?<!\d)(\d++)\s*+([A-Za-zµ]+)"
_UNITS = (
    ("ns", "nano"), ("us", "µs", "micro"), ("ms", "milli"), ("s", "sec"), ("m", "min"), ("h", "hr", "hour"),
    ("d", "day"), ("w", "wk", "week"),
)  # fmt: skip
_NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_NANOSECONDS |= {"µs": 10**3, "μs": 10**3}
_LONGEST = 19  # digits of 2^63
_TERM = r"(?a)(\d*+)\.?(\d*+)(ns|us|µs|μs|ms|s|m|h)"


def _make_matcher(pattern: str, flags: int = re.ASCII) -> Callable[[str], bool]:
    return lambda value: re.fullmatch(pattern, value, flags) is not None


def is_duration(value: str) -> bool:
    """Return true for a duration of Go's time.ParseDuration, or a string with a number and a unit, such as `3 days`."""
    if re.match(_GO_DURATION, value) and _is_in_duration_range(value):
        return True
    has_unit = False
    for digits, word in re.findall(_DURATION_WORD, value):
        if _parse_digits(digits) >= 1 << 63:
            return False
        unit = word.lower()
        has_unit |= any(unit in variants or unit.startswith(variants[-1]) for variants in _UNITS)
    return has_unit


def _is_in_duration_range(value: str) -> bool:
    """Return true if a duration fits Go's time.Duration, about 292 years."""
    total = sum(
        _parse_digits(whole) * _NANOSECONDS[unit] + int(_parse_digits(part) * _NANOSECONDS[unit] / 10 ** len(part))
        for whole, part, unit in ((whole, part[: _LONGEST - 1], unit) for whole, part, unit in re.findall(_TERM, value))
    )
    return total <= (1 << 63) - (0 if value.startswith("-") else 1)


def _parse_digits(digits: str) -> int:
    """Parse digits; only the first ones of a number beyond 64 bits."""
    return int(digits.lstrip("0")[: _LONGEST + 1] or 0)


def _is_ip(value: str) -> bool:
    """Return true for an IP address; as in Go, parts of IPv4 addresses may start with zeros."""
    if "%" in value:
        return False
    head, colon, last = value.rpartition(":")
    if "." in last:
        last = ".".join(
            part.lstrip("0") or "0" if part.isascii() and part.isdigit() else part for part in last.split(".")
        )
    try:
        ipaddress.ip_address(head + colon + last)
    except ValueError:
        return False
    return True


def is_ipv4(value: str) -> bool:
    """Return true for an IP address that contains a dot."""
    return "." in value and _is_ip(value)


def is_ipv6(value: str) -> bool:
    """Return true for an IP address that contains a colon."""
    if ":" not in value or "%" in value:
        return False
    try:
        ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return True


def is_cidr(value: str) -> bool:
    """Return true for an IP address and a prefix length."""
    address, slash, length = value.partition("/")
    if not slash or not _is_ip(address) or not (length.isascii() and length.isdigit()):
        return False
    return _parse_digits(length) <= (128 if ":" in address else 32)


def is_uri(value: str, switches: Switches) -> bool:
    """Return true for an absolute URL or an absolute path."""
    from protoc_gen_crd.admission.url_checks import UrlError, parse_request_uri  # noqa: PLC0415 - few schemas have URLs

    try:
        parse_request_uri(value, switches)
    except UrlError:
        return False
    return True


def is_hostname(value: str) -> bool:
    """Return true for labels of letters, digits, symbols, and inner dashes; the last of several has only letters."""
    if len(value.encode()) > 255 or any(len(label.encode()) > 63 for label in value.split(".")):
        return False
    return _is_valid_hostname(value)


def _is_valid_hostname(value: str) -> bool:
    from protoc_gen_crd.regex.matcher import compile as compiled  # noqa: PLC0415 - loads RE2

    sign = r"a-zA-Z0-9\p{S}\p{L}"
    inner = rf"([{sign}](([a-zA-Z0-9-\p{{S}}\p{{L}}]{{0,61}}[{sign}])?)(\.)){{1,}}([a-zA-Z\p{{L}}]){{2,63}}"
    return compiled(rf"^([{sign}]((-?[{sign}]{{0,62}})?)|{inner})$").search(value)


def is_mac(value: str, switches: Switches) -> bool:
    """Return true for 6, 8, or 20 octets in groups of two or four digits or, since 1.36, without separators."""
    for separator, group in ((":", 2), ("-", 2), (".", 4)):
        groups = value.split(separator)
        if len(groups) > 1:
            is_hexadecimal = all(len(digits) == group and set(digits) <= _HEX for digits in groups)
            return is_hexadecimal and len(groups) * group // 2 in _MAC_OCTETS
    return PLAIN_MACS in switches and len(value) / 2 in _MAC_OCTETS and set(value) <= _HEX


def is_isbn10(value: str) -> bool:
    """Return true for ten digits with a valid check digit, which may be X."""
    plain = re.sub(r"[\t\n\f\r -]+", "", value)
    if not re.fullmatch(r"[0-9]{9}X|[0-9]{10}", plain):
        return False
    digits = [10 if char == "X" else int(char) for char in plain]
    return sum((index + 1) * digit for index, digit in enumerate(digits)) % 11 == 0


def is_isbn13(value: str) -> bool:
    """Return true for thirteen digits with a valid check digit."""
    plain = re.sub(r"[\t\n\f\r -]+", "", value)
    if not re.fullmatch(r"[0-9]{13}", plain):
        return False
    total = sum(int(digit) * (3 if index % 2 else 1) for index, digit in enumerate(plain[:12]))
    return int(plain[12]) == (10 - total % 10) % 10


def is_credit_card(text: str) -> bool:
    """Return true for digits with a known issuer and a valid check digit; other characters are ignored."""
    digits = re.sub(r"[^0-9]+", "", text)
    if not re.fullmatch(_CARD, digits):
        return False
    doubled = [int(digit) * (2 if index % 2 else 1) for index, digit in enumerate(reversed(digits))]
    return sum(value - 9 if value >= 10 else value for value in doubled) % 10 == 0


def is_ssn(value: str) -> bool:
    """Return true for a US social security number with both separators."""
    return len(value) == 11 and re.fullmatch(r"[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}", value) is not None


def is_known(name: str, switches: Switches) -> bool:
    """Return true if the server's library has this format, whether or not the server enforces it."""
    plain = name.replace("-", "")
    return plain in VERSIONED_FORMATS or (plain in FORMATS and (not plain.startswith("k8s") or K8S_FORMATS in switches))


def is_valid(name: str, value: str, switches: Switches) -> bool:
    """Return true if a string matches a known format."""
    plain = name.replace("-", "")
    return VERSIONED_FORMATS[plain](value, switches) if plain in VERSIONED_FORMATS else FORMATS[plain](value)


# The keys are names without dashes. The meaning of the formats in VERSIONED_FORMATS depends on the version.
VERSIONED_FORMATS: dict[str, Callable[[str, Switches], bool]] = {"mac": is_mac, "uri": is_uri}
FORMATS: dict[str, Callable[[str], bool]] = {
    "bsonobjectid": _make_matcher("[0-9a-fA-F]{24}"),
    "byte": is_byte,
    "cidr": is_cidr,
    "creditcard": is_credit_card,
    "date": is_date,
    "datetime": is_date_time,
    "duration": is_duration,
    "email": is_address,
    "hexcolor": _make_matcher("#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})"),
    "hostname": is_hostname,
    "ipv4": is_ipv4,
    "ipv6": is_ipv6,
    "isbn": lambda text: is_isbn10(text) or is_isbn13(text),
    "isbn10": is_isbn10,
    "isbn13": is_isbn13,
    "k8slongname": lambda text: (
        len(text) <= 253
        and re.fullmatch(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", text) is not None
    ),
    "k8sshortname": lambda text: len(text) <= 63 and re.fullmatch("[a-z0-9]([-a-z0-9]*[a-z0-9])?", text) is not None,
    "password": lambda _: True,
    "rgbcolor": _make_matcher(rf"rgb\([\t\n\f\r ]*{_OCTET}(?:[\t\n\f\r ]*,[\t\n\f\r ]*{_OCTET}){{2}}[\t\n\f\r ]*\)"),
    "ssn": is_ssn,
    "uuid": is_uuid,
    "uuid3": lambda text: is_uuid(text, "3"),
    "uuid4": lambda text: is_uuid(text, "4", "[89ab]"),
    "uuid5": lambda text: is_uuid(text, "5", "[89ab]"),
}
