"""Construction of a value from events, with the places of its parts and its duplicate keys.

The value has Go's types: unsigned integers up to 64 bits, whole floats, keys that are not strings. `json_values`
converts it to the value of a server, which reads it from JSON.

Source: go.yaml.in/yaml/v2 v2.4.4, decode.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from protoc_gen_crd.yaml.go_yaml.events import END, MAPPING, MAX_DEPTH, SCALAR, Events, ReadError, decode_mark
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import INT64_MAX, Scalar, resolve_tagged

if TYPE_CHECKING:
    from protoc_gen_crd.yaml.go_yaml.non_string_keys import Key, NonStringKey, Value

# A mark; for a collection, also the places in it; for a shared one, also the number of lines between the copies.
SubPlaces: TypeAlias = "list[Place] | dict[str, Member]"
Place: TypeAlias = "int | tuple[int, SubPlaces] | tuple[int, SubPlaces, int]"
Member: TypeAlias = tuple[int, Place]  # the mark of the key, and the place of the value


class DecodedDocument:
    """The value of a document, with its places and problems."""

    __slots__ = ("changes", "deepest", "duplicate_marks", "duplicates", "overrides", "place", "value")

    def __init__(self) -> None:
        self.value: Value = None
        self.place: Place = 0
        self.duplicates: list[str] = []  # errors of Go's strict reader
        self.duplicate_marks: list[tuple[int, int]] = []  # of the key of each duplicate, and of the one before it
        self.overrides: list[int] = []  # indexes of duplicates that override a key of a mapping merged above
        self.changes = (
            False  # whether JSON changes anything: a float, an integer beyond int64, a key that is not a string
        )
        self.deepest: tuple[str, int] | None = None  # bracket and mark of the first collection too deep for JSON

    def resolve_plain(self, value: Scalar) -> Scalar:
        """Record whether JSON changes a scalar, and return the scalar."""
        self.changes = self.changes or isinstance(value, float) or (isinstance(value, int) and value > INT64_MAX)
        return value

    def resolve_key(self, value: Value, mark: int) -> NonStringKey:
        """Return the key for a value other than a string. Raises ReadError for a collection."""
        from protoc_gen_crd.yaml.go_yaml.non_string_keys import NonStringKey, format_go_syntax  # noqa: PLC0415 - few documents have such keys

        if isinstance(value, dict | list):
            raise ReadError(f"yaml: invalid map key: {format_go_syntax(value)}", mark)
        self.changes = True
        return NonStringKey(value, mark)


class _ScalarCache(dict[str, Scalar]):
    """The values of plain scalars, resolved once."""

    def __init__(self, document: DecodedDocument, resolve: Callable[[str], Scalar]) -> None:
        super().__init__()
        self._document, self._resolve = document, resolve

    def __missing__(self, scalar: str) -> Scalar:
        value = self[scalar] = self._document.resolve_plain(self._resolve(scalar))
        return value


class _SequenceBuilder:
    """An incomplete list."""

    __slots__ = ("mark", "places", "value")

    def __init__(self, mark: int) -> None:
        self.mark = mark
        self.value: list[Value] = []
        self.places: list[Place] = []

    def add(self, item: Value, place: Place) -> None:
        self.value.append(item)
        self.places.append(place)


class _MappingBuilder:
    """An incomplete mapping, with the key of the next value."""

    __slots__ = ("_document", "_key", "_key_mark", "mark", "places", "value")

    def __init__(self, mark: int, document: DecodedDocument) -> None:
        self.mark = mark
        self.value: dict[Key, Value] = {}
        self.places: dict[str, Member] = {}
        self._document = document
        self._key: Key | None = None
        self._key_mark = 0

    def add(self, item: Value, place: Place) -> None:
        key = self._key
        if key is None:
            self._key_mark = get_mark(place)
            self._key = item if isinstance(item, str) else self._document.resolve_key(item, self._key_mark)
            return
        if key in self.value:
            from protoc_gen_crd.yaml.go_yaml.non_string_keys import format_go_syntax  # noqa: PLC0415 - only an error needs it

            line = decode_mark(get_mark(place))[0] + 1
            first_mark = self.places[key if isinstance(key, str) else key.text][0]
            if isinstance(key, str) and first_mark < self.mark < self._key_mark:
                self._document.overrides.append(len(self._document.duplicates))
            self._document.duplicates.append(f"line {line}: key {format_go_syntax(key)} already set in map")
            self._document.duplicate_marks.append((self._key_mark, first_mark))
        self.value[key] = item
        self.places[key if isinstance(key, str) else key.text] = self._key_mark, place
        self._key = None


def get_mark(place: Place) -> int:
    """Return the mark of a place."""
    return place if isinstance(place, int) else place[0]


def build_value(events: Events, resolve: Callable[[str], Scalar]) -> DecodedDocument:
    """Build the value of a document from events without aliases. Raises ReadError."""
    document = DecodedDocument()
    scalars = _ScalarCache(document, resolve)
    root = _SequenceBuilder(0)
    inner: _SequenceBuilder | _MappingBuilder = root
    outer: list[_SequenceBuilder | _MappingBuilder] = []
    for kind, string, tag, plain, _, mark in events:
        if kind == SCALAR:
            if tag is None:
                inner.add(scalars[string] if plain else string, mark)
            else:
                inner.add(document.resolve_plain(resolve_tagged(tag, string, mark)), mark)
        elif kind == END:
            ended, inner = inner, outer.pop()
            inner.add(ended.value, (ended.mark, ended.places))
        else:
            outer.append(inner)
            inner = _MappingBuilder(mark, document) if kind == MAPPING else _SequenceBuilder(mark)
            if len(outer) > MAX_DEPTH and not document.deepest:
                document.deepest = "{" if kind == MAPPING else "[", mark
    if root.value:
        document.value, document.place = root.value[0], root.places[0]
    return document
