"""Marker: one option set on one element, whichever way it was written."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.diagnostics import Excerpt, Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.declared import Option, message_options
from protoc_gen_crd.proto.locations import ElementPlace


class Marker(Record):
    """A value for an option of message Schema. `steps` (`items`, `values`) lead to the schema that it is for.

    `text` is the spelling the author knows; `value` is plain data, message values as dict by member. With `unread` the
    value of an option that holds JSON is still the text of it.
    """

    option: Option
    steps: tuple[str, ...]
    value: Any
    text: str
    at: Place
    owner: str  # full name of the element
    hint: str = ""  # where the marker should perhaps stand instead
    unread: bool = False

    @property
    def name(self) -> str:
        """The option's path, such as `items.max_length`."""
        return ".".join((*self.steps, self.option.name))

    @property
    def excerpt(self) -> Excerpt | None:
        """What to show where the file cannot be read."""
        return _excerpt(self.text)


class Members(Record):
    """Members of one of the other messages (Resource, Package, EnumValue, Oneof) that one marker gives."""

    message: str
    values: dict[str, Any]
    text: str
    at: Place
    kind: str = ""  # the kind that a +cue-gen tag names

    @property
    def excerpt(self) -> Excerpt | None:
        """What to show where the file cannot be read."""
        return _excerpt(self.text)

    def place(self, member: str, index: int = 0) -> Place:
        """Where a member was given, or one value of a list: each statement of a proto option has a place of its own."""
        option = message_options(self.message).get(member)
        if option is None or not isinstance(self.at, ElementPlace):
            return self.at
        return self.at.below(option.number, index) if option.repeated else self.at.below(option.number)


class Marks(Record):
    """All that stands on one element."""

    schema: tuple[Marker, ...] = ()
    members: tuple[Members, ...] = ()


def _excerpt(text: str) -> Excerpt | None:
    """A comment line; a proto option is not at hand as text."""
    return Excerpt(text) if text.startswith("+") else None


NO_MARKS = Marks()
