"""Construction of a value from events, with the places of its parts and its duplicate keys.

The value has Go's types: unsigned integers up to 64 bits, whole floats, keys that are not strings. `convert_to_json`
converts it to the value of a server, which reads it from JSON.

Source: go.yaml.in/yaml/v2 v2.4.4, decode.go; sigs.k8s.io/yaml v1.6.0, yaml.go; Go 1.26, encoding/json.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, Final, TypeAlias

from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.yaml.go_yaml.events import END, MAPPING, MAX_DEPTH, SCALAR, Events, ReadError, decode_mark
from protoc_gen_crd.yaml.go_yaml.non_string_keys import Key, NonStringKey, Value, format_go_syntax
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import INT64_MAX, INT64_MIN, Scalar, resolve_tagged

# A mark; for a collection, also the places in it; for a shared one, also the number of lines between the copies.
SubPlaces: TypeAlias = "list[Place] | dict[str, Member]"
Place: TypeAlias = "int | tuple[int, SubPlaces] | tuple[int, SubPlaces, int]"
Member: TypeAlias = tuple[int, Place]  # the mark of the key, and the place of the value

_EXACT: Final = 1 << 53  # up to here a whole float is equal to its digits
_LONGEST_WHOLE: Final = 1e21  # from here on Go writes an exponent in JSON


class DecodedDocument:
    """The value of a document, with its places and problems."""

    __slots__ = ("changes", "deepest", "duplicates", "overrides", "place", "value")

    def __init__(self) -> None:
        self.value: Value = None
        self.place: Place = 0
        self.duplicates: list[str] = []  # errors of Go's strict reader
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
            line = decode_mark(get_mark(place))[0] + 1
            if isinstance(key, str) and self.places[key][0] < self.mark < self._key_mark:
                self._document.overrides.append(len(self._document.duplicates))
            self._document.duplicates.append(f"line {line}: key {format_go_syntax(key)} already set in map")
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


def convert_to_json(document: DecodedDocument) -> Any:
    """Convert the value to that read from JSON, in place. Raises ReadError for values that are invalid in JSON."""
    if not document.changes:
        return document.value
    root: list[Any] = [document.value]
    pending: list[Any] = [root]
    finite = True
    while pending:
        collection = pending.pop()
        items = list(collection.values() if isinstance(collection, dict) else collection)
        pending += (item for item in reversed(items) if isinstance(item, dict | list))
        if isinstance(collection, dict):
            _stringify_keys(collection)
        for at, item in list(collection.items() if isinstance(collection, dict) else enumerate(collection)):
            if isinstance(item, float | int) and not isinstance(item, bool):
                finite = finite and isfinite(item)
                collection[at] = parse_json_number(item)
    if not finite:
        _reject_first(root[0], document.place)
    return root[0]


def _stringify_keys(mapping: dict[Any, Any]) -> None:
    """Convert keys to strings. Raises ReadError for types that are not supported."""
    non_strings = [key for key in mapping if isinstance(key, NonStringKey)]
    for key in non_strings:
        if rejected := key.rejected_type():
            shown_key, value = format_go_syntax(key), format_go_syntax(mapping[key])
            raise ReadError(f"unsupported map key of type: {rejected}, key: {shown_key}, value: {value}", key.mark)
    if non_strings:
        members = list(mapping.items())
        mapping.clear()
        mapping.update((key.text if isinstance(key, NonStringKey) else key, value) for key, value in members)


def parse_json_number(value: float) -> float:
    """Return a number as read from Go's JSON: an int64 if it has only digits and fits, otherwise a float."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LONGEST_WHOLE:
        whole = int(value) if abs(value) <= _EXACT else int(format_number(value, large=21))
    elif isinstance(value, int):
        whole = value
    else:
        return value
    return whole if INT64_MIN <= whole <= INT64_MAX else float(value)


def _reject_first(value: Any, place: Any) -> None:
    """Raise ReadError for the first number, in the order of sorted keys, that is invalid in JSON."""
    pending: list[tuple[Any, Any]] = [(value, place)]
    while pending:
        value, place = pending.pop()
        if isinstance(value, dict):
            pending += ((value[key], place[1][key][1]) for key in sorted(value, reverse=True))
        elif isinstance(value, list):
            pending += reversed(list(zip(value, place[1], strict=True)))
        elif isinstance(value, float) and not isfinite(value):
            raise ReadError(f"json: unsupported value: {format_number(value)}", get_mark(place))
