"""Steps through lists and maps: item by item, one made of the other, and values from around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, WITHIN, Path
from protoc_gen_crd.conversion.plan.python import literal
from protoc_gen_crd.conversion.plan.steps import Base, Fields, Step


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
        """The call, less its closing bracket, of what makes a list or map of another by a function."""
        raise NotImplementedError


class Items(Each):
    """Each item of a list, in order. `keys` are the fields that tell items apart, read and written."""

    keys: tuple[tuple[str, str], ...] = ()

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return ITEM, ITEM

    def detail(self) -> dict[str, Any]:
        """See Base."""
        keys = [read if read == made else f"{read} -> {made}" for read, made in self.keys]
        return {"keys": keys} if keys else {}

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        keys = ", ".join(literal(tuple([pair[side] for pair in self.keys])) for side in (0, 1))
        return f"items({value}, {function}, ({keys}), {place}"

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        back = tuple([(new, old) for old, new in self.keys])
        return (Items(self.target, self.source, self.origin, self.declared, back),)

    @property
    def verb(self) -> str:
        """See Base."""
        return "each of"


class Entries(Each):
    """Each value of a map, under its key."""

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return VALUE, VALUE

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        return f"values({value}, {function}, {place}"

    @property
    def verb(self) -> str:
        """See Base."""
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
        """See Base."""
        return {"key": self.key}

    @property
    def verb(self) -> str:
        """See Base."""
        return "list"

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        return f"to_list({value}, {function}, {literal(self.key)}, {place}"


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
        """See Base."""
        return "map"

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        return f"to_map({value}, {function}, {literal(self.key)}, {place}"


class ListOf(Each):
    """An object as the only item of a list, as the steps below say."""

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return WITHIN, ITEM

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (FirstOf(self.target, self.source, self.origin, self.declared),)

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        return f"list_of({value}, {function}, {place}"

    @property
    def verb(self) -> str:
        """See Base."""
        return "wrap"


class FirstOf(Each):
    """The first item of a list of objects, as the steps below say."""

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return ITEM, WITHIN

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (ListOf(self.target, self.source, self.origin, self.declared),)

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each."""
        return f"first_of({value}, {function}, {place}"

    @property
    def verb(self) -> str:
        """See Base."""
        return "first"


class ByHand(Each):
    """An object that a hand-written function makes, which may ask for what the steps below derive of it."""

    function: str = ""
    undo: str = ""

    def brackets(self) -> tuple[str, str]:
        """See Each."""
        return WITHIN, WITHIN

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (ByHand(self.target, self.source, self.origin, self.declared, self.undo, self.function),)

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"function": self.function}

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See Each: what the module calls takes the object, what derives, and the place."""
        return f"{{expression}}({value}, {function}, {place}"

    @property
    def verb(self) -> str:
        """See Base."""
        return "call"


class Own(Base):
    """A field of an object that a hand-written function makes of the fields that no other step reads."""

    read: tuple[Path, ...] = ()

    def reads(self) -> tuple[Path, ...]:
        """See Step."""
        return self.read

    def inverse(self) -> Sequence[Step]:
        """See Step: the fields of the way back are steps of their own."""
        return ()

    def emit(self, reads: Sequence[str]) -> str:  # noqa: ARG002 - the function has written it
        """See Step."""
        return "MISSING"

    @property
    def verb(self) -> str:
        """See Base."""
        return "made of" if self.read else "made"


class Spread(Base):
    """A value of the whole object into each item of a list."""

    def inverse(self) -> Sequence[Step]:
        """See Step."""
        return (Gather(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return reads[0]


class Gather(Base):
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


class Pick(Gather):
    """The item of a list or the value of a map at one place, or what is below it. `source` has a bracket there."""

    place: int | str = 0

    def reads(self) -> tuple[Path, ...]:
        """See Step: the list or map."""
        return (paths.scope(self.source)[:-1],)

    def inverse(self) -> Sequence[Step]:
        """See Step: what is written into a list or map is one step for all places."""
        return ()

    def detail(self) -> dict[str, Any]:
        """See Base."""
        below = self.source[len(paths.scope(self.source)) :]
        return {"at": self.place, **({"field": paths.shown(below)} if below else {})}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        below = self.source[len(paths.scope(self.source)) :]
        return f"picked({reads[0]}, {literal(self.place)}{f', {literal(below)}' if below else ''})"


class Fill(Base):
    """Values as the items of a list, or under keys of a map; those that are missing are left out.

    A path more than there are places is that of the map whose other entries stay.
    """

    more: tuple[Path, ...] = ()
    places: tuple[int | str, ...] = ()

    def reads(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.source, *self.more)

    def inverse(self) -> Sequence[Step]:
        """See Step: rules say the way back."""
        return ()

    def detail(self) -> dict[str, Any]:
        """See Base."""
        return {"at": list(self.places)}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        if isinstance(self.places[0], int):
            return f"filled({', '.join(reads)})"
        over = [] if len(reads) == len(self.places) else [f"over={reads[-1]}"]
        return f"keyed({', '.join([literal(self.places), *reads[: len(self.places)], *over])})"
