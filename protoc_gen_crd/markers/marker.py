"""Marker: an option that is set on an element, in any spelling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Excerpt, Place
from protoc_gen_crd.markers.marker_ranges import Bounds, LocatedRange
from protoc_gen_crd.markers.option_declarations import MarkerOption, get_message_options
from protoc_gen_crd.markers.override_place import OverridePlace, locate_key
from protoc_gen_crd.proto.source_locations import CommentPlace, ElementPlace


class JsonText(str):
    """JSON of a YAML or TOML value that is no string. Whether other strings are JSON depends on the schema."""

    __slots__ = ()


class Marker(Record):
    """The value of an option of message Schema. `steps` (`items`, `values`) are the path to its schema.

    `text` is the spelling in the source. `value` is plain data; messages are dicts by member. With `unread`, the value
    of a JSON option is not parsed yet. `parts` are the markers that were merged into it, if there are several. The
    marker applies to the versions in all `spans`, which are the parsed ranges `within`. A `foreign` marker belongs to
    another vocabulary; native options named in `is_default` replace it in their versions. With `overrides`, it is from
    the settings.
    """

    option: MarkerOption
    steps: tuple[str, ...]
    value: Any
    text: str
    at: Place
    owner: str  # full name of the element
    hint: str = ""  # a better place for the marker
    unread: bool = False
    parts: tuple[Marker, ...] = ()
    column: int = 0  # start of the reported part in `text`
    within: tuple[Bounds, ...] = ()
    spans: tuple[LocatedRange, ...] = ()
    foreign: bool = False
    is_default: tuple[str, ...] = ()
    overrides: bool = False

    def for_value(self, index: int) -> Marker:
        """Return the marker that sets the value of a list at an index."""
        for part in self.parts:
            if index < len(part.value):
                return part.for_value(index)
            index -= len(part.value)
        if self.option.repeated and isinstance(self.at, OverridePlace):
            return self.replace(at=self.at.append(index))
        return self

    def point_at_value(self, value: str) -> Marker:
        """Return the marker with the place of a value, if the value occurs exactly once in its text."""
        column = _find_column(self.text, self.text.find("=") + 1, value)
        if not column or not isinstance(self.at, CommentPlace):
            return self
        return self.replace(at=_shift_place(self.at, column), column=column)

    def point_at_key(self, key: str) -> Marker:
        """Return the marker with the place of a key of its value, which only an override has."""
        return self.replace(at=locate_key(self.at, key))

    @property
    def name(self) -> str:
        """The option's path, such as `items.max_length`."""
        return ".".join((*self.steps, self.option.name))

    @property
    def is_native_option(self) -> bool:
        """True if it is a proto option of this project."""
        return not self.foreign and not self.overrides and not self.is_comment_line

    @property
    def is_comment_line(self) -> bool:
        """True if it is a line of a comment, not a proto option."""
        return self.text.startswith("+")

    @property
    def is_single(self) -> bool:
        """True if another marker of the same name contradicts it, instead of adding to it."""
        return not self.option.repeated or self.option.keyword == "enum"

    @property
    def foreign_option(self) -> str:
        """The spelling of an option of another vocabulary, empty for native markers."""
        return self.text if self.foreign else ""

    @property
    def excerpt(self) -> Excerpt | None:
        """The source line to show if the file cannot be read."""
        return _make_excerpt(self.text, self.column)


class MessageMembers(Record):
    """Members of one of the other messages (Resource, Package, EnumValue, Oneof) that a marker sets."""

    message: str
    values: dict[str, Any]
    text: str
    at: Place
    kind: str = ""  # the kind that a +cue-gen tag names
    within: tuple[Bounds, ...] = ()  # version ranges of the members
    spans: tuple[LocatedRange, ...] = ()  # the same, parsed

    @property
    def excerpt(self) -> Excerpt | None:
        """The source line to show if the file cannot be read."""
        return _make_excerpt(self.text)

    def get_place(self, member: str, index: int = 0, text: str = "") -> Place:
        """Return the place of a member, or of the item at an index of its list, or of a string `text` in it."""
        if text and isinstance(self.at, CommentPlace):
            return _shift_place(self.at, _find_column(self.text, self.text.find(":") + 1, text))
        if isinstance(self.at, OverridePlace):
            value = self.values.get(member)
            inner = (text,) if isinstance(value, dict) else (index,) if isinstance(value, list) else ()
            return self.at.append(member, *inner)
        option = get_message_options(self.message).get(member)
        if option is None or not isinstance(self.at, ElementPlace):
            return self.at
        return self.at.append(option.number, index) if option.repeated else self.at.append(option.number)


class ElementMarkers(Record):
    """The markers of an element. The element exists in the versions in all `spans`."""

    schema: tuple[Marker, ...] = ()
    members: tuple[MessageMembers, ...] = ()
    spans: tuple[LocatedRange, ...] = ()


def drop_superseded(markers: Sequence[Marker]) -> Sequence[Marker]:
    """Return the markers without comment lines whose option is also set as a proto option, which takes precedence."""
    if len(markers) < 2:
        return markers
    options = {marker.name for marker in markers if marker.is_native_option and not marker.spans}
    if not options:
        return markers
    return [
        marker for marker in markers if not (marker.is_comment_line and marker.name in options and marker.is_single)
    ]


def _find_column(text: str, start: int, value: str) -> int:
    """Return the column of a value after a start. Return 0 if start is 0, or unless the value occurs exactly once."""
    columns: list[int] = []
    at = text.find(value, start) if start and value else -1
    while at >= 0:
        end = at + len(value)
        is_word = not (_is_word_character(text[at - 1]) or _is_word_character(text[end : end + 1]))
        columns += [at] * is_word
        at = text.find(value, end if is_word else at + 1)
    return columns[0] if len(columns) == 1 else 0


def _is_word_character(character: str) -> bool:
    return character.isalnum() or character in ("_", ".", "-")


def _shift_place(at: CommentPlace, column: int) -> CommentPlace:
    return CommentPlace(at.element, at.line, at.column + column, at.text) if column else at


def _make_excerpt(text: str, column: int = 0) -> Excerpt | None:
    """Return the excerpt of a comment line, None for a proto option."""
    return Excerpt(text, column) if text.startswith("+") else None


NO_MARKERS = ElementMarkers()
