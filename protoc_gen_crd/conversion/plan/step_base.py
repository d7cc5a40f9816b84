"""Steps of a plan: their protocol, and the base class of steps with one source path and one target path.

A step knows what it reads and writes, what undoes it, and the expression that runs it. An expression is Python of a
generated module; names in it are those of `runtime/`. It is given the expressions of the values that
the step reads, each of which may be MISSING, and its own value may be MISSING. Steps that copy, keep or drop a value
are in `copy_steps.py`, those that change a value in `value_steps.py`, and those of lists and maps in
`container_steps.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.paths import Path, format_path
from protoc_gen_crd.findings.finding import Place


class Step(Protocol):
    """One step of a direction."""

    @property
    def source(self) -> Path:
        """The first path that is read."""

    @property
    def target(self) -> Path:
        """The path that is written."""

    @property
    def origin(self) -> Place | None:
        """The place of the declaration, or the field that the step was derived from."""

    @property
    def declared(self) -> bool:
        """True if the step is declared, not derived."""

    def get_reads(self) -> tuple[Path, ...]:
        """Return the paths that the step reads, in the source version."""

    def get_writes(self) -> tuple[Path, ...]:
        """Return the path that the step writes, none or one."""

    def invert(self) -> Sequence[Step]:
        """Return the steps of the reverse direction that undo it."""

    def is_exact(self) -> bool:
        """Return True if the inverse restores every value without conversion data."""

    def emit(self, reads: Sequence[str]) -> str:
        """Return the Python expression of the value to write."""

    def format(self) -> str:
        """Format the step on one line."""

    def to_dict(self) -> dict[str, Any]:
        """Convert the step to plain data."""


class StepBase(Record):
    """Base of steps with one source path and one target path."""

    source: Path
    target: Path
    origin: Place | None = None
    declared: bool = True

    def get_reads(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.source,)

    def get_writes(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.target,)

    def is_exact(self) -> bool:
        """See Step."""
        return False

    def get_details(self) -> dict[str, Any]:
        """Return the properties of the step other than its paths."""
        return {}

    @property
    def verb(self) -> str:
        """The name of the step in printed plans."""
        return type(self).__name__.lower()

    def format(self) -> str:
        """See Step."""
        paths = [", ".join(map(format_path, part)) for part in (self.get_reads(), self.get_writes()) if part]
        more = " ".join(f"{name}={value!r}" for name, value in self.get_details().items())
        return " ".join(filter(None, [self.verb, " -> ".join(paths), more]))

    def to_dict(self) -> dict[str, Any]:
        """See Step."""
        data: dict[str, Any] = {"step": self.verb}
        data |= {
            "reads": [format_path(path) for path in self.get_reads()],
            "writes": [format_path(path) for path in self.get_writes()],
        }
        place = self.origin.resolve() if self.origin and self.declared else None
        return {**data, **self.get_details(), **({"at": str(place)} if place else {})}
