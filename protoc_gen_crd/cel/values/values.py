"""The values that expressions compute with, their types at run time and their equality.

| CEL | Python |
|---|---|
| bool, int, uint, double | bool, int, `cel.parser.ast.Uint`, float |
| string, bytes, null | str, bytes, None |
| list | list, or a subclass of it that decides equality and sums (`List`) |
| map, object | `Map`, or a subclass of it |
| timestamp, duration, optional | `Timestamp`, `Duration`, `Optional` |
| type | `types.Type` |
| what only a library knows | a subclass of `Opaque`, in the library's file |

Knows no tree, no function, no schema. Source: cel-go v0.29 `common/types`.
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

Value = Any  # one of the types above; naming them all would make every use a cast

LEAST_INT, MOST_INT, MOST_UINT = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1
ZONES = frozenset((None, *range(-12 * 3600, 14 * 3600 + 1, 3600)))  # offsets of which Go has one zone each
LIST_TYPE, MAP_TYPE, OPTIONAL_TYPE = make_list_type(DYN), make_map_type(DYN, DYN), make_optional_type(DYN)


class CelError(Exception):
    """An evaluation failed; the text is the server's. Some operators absorb it."""

    cel_type: ClassVar[Type] = Type("error", "error")

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class Unreadable(CelError):  # noqa: N818 - a value, too
    """Data is not what its schema says: an error that is a value until something looks at it."""


class Panic(Exception):  # noqa: N818 - the server's, not ours
    """The server fails in the middle of an evaluation; nothing absorbs that."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def make_no_such_overload() -> CelError:
    """The error of an operation on values of types that it is not defined for."""
    return CelError("no such overload")


def make_comparison_error(value: Value) -> CelError:
    """The error of a comparison with a value that is nothing of the kind, or what is wrong with that value."""
    return CelError(value.text) if isinstance(value, CelError) else make_no_such_overload()


class Missing:
    """The type of `MISSING`: what `Map.find` returns for a key that is not there."""


MISSING = Missing()


class Opaque(Record):
    """A value of a library's own; `cel_type` is its type."""

    cel_type: ClassVar[Type]
    native_type: ClassVar[str] = ""  # what Go holds it as, if CEL cannot take that back

    def equals(self, other: Value) -> bool:
        """Whether it equals a value of any type."""
        return bool(self == other)

    def get_key(self) -> Hashable:
        """What it is found by as the key of a map."""
        return type(self), self


class Duration(Opaque):
    """A span of time."""

    nanoseconds: int
    cel_type: ClassVar[Type] = DURATION


class Timestamp(Opaque):
    """A moment in nanoseconds since 1970 UTC; `offset`, seconds east (None: `Z`), shows where zones do."""

    nanoseconds: int
    offset: int | None = None
    cel_type: ClassVar[Type] = TIMESTAMP

    def equals(self, other: Value) -> bool:
        """Whether it is the same moment."""
        return isinstance(other, Timestamp) and self.nanoseconds == other.nanoseconds

    def get_key(self) -> Hashable:
        """In an odd zone, only itself."""
        return super().get_key() if self.offset in ZONES else IdentityKey(self)


class Optional(Opaque):
    """A value or none (`MISSING`)."""

    value: Value = MISSING
    cel_type: ClassVar[Type] = OPTIONAL_TYPE

    def equals(self, other: Value) -> bool:
        """Whether both have equal values or none."""
        if not isinstance(other, Optional):
            return False
        if self.value is MISSING or other.value is MISSING:
            return self.value is other.value
        return is_equal_as_left(self.value, other.value)

    def get_key(self) -> Hashable:
        """None is always the same; a value's optional is only itself."""
        return (Optional, self) if self.value is MISSING else IdentityKey(self)


NONE = Optional()


class List(list[Value]):
    """Base of lists that are more than a list: its items may be made of data, its order may not count."""

    __slots__ = ()

    @property
    def is_mutable(self) -> bool:
        """Whether computing with it changes it: who finds it twice finds two."""
        return False

    def equals(self, other: Value) -> bool:
        """Whether it equals a value of any type, as the left operand."""
        return _is_equal_list(self, other)

    def add(self, other: list[Value]) -> list[Value]:
        """The sum with a list."""
        return [*self, *other]

    def add_to(self, other: list[Value]) -> list[Value]:
        """The sum of a plain list with it."""
        return [*other, *self]

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        return contains_value(self, item)

    def to_native(self) -> Value:
        """The same without what a schema tells."""
        return self

    def list_parts(self) -> list[Value]:
        """Its items, with a CelError for each that fails when it is looked at."""
        return self


def list_parts(items: list[Value]) -> list[Value]:
    """The items of a list, with a CelError for each that fails when it is looked at."""
    return items.list_parts() if isinstance(items, List) else items


def to_native(value: Value) -> Value:
    """What is left of a value that has gone through Go's own types: data without its schema, no optionals."""
    if isinstance(value, Optional):
        return None if value.value is MISSING else to_native(value.value)
    if isinstance(value, Type):
        return value.name
    if isinstance(value, CelError):
        return CelError(f"unsupported conversion to ref.Val: (*errors.errorString){value.text}")
    if isinstance(value, Opaque) and value.native_type:
        return CelError(f"unsupported conversion to ref.Val: ({value.native_type}){value}")
    return value.to_native() if isinstance(value, List | Map) else value


