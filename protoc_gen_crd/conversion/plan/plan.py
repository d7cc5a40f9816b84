"""The plan of a kind: the conversions between each version and the hub, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import Schema

FieldDeclaration = tuple[Path, Place]  # a declaration and its field


class Direction(Record):
    """The conversion from one version to another, one of which is the hub: steps, sorted by the paths they write."""

    source: str
    target: str
    steps: tuple[Step, ...]


def get_sort_key(step: Step) -> tuple[Path, Path]:
    """Return the sort key of a step within its direction."""
    return ((step.get_writes() or step.get_reads())[0], (step.get_reads() or step.get_writes())[0])


class VersionPair(Record):
    """The conversions between a spoke and the hub."""

    spoke: str
    to_hub: Direction
    from_hub: Direction
    reported_fields: tuple[tuple[str, Path], ...] = ()  # versions and fields with reported problems
    used_declarations: frozenset[Place] = frozenset()  # the places of the declarations that apply to these versions
    one_way_targets: tuple[tuple[str, Path, Place], ...] = ()  # targets of rules without an inverse: version and path

    hinted_fields: tuple[tuple[str, Path], ...] = ()  # what hints are at that have been given
    ignored_declarations: frozenset[FieldDeclaration] = (
        frozenset()
    )  # declarations without versions that only apply to other versions

    def get_directions(self) -> tuple[tuple[Direction, Direction], tuple[Direction, Direction]]:
        """Return each direction with its reverse."""
        return (self.to_hub, self.from_hub), (self.from_hub, self.to_hub)


class Gap(Record):
    """Fields of a spoke without a counterpart in the hub, and without a derived conversion to another spoke.

    Without fields, the hub represents all of the data.
    """

    spoke: str
    other: str
    fields: tuple[Path, ...]


class DirectPairs(Protocol):
    """The conversions between spokes, derived on demand."""

    def find(self, spoke: str, other: str) -> tuple[VersionPair | None, tuple[Gap, ...]]:
        """Return the conversion between two spokes, None if there is none, and its gaps."""


class Plan(Record):
    """The conversions of a kind, whose versions have the schemas. Any two versions are converted through the hub."""

    crd: Crd
    hub: str
    schemas: Mapping[str, Schema]
    pairs: tuple[VersionPair, ...]
    spoke_declarations: frozenset[Place] = frozenset()  # the places of the declarations that name two spokes
    direct: tuple[VersionPair, ...] = ()  # pairs of spokes that have data in common for which the hub has no field
    gaps: tuple[Gap, ...] = ()
    direct_on_demand: DirectPairs | None = None  # in place of `direct` and `gaps`

    @property
    def name(self) -> str:
        """The name of the CRD."""
        return self.crd.name

    def get_schema(self, version: str) -> Schema:
        """Return the schema of a version."""
        return self.schemas[version]

    def format_lines(self) -> Iterator[str]:
        """Format the plan: a line for each step, with the place of its declaration."""
        yield f"{self.crd.group}/{self.crd.names.kind}, hub {self.hub}"
        for pair in self.pairs:
            for direction, _ in pair.get_directions():
                yield f"{direction.source} -> {direction.target}"
                yield from (f"  {line}" for line in _format_steps(direction.steps))

    def to_dict(self) -> dict[str, Any]:
        """Convert the plan to plain data."""
        return {
            "group": self.crd.group,
            "kind": self.crd.names.kind,
            "hub": self.hub,
            "directions": [
                {
                    "from": direction.source,
                    "to": direction.target,
                    "steps": [step.to_dict() for step in direction.steps],
                }
                for pair in self.pairs
                for direction, _ in pair.get_directions()
            ],
        }


def _format_steps(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        place = step.origin.resolve() if step.origin and step.declared else None
        yield f"{step.format()}  ({place})" if place else step.format()
