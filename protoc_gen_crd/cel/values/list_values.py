"""Lists made of JSON data, as CEL sees them: sets, whose order does not matter, and lists of items that have keys.

Before Kubernetes 1.37, sums and sets go by the data instead of the values: what is added is read again, and a number
is no float where it is whole. Source: k8s.io/apiserver pkg/cel/common valuesunstructured.go, valuesreflect.go.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.ast import Uint
from protoc_gen_crd.cel.versions import LISTS_BY_VALUE

from .go_values import GoValue, get_go_type_name
from .object_values import PlainList, PlainMap, SchemaObject, to_cel_value
from .values import (
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
    """What lists of a schema have in common: how data is read, the names of keys, the server's version."""

    read: Callable[[list[Any]], Value]
    names: tuple[str, ...]
    minor: int


_OF_VALUES = ListContext(to_cel_value, (), LISTS_BY_VALUE.since)


class SchemaList(List):
    """A list made of data. An item that failed is an `Unreadable` in it."""

    __slots__ = ("data", "kind")
    go_type = "*common.unstructuredList"

    def __init__(self, items: Iterable[Value], data: list[Any], kind: ListContext) -> None:
        super().__init__(items)
        self.data, self.kind = data, kind

    def to_native(self) -> Value:
        """The data as it is."""
        return to_cel_value(self.data)

    def equals(self, other: Value) -> bool:
        """Whether it has equal items in the same order."""
        if not isinstance(other, list):
            raise make_comparison_error(other)
        return len(self) == len(other) and all(map(is_equal_as_left, self.list_parts(), list_parts(other)))

    def add(self, other: list[Value]) -> list[Value]:
        """The sum with a list."""
        if self.kind.minor >= LISTS_BY_VALUE.since:
            return concatenate(self, other)
        made: list[Value] = self.kind.read(self.merge_data(list(map(_get_data, list_parts(other)))))
        return made

    def merge_data(self, other: list[Any]) -> list[Any]:
        """The data of a sum."""
        return [*self.data, *other]

    def add_to(self, other: list[Value]) -> list[Value]:
        """The sum of a plain list with it."""
        return add_lists(other, self)

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        fault = None
        for each in self.list_parts():
            try:
                if type(each) is Unreadable:
                    raise each
                if is_equal_as_left(each, item):
                    return True
            except CelError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return False


