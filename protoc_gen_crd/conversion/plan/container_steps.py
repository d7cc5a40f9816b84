"""Steps of lists and maps: items, entries, conversions between the two, and values from outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.copy_steps import ObjectStep
from protoc_gen_crd.conversion.plan.paths import ITEM, OBJECT_SCOPE, VALUE, Path
from protoc_gen_crd.conversion.plan.python_source import format_literal
from protoc_gen_crd.conversion.plan.step_base import Step, StepBase


class ContainerStep(ObjectStep):
    """A step that converts the items of a list or the entries of a map with the steps below it."""

    def get_brackets(self) -> tuple[str, str]:
        """Return the path steps into the source and into the target container."""
        raise NotImplementedError

    @property
    def source_scope(self) -> Path:
        """The path of the items or entries that are read."""
        return (*self.source, self.get_brackets()[0])

    @property
    def target_scope(self) -> Path:
        """The path of the items or entries that are written."""
        return (*self.target, self.get_brackets()[1])

    def emit_each(self, value: str, function: str, place: str) -> str:
        """Return the call that converts a list or map with a function, without its closing bracket."""
        raise NotImplementedError


class EachItem(ContainerStep):
    """Each item of a list, in order. `keys` are the key fields of items, in the source and the target."""

    keys: tuple[tuple[str, str], ...] = ()

    def get_brackets(self) -> tuple[str, str]:
        """See ContainerStep."""
        return ITEM, ITEM

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        keys = [read if read == written else f"{read} -> {written}" for read, written in self.keys]
        return {"keys": keys} if keys else {}

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See ContainerStep."""
        keys = ", ".join(format_literal(tuple([pair[side] for pair in self.keys])) for side in (0, 1))
        return f"items({value}, {function}, ({keys}), {place}"

    def invert(self) -> Sequence[Step]:
        """See Step."""
        back = tuple([(new, old) for old, new in self.keys])
        return (EachItem(self.target, self.source, self.origin, self.declared, back),)

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "each of"


class EachEntry(ContainerStep):
    """Each value of a map, under its key."""

    def get_brackets(self) -> tuple[str, str]:
        """See ContainerStep."""
        return VALUE, VALUE

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See ContainerStep."""
        return f"values({value}, {function}, {place}"

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "each in"


class MapToList(ContainerStep):
    """A map as a list of its values with their keys, in the order of the conversion data or of the keys."""

    key: str = ""

    def get_brackets(self) -> tuple[str, str]:
        """See ContainerStep."""
        return VALUE, ITEM

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (ListToMap(self.target, self.source, self.origin, self.declared, self.key),)

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"key": self.key}

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "list"

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See ContainerStep."""
        return f"to_list({value}, {function}, {format_literal(self.key)}, {place}"


class ListToMap(MapToList):
    """A list as a map by a field of its items."""

    def get_brackets(self) -> tuple[str, str]:
        """See ContainerStep."""
        return ITEM, VALUE

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (MapToList(self.target, self.source, self.origin, self.declared, self.key),)

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "map"

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See ContainerStep."""
        return f"to_map({value}, {function}, {format_literal(self.key)}, {place}"


class WrapObject(ContainerStep):
    """An object as the only item of a list, converted by the steps below."""

    def get_brackets(self) -> tuple[str, str]:
        """See ContainerStep."""
        return OBJECT_SCOPE, ITEM

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (UnwrapObject(self.target, self.source, self.origin, self.declared),)

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See ContainerStep."""
        return f"list_of({value}, {function}, {place}"

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "wrap"


class UnwrapObject(ContainerStep):
    """The first item of a list of objects, converted by the steps below."""

    def get_brackets(self) -> tuple[str, str]:
        """See ContainerStep."""
        return ITEM, OBJECT_SCOPE

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (WrapObject(self.target, self.source, self.origin, self.declared),)

    def emit_each(self, value: str, function: str, place: str) -> str:
        """See ContainerStep."""
        return f"first_of({value}, {function}, {place}"

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "first"


class HandwrittenObject(ContainerStep):
    """An object that a hand-written function converts; it may call the derived conversion of the steps below."""

    function: str = ""
    inverse_function: str = ""

    def get_brackets(self) -> tuple[str, str]:
        """See ContainerStep."""
        return OBJECT_SCOPE, OBJECT_SCOPE

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (
            HandwrittenObject(
                self.target, self.source, self.origin, self.declared, self.inverse_function, self.function
            ),
        )

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"function": self.function}

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "call"


class HandwrittenField(StepBase):
    """A field that a hand-written function computes from the fields that no other step reads."""

    sources: tuple[Path, ...] = ()

    def get_reads(self) -> tuple[Path, ...]:
        """See Step."""
        return self.sources

    def invert(self) -> Sequence[Step]:
        """See Step: the reverse direction has its own steps."""
        return ()

    def emit(self, reads: Sequence[str]) -> str:  # noqa: ARG002 - the function has written it
        """See Step."""
        return "MISSING"

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "handwritten"


class Spread(StepBase):
    """A value of the whole object that is copied into each item of a list."""

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (Gather(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return reads[0]


class Gather(StepBase):
    """A value of the first item of a list that has one, for the whole object."""

    def get_reads(self) -> tuple[Path, ...]:
        """See Step: the list."""
        return (self.source[: self.source.index(ITEM)],)

    def invert(self) -> Sequence[Step]:
        """See Step."""
        return (Spread(self.target, self.source, self.origin, self.declared),)

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"gathered({reads[0]}, {format_literal(self.source[self.source.index(ITEM) + 1 :])})"


class GatherFirst(Gather):
    """A value of the first item of a list, which is the only item with a counterpart."""

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        return f"picked({reads[0]}, 0, {format_literal(self.source[self.source.index(ITEM) + 1 :])})"

    @property
    def verb(self) -> str:
        """See StepBase."""
        return "gather first"


class Pick(Gather):
    """One item of a list, one value of a map, or a field of it. `source` has a bracket for the item or value."""

    place: int | str = 0

    def get_reads(self) -> tuple[Path, ...]:
        """See Step: the list or map."""
        return (paths.get_scope(self.source)[:-1],)

    def invert(self) -> Sequence[Step]:
        """See Step: one Fill step writes all items or entries."""
        return ()

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        below = self.source[len(paths.get_scope(self.source)) :]
        return {"at": self.place, **({"field": paths.format_path(below)} if below else {})}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        below = self.source[len(paths.get_scope(self.source)) :]
        return f"picked({reads[0]}, {format_literal(self.place)}{f', {format_literal(below)}' if below else ''})"


class Fill(StepBase):
    """Values written as items of a list or entries of a map; missing values are omitted.

    An additional source path is that of the map whose other entries are copied.
    """

    more: tuple[Path, ...] = ()
    places: tuple[int | str, ...] = ()

    def get_reads(self) -> tuple[Path, ...]:
        """See Step."""
        return (self.source, *self.more)

    def invert(self) -> Sequence[Step]:
        """See Step: the reverse direction has its own rules."""
        return ()

    def get_details(self) -> dict[str, Any]:
        """See StepBase."""
        return {"at": list(self.places)}

    def emit(self, reads: Sequence[str]) -> str:
        """See Step."""
        if isinstance(self.places[0], int):
            return f"filled({', '.join(reads)})"
        over = [] if len(reads) == len(self.places) else [f"over={reads[-1]}"]
        return f"keyed({', '.join([format_literal(self.places), *reads[: len(self.places)], *over])})"
