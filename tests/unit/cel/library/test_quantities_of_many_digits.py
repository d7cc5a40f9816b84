"""Quantities of many digits: the fast conversions against the definitions, on small numbers."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from random import Random

from protoc_gen_crd.cel.library.functions.digits import format_digits, parse_digits
from protoc_gen_crd.cel.library.functions.quantity import (
    add,
    as_float,
    compare,
    is_integer,
    parse_cel_quantity,
    subtract,
)
from protoc_gen_crd.cel.library.functions.quantity_parser import BINARY_SUFFIXES, DECIMAL_SUFFIXES

_NANO = 10**9
_LARGEST = (1 << 63) - 1


def draw_digits(random: Random, most: int) -> str:
    """Return digits that often end with zeros or a single digit after zeros."""
    length = random.randint(1, most)
    digits = "".join(random.choices("0019", k=length)) if random.random() < 0.5 else str(random.getrandbits(200))
    return digits[:length] + "0" * random.randint(0, most) + random.choice(("", "", "1"))


def strip_zeros(value: int) -> tuple[int, int]:
    """Remove the factors of ten one by one, as Kubernetes does (removeBigIntFactors)."""
    times = 0
    while value and not value % 10:
        value, times = value // 10, times + 1
    return value, times


def format_exponent(number: Fraction) -> str:
    """Return the canonical form of a number with an exponent, as AsCanonicalBytes does."""
    value, times = strip_zeros(int(number * _NANO))
    power = times - 9
    while power % 3:
        value, power = value * 10, power - 1
    return f"{value}e{power}" if power and value else str(value)


def test_digits_of_integers() -> None:
    random = Random(14)  # noqa: S311 - not a secret
    for bits in (0, 1, 4095, 4096, 4097, 8191, 8193, 12000, 14000):
        value = random.getrandbits(bits)
        for number in (value, -value, value - value % 1000):
            assert format_digits(number) == str(number)
            assert parse_digits(format_digits(abs(number))) == abs(number)
    assert format_digits(10**70_001) == "1" + "0" * 70_001


def test_decimal_numbers() -> None:
    random = Random(15)  # noqa: S311 - not a secret
    for _ in range(4000):
        whole, fraction, power = draw_digits(random, 25), draw_digits(random, 25), random.randint(-60, 60)
        digits = Fraction(int(whole + fraction)) * Fraction(10) ** (power - len(fraction))
        number = Fraction(ceil(digits * _NANO), _NANO)
        quantity = parse_cel_quantity(f"{whole}.{fraction}e{power}")
        normal = parse_cel_quantity(format_exponent(number))
        assert compare(quantity, normal) == 0, f"{whole}.{fraction}e{power}"
        total = add(add(quantity, normal), parse_cel_quantity("1e0"))
        assert str(total) == format_exponent(2 * number + 1), f"{whole}.{fraction}e{power}"


def test_binary_numbers_are_rounded_up_to_billionths() -> None:
    random = Random(16)  # noqa: S311 - not a secret
    for _ in range(4000):
        name, power = random.choice(list(BINARY_SUFFIXES.items()))
        string = f"{draw_digits(random, 20)}.{draw_digits(random, 90)}"
        billionths = ceil(Fraction(string) * 2**power * _NANO)
        expected = Fraction(billionths, _NANO) if billionths <= _LARGEST * _NANO else Fraction(_LARGEST)
        quantity = parse_cel_quantity(string + name)
        assert compare(quantity, parse_cel_quantity(f"{int(expected * _NANO)}n")) == 0, string + name


def test_suffixes_of_sums() -> None:
    names = {power: name for name, power in DECIMAL_SUFFIXES.items()}
    one = parse_cel_quantity("1Ki")
    for power in range(60, 400, 20):
        total = add(one, parse_cel_quantity(f"{'1' * 19}e{power}"))
        number = int("1" * 19) * 10**power + 1024
        times = 0
        while not number % 1024:
            number, times = number // 1024, times + 10
        suffixes = {power: name for name, power in BINARY_SUFFIXES.items()}
        assert str(total) == f"{number}{suffixes.get(times, '')}"
    assert str(parse_cel_quantity("1" * 19 + "000")) == "1" * 19 + names[3]


def test_a_million_digits() -> None:
    far = parse_cel_quantity("1234567890123456789e1000000")
    assert str(far) == "12345678901234567890e999999"
    total = add(far, parse_cel_quantity("1"))
    assert str(total) == "1234567890123456789" + "0" * 999_999 + "1"
    assert str(subtract(total, parse_cel_quantity("1"))) == "12345678901234567890e999999"
    assert (compare(total, far), is_integer(total), as_float(total)) == (1, False, float("inf"))
    binary = add(parse_cel_quantity("1Ki"), far)
    assert str(binary).endswith("01Ki")
    assert str(subtract(binary, parse_cel_quantity("1Ki"))) == format_digits(1234567890123456789 * 5**1_000_000)
    middle = "7" * 500_000
    assert str(parse_cel_quantity(f"{middle}.{middle}")) == f"{middle}777777778n"
    assert str(parse_cel_quantity(f"{middle}.{middle}Ki")) == str(_LARGEST)
