"""Events to a value, with the place of everything in it and the keys that are given twice.

The value is Go's: integers up to 64 bits without sign, floats that are whole, keys that are no texts.
`convert_to_json` makes of it what a server has after the way through JSON.

Source: go.yaml.in/yaml/v2 v2.4.4, decode.go; sigs.k8s.io/yaml v1.6.0, yaml.go; Go 1.26, encoding/json.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any, Final, TypeAlias

from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.yaml.go_yaml.events import END, MAPPING, MAX_DEPTH, SCALAR, Events, ReadError, decode_mark
from protoc_gen_crd.yaml.go_yaml.mapping_keys import Key, NonStringKey, Value, format_go_syntax
from protoc_gen_crd.yaml.go_yaml.resolver import INT64_MAX, INT64_MIN, Scalar, resolve_tagged

# A mark; in a collection, those in it too; in one that is shared, also how many lines further down it stands here.
SubPlaces: TypeAlias = "list[Place] | dict[str, Member]"
Place: TypeAlias = "int | tuple[int, SubPlaces] | tuple[int, SubPlaces, int]"
Member: TypeAlias = tuple[int, Place]  # the mark of the key, and the place of the value

_EXACT: Final = 1 << 53  # up to here a whole float is the number that its digits say
_LONGEST_WHOLE: Final = 1e21  # from here on JSON has an exponent


class DecodedDocument:
    """What became of a document's events."""

    __slots__ = ("changes", "deepest", "duplicates", "overrides", "place", "value")

    def __init__(self) -> None:
        self.value: Value = None
        self.place: Place = 0
        self.duplicates: list[str] = []  # what Go's strict reader refuses
        self.overrides: list[int] = []  # the indices of those that give a key another value than what is merged above
        self.changes = False  # whether JSON changes anything: a float, an integer beyond int64, a key that is no text
        self.deepest: tuple[str, int] | None = None  # bracket and mark of the first collection too deep for JSON

    def resolve_plain(self, value: Scalar) -> Scalar:
        """Note a scalar that JSON changes."""
        self.changes = self.changes or isinstance(value, float) or (isinstance(value, int) and value > INT64_MAX)
        return value

    def resolve_key(self, value: Value, mark: int) -> NonStringKey:
        """A key that is no text. Raises ReadError for a collection."""
        if isinstance(value, dict | list):
            raise ReadError(f"yaml: invalid map key: {format_go_syntax(value)}", mark)
        self.changes = True
        return NonStringKey(value, mark)


class _ScalarCache(dict[str, Scalar]):
    """What plain scalars mean, each looked into once."""

    def __init__(self, built: DecodedDocument, resolve: Callable[[str], Scalar]) -> None:
        super().__init__()
        self._built, self._resolve = built, resolve

    def __missing__(self, text: str) -> Scalar:
        value = self[text] = self._built.resolve_plain(self._resolve(text))
        return value


class _SequenceBuilder:
    """A list whose end has not come yet."""

    __slots__ = ("mark", "places", "value")

    def __init__(self, mark: int) -> None:
        self.mark = mark
        self.value: list[Value] = []
        self.places: list[Place] = []

    def add(self, item: Value, place: Place) -> None:
        self.value.append(item)
        self.places.append(place)


class _MappingBuilder:
    """A mapping whose end has not come yet, with the key whose value comes next."""

    __slots__ = ("_built", "_key", "_key_mark", "mark", "places", "value")

    def __init__(self, mark: int, built: DecodedDocument) -> None:
        self.mark = mark
        self.value: dict[Key, Value] = {}
        self.places: dict[str, Member] = {}
        self._built = built
        self._key: Key | None = None
        self._key_mark = 0

    def add(self, item: Value, place: Place) -> None:
        key = self._key
        if key is None:
            self._key_mark = get_mark(place)
            self._key = item if isinstance(item, str) else self._built.resolve_key(item, self._key_mark)
            return
        if key in self.value:
            line = decode_mark(get_mark(place))[0] + 1
            if isinstance(key, str) and self.places[key][0] < self.mark < self._key_mark:
                self._built.overrides.append(len(self._built.duplicates))
            self._built.duplicates.append(f"line {line}: key {format_go_syntax(key)} already set in map")
        self.value[key] = item
        self.places[key if isinstance(key, str) else key.text] = self._key_mark, place
        self._key = None


