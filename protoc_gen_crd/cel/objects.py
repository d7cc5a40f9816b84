"""Objects and maps made of JSON data, as CEL sees them: read where they are looked at.

Source: k8s.io/apiserver pkg/cel/common valuesunstructured.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.celnames import cel_name, json_name, selectable
from protoc_gen_crd.schema.types import Json

from .types import Type
from .values import MISSING, CelError, List, Map, Opaque, Unreadable, Value, equal_as_left, no_such_overload, unlike

Read = Callable[[Any], Value]
_NULL_IS_ABSENT = 34  # servers: in comparisons, a field that is null is one that is not there


def plain(data: Json) -> Value:
    """Data without what a schema tells, as CEL's own values."""
    if isinstance(data, dict):
        return PlainMap(data)
    return PlainList(data) if isinstance(data, list) else data


class PlainList(List):
    """A list of values made of data."""

    __slots__ = ("data",)

    def __init__(self, data: list[Any]) -> None:
        super().__init__(map(plain, data))
        self.data = data


class PlainMap(Map):
    """A map of values made of data. `entries` remembers what has been read."""

    __slots__ = ("data",)

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__({})
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    def find(self, key: Value) -> Value:
        """The value of a key, or `MISSING`."""
        if type(key) is not str or key not in self.data:
            return MISSING
        if key not in self.entries:
            self.entries[key] = plain(self.data[key])
        return self.entries[key]

    def keys(self) -> list[Value]:
        """The keys."""
        return list(self.data)


def same_data(left: Json, right: Json) -> bool:
    """Whether data is the same: numbers in kind, too."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same_data(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_data, left, right))
    return left == right


class Preserved(Opaque):
    """Data that a schema keeps without knowing its type."""

    data: Json
    cel_type: ClassVar[Type] = Type("unknown", "unknown")

    def equals(self, other: Value) -> bool:
        """Whether it is the same data."""
        return same_data(self.data, _data_of(other))


def _data_of(value: Value) -> Json:
    """The data that a value was made of."""
    if isinstance(value, list):
        return [_data_of(item) for item in value]
    return value.data if isinstance(value, Preserved | Parts | PlainMap) else value


class Shape(Record):
    """How the parts of an object or map are read: by name as CEL and as JSON spells it, or all alike.

    In an object, null is no value. `minor` is the server's version.
    """

    fields: dict[str, tuple[str, Read]]
    known: dict[str, Read]
    values: Read | None = None
    minor: int = _NULL_IS_ABSENT


class Parts(Map):
    """An object or map made of data. `entries` remembers what has been read."""

    __slots__ = ("data", "shape")
    go_type = "*common.unstructuredMap"

    def __init__(self, data: dict[str, Any], shape: Shape) -> None:
        super().__init__({})
        self.data, self.shape = data, shape

    def __len__(self) -> int:
        return len(self.data)

    def find(self, key: Value) -> Value:
        """The value of a key or field, or `MISSING`."""
        found = self.entries.get(key, self) if type(key) is str else self
        if found is self:
            found = self._read(key)
            if not (isinstance(found, List) and found.changes):
                self.entries[key] = found
        if type(found) is Unreadable:
            raise CelError(found.text)
        return found

    def native(self) -> Value:
        """The data as it is."""
        return plain(self.data)

    def _read(self, key: Value) -> Value:
        if type(key) is not str:
            raise no_such_overload()
        shape = self.shape
        if shape.values is not None:
            return shape.values(self.data[key]) if key in self.data else MISSING
        found = shape.fields.get(key)
        if found is None:
            name = json_name(key)
            if name not in shape.known:
                return MISSING
            found = name, shape.known[name]
        data = self.data.get(found[0])
        return MISSING if data is None else found[1](data)

    def keys(self) -> list[Value]:
        """The keys, or the names of fields that have been declared, with null for each of the others."""
        if self.shape.values is not None:
            return list(self.data)
        known = self.shape.known
        names = [cel_name(name) if selectable(name) else name for name in self.data if name in known]
        return names + [None] * (len(self.data) - len(names))

    def equals(self, other: Value) -> bool:
        """Whether all that is declared is equal, and the rest the same data."""
        if not isinstance(other, Map):
            raise unlike(other)
        return len(self) == len(other) and all(self._equal(name, other) for name in self.data)

    def _equal(self, name: str, other: Map) -> bool:
        shape = self.shape
        if shape.values is None and name not in shape.known:
            if not isinstance(other, Parts):
                raise no_such_overload()
            return name not in other.data or same_data(self.data[name], other.data[name])
        found = other.part(name)
        if shape.minor < _NULL_IS_ABSENT:
            read = shape.values or shape.known[name]
            return found is not MISSING and equal_as_left(read(self.data[name]), found)
        value = self.part(name)
        if value is MISSING or found is MISSING:
            return value is found
        return equal_as_left(value, found)
