"""The steps of a plan, one class each: what a step reads and writes, what undoes it, and the expression that runs it.

An expression is Python of a generated module; names in it are helpers of `runtime.py` and `texts.py`. It is given the
expressions of the values that the step reads, each of which may be MISSING, and its own value may be MISSING.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.paths import ITEM, VALUE, Path, shown
from protoc_gen_crd.conversion.python import literal


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


class _Base(Record):
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


class Copy(_Base):
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
        """See _Base."""
        return "carry" if self.source == self.target else "move"


class Fields(Copy):
    """An object field by field: the steps below say how."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (type(self)(self.target, self.source, self.origin, self.declared),)

    @property
    def verb(self) -> str:
        """See _Base."""
        return "enter"


class Each(Fields):
    """What stands below a list or map, one after the other: the steps below say how."""

    def brackets(self) -> tuple[str, str]:
        """The steps of paths into what is read, and into what is written."""
        raise NotImplementedError

    @property
    def inside(self) -> Path:
        """The path of what is read, one after the other."""
        return (*self.source, self.brackets()[0])

    @property
    def made(self) -> Path:
        """The path of what is written, one after the other."""
        return (*self.target, self.brackets()[1])

    def emit_each(self, value: str, function: str, place: str) -> str:
        """The expression of the list or map that a function makes of another."""
        raise NotImplementedError


class Items(Each):
    """Each item of a list, in order. `keys` are the fields that tell items apart, read and written."""

    keys: tuple[tuple[str, str], ...] = ()

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return ITEM, ITEM

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        keys = ", ".join(literal(tuple([pair[side] for pair in self.keys])) for side in (0, 1))
        return f"items({value}, {function}, ({keys}), {place})"

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        back = tuple([(new, old) for old, new in self.keys])
        return (Items(self.target, self.source, self.origin, self.declared, back),)

    @property
    def verb(self) -> str:
        """See _Base."""
        return "each of"


class Entries(Each):
    """Each value of a map, under its key."""

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return VALUE, VALUE

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        return f"values({value}, {function}, {place})"

    @property
    def verb(self) -> str:
        """See _Base."""
        return "each in"


class ToList(Each):
    """A map as a list of its values, each with its key in a field: in the order of the keys, or as it was put aside."""

    key: str = ""

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return VALUE, ITEM

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (ToMap(self.target, self.source, self.origin, self.declared, self.key),)

    def detail(self) -> dict[str, Any]:
        """See _Base."""
        return {"key": self.key}

    @property
    def verb(self) -> str:
        """See _Base."""
        return "list"

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        return f"to_list({value}, {function}, {literal(self.key)}, {place})"


class ToMap(ToList):
    """A list as a map by a field of its items."""

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return ITEM, VALUE

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (ToList(self.target, self.source, self.origin, self.declared, self.key),)

    @property
    def verb(self) -> str:
        """See _Base."""
        return "map"

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        return f"to_map({value}, {function}, {literal(self.key)}, {place})"


class Spread(_Base):
    """A value of the whole object into each item of a list."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Gather(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return reads[0]


class Gather(_Base):
    """A value of the first item of a list that has one, for the whole object."""

    def reads(self) -> tuple[Path, ...]:
        """See Step: the list."""
        return (self.source[: self.source.index(ITEM)],)

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Spread(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"gathered({reads[0]}, {literal(self.source[self.source.index(ITEM) + 1 :])})"


class Loose(Copy):
    """A value as it is, but for null, which the other version does not take."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Copy(self.target, self.source, self.origin, self.declared),)

    def exact(self) -> bool:
        """See Step."""
        return False


class Defaulted(Loose):
    """A value as it is, or another one where there is none."""

    value: Any = None

    def detail(self) -> dict[str, Any]:
        """See _Base."""
        return {"default": self.value}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"otherwise({reads[0]}, {literal(self.value)})"


class Keep(_Base):
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


class Default(_Base):
    """A value for what the other version knows nothing of. `source` is empty."""

    value: Any = None

    def reads(self) -> tuple[Path, ...]:
        """See Step."""
        return ()

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Keep(self.target, (), self.origin, self.declared),)

    def detail(self) -> dict[str, Any]:
        """See _Base."""
        return {"value": self.value}

    def emit(self, reads: Sequence[str]) -> str:  # noqa: ARG002 - it reads nothing
        """See Step."""
        return literal(self.value)


class Values(_Base):
    """A text by a table; what is not in it stays."""

    pairs: tuple[tuple[str, str], ...] = ()

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        back = tuple([(new, old) for old, new in self.pairs])
        return (Values(self.target, self.source, self.origin, self.declared, back),)

    def detail(self) -> dict[str, Any]:
        """See _Base."""
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


class Wrap(_Base):
    """A value as the only item of a list."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (First(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"listed({reads[0]})"


class First(_Base):
    """The first item of a list."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Wrap(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"first({reads[0]})"


class Split(_Base):
    """One part of a text; the last one, of `count`, takes all that is left."""

    separator: str = " "
    index: int = 0
    count: int = 2

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return ()  # all parts together are undone by one Join

    def detail(self) -> dict[str, Any]:
        """See _Base."""
        return {"separator": self.separator, "part": self.index, "of": self.count}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"part({reads[0]}, {literal(self.separator)}, {self.index}, {self.count})"


class Join(_Base):
    """Texts with a separator between them; those that are missing are left out. `source` is the first."""

    separator: str = " "
    more: tuple[Path, ...] = ()

    def reads(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.source, *self.more)

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        parts = self.reads()
        return tuple([
            Split(self.target, path, self.origin, self.declared, self.separator, index, len(parts))
            for index, path in enumerate(parts)
        ])  # fmt: skip

    def detail(self) -> dict[str, Any]:
        """See _Base."""
        return {"separator": self.separator}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"joined({literal(self.separator)}, {', '.join(reads)})"


class Cel(_Base):
    """What a CEL expression makes of a value. What it cannot undo is put aside."""

    text: str = ""

    def inverse(self) -> Sequence[Step]:
        """See Step: the expression of the way back is another step."""
        return ()

    @property
    def verb(self) -> str:
        """See _Base."""
        return "compute"

    def detail(self) -> dict[str, Any]:
        """See _Base."""
        return {"cel": self.text}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step: an expression of the module takes the value, the object and the path."""
        return f"{{expression}}({reads[0]}, {{root}}, {literal(shown(self.target))})"


class Multiply(_Base):
    """A number times a factor."""

    factor: int | float = 1

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Divide(self.target, self.source, self.origin, self.declared, self.factor),)

    def detail(self) -> dict[str, Any]:
        """See _Base."""
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
