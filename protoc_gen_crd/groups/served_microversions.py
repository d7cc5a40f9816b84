"""Lines of microversions: the numbers that an annotated service serves, such as 3.0 to 3.6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.version_ranges import VersionRange, parse_release

MINIMUM, MAXIMUM, DEPRECATED_UNTIL = "minimum", "maximum", "deprecated_until"
_MOST_NUMBERS = 500  # each number has modules of its own; Nova, with the longest line that we know, has about 100
_HINT = 'set microversions {minimum: "3.0" maximum: "3.4"}, with two numbers of one major version'


class VersionMetadata(Record):
    """The metadata of a request that names its version: the key, and the form of the value."""

    key: str = "api-version"
    form: str = "{group} {version}"


class MicroversionLine(Record):
    """A line of microversions of one major version. `deprecated_until` is empty if none is deprecated."""

    minimum: str
    maximum: str
    deprecated_until: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers from the minimum to the maximum."""
        (major, first), (_, last) = parse_release(self.minimum) or (0, 0), parse_release(self.maximum) or (0, 0)
        return tuple([f"{major}.{minor}" for minor in range(first, last + 1)])

    def is_deprecated(self, number: str) -> bool:
        """Return whether a number is deprecated."""
        return bool(self.deprecated_until) and VersionRange("", self.deprecated_until).contains(number)

    def describe_deprecation(self, number: str) -> str:
        """Return the deprecation notice of a number; empty if it is not deprecated."""
        major, minor = parse_release(self.deprecated_until) or (0, 0)
        return f"use {major}.{minor + 1} or newer" if self.is_deprecated(number) else ""


def read_line(values: Mapping[str, Any], at: Place, owner: str, problems: Problems) -> MicroversionLine | None:
    """Return the line of an option `microversions`; None, with a finding, if it is invalid."""
    line = MicroversionLine(*(str(values.get(name, "")) for name in (MINIMUM, MAXIMUM, DEPRECATED_UNTIL)))
    ends = {name: parse_release(getattr(line, name)) for name in (MINIMUM, MAXIMUM)}
    low, high = ends[MINIMUM], ends[MAXIMUM]
    problem = next((f'{name} "{getattr(line, name)}" is not a microversion such as 3.4'
                    for name, end in ends.items() if end is None), "")  # fmt: skip
    if low and high:
        if low > high or low[0] != high[0]:
            problem = f'"{line.minimum}" to "{line.maximum}" is not a range of microversions'
        elif high[1] - low[1] >= _MOST_NUMBERS:
            problem = f"{high[1] - low[1] + 1} microversions are more than {_MOST_NUMBERS}"
        elif line.deprecated_until and line.deprecated_until not in line.numbers[:-1]:
            problem = f'deprecated_until "{line.deprecated_until}" is not between the minimum and the maximum'
    if problem:
        problems.report("microversion-range", problem, at, path=owner, hint=_HINT)
        return None
    return line