class ListWithErrors(SchemaList):
    """A list with items that failed."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Value]:
        for item in super().__iter__():
            if type(item) is Unreadable:
                raise item
            yield item

    def __getitem__(self, index: Any) -> Value:
        found = super().__getitem__(index)
        if type(found) is Unreadable:
            raise found
        return found

    def list_parts(self) -> list[Value]:
        """The items, errors among them."""
        return list(super().__iter__())


def concatenate(left: list[Value], right: list[Value]) -> list[Value]:
    """The items of both, where some may have failed."""
    items = [*list_parts(left), *list_parts(right)]
    failed = any(type(item) is Unreadable for item in items)
    return ConcatenatedList(items, [], _OF_VALUES) if failed else items


class ConcatenatedList(ListWithErrors):
    """A list with items that failed, which are equal to all and contained in nothing."""

    __slots__ = ()
    go_type = "*types.baseList"

    def to_native(self) -> Value:
        """The same: it is made of values."""
        return self

    def add(self, other: list[Value]) -> list[Value]:
        """The sum with a list."""
        return add_lists(self, other)

    def equals(self, other: Value) -> bool:
        """Whether it has equal items in the same order."""
        if not isinstance(other, list) or len(self) != len(other):
            return False
        both = zip(self.list_parts(), list_parts(other), strict=True)
        return all(type(one) is Unreadable or is_equal_part(one, another) for one, another in both)

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        return contains_value(self.list_parts(), item)


class DataConcatenation(ConcatenatedList):
    """A sum with a list that is made of data: what it contains is what either of its parts says."""

    __slots__ = ("left", "right")
    go_type = "*types.concatList"

    def __init__(self, left: list[Value], right: list[Value]) -> None:
        super().__init__([*list_parts(left), *list_parts(right)], [], _OF_VALUES)
        self.left, self.right = left, right

    def equals(self, other: Value) -> bool:
        """Whether it has equal items in the same order."""
        if not isinstance(other, list) or len(self) != len(other):
            return False
        fault = None
        for one, another in zip(self.list_parts(), list_parts(other), strict=True):
            try:
                if not is_equal(one, another):
                    return False
            except CelError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return True

    def contains(self, item: Value) -> bool:
        """Whether a value is in one of both, unless one fails and the other has not got it."""
        fault = None
        for each in (self.left, self.right):
            try:
                if each.contains(item) if isinstance(each, List) else contains_value(each, item):
                    return True
            except CelError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return False


def add_lists(left: list[Value], right: list[Value]) -> list[Value]:
    """The sum of two lists, which is one of them where the other is empty."""
    return DataConcatenation(left, right) if left and right else left or right


def _has_all_keys(
    mine: Iterable[Hashable], others: Iterable[tuple[Hashable, Value]], alike: Callable[[Hashable, Value], bool]
) -> bool:
    """Whether the items of another list are found by their keys, and with them all of this one."""
    known, seen = set(mine), set()
    for key, item in others:
        if key not in known or not alike(key, item):
            return False
        seen.add(key)
    return len(seen) == len(known)


class SchemaSet(SchemaList):
    """A list whose order does not matter.

    Older servers keep what its items are compared by, and add to it what sums add: so `members` is only asked for once.
    """

    __slots__ = ("members",)
    go_type = "*common.unstructuredSetList"

    def __init__(self, items: Iterable[Value], data: list[Any], kind: ListContext) -> None:
        super().__init__(items, data, kind)
        self.members: set[Hashable] | None = None

    @property
    def is_mutable(self) -> bool:
        """Whether sums change what it is equal to."""
        return self.kind.minor < LISTS_BY_VALUE.since

    def _get_member_keys(self) -> set[Hashable]:
        if self.members is None:
            self.members = set(map(_get_member_key, self.data))
        return self.members

    def equals(self, other: Value) -> bool:
        """Whether both have the same items."""
        if not isinstance(other, list):
            raise make_comparison_error(other)
        if len(self) != len(other):
            return False
        if self.kind.minor < LISTS_BY_VALUE.since:
            mine = self._get_member_keys()
            return all(_get_member_key(_get_data(item)) in mine for item in list_parts(other))
        others = ((_get_scalar_key(item), item) for item in list_parts(other))  # the first that is not found decides
        return _has_all_keys(map(_get_scalar_key, self.list_parts()), others, lambda *_: True)

    def merge_data(self, other: list[Any]) -> list[Any]:
        """The data of a union."""
        known, added = self._get_member_keys(), []
        for item in other:
            member = _get_member_key(item)
            if member not in known:
                known.add(member)
                added.append(item)
        return [*self.data, *added]

    def add(self, other: list[Value]) -> list[Value]:
        """The union, in order of appearance."""
        if self.kind.minor < LISTS_BY_VALUE.since:
            return super().add(other)
        made = {_get_scalar_key(item): item for item in self.list_parts()}
        found = [
            *self.list_parts(),
            *{_get_scalar_key(item): item for item in list_parts(other) if _get_scalar_key(item) not in made}.values(),
        ]
        return SetUnion(found, self.data, self.kind)


class SetWithErrors(ListWithErrors, SchemaSet):
    """A set with items that failed."""

    __slots__ = ()


class SetUnion(SetWithErrors):
    """A union of sets, which are made of values."""

    __slots__ = ()

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        return contains_value(self.list_parts(), item)


def _get_member_key(data: Any) -> Hashable:
    """What data is compared by in a set."""
    held = data.value if isinstance(data, GoValue) else data
    if isinstance(held, list | dict | Map | bytes):
        panic_unhashable(get_go_type_name(data))
    if isinstance(data, GoValue) and isinstance(held, Duration | Timestamp | Uint | None):
        return GoValue, make_key(held)
    return type(data), id(data) if isinstance(data, GoValue) else data


def _get_scalar_key(item: Value) -> Hashable:
    """What a value is compared by in a set."""
    if isinstance(item, list | Map):
        raise CelError("listSet operations are only supported on lists of scalar values")
    return _get_comparison_key(item)


def _get_comparison_key(value: Value) -> Hashable:
    """What tells a value from others; an error, and a moment whose zone Go holds by address, from all."""
    if type(value) is Unreadable or (type(value) is Timestamp and value.offset not in ZONES):
        return object()
    return type(value), value


def _overwrite_items(items: list[Any], others: list[Any], key_of: Callable[[Any], Hashable]) -> list[Any]:
    """Items, with others in the places of those with the same keys or at the end."""
    made, places = list(items), {key_of(item): place for place, item in enumerate(items)}
    for item in others:
        place = places.get(key_of(item))
        if place is None:
            made.append(item)
        else:
            made[place] = item
    return made


class SchemaMapList(SchemaList):
    """A list whose items are found by keys. Data is searched for keys by the names that CEL has for them."""

    __slots__ = ()
    go_type = "*common.unstructuredMapList"

    def equals(self, other: Value) -> bool:
        """Whether both have equal items by key."""
        if not isinstance(other, list):
            raise make_comparison_error(other)
        if len(self) != len(other):
            return False
        mine = {self._get_key(data): item for data, item in zip(self.data, self.list_parts(), strict=True)}
        return self._has_equal_items(mine, [(self._get_key(_get_data(item)), item) for item in list_parts(other)])

    def _has_equal_items(self, mine: dict[Hashable, Value], others: list[tuple[Hashable, Value]]) -> bool:
        if self.kind.minor >= LISTS_BY_VALUE.since:
            return _has_all_keys(mine, others, lambda key, item: is_equal_as_left(mine[key], item))
        return all(key in mine and is_equal_as_left(mine[key], item) for key, item in others)

    def _get_key(self, data: Any) -> Hashable:
        if not isinstance(data, dict):
            return object()  # an error, which is equal to nothing
        found = [data.get(name) for name in self.kind.names]
        return tuple([(type(value), id(value) if isinstance(value, list | dict) else value) for value in found])

    def merge_data(self, other: list[Any]) -> list[Any]:
        """The data of a sum."""
        return _overwrite_items(self.data, other, self._get_key)

    def add(self, other: list[Value]) -> list[Value]:
        """The items, those of the other list in place of those with the same keys."""
        return (
            super().add(other)
            if self.kind.minor < LISTS_BY_VALUE.since
            else MapListUnion(self.list_parts(), [], self.kind).add(other)
        )


class MapListWithErrors(ListWithErrors, SchemaMapList):
    """A list of items with keys, of which some failed."""

    __slots__ = ()


class MapListUnion(SchemaMapList):
    """A sum of lists of items with keys, which are looked for in values."""

    __slots__ = ()

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        return contains_value(self.list_parts(), item)

    def _get_value_key(self, item: Value) -> Hashable:
        found = [item.get_value(name) if isinstance(item, Map) else MISSING for name in self.kind.names]
        return tuple(
            [None if value is MISSING or type(value) is Unreadable else _get_comparison_key(value) for value in found]
        )

    def equals(self, other: Value) -> bool:
        """Whether both have equal items by key."""
        if not isinstance(other, list):
            raise make_comparison_error(other)
        if len(self) != len(other):
            return False
        return self._has_equal_items(
            {self._get_value_key(item): item for item in self}, [(self._get_value_key(item), item) for item in other]
        )

    def add(self, other: list[Value]) -> list[Value]:
        """The items, those of the other list in place of those with the same keys."""
        return MapListUnion(_overwrite_items(self, list_parts(other), self._get_value_key), [], self.kind)
