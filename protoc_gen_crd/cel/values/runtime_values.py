"""The runtime values of expressions, their types, and their equality.

| CEL | Python |
|---|---|
| bool, int, uint, double | bool, int, `cel.parser.ast.Uint`, float |
| string, bytes, null | str, bytes, None |
| list | list, or a subclass of it that defines equality and sums (`List`) |
| map, object | `Map`, or a subclass of it |
| timestamp, duration, optional | `Timestamp`, `Duration`, `Optional` |
| type | `types.Type` |
| abstract types of libraries | a subclass of `Opaque`, in the library's file |

This module depends on no tree, function, or schema. Source: cel-go v0.29 `common/types`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable
from typing import Any, ClassVar, NoReturn

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.types import (
    ANY_TYPE,
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    make_list_type,
    make_map_type,
    make_optional_type,
)
from protoc_gen_crd.cel.parser.ast import Uint

from .identity_key import IdentityKey

Value = Any  # one of the types above; a union would require casts everywhere

LEAST_INT, MOST_INT, MOST_UINT = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1
ZONES = frozenset((None, *range(-12 * 3600, 14 * 3600 + 1, 3600)))  # offsets for which Go shares one zone object
LIST_TYPE, MAP_TYPE, OPTIONAL_TYPE = make_list_type(DYN), make_map_type(DYN, DYN), make_optional_type(DYN)


class CelError(Exception):
    """An evaluation error with the server's message. Some operators absorb it."""

    cel_type: ClassVar[Type] = Type("error", "error")

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class Unreadable(CelError):  # noqa: N818 - also a value
    """Data that does not match its schema: an error that is a value until it is accessed."""


class Panic(Exception):  # noqa: N818 - a panic of the server, not an error of this program
    """The server panics during an evaluation; no operator absorbs this."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def make_no_such_overload() -> CelError:
    """Return the error of an operation on values of types that it is not defined for."""
    return CelError("no such overload")


def make_comparison_error(value: Value) -> CelError:
    """Return the error of a comparison with a value of another type, or that value's own error."""
    return CelError(value.message) if isinstance(value, CelError) else make_no_such_overload()


class Missing:
    """The type of `MISSING`, which `Map.find` returns for an absent key."""


MISSING = Missing()


class Opaque(Record):
    """A value of an abstract type; `cel_type` is its type."""

    cel_type: ClassVar[Type]
    native_type: ClassVar[str] = ""  # the Go type, if CEL cannot convert it back

    def equals(self, other: Value) -> bool:
        """Check whether it equals a value of any type."""
        return bool(self == other)

    def get_key(self) -> Hashable:
        """Return its key in maps."""
        return type(self), self


class Duration(Opaque):
    """A span of time."""

    nanoseconds: int
    cel_type: ClassVar[Type] = DURATION


class Timestamp(Opaque):
    """A point in time in nanoseconds since 1970 UTC; `offset` of its zone in seconds east of UTC (None: `Z`)."""

    nanoseconds: int
    offset: int | None = None
    cel_type: ClassVar[Type] = TIMESTAMP

    def equals(self, other: Value) -> bool:
        """Check whether it is the same point in time."""
        return isinstance(other, Timestamp) and self.nanoseconds == other.nanoseconds

    def get_key(self) -> Hashable:
        """Return a key that, for an offset of no full hour, equals only itself."""
        return super().get_key() if self.offset in ZONES else IdentityKey(self)


class Optional(Opaque):
    """An optional value, or none (`MISSING`)."""

    value: Value = MISSING
    cel_type: ClassVar[Type] = OPTIONAL_TYPE

    def equals(self, other: Value) -> bool:
        """Check whether both have equal values or none."""
        if not isinstance(other, Optional):
            return False
        if self.value is MISSING or other.value is MISSING:
            return self.value is other.value
        return is_equal_as_left(self.value, other.value)

    def get_key(self) -> Hashable:
        """Return the key: optional.none() equals itself, an optional with a value only the same object."""
        return (Optional, self) if self.value is MISSING else IdentityKey(self)


