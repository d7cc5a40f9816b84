"""Marker: one option set on one element, whichever way it was written."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.declared import Option


class Marker(Record):
    """A value for an option of message Schema. `steps` (`items`, `values`) lead to the schema that it is for.

    `text` is the spelling the author knows; `value` is plain data, message values as dict by member.
    """

    option: Option
    steps: tuple[str, ...]
    value: Any
    text: str
    at: Place
    owner: str  # full name of the element
    hint: str = ""  # where the marker should perhaps stand instead

    @property
    def name(self) -> str:
        """The option's path, such as `items.max_length`."""
        return ".".join((*self.steps, self.option.name))


class Members(Record):
    """Members of one of the other messages (Resource, Package, EnumValue, Oneof) that one marker gives."""

    message: str
    values: dict[str, Any]
    text: str
    at: Place
    kind: str = ""  # the kind that a +cue-gen tag names


class Marks(Record):
    """All that stands on one element."""

    schema: tuple[Marker, ...] = ()
    members: tuple[Members, ...] = ()


NO_MARKS = Marks()
