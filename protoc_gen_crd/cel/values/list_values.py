"""Lists read from JSON data, as CEL sees them: sets (x-kubernetes-list-type: set), and maps, whose items have keys.

Before Kubernetes 1.37, sums and sets compare the data instead of the values: an added value is read again, and a whole
number is not a float. Source: k8s.io/apiserver pkg/cel/common valuesunstructured.go, valuesreflect.go.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.version_differences import LISTS_BY_VALUE
from protoc_gen_crd.kubernetes.shared_results import Switches

from .go_values import GoValue, get_go_type_name
from .object_values import PlainList, PlainMap, SchemaObject, to_cel_value
from .runtime_values import (
    MISSING,
    ZONES,
    CelError,
    Duration,
    List,
    Map,
    Timestamp,
    Unreadable,
    Value,
    contains_value,
    is_equal,
    is_equal_as_left,
    is_equal_part,
    list_parts,
    make_comparison_error,
    make_key,
    panic_unhashable,
)


def _get_data(value: Value) -> Any:
    if isinstance(value, SchemaObject | SchemaList | PlainList | PlainMap) and not isinstance(value, ConcatenatedList):
        return value.data
    return value if type(value) in (str, int, bool, float) else GoValue(value)


class ListContext(Record):
    """Properties that lists of a schema share: the reader of data, the names of keys, the server's switches."""

    read: Callable[[list[Any]], Value]
    names: tuple[str, ...]
    switches: Switches


_OF_VALUES = ListContext(to_cel_value, (), Switches(LISTS_BY_VALUE.since))


class SchemaList(List):
    """A list read from data. An invalid item is an `Unreadable` in it."""

    __slots__ = ("data", "kind")
    go_type = "*common.unstructuredList"

    def __init__(self, items: Iterable[Value], data: list[Any], kind: ListContext) -> None:
        super().__init__(items)
        self.data, self.kind = data, kind

    def to_native(self) -> Value:
        """Return the data without its schema."""
        return to_cel_value(self.data)

    def equals(self, other: Value) -> bool:
        """Check whether the other list has equal items in the same order."""
        if not isinstance(other, list):
            raise make_comparison_error(other)
        return len(self) == len(other) and all(map(is_equal_as_left, self.list_parts(), list_parts(other)))

    def add(self, other: list[Value]) -> list[Value]:
        """Return the sum with a list."""
        if LISTS_BY_VALUE in self.kind.switches:
            return concatenate(self, other)
        result: list[Value] = self.kind.read(self.merge_data(list(map(_get_data, list_parts(other)))))
        return result

    def merge_data(self, other: list[Any]) -> list[Any]:
        """Return the data of a sum."""
        return [*self.data, *other]

    def add_to(self, other: list[Value]) -> list[Value]:
        """Return the sum of a plain list and this list."""
        return add_lists(other, self)

    def contains(self, item: Value) -> bool:
        """Check whether the list contains a value."""
        fault = None
        for part in self.list_parts():
            try:
                if type(part) is Unreadable:
                    raise part
                if is_equal_as_left(part, item):
                    return True
            except CelError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return False


