"""Lists made of JSON data, as CEL sees them: sets, whose order does not matter, and lists of items that have keys.

Before Kubernetes 1.37, sums and sets go by the data instead of the values: what is added is read again, and a number
is no float where it is whole. Source: k8s.io/apiserver pkg/cel/common valuesunstructured.go, valuesreflect.go.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from protoc_gen_crd.base.record import Record

from .ast import Uint
from .foreign import Foreign, go_name
from .objects import Parts, PlainList, PlainMap, plain
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
    equal,
    equal_as_left,
    equal_parts,
    holds,
    key_of,
    parts,
    unhashable,
    unlike,
)

_BY_VALUE = 37  # servers: sums and sets go by values


def _data_of(value: Value) -> Any:
    if isinstance(value, Parts | Items | PlainList | PlainMap) and not isinstance(value, Joined):
        return value.data
    return value if type(value) in (str, int, bool, float) else Foreign(value)


class Kind(Record):
    """What lists of a schema have in common: how data is read, the names of keys, the server's version."""

    read: Callable[[list[Any]], Value]
    names: tuple[str, ...]
    minor: int


_OF_VALUES = Kind(plain, (), _BY_VALUE)


class Items(List):
    """A list made of data. An item that failed is an `Unreadable` in it."""

    __slots__ = ("data", "kind")
    go_type = "*common.unstructuredList"

    def __init__(self, items: Iterable[Value], data: list[Any], kind: Kind) -> None:
        super().__init__(items)
        self.data, self.kind = data, kind

    def native(self) -> Value:
        """The data as it is."""
        return plain(self.data)

    def equals(self, other: Value) -> bool:
        """Whether it has equal items in the same order."""
        if not isinstance(other, list):
            raise unlike(other)
        return len(self) == len(other) and all(map(equal_as_left, self.parts(), parts(other)))

    def plus(self, other: list[Value]) -> list[Value]:
        """The sum with a list."""
        if self.kind.minor >= _BY_VALUE:
            return joined(self, other)
        made: list[Value] = self.kind.read(self.merged(list(map(_data_of, parts(other)))))
        return made

    def merged(self, other: list[Any]) -> list[Any]:
        """The data of a sum."""
        return [*self.data, *other]

    def after(self, other: list[Value]) -> list[Value]:
        """The sum of a plain list with it."""
        return summed(other, self)

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        fault = None
        for each in self.parts():
            try:
                if type(each) is Unreadable:
                    raise each
                if equal_as_left(each, item):
                    return True
            except CelError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return False


class Faulty(Items):
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

    def parts(self) -> list[Value]:
        """The items, errors among them."""
        return list(super().__iter__())


def joined(left: list[Value], right: list[Value]) -> list[Value]:
    """The items of both, where some may have failed."""
    items = [*parts(left), *parts(right)]
    failed = any(type(item) is Unreadable for item in items)
    return Joined(items, [], _OF_VALUES) if failed else items


class Joined(Faulty):
    """A list with items that failed, which are equal to all and contained in nothing."""

    __slots__ = ()
    go_type = "*types.baseList"

    def native(self) -> Value:
        """The same: it is made of values."""
        return self

    def plus(self, other: list[Value]) -> list[Value]:
        """The sum with a list."""
        return summed(self, other)

    def equals(self, other: Value) -> bool:
        """Whether it has equal items in the same order."""
        if not isinstance(other, list) or len(self) != len(other):
            return False
        both = zip(self.parts(), parts(other), strict=True)
        return all(type(one) is Unreadable or equal_parts(one, another) for one, another in both)

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        return holds(self.parts(), item)


class Sum(Joined):
    """A sum with a list that is made of data: what it contains is what either of its parts says."""

    __slots__ = ("left", "right")
    go_type = "*types.concatList"

    def __init__(self, left: list[Value], right: list[Value]) -> None:
        super().__init__([*parts(left), *parts(right)], [], _OF_VALUES)
        self.left, self.right = left, right

    def equals(self, other: Value) -> bool:
        """Whether it has equal items in the same order."""
        if not isinstance(other, list) or len(self) != len(other):
            return False
        fault = None
        for one, another in zip(self.parts(), parts(other), strict=True):
            try:
                if not equal(one, another):
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
                if each.contains(item) if isinstance(each, List) else holds(each, item):
                    return True
            except CelError as error:
                fault = fault or error
        if fault is not None:
            raise fault
        return False


def summed(left: list[Value], right: list[Value]) -> list[Value]:
    """The sum of two lists, which is one of them where the other is empty."""
    return Sum(left, right) if left and right else left or right


def _all_seen(
    mine: Iterable[Hashable], others: Iterable[tuple[Hashable, Value]], alike: Callable[[Hashable, Value], bool]
) -> bool:
    """Whether the items of another list are found by their keys, and with them all of this one."""
    known, seen = set(mine), set()
    for key, item in others:
        if key not in known or not alike(key, item):
            return False
        seen.add(key)
    return len(seen) == len(known)


