"""Plan: how objects of a kind get from each version to the hub and back. Data, printed line by line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.steps import Step
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.types import Schema

Said = tuple[Path, Place]  # a declaration, and the field that it stands at


class Way(Record):
    """From one version to another, one of which is the hub: steps in the order of what they write."""

    source: str
    target: str
    steps: tuple[Step, ...]


def order(step: Step) -> tuple[Path, Path]:
    """What the steps of a way are sorted by."""
    return ((step.writes() or step.reads())[0], (step.reads() or step.writes())[0])


class Pair(Record):
    """A version and the hub, both ways."""

    spoke: str
    to_hub: Way
    from_hub: Way
    faults: tuple[tuple[str, Path], ...] = ()  # versions and fields of which it has been told why they do not convert
    heard: frozenset[Place] = frozenset()  # the places of the declarations that say something of these versions
    filled: tuple[tuple[str, Path, Place], ...] = ()  # what rules write from where nothing leads back: version and path

    meant: tuple[tuple[str, Path], ...] = ()  # what hints are at that have been given
    silent: frozenset[Said] = frozenset()  # what is said of other versions alone, though it names none

    def ways(self) -> tuple[tuple[Way, Way], tuple[Way, Way]]:
        """Each way with the way back."""
        return (self.to_hub, self.from_hub), (self.from_hub, self.to_hub)


class Plan(Record):
    """The conversions of a kind, whose versions have the schemas. Any two versions convert by way of the hub."""

    crd: Crd
    hub: str
    schemas: Mapping[str, Schema]
    pairs: tuple[Pair, ...]
    beside: frozenset[Place] = frozenset()  # the places of the declarations that name two versions beside the hub

    @property
    def name(self) -> str:
        """The name of the CRD."""
        return self.crd.name

    def schema(self, version: str) -> Schema:
        """The schema of a version."""
        return self.schemas[version]

    def lines(self) -> Iterator[str]:
        """The plan as text: a line for each step, with the place that it was declared at."""
        yield f"{self.crd.group}/{self.crd.names.kind}, hub {self.hub}"
        for pair in self.pairs:
            for way, _ in pair.ways():
                yield f"{way.source} -> {way.target}"
                yield from (f"  {line}" for line in _rows(way.steps))

    def data(self) -> dict[str, Any]:
        """The plan as plain data."""
        return {
            "group": self.crd.group,
            "kind": self.crd.names.kind,
            "hub": self.hub,
            "ways": [
                {"from": way.source, "to": way.target, "steps": [step.data() for step in way.steps]}
                for pair in self.pairs
                for way, _ in pair.ways()
            ],
        }


def _rows(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        place = step.origin.resolve() if step.origin and step.declared else None
        yield f"{step.shown()}  ({place})" if place else step.shown()