class MutableList(List):
    """A list that a fold builds up: sums change it."""

    __slots__ = ()

    def add(self, other: list[Value]) -> list[Value]:
        """The list itself, with more items."""
        self.extend(other)
        return self


def make_key(value: Value) -> Hashable:
    """A hashable that is equal for equal keys of one type. Lists and maps are only equal to themselves."""
    kind = type(value)
    if kind is str or kind is int:
        return value  # type: ignore[no-any-return]
    if isinstance(value, Opaque):
        return value.get_key()
    if kind is bytes:
        panic_unhashable("types.Bytes")
    return IdentityKey(value) if isinstance(value, list | Map) else (kind, value)


def panic_unhashable(name: str) -> NoReturn:
    """Go's failure where a value of that type becomes the key of a map."""
    raise Panic(f"runtime error: hash of unhashable type {name}")


class Map:
    """A map. `entries` holds the values by `make_key` their keys."""

    __slots__ = ("entries",)

    def __init__(self, entries: dict[Hashable, Value]) -> None:
        self.entries = entries

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[Value, Value]]) -> Map:
        """A map of keys and values; the last of equal keys wins."""
        return cls({make_key(key): value for key, value in pairs})

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.entries!r})"

    def find(self, key: Value) -> Value:
        """The value of a key, or `MISSING`; numbers of different types may be the same key."""
        entries = self.entries
        if not entries:
            return MISSING
        kind = type(key)
        if kind is str:
            return entries.get(key, MISSING)
        if kind is float:
            found = entries.get((float, key), MISSING)
            return self._find_number(int(key)) if found is MISSING and key.is_integer() else found
        if kind is int or kind is Uint:
            found = entries.get(make_key(key), MISSING)
            return self._find_number(int(key)) if found is MISSING else found
        return entries.get(make_key(key), MISSING)

    def to_native(self) -> Value:
        """The same without what a schema tells."""
        return self

    def _find_number(self, number: int) -> Value:
        found = self.entries.get(number, MISSING)
        return self.entries.get((Uint, number), MISSING) if found is MISSING else found

    def keys(self) -> list[Value]:
        """The keys, in some order."""
        return [_restore_key(key) for key in self.entries]

    def items(self) -> list[tuple[Value, Value]]:
        """Keys and values."""
        return [(key, self.find(key)) for key in self.keys()]

    def get_value(self, key: Value) -> Value:
        """The value of a key that is there, or the error of looking at it."""
        try:
            return self.find(key)
        except CelError as error:
            return error

    def get_entry_value(self, key: Value) -> Value:
        """The same of one of its keys, of which a field that is null has no value."""
        found = self.get_value(key)
        return Unreadable(f"no such key: {key}") if found is MISSING else found

    def equals(self, other: Value) -> bool:
        """Whether it equals a value of any type, as the left operand."""
        if not isinstance(other, Map) or len(self) != len(other):
            return False
        for key, value in self.items():
            found = other.get_value(key)
            if found is MISSING or not is_equal_part(value, found):
                return False
        return True


def _restore_key(key: Hashable) -> Value:
    if type(key) is tuple:
        return key[1]
    return key.value if type(key) is IdentityKey else key


class MutableMap(Map):
    """A map that a fold builds up: insertions change it."""

    __slots__ = ()


def get_type(value: Value) -> Type:
    """The type of a value at run time: of lists, maps and optionals without what is in them."""
    found = _TYPES.get(type(value))
    if found is not None:
        return found
    if isinstance(value, list):
        return LIST_TYPE
    made: Type = MAP_TYPE if isinstance(value, Map) else value.cel_type
    return made


_TYPES: dict[type, Type] = {
    bool: BOOL, int: INT, Uint: UINT, float: DOUBLE, str: STRING, bytes: BYTES, type(None): NULL, Type: ANY_TYPE,
    list: LIST_TYPE, Map: MAP_TYPE,
}  # fmt: skip


def is_equal(left: Value, right: Value) -> bool:
    """CEL's `==`. Raises CelError where the left operand cannot be compared with the right one."""
    return left is right if left is None or right is None else is_equal_as_left(left, right)


def is_equal_as_left(left: Value, right: Value) -> bool:
    """The same, where null is no exception: whatever the left operand makes of it."""
    test = _EQUALITY.get(type(left))
    return test(left, right) if test is not None else bool(left.equals(right))


def is_equal_part(left: Value, right: Value) -> bool:
    """Whether parts of lists and maps are equal: those that cannot be compared count as equal."""
    try:
        return is_equal(left, right)
    except CelError:
        return True


def contains_value(items: Iterable[Value], item: Value) -> bool:
    """Whether a value is among values, of which those that it cannot be compared with are others."""
    return any(_is_found(item, each) for each in items)


def _is_found(item: Value, each: Value) -> bool:
    try:
        return is_equal(item, each)
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