class SetItems(Items):
    """A list whose order does not matter.

    Older servers keep what its items are compared by, and add to it what sums add: so `members` is only asked for once.
    """

    __slots__ = ("members",)
    go_type = "*common.unstructuredSetList"

    def __init__(self, items: Iterable[Value], data: list[Any], kind: Kind) -> None:
        super().__init__(items, data, kind)
        self.members: set[Hashable] | None = None

    @property
    def changes(self) -> bool:
        """Whether sums change what it is equal to."""
        return self.kind.minor < _BY_VALUE

    def _known(self) -> set[Hashable]:
        if self.members is None:
            self.members = set(map(_member, self.data))
        return self.members

    def equals(self, other: Value) -> bool:
        """Whether both have the same items."""
        if not isinstance(other, list):
            raise unlike(other)
        if len(self) != len(other):
            return False
        if self.kind.minor < _BY_VALUE:
            mine = self._known()
            return all(_member(_data_of(item)) in mine for item in parts(other))
        others = ((_scalar(item), item) for item in parts(other))  # the first that is not found decides
        return _all_seen(map(_scalar, self.parts()), others, lambda *_: True)

    def merged(self, other: list[Any]) -> list[Any]:
        """The data of a union."""
        known, added = self._known(), []
        for item in other:
            member = _member(item)
            if member not in known:
                known.add(member)
                added.append(item)
        return [*self.data, *added]

    def plus(self, other: list[Value]) -> list[Value]:
        """The union, in order of appearance."""
        if self.kind.minor < _BY_VALUE:
            return super().plus(other)
        made = {_scalar(item): item for item in self.parts()}
        found = [*self.parts(), *{_scalar(item): item for item in parts(other) if _scalar(item) not in made}.values()]
        return MergedSet(found, self.data, self.kind)


class FaultySet(Faulty, SetItems):
    """A set with items that failed."""

    __slots__ = ()


class MergedSet(FaultySet):
    """A union of sets, which are made of values."""

    __slots__ = ()

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        return holds(self.parts(), item)


def _member(data: Any) -> Hashable:
    """What data is compared by in a set."""
    held = data.value if isinstance(data, Foreign) else data
    if isinstance(held, list | dict | Map | bytes):
        unhashable(go_name(data))
    if isinstance(data, Foreign) and isinstance(held, Duration | Timestamp | Uint | None):
        return Foreign, key_of(held)
    return type(data), id(data) if isinstance(data, Foreign) else data


def _scalar(item: Value) -> Hashable:
    """What a value is compared by in a set."""
    if isinstance(item, list | Map):
        raise CelError("listSet operations are only supported on lists of scalar values")
    return _compared(item)


def _compared(value: Value) -> Hashable:
    """What tells a value from others; an error, and a moment whose zone Go holds by address, from all."""
    if type(value) is Unreadable or (type(value) is Timestamp and value.offset not in ZONES):
        return object()
    return type(value), value


def _overwritten(items: list[Any], others: list[Any], key_of: Callable[[Any], Hashable]) -> list[Any]:
    """Items, with others in the places of those with the same keys or at the end."""
    made, places = list(items), {key_of(item): place for place, item in enumerate(items)}
    for item in others:
        place = places.get(key_of(item))
        if place is None:
            made.append(item)
        else:
            made[place] = item
    return made


class MapItems(Items):
    """A list whose items are found by keys. Data is searched for keys by the names that CEL has for them."""

    __slots__ = ()
    go_type = "*common.unstructuredMapList"

    def equals(self, other: Value) -> bool:
        """Whether both have equal items by key."""
        if not isinstance(other, list):
            raise unlike(other)
        if len(self) != len(other):
            return False
        mine = {self._key(data): item for data, item in zip(self.data, self.parts(), strict=True)}
        return self._equals(mine, [(self._key(_data_of(item)), item) for item in parts(other)])

    def _equals(self, mine: dict[Hashable, Value], others: list[tuple[Hashable, Value]]) -> bool:
        if self.kind.minor >= _BY_VALUE:
            return _all_seen(mine, others, lambda key, item: equal_as_left(mine[key], item))
        return all(key in mine and equal_as_left(mine[key], item) for key, item in others)

    def _key(self, data: Any) -> Hashable:
        if not isinstance(data, dict):
            return object()  # an error, which is equal to nothing
        found = [data.get(name) for name in self.kind.names]
        return tuple([(type(value), id(value) if isinstance(value, list | dict) else value) for value in found])

    def merged(self, other: list[Any]) -> list[Any]:
        """The data of a sum."""
        return _overwritten(self.data, other, self._key)

    def plus(self, other: list[Value]) -> list[Value]:
        """The items, those of the other list in place of those with the same keys."""
        return (
            super().plus(other) if self.kind.minor < _BY_VALUE else MergedItems(self.parts(), [], self.kind).plus(other)
        )


class FaultyMap(Faulty, MapItems):
    """A list of items with keys, of which some failed."""

    __slots__ = ()


class MergedItems(MapItems):
    """A sum of lists of items with keys, which are looked for in values."""

    __slots__ = ()

    def contains(self, item: Value) -> bool:
        """Whether a value is in it."""
        return holds(self.parts(), item)

    def _of(self, item: Value) -> Hashable:
        found = [item.part(name) if isinstance(item, Map) else MISSING for name in self.kind.names]
        return tuple([None if value is MISSING or type(value) is Unreadable else _compared(value) for value in found])

    def equals(self, other: Value) -> bool:
        """Whether both have equal items by key."""
        if not isinstance(other, list):
            raise unlike(other)
        if len(self) != len(other):
            return False
        return self._equals({self._of(item): item for item in self}, [(self._of(item), item) for item in other])

    def plus(self, other: list[Value]) -> list[Value]:
        """The items, those of the other list in place of those with the same keys."""
        return MergedItems(_overwritten(self, parts(other), self._of), [], self.kind)
