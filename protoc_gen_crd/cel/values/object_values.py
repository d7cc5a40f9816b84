"""Objects and maps as CEL values, read from JSON data on access.

Source: k8s.io/apiserver pkg/cel/common valuesunstructured.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.version_differences import ABSENT_NULLS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable, unescape_cel_name
from protoc_gen_crd.schema.schema import Json

from .runtime_values import (
    MISSING,
    CelError,
    List,
    Map,
    Opaque,
    Unreadable,
    Value,
    is_equal_as_left,
    make_comparison_error,
    make_no_such_overload,
)

Read = Callable[[Any], Value]


def to_cel_value(data: Json) -> Value:
    """Convert data to CEL values without its schema."""
    if isinstance(data, dict):
        return PlainMap(data)
    return PlainList(data) if isinstance(data, list) else data


class PlainList(List):
    """A list of data without a schema."""

    __slots__ = ("data",)

    def __init__(self, data: list[Any]) -> None:
        super().__init__(map(to_cel_value, data))
        self.data = data


class PlainMap(Map):
    """A map of data without a schema. `entries` caches the values that have been read."""

    __slots__ = ("data",)

    def __init__(self, data: dict[str, Any]) -> None:
        super().__init__({})
        self.data = data

    def __len__(self) -> int:
        return len(self.data)

    def find(self, key: Value) -> Value:
        """Return the value of a key, or `MISSING`."""
        if type(key) is not str or key not in self.data:
            return MISSING
        if key not in self.entries:
            self.entries[key] = to_cel_value(self.data[key])
        return self.entries[key]

    def keys(self) -> list[Value]:
        """Return the keys."""
        return list(self.data)


def is_same_data(left: Json, right: Json) -> bool:
    """Check whether data is equal; numbers of different types are not."""
    if type(left) is not type(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(is_same_data(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(is_same_data, left, right))
    return left == right


class UntypedValue(Opaque):
    """Data that a schema preserves without declaring its type."""

    data: Json
    cel_type: ClassVar[Type] = Type("unknown", "unknown")

    def equals(self, other: Value) -> bool:
        """Check whether it is equal data."""
        return is_same_data(self.data, _get_data(other))


def _get_data(value: Value) -> Json:
    """Return the data of a value."""
    if isinstance(value, list):
        return [_get_data(item) for item in value]
    return value.data if isinstance(value, UntypedValue | SchemaObject | PlainMap) else value


_SCALARS = (str, int, bool, float)


def _is_same_scalar(left: Value, right: Value) -> bool:
    return type(left) in _SCALARS and type(left) is type(right) and bool(left == right)


class ObjectContext(Record):
    """Readers for the parts of an object or map: by names in CEL and in JSON, or one for all.

    In an object, null counts as absent.
    """

    fields: dict[str, tuple[str, Read]]
    readers: dict[str, Read]
    switches: Switches
    values: Read | None = None


class SchemaObject(Map):
    """An object or map read from data. `entries` caches the values that have been read.

    Shortcut read-entries: data does not change during an evaluation, and lists that servers change are not kept.
    """

    __slots__ = ("data", "shape")
    go_type = "*common.unstructuredMap"

    def __init__(self, data: dict[str, Any], shape: ObjectContext) -> None:
        super().__init__({})
        self.data, self.shape = data, shape

    def __len__(self) -> int:
        return len(self.data)

    def find(self, key: Value) -> Value:
        """Return the value of a key or field, or `MISSING`. Raises CelError if it is invalid."""
        value = self.entries.get(key, self) if type(key) is str else self
        if value is self:
            value = self._read_entry(key)
            if not (isinstance(value, List) and value.is_mutable):
                self.entries[key] = value
        if type(value) is Unreadable:
            raise CelError(value.message)
        return value

    def to_native(self) -> Value:
        """Return the data without its schema."""
        return to_cel_value(self.data)

    def _read_entry(self, key: Value) -> Value:
        if type(key) is not str:
            raise make_no_such_overload()
        shape = self.shape
        if shape.values is not None:
            return shape.values(self.data[key]) if key in self.data else MISSING
        entry = shape.fields.get(key)
        if entry is None:
            name = unescape_cel_name(key)
            if name not in shape.readers:
                return MISSING
            entry = name, shape.readers[name]
        data = self.data.get(entry[0])
        return MISSING if data is None else entry[1](data)

    def keys(self) -> list[Value]:
        """Return the keys, or the names of declared fields, with null for each other field."""
        if self.shape.values is not None:
            return list(self.data)
        declared = self.shape.readers
        names = [escape_cel_name(name) if is_selectable(name) else name for name in self.data if name in declared]
        return names + [None] * (len(self.data) - len(names))

    def equals(self, other: Value) -> bool:
        """Check whether all declared fields are equal, and the other fields are equal data."""
        if not isinstance(other, Map):
            raise make_comparison_error(other)
        return len(self) == len(other) and all(self._is_equal_part(name, other) for name in self.data)

    def _is_equal_part(self, name: str, other: Map) -> bool:
        shape = self.shape
        if shape.values is None and name not in shape.readers:
            if not isinstance(other, SchemaObject):
                raise make_no_such_overload()
            return name not in other.data or is_same_data(self.data[name], other.data[name])
        other_value, data = other.get_value(name), self.data[name]
        read = shape.values or shape.readers[name]
        value = self.get_value(name)
        is_scalar = type(other_value) in _SCALARS and type(data) in _SCALARS and _is_same_scalar(value, read(data))
        if not is_scalar and ABSENT_NULLS not in shape.switches:
            return other_value is not MISSING and is_equal_as_left(read(data), other_value)
        if value is MISSING or other_value is MISSING:
            return value is other_value
        return is_equal_as_left(value, other_value)
