"""Marker: one option set on one element, whichever way it was written."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.base.diagnostics import Excerpt, Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.declared import Option, message_options
from protoc_gen_crd.markers.ranges import Bounds, Span
from protoc_gen_crd.proto.locations import CommentPlace, ElementPlace


class Marker(Record):
    """A value for an option of message Schema. `steps` (`items`, `values`) lead to the schema that it is for.

    `text` is the spelling the author knows; `value` is plain data, message values as dict by member. With `unread` the
    value of an option that holds JSON is still the text of it. `parts` are the markers that it was
    gathered from, if several. It holds in the versions of all `spans`, which are written as `within`. One that is
    `foreign` comes of another vocabulary; it `yields` to our options of these names that hold in some versions only.
    """

    option: Option
    steps: tuple[str, ...]
    value: Any
    text: str
    at: Place
    owner: str  # full name of the element
    hint: str = ""  # where the marker should perhaps stand instead
    unread: bool = False
    parts: tuple[Marker, ...] = ()
    column: int = 0  # of what a finding is about, in the text
    within: tuple[Bounds, ...] = ()
    spans: tuple[Span, ...] = ()
    foreign: bool = False
    yields: tuple[str, ...] = ()

    def of_value(self, index: int) -> Marker:
        """The marker that gives one value of a list."""
        for part in self.parts:
            if index < len(part.value):
                return part
            index -= len(part.value)
        return self

    def pointed(self, value: str) -> Marker:
        """The marker with its place at a value, where that stands in the text once."""
        column = _column(self.text, self.text.find("=") + 1, value)
        if not column or not isinstance(self.at, CommentPlace):
            return self
        return self.replace(at=_shifted(self.at, column), column=column)

    @property
    def name(self) -> str:
        """The option's path, such as `items.max_length`."""
        return ".".join((*self.steps, self.option.name))

    @property
    def excerpt(self) -> Excerpt | None:
        """What to show where the file cannot be read."""
        return _excerpt(self.text, self.column)


class Members(Record):
    """Members of one of the other messages (Resource, Package, EnumValue, Oneof) that one marker gives."""

    message: str
    values: dict[str, Any]
    text: str
    at: Place
    kind: str = ""  # the kind that a +cue-gen tag names
    within: tuple[Bounds, ...] = ()  # ranges of versions that they hold in
    spans: tuple[Span, ...] = ()  # the same, read

    @property
    def excerpt(self) -> Excerpt | None:
        """What to show where the file cannot be read."""
        return _excerpt(self.text)

    def place(self, member: str, index: int = 0, text: str = "") -> Place:
        """Where a member was given, or a text of its list: each statement of a proto option has a place of its own."""
        if text and isinstance(self.at, CommentPlace):
            return _shifted(self.at, _column(self.text, self.text.find(":") + 1, text))
        option = message_options(self.message).get(member)
        if option is None or not isinstance(self.at, ElementPlace):
            return self.at
        return self.at.below(option.number, index) if option.repeated else self.at.below(option.number)


class Marks(Record):
    """All that stands on one element, which is there in the versions of all `spans`."""

    schema: tuple[Marker, ...] = ()
    members: tuple[Members, ...] = ()
    spans: tuple[Span, ...] = ()


def _column(text: str, start: int, value: str) -> int:
    """Where a value stands in a text from a start that is not 0, if it stands there once; else 0."""
    found: list[int] = []
    at = text.find(value, start) if start and value else -1
    while at >= 0:
        end = at + len(value)
        whole = not (_is_part(text[at - 1]) or _is_part(text[end : end + 1]))
        found += [at] * whole
        at = text.find(value, end if whole else at + 1)
    return found[0] if len(found) == 1 else 0


def _is_part(character: str) -> bool:
    return character.isalnum() or character in ("_", ".", "-")


def _shifted(at: CommentPlace, column: int) -> CommentPlace:
    return CommentPlace(at.element, at.line, at.column + column, at.text) if column else at


def _excerpt(text: str, column: int = 0) -> Excerpt | None:
    """A comment line; a proto option is not at hand as text."""
    return Excerpt(text, column) if text.startswith("+") else None


NO_MARKS = Marks()
