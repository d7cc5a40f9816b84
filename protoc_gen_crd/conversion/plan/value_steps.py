"""Steps that change a value: tables, factors, expressions, parts of strings, lists of one item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.python_source import format_literal
from protoc_gen_crd.conversion.plan.step_base import Step, StepBase


class ValueTable(StepBase):
    """A string that a table maps; other strings are copied."""

    pairs: tuple[tuple[str, str], ...] = ()

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "values"

    def invert(self) -> Sequence[Step]:
        """See Step."""
        back = tuple([(new, old) for old, new in self.pairs])
        return (ValueTable(self.target, self.source, self.origin, self.declared, back),)

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"values": self.build_table()}

    def build_table(self) -> dict[str, str]:
        """Return the target value for each source value; the first declaration wins."""
        table: dict[str, str] = {}
        for old, new in self.pairs:
            table.setdefault(old, new)
        return table

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"called({reads[0]}, {format_literal(self.build_table())})"


class Wrap(StepBase):
    """A value as the only item of a list."""

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (First(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"listed({reads[0]})"


class First(StepBase):
    """The first item of a list."""

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (Wrap(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"first({reads[0]})"


class Split(StepBase):
    """One part of a string; the last of `count` parts contains the rest."""

    separator: str = " "
    index: int = 0
    count: int = 2

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return ()  # all parts together are undone by one Join

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"separator": self.separator, "part": self.index, "of": self.count}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"part({reads[0]}, {format_literal(self.separator)}, {self.index}, {self.count})"


class Join(StepBase):
    """Strings joined with a separator. `source` is the first."""

    separator: str = " "
    more: tuple[Path, ...] = ()

    def get_reads(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.source, *self.more)

    def invert(self) -> Sequence[Split]:
        """See Step."""
        parts = self.get_reads()
        return tuple([
            Split(self.target, path, self.origin, self.declared, self.separator, index, len(parts))
            for index, path in enumerate(parts)
        ])  # fmt: skip

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"separator": self.separator}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"joined({format_literal(self.separator)}, {', '.join(reads)})"


class ComputedStep(StepBase):
    """A value computed by an expression or function. The source is kept in the conversion-data annotation if needed."""

    expression: str = ""

    def invert(self) -> Sequence[Step]:
        """See Step: the reverse direction has its own step."""
        return ()

    def emit(self, reads: Sequence[str]) -> str:
        """See Step: `reads` are the name of the called function, and its arguments."""
        return f"{reads[0]}({', '.join(reads[1:])})"


class FunctionCall(ComputedStep):
    """The result of a hand-written function for a value."""

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "call"

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"function": self.expression}


class CelExpression(ComputedStep):
    """The result of a CEL expression for a value."""

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "compute"

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"cel": self.expression}


class Multiply(StepBase):
    """A number times a factor."""

    factor: int | float = 1

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (Divide(self.target, self.source, self.origin, self.declared, self.factor),)

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"factor": self.factor}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"multiplied({reads[0]}, {format_literal(self.factor)})"


class Divide(Multiply):
    """A number by a factor; integers are rounded toward zero."""

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (Multiply(self.target, self.source, self.origin, self.declared, self.factor),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"divided({reads[0]}, {format_literal(self.factor)})"
