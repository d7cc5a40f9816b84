"""JSON data as CEL values according to its schema: the value of `self` in a rule.

`ValueReaderFactory(declarations, switches).make_reader(schema)` returns the function that reads values of a schema.
Data that the schema does not allow is read as an `Unreadable`, an error that is raised on access. Source:
k8s.io/apiserver pkg/cel/common valuesunstructured.go, before Kubernetes 1.34 values.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.cel.checker.types import DeclarationFactory
from protoc_gen_crd.cel.version_differences import EMPTY_OBJECTS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import EMBEDDED, INT_OR_STRING, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Schema

from .format_values import FORMATS
from .go_values import get_go_type_name
from .list_values import (
    ListContext,
    ListWithErrors,
    MapListWithErrors,
    SchemaList,
    SchemaMapList,
    SchemaSet,
    SetWithErrors,
)
from .object_values import ObjectContext, Read, SchemaObject, UntypedValue
from .runtime_values import Unreadable, Value

_INT64 = 1 << 63
_NO_OBJECT = (
    "invalid object type, expected either Properties or AdditionalProperties with Allows=true and non-empty Schema"
)


class ValueReaderFactory:
    """Creates the functions that read data, one per schema.

    Shortcut value-readers: a reader is a function of the schema, of whether it is a root, and of the version, and holds
    no data.
    """

    def __init__(self, declarations: DeclarationFactory, switches: Switches) -> None:
        self.declarations, self.switches = declarations, switches
        self._known: dict[tuple[int, bool], tuple[Schema, Read]] = {}  # keeps schemas alive, so that ids stay unique

    def make_reader(self, schema: Schema, *, root: bool = False) -> Read:
        """Return the reader for data of a schema; `root` means the schema of a whole resource."""
        entry = self._known.get((id(schema), root))
        if entry is None:
            read = self._make_nullable_reader(schema, root=root)
            entry = self._known[id(schema), root] = schema, read
        return entry[1]

    def _make_nullable_reader(self, schema: Schema, *, root: bool) -> Read:
        read = self._make_non_null_reader(schema, root=root)
        null = None if schema.get("nullable") else Unreadable("invalid data, got null for schema with nullable=false")

        def read_nullable(data: Any) -> Value:
            return null if data is None else read(data)

        return read_nullable

    def _make_non_null_reader(self, schema: Schema, *, root: bool = False) -> Read:
        """Return the reader for data that is not null."""
        if schema.get(INT_OR_STRING):
            return _read_int_or_string
        if schema.type == "object":
            return self._make_object_reader(schema, root=root)
        if schema.type == "array":
            return self._make_list_reader(schema)
        if schema.type == "string":
            return FORMATS.get(schema.get("format") or "", _read_string)
        if schema.type in _SCALARS:
            return _SCALARS[schema.type]
        return UntypedValue if schema.get(PRESERVE) else _read_untyped

    def _make_object_reader(self, schema: Schema, *, root: bool) -> Read:
        embedded = root or bool(schema.get(EMBEDDED))
        properties = self.declarations.get_resource_properties(schema) if embedded else schema.properties
        readers: dict[str, Read] = {}
        shape = ObjectContext({}, readers, self.switches)
        if not embedded and "properties" not in schema and isinstance(schema.additional, Schema):
            values = schema.additional
            shape = ObjectContext({}, {}, self.switches, self.make_reader(values))

        elif not properties and not schema.get(PRESERVE) and EMPTY_OBJECTS not in self.switches.lasting:
            return _make_failing_reader(_NO_OBJECT)

        def read_object(data: Any) -> Value:
            if not isinstance(data, dict):
                return Unreadable("invalid data, expected a map for the provided schema with type=object")
            if properties and not readers:
                readers.update({name: self.make_reader(child) for name, child in properties.items()})
                shape.fields.update(_add_escaped_names(readers))
            return SchemaObject(data, shape)

        return read_object

    def _make_list_reader(self, schema: Schema) -> Read:
        items, kind = schema.items, schema.get(LIST_TYPE)
        if items is None:
            return _make_failing_reader("invalid array type, expected Items with a non-empty Schema")
        names = tuple([escape_cel_name(name) for name in schema.get(LIST_MAP_KEYS) or ()])
        (valid_type, invalid_type), read_item = (
            _LISTS.get(kind or "", (SchemaList, ListWithErrors)),
            self.make_reader(items),
        )

        def read_list(data: Any) -> Value:
            if not isinstance(data, list):
                return Unreadable("invalid data, expected an array for the provided schema with type=array")
            parts = [read_item(part) for part in data]
            failed = any(type(part) is Unreadable for part in parts)
            return (invalid_type if failed else valid_type)(parts, data, shared)

        shared = ListContext(read_list, names, self.switches)
        return read_list


_LISTS: dict[str, tuple[type[SchemaList], type[SchemaList]]] = {
    "map": (SchemaMapList, MapListWithErrors),
    "set": (SchemaSet, SetWithErrors),
}


def _add_escaped_names(readers: Mapping[str, Read]) -> dict[str, tuple[str, Read]]:
    """Return properties by their names in CEL; reserved words are available both with and without escapes."""
    fields = {}
    for name, read in readers.items():
        escaped = escape_cel_name(name)
        fields[escaped] = name, read
        if escaped == f"__{name}__":
            fields[name] = name, read
    return fields


def _make_failing_reader(message: str) -> Read:
    return lambda _: Unreadable(message)


def _read_untyped(_: Any) -> Value:
    kinds = "object, array, number, integer, boolean or string"
    also = "or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true"
    return Unreadable(f"invalid type, expected {kinds}, {also}, got ")


def _read_int_or_string(data: Any) -> Value:
    if type(data) is str or _is_int64(data):
        return data
    return Unreadable("invalid data, expected XIntOrString value to be either a string or integer")


def _make_scalar_reader(kind: type, name: str) -> Read:
    def read_scalar(data: Any) -> Value:
        return (
            data if type(data) is kind else Unreadable(f"invalid data, expected {name}, got {get_go_type_name(data)}")
        )

    return read_scalar


def _is_int64(data: Any) -> bool:
    """Return true for an integer; Go reads one that is out of range as a float."""
    return type(data) is int and -_INT64 <= data < _INT64


def _read_integer(data: Any) -> Value:
    if _is_int64(data):
        return data
    name = "float64" if type(data) is int else get_go_type_name(data)
    return Unreadable(f"invalid data, expected int, got {name}")


def _read_number(data: Any) -> Value:
    if type(data) is float or type(data) is int:
        try:
            return float(data)
        except OverflowError:  # JSON of API servers has no such number
            return Unreadable("invalid data, expected float, got an integer that is out of range")
    return Unreadable(f"invalid data, expected float, got {get_go_type_name(data)}")


_read_string = _make_scalar_reader(str, "string")
_SCALARS: dict[str, Read] = {
    "boolean": _make_scalar_reader(bool, "bool"),
    "integer": _read_integer,
    "number": _read_number,
}
