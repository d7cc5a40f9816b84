"""JSON data as CEL values, as its schema tells: what a rule sees as `self`.

`Reader(declarations, minor).of(schema)` gives the function that reads values of a schema. Objects and maps are read
where they are looked at. What the schema does not allow becomes a `Unreadable` that is raised when it is looked at.
Source: k8s.io/apiserver pkg/cel/common valuesunstructured.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.celnames import cel_name, selectable
from protoc_gen_crd.schema.types import (
    EMBEDDED,
    INT_OR_STRING,
    LIST_MAP_KEYS,
    LIST_TYPE,
    PRESERVE,
    Json,
    Schema,
)

from .formats import FORMATS, go_name
from .types import Declarations, Type
from .values import (
    MISSING,
    CelError,
    List,
    Map,
    Opaque,
    Unreadable,
    Value,
    equal_as_left,
    no_such_overload,
    parts,
)

Read = Callable[[Any], Value]


def plain(data: Json) -> Value:
    """Data of which nothing is known."""
    if isinstance(data, dict):
        return Parts(data, _ANY)
    return [plain(item) for item in data] if isinstance(data, list) else data


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
    cel_type = Type("unknown", "unknown")

    def equals(self, other: Value) -> bool:
        """Whether it is the same data."""
        return same_data(self.data, other.data if isinstance(other, Preserved) else other)


class Shape(Record):
    """How the parts of an object or map are read: by name as CEL and as JSON spells it, or all alike.

    In an object, null is no value.
    """

    fields: dict[str, tuple[str, Read]]
    known: dict[str, Read]
    values: Read | None = None


_ANY = Shape({}, {}, plain)


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
            found = self.entries[key] = self._read(key)
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
        name, read = shape.fields.get(key, (key, None))
        data = self.data.get(name)
        return MISSING if data is None or read is None else read(data)

    def keys(self) -> list[Value]:
        """The keys, or the names of fields that have been declared."""
        if self.shape.values is not None:
            return list(self.data)
        return [cel_name(name) if selectable(name) else name for name in self.data if name in self.shape.known]

    def equals(self, other: Value) -> bool:
        """Whether all that is declared is equal, and the rest the same data."""
        if not isinstance(other, Map):
            raise no_such_overload()
        return len(self) == len(other) and all(self._equal(name, other) for name in self.data)

    def _equal(self, name: str, other: Map) -> bool:
        shape = self.shape
        if shape.values is None and name not in shape.known:
            if not isinstance(other, Parts):
                raise no_such_overload()
            return name not in other.data or same_data(self.data[name], other.data[name])
        key = name if shape.values is not None or not selectable(name) else cel_name(name)
        value, found = self.find(key), other.find(key)
        if MISSING in (value, found):
            return value is found
        return equal_as_left(value, found)


class Items(List):
    """A list made of data. An item that failed is an `Unreadable` in it."""

    __slots__ = ("data",)
    go_type = "*common.unstructuredList"

    def __init__(self, items: Iterable[Value], data: list[Any]) -> None:
        super().__init__(items)
        self.data = data

    def native(self) -> Value:
        """The data as it is."""
        return plain(self.data)

    def equals(self, other: Value) -> bool:
        """Whether it has equal items in the same order."""
        if not isinstance(other, list):
            raise no_such_overload()
        return len(self) == len(other) and all(map(equal_as_left, self, other))

    def plus(self, other: list[Value]) -> list[Value]:
        """The sum with a list."""
        return joined(self, other)

    def after(self, other: list[Value]) -> list[Value]:
        """The sum of a plain list with it."""
        return joined(other, self)

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
    return Faulty(items, []) if any(type(item) is Unreadable for item in items) else items


class SetItems(Items):
    """A list whose order does not matter."""

    __slots__ = ()
    go_type = "*common.unstructuredSetList"

    def equals(self, other: Value) -> bool:
        """Whether both have the same items."""
        if not isinstance(other, list):
            raise no_such_overload()
        if len(self) != len(other):
            return False
        mine, seen = {_member(item) for item in self}, set()
        for item in other:
            key = _member(item)
            if key not in mine:
                return False
            seen.add(key)
        return len(seen) == len(mine)

    def plus(self, other: list[Value]) -> list[Value]:
        """The union, in order of appearance."""
        made = SetItems(self, self.data)
        mine = {_member(item) for item in self}
        for item in other:
            key = _member(item)
            if key not in mine:
                mine.add(key)
                made.append(item)
        return made


def _member(item: Value) -> tuple[type, Value]:
    if isinstance(item, list | Map):
        raise CelError("listSet operations are only supported on lists of scalar values")
    return type(item), item


class MapItems(Items):
    """A list whose items are found by keys."""

    __slots__ = ("names",)
    go_type = "*common.unstructuredMapList"

    def __init__(self, items: Iterable[Value], data: list[Any], names: tuple[str, ...]) -> None:
        super().__init__(items, data)
        self.names = names

    def _key(self, item: Value) -> tuple[Value, ...]:
        found = [item.find(name) if isinstance(item, Map) else None for name in self.names]
        return tuple([None if value is MISSING else (type(value), value) for value in found])

    def equals(self, other: Value) -> bool:
        """Whether both have equal items by key."""
        if not isinstance(other, list):
            raise no_such_overload()
        if len(self) != len(other):
            return False
        mine, seen = {self._key(item): item for item in self}, set()
        for item in other:
            key = self._key(item)
            if key not in mine or not equal_as_left(mine[key], item):
                return False
            seen.add(key)
        return len(seen) == len(mine)

    def plus(self, other: list[Value]) -> list[Value]:
        """The items, those of the other list in place of those with the same keys."""
        made = {self._key(item): item for item in self}
        made.update({self._key(item): item for item in other})
        return MapItems(made.values(), self.data, self.names)


class Reader:
    """Makes the functions that read data, once for each schema."""

    def __init__(self, declarations: Declarations, minor: int) -> None:
        self.declarations, self.minor = declarations, minor
        self._known: dict[tuple[int, bool], tuple[Schema, Read]] = {}  # keeps schemas and with them ids alive

    def of(self, schema: Schema, *, root: bool = False) -> Read:
        """What reads data of a schema; `root` tells the schema of a whole resource."""
        known = self._known.get((id(schema), root))
        if known is None:
            read = self._nullable(schema, root=root)
            known = self._known[id(schema), root] = schema, read
        return known[1]

    def _nullable(self, schema: Schema, *, root: bool) -> Read:
        read = self._made(schema, root=root)
        null = None if schema.get("nullable") else Unreadable("invalid data, got null for schema with nullable=false")

        def nullable(data: Any) -> Value:
            return null if data is None else read(data)

        return nullable

    def _made(self, schema: Schema, *, root: bool) -> Read:
        if schema.get(INT_OR_STRING):
            return _int_or_string
        if schema.type == "object":
            return self._object(schema, root=root)
        if schema.type == "array":
            return self._list(schema)
        if schema.type == "string":
            return FORMATS.get(schema.get("format") or "", _text)
        if schema.type in _SCALARS:
            return _SCALARS[schema.type]
        return Preserved if schema.get(PRESERVE) else _untyped

    def _object(self, schema: Schema, *, root: bool) -> Read:
        embedded = root or bool(schema.get(EMBEDDED))
        properties = self.declarations.of_resource(schema) if embedded else schema.properties
        known: dict[str, Read] = {}
        shape = Shape({}, known)
        if not embedded and "properties" not in schema and isinstance(schema.additional, Schema):
            values = schema.additional
            shape = Shape({}, {}, self.of(values))

        def read(data: Any) -> Value:
            if not isinstance(data, dict):
                return Unreadable("invalid data, expected a map for the provided schema with type=object")
            if properties and not known:
                known.update({name: self.of(child) for name, child in properties.items()})
                shape.fields.update(_fields(known))
            return Parts(data, shape)

        return read

    def _list(self, schema: Schema) -> Read:
        items, kind = schema.items, schema.get(LIST_TYPE)
        if items is None:
            return _failing("invalid array type, expected Items with a non-empty Schema")
        names = tuple([cel_name(name) for name in schema.get(LIST_MAP_KEYS) or ()])

        def read(data: Any) -> Value:
            if not isinstance(data, list):
                return Unreadable("invalid data, expected an array for the provided schema with type=array")
            item = self.of(items)
            made = [item(each) for each in data]
            if any(type(each) is Unreadable for each in made):
                return Faulty(made, data)
            if kind == "map":
                return MapItems(made, data, names)
            return SetItems(made, data) if kind == "set" else Items(made, data)

        return read


def _fields(known: Mapping[str, Read]) -> dict[str, tuple[str, Read]]:
    """Properties by the names that CEL has for them: reserved words go with and without their escapes."""
    fields = {}
    for name, read in known.items():
        escaped = cel_name(name)
        fields[escaped] = name, read
        if escaped == f"__{name}__":
            fields[name] = name, read
    return fields


def _failing(text: str) -> Read:
    return lambda _: Unreadable(text)


def _untyped(_: Any) -> Value:
    kinds = "object, array, number, integer, boolean or string"
    also = "or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true"
    return Unreadable(f"invalid type, expected {kinds}, {also}, got ")


def _int_or_string(data: Any) -> Value:
    if type(data) is str or type(data) is int:
        return data
    return Unreadable("invalid data, expected XIntOrString value to be either a string or integer")


def _scalar(kind: type, name: str) -> Read:
    def read(data: Any) -> Value:
        return data if type(data) is kind else Unreadable(f"invalid data, expected {name}, got {go_name(data)}")

    return read


def _number(data: Any) -> Value:
    if type(data) is float or type(data) is int:
        return float(data)
    return Unreadable(f"invalid data, expected float, got {go_name(data)}")


_text = _scalar(str, "string")
_SCALARS: dict[str, Read] = {"boolean": _scalar(bool, "bool"), "integer": _scalar(int, "int"), "number": _number}
