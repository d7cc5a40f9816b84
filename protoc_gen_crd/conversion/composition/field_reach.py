"""How far fields can be followed through versions, so that no trace to a version beyond is tried."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from protoc_gen_crd.conversion.composition.field_counterparts import FieldLink
from protoc_gen_crd.conversion.plan.paths import Path

FieldLinks = Callable[[str, Path, Sequence[str]], Iterator[tuple[str, FieldLink]]]
_Start = tuple[int, Path, int]  # the age of a version, a field of it, and -1 for older versions or 1 for newer ones


class FieldReach:
    """The last versions that links of fields lead to.

    A trace uses a part of these links. All traces of a field to versions on one side share the result.
    """

    def __init__(self, versions: Sequence[str], find_links: FieldLinks) -> None:
        """Take the versions by age, and the links of a field of a version to others, the next one last."""
        self._versions, self._find_links = versions, find_links
        self._ages = {name: age for age, name in enumerate(versions)}
        self._distances: dict[_Start, float] = {}

    def can_reach(self, version: str, path: Path, other: str) -> bool:
        """Return False if no links lead from a field to another version or to a declared absence."""
        age, other_age = self._ages[version], self._ages[other]
        start = (age, path, 1 if other_age > age else -1)
        if start not in self._distances:
            self._measure(start)
        return self._distances[start] >= abs(other_age - age)

    def _measure(self, start: _Start) -> None:
        """Find the distances of a field and of all that its links lead to."""
        ends: dict[_Start, list[tuple[float, Sequence[_Start]]]] = {}
        stack = [start]
        while stack:
            current = stack[-1]
            if current not in ends:
                ends[current] = list(self._follow(current))
                stack += [end for _, below in ends[current] for end in below if end not in self._distances]
                continue
            stack.pop()
            self._distances[current] = max(
                (steps + max((self._distances[end] for end in below), default=0) for steps, below in ends[current]),
                default=0,
            )

    def _follow(self, start: _Start) -> Iterator[tuple[float, Sequence[_Start]]]:
        """Yield the distance of each link of a field, and the fields that it leads to."""
        age, path, side = start
        beyond = self._versions[age + 1 :][::-1] if side > 0 else self._versions[:age]
        for name, link in self._find_links(self._versions[age], path, beyond):
            is_absence = not link.targets and bool(link.origins)
            steps = math.inf if is_absence else abs(self._ages[name] - age)
            yield steps, [(self._ages[name], target, side) for target in link.targets]
