"""Semantic versions as values.

Source: k8s.io/apiserver pkg/cel/library/semverlib.go; github.com/blang/semver v4.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import ClassVar

from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.cel.library.semver import SEMVER
from protoc_gen_crd.cel.types import Type
from protoc_gen_crd.cel.values import CelError, Opaque, Value, no_such_overload, unhashable

_NUMBER, _WORD = re.compile("[0-9]*"), re.compile("[-0-9A-Za-z]*")
_MOST = (1 << 64) - 1


class Semver(Opaque):
    """A version: three numbers, what comes before a release, and what is said of the build."""

    numbers: tuple[int, int, int]
    before: tuple[int | str, ...]
    build: tuple[str, ...]
    cel_type: ClassVar[Type] = SEMVER
    native_type: ClassVar[str] = "semver.Version"

    def key(self) -> Hashable:
        """None: Go cannot hash it."""
        unhashable("cel.Semver")

    def equals(self, other: Value) -> bool:
        """Whether neither comes before the other; builds do not count."""
        if not isinstance(other, Semver):
            raise no_such_overload()
        return compare(self, other) == 0

    def __str__(self) -> str:
        before = "-" + ".".join(map(str, self.before)) if self.before else ""
        build = "+" + ".".join(self.build) if self.build else ""
        return ".".join(map(str, self.numbers)) + before + build

    def order(self) -> tuple[object, ...]:
        """A key that sorts as versions do: a release behind all that come before it, numbers before words."""
        return self.numbers, not self.before, [(isinstance(part, str), part) for part in self.before]


def semver(text: str, normalize: bool = False) -> Semver:  # noqa: FBT001, FBT002 - as expressions call it
    """Raises CelError."""
    return _parse(_normalized(text) if normalize else text)


def is_semver(text: str, normalize: bool = False) -> bool:  # noqa: FBT001, FBT002 - as expressions call it
    """Whether a text is one."""
    try:
        semver(text, normalize)
    except CelError:
        return False
    return True


def compare(one: Semver, other: Semver) -> int:
    """-1, 0 or 1."""
    first, second = one.order(), other.order()
    return (first > second) - (first < second)


def is_greater(one: Semver, other: Semver) -> bool:
    """As `compare`."""
    return compare(one, other) > 0


def is_less(one: Semver, other: Semver) -> bool:
    """As `compare`."""
    return compare(one, other) < 0


def major(value: Semver) -> int:
    """The first number, as an int: the larger ones are negative."""
    return _int64(value.numbers[0])


def minor(value: Semver) -> int:
    """The second number."""
    return _int64(value.numbers[1])


def patch(value: Semver) -> int:
    """The third number."""
    return _int64(value.numbers[2])


def _normalized(text: str) -> str:
    """Without a leading v and leading zeros, with all three numbers."""
    parts = [_trimmed(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3 and re.search("[-+]", parts[-1]):
        raise CelError("short version cannot contain PreRelease/Build meta data")
    return ".".join([*parts, "0", "0"][:3])


def _trimmed(part: str) -> str:
    if len(part.encode(errors="surrogateescape")) <= 1:
        return part
    trimmed = part.lstrip("0")
    return trimmed if re.match("[0-9]", trimmed) else f"0{trimmed}"


def _parse(text: str) -> Semver:
    if not text:
        raise CelError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) < 3:
        raise CelError("No Major.Minor.Patch elements found")
    first, second = _number(parts[0], "major"), _number(parts[1], "minor")
    rest, plus, build = parts[2].partition("+")
    third, dash, before = rest.partition("-")
    number = _number(third, "patch")
    words = tuple([_before(part) for part in before.split(".")]) if dash else ()
    return Semver((first, second, number), words, tuple([_build(part) for part in build.split(".")]) if plus else ())


def _number(text: str, name: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise CelError(f"Invalid character(s) found in {name} number {quote(text)}")
    if len(text) > 1 and text[0] == "0":
        raise CelError(f"{name.capitalize()} number must not contain leading zeroes {quote(text)}")
    return _unsigned(text)


def _before(text: str) -> int | str:
    if not text:
        raise CelError("Prerelease is empty")
    if not _NUMBER.fullmatch(text):
        if not _WORD.fullmatch(text):
            raise CelError(f"Invalid character(s) found in prerelease {quote(text)}")
        return text
    if len(text) > 1 and text[0] == "0":
        raise CelError(f"Numeric PreRelease version must not contain leading zeroes {quote(text)}")
    return _unsigned(text)


def _build(text: str) -> str:
    if not text:
        raise CelError("Build meta data is empty")
    if not _WORD.fullmatch(text):
        raise CelError(f"Invalid character(s) found in build meta data {quote(text)}")
    return text


def _unsigned(text: str) -> int:
    """A number of 64 bits as Go's strconv.ParseUint reads it."""
    if not text:
        raise CelError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) > _MOST:
        raise CelError(f"strconv.ParseUint: parsing {quote(text)}: value out of range")
    return int(text)


def _int64(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
