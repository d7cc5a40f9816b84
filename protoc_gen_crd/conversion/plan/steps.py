"""Steps of a plan: the protocol of all steps, and those that copy, keep or drop a value.

A step knows what it reads and writes, what undoes it, and the expression that runs it. An expression is Python of a
generated module; names in it are those of `runtime/`. It is given the expressions of the values that
the step reads, each of which may be MISSING, and its own value may be MISSING. What goes through lists and maps is in
`container_steps.py`, what makes another value in `value_steps.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.paths import Path, format_path
from protoc_gen_crd.conversion.plan.python_source import format_literal
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


class Copy(StepBase):
    """A value that is copied unchanged, to the same or another path. Of objects, only the fields of both versions."""

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (Copy(self.target, self.source, self.origin, self.declared),)

    def is_exact(self) -> bool:
        """See Step."""
        return True

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return reads[0]

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "carry" if self.source == self.target else "move"


class ObjectStep(Copy):
    """An object that the steps below convert field by field."""

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (type(self)(self.target, self.source, self.origin, self.declared),)

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "enter"


class CopyNonNull(Copy):
    """A value that is copied unchanged, except null, which the other version rejects."""

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (Copy(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"present({reads[0]})"

    def is_exact(self) -> bool:
        """See Step."""
        return False


class CopyWithDefault(CopyNonNull):
    """A value that is copied unchanged, with a default for a missing value."""

    value: Any = None

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"default": self.value}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"otherwise({reads[0]}, {format_literal(self.value)})"


class Duplicate(StepBase):
    """A copy without an inverse: the other version keeps or drops the value of the target."""

    def invert(self) -> Sequence[Step]:
        """See Step: another step restores the value."""
        return ()

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return reads[0]


class Namesake(Duplicate):
    """A copy to a field of the same name with another meaning: conversion data of the other version wins."""


class Keep(StepBase):
    """A value without counterpart, kept in the conversion-data annotation. `target` is empty."""

    def get_writes(self) -> tuple[Path, ...]:
        """See Step."""
        return ()

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return ()

    def emit(self, reads: Sequence[str]) -> str:  # noqa: ARG002 - it writes nothing
        """See Step."""
        return "MISSING"


class Drop(Keep):
    """A value that is dropped on purpose."""


class KeepEntry(Keep):
    """One entry of a map, kept in the conversion-data annotation. `counterparts` are its copies, which are removed."""

    counterparts: tuple[Path, ...] = ()

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "keep"


class DropEntry(Drop):
    """One entry of a map that is dropped on purpose. `counterparts` are its copies, which are removed."""

    counterparts: tuple[Path, ...] = ()

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "drop"


class Default(StepBase):
    """A default for a field without counterpart. `source` is empty."""

    value: Any = None

    def get_reads(self) -> tuple[Path, ...]:
        """See Step."""
        return ()

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (Keep(self.target, (), self.origin, self.declared),)

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"value": self.value}

    def emit(self, reads: Sequence[str]) -> str:  # noqa: ARG002 - it reads nothing
        """See Step."""
        return format_literal(self.value)
