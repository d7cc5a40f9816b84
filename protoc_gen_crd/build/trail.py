"""The fields that lead to the message being made, and what is reported of that way: cycles, depth, size."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.build.size import DEPTH
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Field, Message


class Trail:
    """A way that fields are put onto and taken off. `aside`: what is made is part of no CRD, and may be without end."""

    def __init__(self, api: ApiSet, problems: Problems) -> None:
        self.aside = False
        self._api = api
        self._problems = problems
        self._fields: list[Field] = []
        self._broken: set[str] = set()

    def enter(self, field: Field) -> None:
        """Go on over a field."""
        self._fields.append(field)

    def leave(self) -> None:
        """Go back to before the last field."""
        self._fields.pop()

    @property
    def place(self) -> Place | None:
        """Where the last field stands."""
        return self._fields[-1].at if self._fields else None

    def report_missing(self, name: str) -> None:
        """Report a type that is not in the request."""
        self._problems.report("type-missing", f'a type must be declared, "{name}" is not', self.place, path=name)

    def too_deep(self, field: Field) -> bool:
        """Whether a field would make the way too long, with a finding if it does."""
        if len(self._fields) <= DEPTH:
            return False
        problem = f"messages must not be nested more than {DEPTH} deep, found {_shown(self._fields)}"
        self._problems.report("schema-depth", problem, field.at, path=field.full_name)
        return True

    def report_size(self, excess: str, message: Message) -> None:
        """Report a schema that is too large."""
        where = _shown(self._fields) or message.full_name
        problem = f"a schema must have {excess} at {where}"
        hint = "mark a field of the way +protoc-gen-crd:opaque, or raise node_limit or byte_limit"
        self._problems.report("schema-size", problem, message.at, path=message.full_name, hint=hint)

    def report_cycle(self, name: str) -> None:
        """Report once that the way leads back to a message, spelled out field by field."""
        start = next(index for index, field in enumerate(self._fields) if _owner(field) == name)
        cycle = self._fields[start:]
        closing = cycle[-1]
        if closing.full_name in self._broken or self.aside:
            return
        self._broken.add(closing.full_name)
        shown = f"{_shown(cycle)} -> {name.rpartition('.')[2]}"
        self._problems.report(
            "schema-recursive",
            f"a schema must be finite, found a message that holds itself: {shown}",
            closing.at,
            path=closing.full_name,
            hint=self._way_out(name, cycle),
        )

    def _way_out(self, name: str, cycle: Sequence[Field]) -> str:
        """How to cut a cycle: in it, or on the way to it where all of it is imported."""
        own = [field for field in self._fields if self._api.file(field.at.source.file).target]
        if not own or any(field is one for field in own for one in cycle):
            return "mark one field of the cycle +protoc-gen-crd:opaque: it becomes an object that is not described"
        way = f'mark "{own[-1].full_name}" +protoc-gen-crd:opaque'
        return f'the cycle is in imported files: {way}, or describe "{name}" under "types" in the settings'


def _owner(field: Field) -> str:
    """The full name of the message that a field belongs to."""
    return field.full_name.rpartition(".")[0]


def _shown(fields: Sequence[Field]) -> str:
    return " -> ".join(f"{_owner(field).rpartition('.')[2]}.{field.name}" for field in fields)
