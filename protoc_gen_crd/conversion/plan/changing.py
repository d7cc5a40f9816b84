"""Steps that make another value: by a table, a factor, an expression, of parts of texts, of lists of one item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.python import literal
from protoc_gen_crd.conversion.plan.steps import Base, Step


class Values(Base):
    """A text by a table; what is not in it stays."""

    pairs: tuple[tuple[str, str], ...] = ()

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        back = tuple([(new, old) for old, new in self.pairs])
        return (Values(self.target, self.source, self.origin, self.declared, back),)

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"values": self.table()}

    def table(self) -> dict[str, str]:
        """The value for each value: of several for one, the first that is declared."""
        made: dict[str, str] = {}
        for old, new in self.pairs:
            made.setdefault(old, new)
        return made

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"called({reads[0]}, {literal(self.table())})"


class Wrap(Base):
    """A value as the only item of a list."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (First(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"listed({reads[0]})"


class First(Base):
    """The first item of a list."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Wrap(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"first({reads[0]})"


class Split(Base):
    """One part of a text; the last one, of `count`, takes all that is left."""

    separator: str = " "
    index: int = 0
    count: int = 2

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return ()  # all parts together are undone by one Join

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"separator": self.separator, "part": self.index, "of": self.count}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"part({reads[0]}, {literal(self.separator)}, {self.index}, {self.count})"


class Join(Base):
    """Texts with a separator between them, each at its place as far as any is there. `source` is the first."""

    separator: str = " "
    more: tuple[Path, ...] = ()

    def reads(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.source, *self.more)

    def inverse(self) -> Sequence[Split]:
        """See Step."""
        parts = self.reads()
        return tuple([
            Split(self.target, path, self.origin, self.declared, self.separator, index, len(parts))
            for index, path in enumerate(parts)
        ])  # fmt: skip

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"separator": self.separator}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"joined({literal(self.separator)}, {', '.join(reads)})"


class Computed(Base):
    """What an expression or a function makes of a value. What it cannot undo is put aside."""

    text: str = ""

    def inverse(self) -> Sequence[Step]:
        """See Step: what makes the value of the way back is another step."""
        return ()

    def emit(self, reads: Sequence[str]) -> str:
        """See Step: what the module calls takes the value, the object if it looks at it, and the path."""
        return f"{{expression}}({reads[0]}{{root}}, {{at}})"


class Call(Computed):
    """What a hand-written function makes of a value."""

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"function": self.text}


class Cel(Computed):
    """What a CEL expression makes of a value."""

    @property
    def verb(self) -> str:
        """See Base."""
        return "compute"

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"cel": self.text}


class Multiply(Base):
    """A number times a factor."""

    factor: int | float = 1

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Divide(self.target, self.source, self.origin, self.declared, self.factor),)

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"factor": self.factor}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"multiplied({reads[0]}, {self.factor!r})"


class Divide(Multiply):
    """A number by a factor; integers are rounded down."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Multiply(self.target, self.source, self.origin, self.declared, self.factor),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"divided({reads[0]}, {self.factor!r})"