class ListWithErrors(SchemaList):
    """A list with invalid items."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Value]:
        for item in super().__iter__():
            if type(item) is Unreadable:
                raise item
            yield item

    def __getitem__(self, index: Any) -> Value:
        item = super().__getitem__(index)
        if type(item) is Unreadable:
            raise item
        return item

    def list_parts(self) -> list[Value]:
        """Return the items, with errors among them."""
        return list(super().__iter__())


def concatenate(left: list[Value], right: list[Value]) -> list[Value]:
    """Return the items of both lists, some of which may be invalid."""
    items = [*list_parts(left), *list_parts(right)]
    failed = any(type(item) is Unreadable for item in items)
    return ConcatenatedList(items, [], _OF_VALUES) if failed else items


class ConcatenatedList(ListWithErrors):
    """A list with invalid items, which equal everything but are contained in nothing."""

    __slots__ = ()
    go_type = "*types.baseList"

    def to_native(self) -> Value:
        """Return the list itself: it consists of values."""
        return self

    def add(self, other: list[Value]) -> list[Value]:
        """Return the sum with a list."""
        return add_lists(self, other)

    def equals(self, other: Value) -> bool:
        """Check whether the other list has equal items in the same order."""
        if not isinstance(other, list) or len(self) != len(other):
            return False
        both = zip(self.list_parts(), list_parts(other), strict=True)
        return all(type(mine) is Unreadable or is_equal_part(mine, theirs) for mine, theirs in both)

    def contains(self, item: Value) -> bool:
        """Check whether the list contains a value."""
        return contains_value(self.list_parts(), item)


class DataConcatenation(ConcatenatedList):
    """A sum with a list that was read from data: it contains what one of its parts contains."""

    __slots__ = ("left", "right")
    go_type = "*types.concatList"

    def __init__(self, left: list[Value], right: list[Value]) -> None:
        super().__init__([*list_parts(left), *list_parts(right)], [], _OF_VALUES)
        self.left, self.right = left, right

    def equals(self, other: Value) -> bool:
        """Check whether the other list has equal items in the same order."""
        if not isinstance(other, list) or len(self) != len(other):
            return False
        fault = None
        for mine, theirs in zip(self.list_parts(), list_parts(other), strict=True):
            try:
                if not is_equal(mine, theirs):
                    return False
            except CelError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return True

    def contains(self, item: Value) -> bool:
        """Check whether one of both lists contains a value. Raises CelError if one fails and the other lacks it."""
        fault = None
        for part in (self.left, self.right):
            try:
                if part.contains(item) if isinstance(part, List) else contains_value(part, item):
                    return True
            except CelError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return False


def add_lists(left: list[Value], right: list[Value]) -> list[Value]:
    """Return the sum of two lists; if one is empty, the other one."""
    return DataConcatenation(left, right) if left and right else left or right


def _has_all_keys(
    mine: Iterable[Hashable], others: Iterable[tuple[Hashable, Value]], alike: Callable[[Hashable, Value], bool]
) -> bool:
    """Check whether the items of another list match those of this list by key, with none left over."""
    keys, seen = set(mine), set()
    for key, item in others:
        if key not in keys or not alike(key, item):
            return False
        seen.add(key)
    return len(seen) == len(keys)


class SchemaSet(SchemaList):
    """A list whose order does not matter.

    Older servers store the keys of its items and extend them by the items of sums, so `members` is computed only once.
    """

    __slots__ = ("members",)
    go_type = "*common.unstructuredSetList"

    def __init__(self, items: Iterable[Value], data: list[Any], kind: ListContext) -> None:
        super().__init__(items, data, kind)
        self.members: set[Hashable] | None = None

    @property
    def is_mutable(self) -> bool:
        """True if sums change the equality of the set."""
        return self.kind.switches.lacks(LISTS_BY_VALUE)

    def _get_member_keys(self) -> set[Hashable]:
        if self.members is None:
            self.members = set(map(_get_member_key, self.data))
        return self.members

    def equals(self, other: Value) -> bool:
        """Check whether both lists have the same items."""
        if not isinstance(other, list):
            raise make_comparison_error(other)
        if len(self) != len(other):
            return False
        if LISTS_BY_VALUE not in self.kind.switches:
            mine = self._get_member_keys()
            return all(_get_member_key(_get_data(item)) in mine for item in list_parts(other))
        others = ((_get_scalar_key(item), item) for item in list_parts(other))  # lazy: stops at the first missing item
        return _has_all_keys(map(_get_scalar_key, self.list_parts()), others, lambda *_: True)

    def merge_data(self, other: list[Any]) -> list[Any]:
        """Return the data of a union."""
        members, added = self._get_member_keys(), []
        for item in other:
            member = _get_member_key(item)
            if member not in members:
                members.add(member)
                added.append(item)
        return [*self.data, *added]

    def add(self, other: list[Value]) -> list[Value]:
        """Return the union, in order of appearance."""
        if LISTS_BY_VALUE not in self.kind.switches:
            return super().add(other)
        keys = {_get_scalar_key(item): item for item in self.list_parts()}
        items = [
            *self.list_parts(),
            *{_get_scalar_key(item): item for item in list_parts(other) if _get_scalar_key(item) not in keys}.values(),
        ]
        return SetUnion(items, self.data, self.kind)


class SetWithErrors(ListWithErrors, SchemaSet):
    """A set with invalid items."""

    __slots__ = ()


class SetUnion(SetWithErrors):
    """A union of sets, which consists of values."""

    __slots__ = ()

    def contains(self, item: Value) -> bool:
        """Check whether the union contains a value."""
        return contains_value(self.list_parts(), item)


def _get_member_key(data: Any) -> Hashable:
    """Return the key by which older servers compare data in a set."""
    value = data.value if isinstance(data, GoValue) else data
    if isinstance(value, list | dict | Map | bytes):
        panic_unhashable(get_go_type_name(data))
    if isinstance(data, GoValue) and isinstance(value, Duration | Timestamp | Uint | None):
        return GoValue, make_key(value)
    return type(data), id(data) if isinstance(data, GoValue) else data


def _get_scalar_key(item: Value) -> Hashable:
    """Return the key by which values are compared in a set. Raises CelError for lists and maps."""
    if isinstance(item, list | Map):
        raise CelError("listSet operations are only supported on lists of scalar values")
    return _get_comparison_key(item)


def _get_comparison_key(value: Value) -> Hashable:
    """Return the key of a value; an error, or a timestamp whose zone Go holds as a pointer, has a unique key."""
    if type(value) is Unreadable or (type(value) is Timestamp and value.offset not in ZONES):
        return object()
    return type(value), value


def _overwrite_items(items: list[Any], others: list[Any], key_of: Callable[[Any], Hashable]) -> list[Any]:
    """Return items in which others replace those with the same keys; the rest is appended."""
    result, places = list(items), {key_of(item): place for place, item in enumerate(items)}
    for item in others:
        place = places.get(key_of(item))
        if place is None:
            result.append(item)
        else:
            result[place] = item
    return result


class SchemaMapList(SchemaList):
    """A list whose items have keys. In data, keys are looked up by their escaped CEL names."""

    __slots__ = ()
    go_type = "*common.unstructuredMapList"

    def equals(self, other: Value) -> bool:
        """Check whether both lists have equal items by key."""
        if not isinstance(other, list):
            raise make_comparison_error(other)
        if len(self) != len(other):
            return False
        mine = {self._get_key(data): item for data, item in zip(self.data, self.list_parts(), strict=True)}
        return self._has_equal_items(mine, [(self._get_key(_get_data(item)), item) for item in list_parts(other)])

    def _has_equal_items(self, mine: dict[Hashable, Value], others: list[tuple[Hashable, Value]]) -> bool:
        if LISTS_BY_VALUE in self.kind.switches:
            return _has_all_keys(mine, others, lambda key, item: is_equal_as_left(mine[key], item))
        return all(key in mine and is_equal_as_left(mine[key], item) for key, item in others)

    def _get_key(self, data: Any) -> Hashable:
        if not isinstance(data, dict):
            return object()  # the key of an error, which equals nothing
        values = [data.get(name) for name in self.kind.names]
        return tuple([(type(value), id(value) if isinstance(value, list | dict) else value) for value in values])

    def merge_data(self, other: list[Any]) -> list[Any]:
        """Return the data of a sum."""
        return _overwrite_items(self.data, other, self._get_key)

    def add(self, other: list[Value]) -> list[Value]:
        """Return the items; items of the other list replace those with the same keys."""
        return (
            super().add(other)
            if LISTS_BY_VALUE not in self.kind.switches
            else MapListUnion(self.list_parts(), [], self.kind).add(other)
        )


class MapListWithErrors(ListWithErrors, SchemaMapList):
    """A list of items with keys, some of which are invalid."""

    __slots__ = ()


class MapListUnion(SchemaMapList):
    """A sum of lists of items with keys, which are looked up in values."""

    __slots__ = ()

    def contains(self, item: Value) -> bool:
        """Check whether the list contains a value."""
        return contains_value(self.list_parts(), item)

    def _get_value_key(self, item: Value) -> Hashable:
        values = [item.get_value(name) if isinstance(item, Map) else MISSING for name in self.kind.names]
        return tuple(
            [None if value is MISSING or type(value) is Unreadable else _get_comparison_key(value) for value in values]
        )

    def equals(self, other: Value) -> bool:
        """Check whether both lists have equal items by key."""
        if not isinstance(other, list):
            raise make_comparison_error(other)
        if len(self) != len(other):
            return False
        return self._has_equal_items(
            {self._get_value_key(item): item for item in self}, [(self._get_value_key(item), item) for item in other]
        )

    def add(self, other: list[Value]) -> list[Value]:
        """Return the items; items of the other list replace those with the same keys."""
        return MapListUnion(_overwrite_items(self, list_parts(other), self._get_value_key), [], self.kind)
