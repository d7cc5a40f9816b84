"""Semantic versions as values.

Source: k8s.io/apiserver pkg/cel/library/semverlib.go; github.com/blang/semver v4.
"""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import ClassVar

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.library.declarations.semver import SEMVER
from protoc_gen_crd.cel.values.runtime_values import CelError, Opaque, Value, make_no_such_overload, panic_unhashable
from protoc_gen_crd.golang.fmt import quote

_NUMBER, _WORD = re.compile("[0-9]*"), re.compile("[-0-9A-Za-z]*")
_MOST = (1 << 64) - 1


class Semver(Opaque):
    """A semantic version: three numbers, prerelease identifiers, and build metadata."""

    numbers: tuple[int, int, int]
    prerelease: tuple[int | str, ...]
    build: tuple[str, ...]
    cel_type: ClassVar[Type] = SEMVER
    native_type: ClassVar[str] = "semver.Version"

    def get_key(self) -> Hashable:
        """Panic as Go, which cannot hash a version."""
        panic_unhashable("cel.Semver")

    def equals(self, other: Value) -> bool:
        """Check whether both have the same precedence; build metadata is ignored."""
        if not isinstance(other, Semver):
            raise make_no_such_overload()
        return compare(self, other) == 0

    def __str__(self) -> str:
        before = "-" + ".".join(map(str, self.prerelease)) if self.prerelease else ""
        build = "+" + ".".join(self.build) if self.build else ""
        return ".".join(map(str, self.numbers)) + before + build

    def get_order_key(self) -> tuple[object, ...]:
        """Return a sort key: prereleases come before their release, numbers before words."""
        return self.numbers, not self.prerelease, [(isinstance(part, str), part) for part in self.prerelease]


def parse_semver(string: str, normalize: bool = False) -> Semver:  # noqa: FBT001, FBT002 - as expressions call it
    """Parse a semantic version. Raises CelError."""
    return _parse(_normalize(string) if normalize else string)


def is_semver(string: str, normalize: bool = False) -> bool:  # noqa: FBT001, FBT002 - as expressions call it
    """Check whether a string is a semantic version."""
    try:
        parse_semver(string, normalize)
    except CelError:
        return False
    return True


def compare(version: Semver, other: Semver) -> int:
    """Return -1, 0, or 1."""
    first, second = version.get_order_key(), other.get_order_key()
    return (first > second) - (first < second)


def is_greater(version: Semver, other: Semver) -> bool:
    """Check whether the version is greater."""
    return compare(version, other) > 0


def is_less(version: Semver, other: Semver) -> bool:
    """Check whether the version is less."""
    return compare(version, other) < 0


def get_major(value: Semver) -> int:
    """Return the major version as an int; values from 2^63 on are negative."""
    return _wrap_int64(value.numbers[0])


def get_minor(value: Semver) -> int:
    """Return the minor version."""
    return _wrap_int64(value.numbers[1])


def get_patch(value: Semver) -> int:
    """Return the patch version."""
    return _wrap_int64(value.numbers[2])


def _normalize(string: str) -> str:
    """Remove a leading v and leading zeros, and complete the three numbers."""
    parts = [_trim_zeros(part) for part in string.removeprefix("v").split(".", 2)]
    if len(parts) < 3 and re.search("[-+]", parts[-1]):
        raise CelError("short version cannot contain PreRelease/Build meta data")
    return ".".join([*parts, "0", "0"][:3])


def _trim_zeros(part: str) -> str:
    if len(part.encode(errors="surrogateescape")) <= 1:
        return part
    trimmed = part.lstrip("0")
    return trimmed if re.match("[0-9]", trimmed) else f"0{trimmed}"


def _parse(string: str) -> Semver:
    if not string:
        raise CelError("Version string empty")
    parts = string.split(".", 2)
    if len(parts) < 3:
        raise CelError("No Major.Minor.Patch elements found")
    first, second = _parse_number(parts[0], "major"), _parse_number(parts[1], "minor")
    rest, plus, build = parts[2].partition("+")
    third, dash, before = rest.partition("-")
    number = _parse_number(third, "patch")
    words = tuple([_parse_prerelease(part) for part in before.split(".")]) if dash else ()
    return Semver(
        (first, second, number), words, tuple([_parse_build(part) for part in build.split(".")]) if plus else ()
    )


def _parse_number(string: str, name: str) -> int:
    if not _NUMBER.fullmatch(string):
        raise CelError(f"Invalid character(s) found in {name} number {quote(string)}")
    if len(string) > 1 and string[0] == "0":
        raise CelError(f"{name.capitalize()} number must not contain leading zeroes {quote(string)}")
    return _parse_uint64(string)


def _parse_prerelease(string: str) -> int | str:
    if not string:
        raise CelError("Prerelease is empty")
    if not _NUMBER.fullmatch(string):
        if not _WORD.fullmatch(string):
            raise CelError(f"Invalid character(s) found in prerelease {quote(string)}")
        return string
    if len(string) > 1 and string[0] == "0":
        raise CelError(f"Numeric PreRelease version must not contain leading zeroes {quote(string)}")
    return _parse_uint64(string)


def _parse_build(string: str) -> str:
    if not string:
        raise CelError("Build meta data is empty")
    if not _WORD.fullmatch(string):
        raise CelError(f"Invalid character(s) found in build meta data {quote(string)}")
    return string


def _parse_uint64(string: str) -> int:
    """Parse a 64-bit number as Go's strconv.ParseUint."""
    if not string:
        raise CelError('strconv.ParseUint: parsing "": invalid syntax')
    if len(string) > 20 or int(string) > _MOST:
        raise CelError(f"strconv.ParseUint: parsing {quote(string)}: value out of range")
    return int(string)


def _wrap_int64(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
