"""Steps that copy, keep or drop a value, or write a default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.python_source import format_literal
from protoc_gen_crd.conversion.plan.step_base import Step, StepBase


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