NONE = Optional()


class List(list[Value]):
    """Base of lists with their own behavior: items may be read from data, order may not matter."""

    __slots__ = ()

    @property
    def is_mutable(self) -> bool:
        """True if operations change the list, so that it must be read again for each use."""
        return False

    def equals(self, other: Value) -> bool:
        """Check whether it equals a value of any type, as the left operand."""
        return _is_equal_list(self, other)

    def add(self, other: list[Value]) -> list[Value]:
        """Return the sum with a list."""
        return [*self, *other]

    def add_to(self, other: list[Value]) -> list[Value]:
        """Return the sum of a plain list and this list."""
        return [*other, *self]

    def contains(self, item: Value) -> bool:
        """Check whether the list contains a value."""
        return contains_value(self, item)

    def to_native(self) -> Value:
        """Return the value without its schema."""
        return self

    def list_parts(self) -> list[Value]:
        """Return the items, with a CelError for each invalid one."""
        return self


def list_parts(items: list[Value]) -> list[Value]:
    """Return the items of a list, with a CelError for each invalid one."""
    return items.list_parts() if isinstance(items, List) else items


def to_native(value: Value) -> Value:
    """Convert a value to Go's native types and back: data loses its schema, and optionals are unwrapped."""
    if isinstance(value, Optional):
        return None if value.value is MISSING else to_native(value.value)
    if isinstance(value, Type):
        return value.name
    if isinstance(value, CelError):
        return CelError(f"unsupported conversion to ref.Val: (*errors.errorString){value.message}")
    if isinstance(value, Opaque) and value.native_type:
        return CelError(f"unsupported conversion to ref.Val: ({value.native_type}){value}")
    return value.to_native() if isinstance(value, List | Map) else value


class MutableList(List):
    """A list that a comprehension builds: sums change it."""

    __slots__ = ()

    def add(self, other: list[Value]) -> list[Value]:
        """Append the items and return the list itself."""
        self.extend(other)
        return self


def make_key(value: Value) -> Hashable:
    """Return a hashable that is equal for equal keys of one type. Lists and maps equal only themselves."""
    kind = type(value)
    if kind is str or kind is int:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Opaque):
        return value.get_key()
    if kind is bytes:
        panic_unhashable("types.Bytes")
    return IdentityKey(value) if isinstance(value, list | Map) else (kind, value)


def panic_unhashable(name: str) -> NoReturn:
    """Raise Go's panic for a value of this type as the key of a map."""
    raise Panic(f"runtime error: hash of unhashable type {name}")


class Map:
    """A map. `entries` maps `make_key` of each key to its value."""

    __slots__ = ("entries",)

    def __init__(self, entries: dict[Hashable, Value]) -> None:
        self.entries = entries

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[Value, Value]]) -> Map:
        """Create a map from keys and values; the last of equal keys wins."""
        return cls({make_key(key): value for key, value in pairs})

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.entries!r})"

    def find(self, key: Value) -> Value:
        """Return the value of a key, or `MISSING`; numbers of different types may be the same key."""
        entries = self.entries
        if not entries:
            return MISSING
        kind = type(key)
        if kind is str:
            return entries.get(key, MISSING)
        if kind is float:
            value = entries.get((float, key), MISSING)
            return self._find_number(int(key)) if value is MISSING and key.is_integer() else value
        if kind is int or kind is Uint:
            value = entries.get(make_key(key), MISSING)
            return self._find_number(int(key)) if value is MISSING else value
        return entries.get(make_key(key), MISSING)

    def to_native(self) -> Value:
        """Return the value without its schema."""
        return self

    def _find_number(self, number: int) -> Value:
        value = self.entries.get(number, MISSING)
        return self.entries.get((Uint, number), MISSING) if value is MISSING else value

    def keys(self) -> list[Value]:
        """Return the keys, in no defined order."""
        return [_restore_key(key) for key in self.entries]

    def items(self) -> list[tuple[Value, Value]]:
        """Return the keys and values."""
        return [(key, self.find(key)) for key in self.keys()]

    def get_value(self, key: Value) -> Value:
        """Return the value of a key, or the error of reading it."""
        try:
            return self.find(key)
        except CelError as error:
            return error

    def get_entry_value(self, key: Value) -> Value:
        """Return the value of an existing key, or its error; a field that is null has no value."""
        value = self.get_value(key)
        return Unreadable(f"no such key: {key}") if value is MISSING else value

    def equals(self, other: Value) -> bool:
        """Check whether it equals a value of any type, as the left operand."""
        if not isinstance(other, Map) or len(self) != len(other):
            return False
        for key, value in self.items():
            other_value = other.get_value(key)
            if other_value is MISSING or not is_equal_part(value, other_value):
                return False
        return True


