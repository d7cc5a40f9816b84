"""The steps of a plan: what every one can tell of itself, and those that leave a value as it is or out.

A step knows what it reads and writes, what undoes it, and the expression that runs it. An expression is Python of a
generated module; names in it are those of `helpers/`. It is given the expressions of the values that
the step reads, each of which may be MISSING, and its own value may be MISSING. What goes through lists and maps is in
`containers.py`, what makes another value in `changing.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.paths import Path, shown
from protoc_gen_crd.conversion.plan.python import literal


class Step(Protocol):
    """One step of a way."""

    @property
    def source(self) -> Path:
        """The first path that is read."""

    @property
    def target(self) -> Path:
        """The path that is written."""

    @property
    def origin(self) -> Place | None:
        """Where the step was declared, or the field that it was derived from."""

    @property
    def declared(self) -> bool:
        """Whether somebody has written it."""

    def reads(self) -> tuple[Path, ...]:
        """The paths of the values that the step is made from, in the version that is converted."""

    def writes(self) -> tuple[Path, ...]:
        """The path that the step writes, none or one."""

    def inverse(self) -> Sequence[Step]:
        """The steps of the way back that undo it."""

    def exact(self) -> bool:
        """Whether the inverse gives back any value, so that nothing has to be put aside."""

    def emit(self, reads: Sequence[str]) -> str:
        """The expression of what is written."""

    def shown(self) -> str:
        """The step as text."""

    def data(self) -> dict[str, Any]:
        """The step as plain data."""


class Base(Record):
    """What steps have in common: one path that is read and one that is written."""

    source: Path
    target: Path
    origin: Place | None = None
    declared: bool = True

    def reads(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.source,)

    def writes(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.target,)

    def exact(self) -> bool:
        """See Step."""
        return False

    def detail(self) -> dict[str, Any]:
        """What the step has beside its paths."""
        return {}

    @property
    def verb(self) -> str:
        """What the step does, in a word."""
        return type(self).__name__.lower()

    def shown(self) -> str:
        """See Step."""
        paths = [", ".join(map(shown, part)) for part in (self.reads(), self.writes()) if part]
        more = " ".join(f"{name}={value!r}" for name, value in self.detail().items())
        return " ".join(filter(None, [self.verb, " -> ".join(paths), more]))

    def data(self) -> dict[str, Any]:
        """See Step."""
        made: dict[str, Any] = {"step": self.verb}
        made |= {"reads": [shown(path) for path in self.reads()], "writes": [shown(path) for path in self.writes()]}
        place = self.origin.resolve() if self.origin and self.declared else None
        return {**made, **self.detail(), **({"at": str(place)} if place else {})}


class Copy(Base):
    """A value as it is: carried if its path stays, else moved. Of objects, what both versions know of them."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Copy(self.target, self.source, self.origin, self.declared),)

    def exact(self) -> bool:
        """See Step."""
        return True

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return reads[0]

    @property
    def verb(self) -> str:
        """See Base."""
        return "carry" if self.source == self.target else "move"


class Fields(Copy):
    """An object field by field: the steps below say how."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (type(self)(self.target, self.source, self.origin, self.declared),)

    @property
    def verb(self) -> str:
        """See Base."""
        return "enter"


class Loose(Copy):
    """A value as it is, but for null, which the other version does not take."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Copy(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"present({reads[0]})"

    def exact(self) -> bool:
        """See Step."""
        return False


class Defaulted(Loose):
    """A value as it is, or another one where there is none."""

    value: Any = None

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"default": self.value}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"otherwise({reads[0]}, {literal(self.value)})"


class Duplicate(Base):
    """A value copied to where the other version keeps or loses what it has: nothing leads back from there."""

    def inverse(self) -> Sequence[Step]:
        """See Step: the value comes back from elsewhere."""
        return ()

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return reads[0]


class Namesake(Duplicate):
    """A value copied to a field of the same name that is something else there: what the other version keeps wins."""


class Keep(Base):
    """A value that the other version has no place for: it is put aside. `target` is empty."""

    def writes(self) -> tuple[Path, ...]:
        """See Step."""
        return ()

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return ()

    def emit(self, reads: Sequence[str]) -> str:  # noqa: ARG002 - it writes nothing
        """See Step."""
        return "MISSING"


class Drop(Keep):
    """A value that is lost on purpose."""


class Default(Base):
    """A value for what the other version knows nothing of. `source` is empty."""

    value: Any = None

    def reads(self) -> tuple[Path, ...]:
        """See Step."""
        return ()

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Keep(self.target, (), self.origin, self.declared),)

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"value": self.value}

    def emit(self, reads: Sequence[str]) -> str:  # noqa: ARG002 - it reads nothing
        """See Step."""
        return literal(self.value)