def get_mark(place: Place) -> int:
    """The mark of a place."""
    return place if isinstance(place, int) else place[0]


def build_value(events: Events, resolve: Callable[[str], Scalar]) -> DecodedDocument:
    """The value of a document, from events without aliases. Raises ReadError."""
    built = DecodedDocument()
    texts = _ScalarCache(built, resolve)
    root = _SequenceBuilder(0)
    inner: _SequenceBuilder | _MappingBuilder = root
    outer: list[_SequenceBuilder | _MappingBuilder] = []
    for kind, text, tag, plain, _, mark in events:
        if kind == SCALAR:
            if tag is None:
                inner.add(texts[text] if plain else text, mark)
            else:
                inner.add(built.resolve_plain(resolve_tagged(tag, text, mark)), mark)
        elif kind == END:
            ended, inner = inner, outer.pop()
            inner.add(ended.value, (ended.mark, ended.places))
        else:
            outer.append(inner)
            inner = _MappingBuilder(mark, built) if kind == MAPPING else _SequenceBuilder(mark)
            if len(outer) > MAX_DEPTH and not built.deepest:
                built.deepest = "{" if kind == MAPPING else "[", mark
    if root.value:
        built.value, built.place = root.value[0], root.places[0]
    return built


def convert_to_json(built: DecodedDocument) -> Any:
    """The value after the way through JSON, which changes it in place. Raises ReadError for what JSON cannot say."""
    if not built.changes:
        return built.value
    root: list[Any] = [built.value]
    waiting: list[Any] = [root]
    finite = True
    while waiting:
        collection = waiting.pop()
        items = list(collection.values() if isinstance(collection, dict) else collection)
        waiting += (item for item in reversed(items) if isinstance(item, dict | list))
        if isinstance(collection, dict):
            _stringify_keys(collection)
        for at, item in list(collection.items() if isinstance(collection, dict) else enumerate(collection)):
            if isinstance(item, float | int) and not isinstance(item, bool):
                finite = finite and isfinite(item)
                collection[at] = parse_json_number(item)
    if not finite:
        _reject_first(root[0], built.place)
    return root[0]


def _stringify_keys(mapping: dict[Any, Any]) -> None:
    """Turn keys that are no texts into texts."""
    odd = [key for key in mapping if isinstance(key, NonStringKey)]
    for key in odd:
        if refused := key.rejected_type():
            shown_key, value = format_go_syntax(key), format_go_syntax(mapping[key])
            raise ReadError(f"unsupported map key of type: {refused}, key: {shown_key}, value: {value}", key.mark)
    if odd:
        members = list(mapping.items())
        mapping.clear()
        mapping.update((key.text if isinstance(key, NonStringKey) else key, value) for key, value in members)


def parse_json_number(value: float) -> float:
    """What a server reads where Go has written the number in JSON: an int64 if it has only digits and fits."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LONGEST_WHOLE:
        whole = int(value) if abs(value) <= _EXACT else int(format_number(value, large=21))
    elif isinstance(value, int):
        whole = value
    else:
        return value
    return whole if INT64_MIN <= whole <= INT64_MAX else float(value)


def _reject_first(value: Any, place: Any) -> None:
    """Raise ReadError for the number without a JSON form that Go comes to first, keys being sorted."""
    waiting: list[tuple[Any, Any]] = [(value, place)]
    while waiting:
        value, place = waiting.pop()
        if isinstance(value, dict):
            waiting += ((value[key], place[1][key][1]) for key in sorted(value, reverse=True))
        elif isinstance(value, list):
            waiting += reversed(list(zip(value, place[1], strict=True)))
        elif isinstance(value, float) and not isfinite(value):
            raise ReadError(f"json: unsupported value: {format_number(value)}", get_mark(place))