def _restore_key(key: Hashable) -> Value:
    if type(key) is tuple:
        return key[1]
    return key.value if type(key) is IdentityKey else key


class MutableMap(Map):
    """A map that a comprehension builds: insertions change it."""

    __slots__ = ()


def get_type(value: Value) -> Type:
    """Return the runtime type of a value: lists, maps and optionals without their parameters."""
    kind = _TYPES.get(type(value))
    if kind is not None:
        return kind
    if isinstance(value, list):
        return LIST_TYPE
    cel_type: Type = MAP_TYPE if isinstance(value, Map) else value.cel_type
    return cel_type


_TYPES: dict[type, Type] = {
    bool: BOOL, int: INT, Uint: UINT, float: DOUBLE, str: STRING, bytes: BYTES, type(None): NULL, Type: ANY_TYPE,
    list: LIST_TYPE, Map: MAP_TYPE,
}  # fmt: skip


def is_equal(left: Value, right: Value) -> bool:
    """Evaluate CEL's `==`. Raises CelError if the left operand cannot be compared with the right one."""
    return left is right if left is None or right is None else is_equal_as_left(left, right)


def is_equal_as_left(left: Value, right: Value) -> bool:
    """Evaluate `==` as the left operand defines it, without the exception for null."""
    test = _EQUALITY.get(type(left))
    return test(left, right) if test is not None else bool(left.equals(right))


def is_equal_part(left: Value, right: Value) -> bool:
    """Check whether parts of lists and maps are equal; parts that cannot be compared count as equal."""
    try:
        return is_equal(left, right)
    except CelError:
        return True


def contains_value(items: Iterable[Value], item: Value) -> bool:
    """Check whether a value is among the items; items that cannot be compared with it are different."""
    return any(_is_found(item, candidate) for candidate in items)


def _is_found(item: Value, candidate: Value) -> bool:
    try:
        return is_equal(item, candidate)
    except CelError:
        return False


def _is_equal_number(left: float, right: Value) -> bool:
    kind = type(right)
    if kind is int or kind is Uint or kind is float:
        return float(left) == float(right) if kind is float or type(left) is float else left == right
    return False


def _is_equal_list(left: list[Value], right: Value) -> bool:
    if not isinstance(right, list) or len(left) != len(right):
        return False
    return all(map(is_equal_part, left, list_parts(right)))


def _is_never_equal(left: CelError, _: Value) -> bool:
    raise left


def _is_equal_type(left: Type, right: Value) -> bool:
    return type(right) is Type and left.name == right.name


_EQUALITY: dict[type, Callable[[Any, Value], bool]] = {
    bool: operator.is_,
    int: _is_equal_number,
    Uint: _is_equal_number,
    float: _is_equal_number,
    str: lambda left, right: type(right) is str and left == right,
    bytes: lambda left, right: type(right) is bytes and left == right,
    type(None): operator.is_,
    list: _is_equal_list,
    Type: _is_equal_type,
    CelError: _is_never_equal,
    Unreadable: _is_never_equal,
}
