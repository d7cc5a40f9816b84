"""Literals of scalars from a source of chance: boundaries, whatever prints oddly, texts in all spellings."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from random import Random

from protoc_gen_crd.cel.checker.types import BYTES, DOUBLE, DURATION, INT, STRING, TIMESTAMP, UINT, Type

_POINTS = (
    "aAbz09 _-./:\t\n\r\x00\x1b\x7f\x85\xa0éßİ\u0131\u017fǅ\u0301\u200b\u2028\u3000\ufeff\ufffd😀\U0010ffff\"'\\`%{}$"
)
_WORDS = ("aa", "ab", "1", "é", "😀", "\\", '"', "''", "%s", "x-y", "10.0.0.1", "1.5Gi", "2020-01-01")
_NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\", '"': '\\"', "'": "\\'", "`": "\\`"}
_UNITS = ("ns", "us", "µs", "ms", "s", "m", "h")
_DAYS = (
    "0001-01-01", "0001-12-31", "0099-02-28", "1582-10-15", "1883-11-18", "1900-02-28", "1969-12-31", "1970-01-01",
    "2000-02-29", "2016-12-31", "2024-02-29", "2038-01-19", "2100-02-28", "2262-04-11", "9999-12-31", "1677-09-21",
)  # fmt: skip
_CLOCKS = ("00:00:00", "23:59:59", "12:00:00", "03:14:07", "23:47:16.854775807", "00:12:43.145224193", "01:59:59.999")
_ZONES = ("Z", "Z", "Z", "+00:00", "-00:00", "+14:00", "-12:00", "+05:45", "+23:59", "-23:59")


def integer(chance: Random) -> str:
    """Often next to a power of two or ten."""
    base = chance.choice((2, 2, 10)) ** chance.randrange(63)
    number = chance.choice((1, -1)) * min(base, (1 << 63) - 2) + chance.randint(-2, 1)
    return hex(number) if number >= 0 and chance.random() < 0.1 else str(number)


def unsigned(chance: Random) -> str:
    """The same without a sign."""
    number = max(0, min(2 ** chance.randrange(65) + chance.randint(-2, 1), (1 << 64) - 1))
    return f"{hex(number) if chance.random() < 0.1 else number}{chance.choice('uU')}"


def double(chance: Random) -> str:
    """Any bits, few digits, or next to what prints otherwise."""
    kind = chance.random()
    if kind < 0.3:
        (number,) = struct.unpack("d", chance.randbytes(8))
        return repr(number) if math.isfinite(number) else "double('-Infinity')"
    if kind < 0.6:
        return f"{chance.randint(-999, 999)}.{chance.randint(0, 99):02d}"
    if kind < 0.8:
        return f"{chance.choice(('', '-'))}{chance.randint(1, 9)}.{chance.randint(0, 9)}e{chance.randint(-25, 25)}"
    return chance.choice((
        "1e-6", "9.99e-7", "1e21", "9.99e20", "1e6", "5e-324", "1.7976931348623157e308", "9007199254740993.0", ".5",
        "-0.0", "double('NaN')", "double('Infinity')", "9223372036854775807.0", "18446744073709551616.0", "0.1e1",
    ))  # fmt: skip


def duration(chance: Random) -> str:
    """Several units, some too long."""
    parts = []
    for unit in chance.sample(_UNITS, chance.choice((1, 1, 2, 3))):
        fraction = f".{chance.randint(0, 999999999)}" if chance.random() < 0.3 else ""
        parts.append(f"{chance.choice((0, 1, 59, 60, 90, 999, 1000, 86400, 2562047))}{fraction}{unit}")
    return f"duration('{chance.choice(('', '', '-', '+'))}{''.join(parts)}')"


def timestamp(chance: Random) -> str:
    """At the ends of what there is, of days and of years."""
    if chance.random() < 0.2:
        return f"timestamp({chance.choice((-62135596800, -62135596801, 253402300799, 253402300800, -1, 1 << 31))})"
    return f"timestamp('{chance.choice(_DAYS)}T{chance.choice(_CLOCKS)}{chance.choice(_ZONES)}')"


def string(chance: Random) -> str:
    """A text in one of its spellings."""
    return spelled(_text(chance), chance)


def octets(chance: Random) -> str:
    """Bytes, of which a part are no UTF-8."""
    if chance.random() < 0.5:
        return f"b{spelled(_text(chance), chance)}"
    escapes = [chance.choice((f"\\x{byte:02x}", f"\\{byte:03o}")) for byte in chance.randbytes(chance.randint(0, 4))]
    return f"b'{''.join(escapes)}'"


def _text(chance: Random) -> str:
    if chance.random() < 0.3:
        return "".join(chance.choices(_WORDS, k=chance.randint(1, 3)))
    return "".join(chance.choices(_POINTS, k=chance.choice((0, 1, 2, 3, 5, 8, 70))))


def spelled(text: str, chance: Random) -> str:
    """A text as CEL reads it: quotes and escapes of all kinds."""
    raw = text.isprintable() and not set(text) & set("\\'\"")
    quotes = chance.choice(("'", '"', "'''", '"""'))
    if raw and chance.random() < 0.2:
        return f"{chance.choice('rR')}{quotes}{text}{quotes}"
    share = chance.choice((0, 0, 0.3, 1))
    return f"{quotes}{''.join([_escaped(char, chance, share) for char in text])}{quotes}"


def _escaped(char: str, chance: Random, share: float) -> str:
    if char in _NAMED:
        return _NAMED[char]
    code = ord(char)
    if char.isprintable() and chance.random() >= share:
        return char
    forms = [f"\\U{code:08x}"] + ([f"\\u{code:04X}"] if code < 1 << 16 else [])
    forms += [f"\\x{code:02x}", f"\\X{code:02X}", f"\\{code:03o}"] if code < 128 else []
    return chance.choice(forms)


RANDOM: dict[Type, Callable[[Random], str]] = {
    INT: integer, UINT: unsigned, DOUBLE: double, DURATION: duration, TIMESTAMP: timestamp, STRING: string,
    BYTES: octets,
}  # fmt: skip
