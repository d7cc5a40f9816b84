"""JSON data as CEL values, as its schema tells: what a rule sees as `self`.

`Reader(declarations, minor).of(schema)` gives the function that reads values of a schema. What the schema does not
allow becomes an `Unreadable`, an error that is raised when it is looked at. Source: k8s.io/apiserver pkg/cel/common
valuesunstructured.go, before Kubernetes 1.34 values.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Schema

from .foreign import go_name
from .formats import FORMATS
from .items import Faulty, FaultyMap, FaultySet, Items, Kind, MapItems, SetItems
from .objects import Parts, Preserved, Read, Shape
from .types import Declarations
from .values import Unreadable, Value

_EMPTY_OBJECTS = 29  # servers: an object may have neither properties nor additionalProperties
_NO_OBJECT = (
    "invalid object type, expected either Properties or AdditionalProperties with Allows=true and non-empty Schema"
)


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
        read = self._bare(schema, root=root)
        null = None if schema.get("nullable") else Unreadable("invalid data, got null for schema with nullable=false")

        def nullable(data: Any) -> Value:
            return null if data is None else read(data)

        return nullable

    def _bare(self, schema: Schema, *, root: bool = False) -> Read:
        """What reads data that is not null."""
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
        shape = Shape({}, known, minor=self.minor)
        if not embedded and "properties" not in schema and isinstance(schema.additional, Schema):
            values = schema.additional
            shape = Shape({}, {}, self.of(values), self.minor)

        elif self.minor < _EMPTY_OBJECTS and not properties and not schema.get(PRESERVE):
            return _failing(_NO_OBJECT)

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
        (sound, faulty), item = _LISTS.get(kind or "", (Items, Faulty)), self.of(items)

        def read(data: Any) -> Value:
            if not isinstance(data, list):
                return Unreadable("invalid data, expected an array for the provided schema with type=array")
            made = [item(each) for each in data]
            failed = any(type(each) is Unreadable for each in made)
            return (faulty if failed else sound)(made, data, shared)

        shared = Kind(read, names, self.minor)
        return read


_LISTS: dict[str, tuple[type[Items], type[Items]]] = {"map": (MapItems, FaultyMap), "set": (SetItems, FaultySet)}


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
