"""The types of CEL, and the declarations of schemas.

Names are cel-go's: `bound_name` is printed by `type(x)`, `format_type` is the format of compile errors, and
`format_for_author` that of declarations. Source: cel-go v0.29 `common/types/types.go`, `checker/format.go`;
k8s.io/apiserver pkg/cel/common/schemas.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import attrgetter

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.cel_names import RESERVED, escape_cel_name
from protoc_gen_crd.schema.schema import EMBEDDED, INT_OR_STRING, Schema

from .value_sizes import FORMATTED, LONGEST, SHORTEST, SizeRules

# Kinds of types: these, and the names of the types without parameters.
LIST, MAP, TYPE, OPAQUE, OBJECT, PARAMETER, WRAPPER = "list", "map", "type", "opaque", "object", "parameter", "wrapper"

_SHOWN = {
    "google.protobuf.Any": "any", "google.protobuf.Duration": "duration", "google.protobuf.Timestamp": "timestamp",
    "null_type": "null",
}  # fmt: skip


_IS_OPEN = attrgetter("open")


def has_type_parameters(types: Iterable[Type]) -> bool:
    """Return whether one of the types has a type parameter."""
    return any(map(_IS_OPEN, types))


class Type:
    """A type. `kind` is its kind, `fields` are the fields of an object, `open` means that it has a type parameter."""

    __slots__ = ("fields", "kind", "name", "open", "params")

    def __init__(self, kind: str, name: str, params: tuple[Type, ...] = (), fields: Declaration | None = None) -> None:
        self.kind, self.name, self.params, self.fields = kind, name, params, fields
        self.open: bool = kind == PARAMETER or has_type_parameters(params)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Type) or self.kind != other.kind or self.name != other.name:
            return False
        return self.params == other.params

    def __hash__(self) -> int:
        return hash((self.kind, self.name, self.params))

    def __repr__(self) -> str:
        return f"<{format_for_author(self)}>"

    def get_field(self, name: str, *, keywords: bool) -> Type | None:
        """Return the type of an object's field; with `keywords`, reserved words need no escaping."""
        if self.fields is None:
            return None
        declaration = self.fields.fields.get(name)
        if declaration is None and keywords and escape_cel_name(name) == f"__{name}__":
            name = f"__{name}__"
            declaration = self.fields.fields.get(name)
        return None if declaration is None else declaration.get_type(f"{self.name}.{name}")


def _make_simple(name: str) -> Type:
    return Type(name, name)


BOOL, INT, UINT, DOUBLE = _make_simple("bool"), _make_simple("int"), _make_simple("uint"), _make_simple("double")
STRING, BYTES, NULL = _make_simple("string"), _make_simple("bytes"), _make_simple("null_type")
DURATION, TIMESTAMP = _make_simple("google.protobuf.Duration"), _make_simple("google.protobuf.Timestamp")
DYN, ANY, ERROR = _make_simple("dyn"), _make_simple("google.protobuf.Any"), Type("error", "!error!")
UNSET = _make_simple("")  # assignable to nothing, not even to itself
ANY_TYPE = Type(TYPE, "type")


def make_untyped() -> Type:
    """Create a missing type: a new one each time, since it is assignable to nothing, not even to itself."""
    return Type("", "<nil>")


def make_list_type(item: Type) -> Type:
    """Return `list(item)`."""
    return Type(LIST, "list", (item,))


def make_map_type(key: Type, value: Type) -> Type:
    """Return `map(key, value)`."""
    return Type(MAP, "map", (key, value))


def make_type_type(value: Type) -> Type:
    """Return `type(value)`, the type of a type."""
    return Type(TYPE, "type", (value,))


def make_opaque_type(name: str, *params: Type) -> Type:
    """Return an abstract type that only the functions of its library can inspect."""
    return Type(OPAQUE, name, params)


def make_undeclared_object(name: str) -> Type:
    """Return the type of an object without declared fields."""
    return Type(OBJECT, name)


def make_optional_type(value: Type) -> Type:
    """Return `optional_type(value)`."""
    return Type(OPAQUE, "optional_type", (value,))


def make_type_parameter(name: str) -> Type:
    """Return a type parameter, which calls bind."""
    return Type(PARAMETER, name)


def make_wrapper_type(value: Type) -> Type:
    """Return the type of a protobuf wrapper message: the value or null."""
    return Type(WRAPPER, value.name)


def is_same_unwrapped(first: Type, second: Type) -> bool:
    """Check whether types are equal if wrappers equal what they wrap."""
    if WRAPPER in (first.kind, second.kind) or first == second:
        return first.name == second.name
    if (first.kind, first.name, len(first.params)) != (
        second.kind,
        second.name,
        len(second.params),
    ) or not first.params:
        return False
    return all(map(is_same_unwrapped, first.params, second.params))


def is_reserved(word: str) -> bool:
    """Check whether a field of this name is escaped as a reserved word."""
    return word in RESERVED


def format_type(kind: Type) -> str:
    """Format a type as in compile errors."""
    if kind.kind == WRAPPER:
        return f"wrapper({kind.name})"
    if not kind.params:
        return kind.name if kind.kind == OBJECT else _SHOWN.get(kind.name, kind.name)
    return f"{kind.name}({', '.join([format_type(param) for param in kind.params])})"


def format_for_author(kind: Type) -> str:
    """Format a type as cel-go shows it to the author of a program: `map(<K>, google.protobuf.Duration)`."""
    if kind.kind in (PARAMETER, WRAPPER):
        return f"<{kind.name}>" if kind.kind == PARAMETER else f"wrapper({kind.name})"
    if not kind.params:
        return kind.name
    return f"{kind.name}({', '.join([format_for_author(param) for param in kind.params])})"


class Declaration(Record):
    """The CEL declaration of a schema, before it has a name: its type, or the declarations of its items or fields.

    `max_size` is the largest size that estimates assume (bytes of a string, items of a list or map), `min_size` the
    fewest bytes of JSON that a value takes.
    """

    type: Type | None
    max_size: int = 0
    min_size: int = 0
    item: Declaration | None = None
    is_map: bool = False
    fields: dict[str, Declaration] = {}  # noqa: RUF012 - never written to

    def get_type(self, name: str) -> Type:
        """Return the type: an object has this name, and nested objects have names derived from it."""
        if self.type is not None:
            return self.type
        if self.item is None:
            return Type(OBJECT, name, (), self)
        if self.is_map:
            return make_map_type(STRING, self.item.get_type(f"{name}.@elem"))
        return make_list_type(self.item.get_type(f"{name}.@idx"))


_EXPRESSIBLE = r"[A-Za-z_.\-/][A-Za-z0-9_.\-/]*"
_SCALARS = {
    "boolean": Declaration(BOOL, 0, SHORTEST["boolean"]),
    "number": Declaration(DOUBLE, 0, SHORTEST["number"]),
    "integer": Declaration(INT, 0, SHORTEST["integer"]),
}
_FORMATS = {"byte": BYTES, "duration": DURATION, "date": TIMESTAMP, "date-time": TIMESTAMP}


class DeclarationFactory:
    """Creates declarations, one per schema. `sizes` has the differences between Kubernetes versions.

    Schemas that CEL cannot distinguish share one declaration; factories with the same `alike` share them, too.

    Shortcut declarations: a declaration is a function of the schema, of whether it is a root, and of the rules for
    sizes, and the schema is kept alive.
    """

    def __init__(self, sizes: SizeRules, alike: dict[object, Declaration] | None = None) -> None:
        self.sizes = sizes
        self._known: dict[
            tuple[int, bool], tuple[Schema, Declaration | None]
        ] = {}  # keeps schemas alive, and thereby their ids unique
        self._alike = {} if alike is None else alike

    def declare(self, schema: Schema, *, root: bool = False) -> Declaration | None:
        """Return the declaration, or None if CEL cannot access the value; `root` means the schema of a resource."""
        entry = self._known.get((id(schema), root))
        if entry is None:
            entry = schema, self._deduplicate(self._declare_schema(schema, root=root))
            self._known[id(schema), root] = entry
        return entry[1]

    def _deduplicate(self, declaration: Declaration | None) -> Declaration | None:
        """Return one declaration for all schemas that CEL cannot distinguish, so that rules on them are compiled once.

        Shortcut equal-declarations: the compiler and the estimator see of a declaration only its members, which are all
        in the key.
        """
        if declaration is None:
            return None
        fields = tuple([(name, id(field)) for name, field in declaration.fields.items()])
        return self._alike.setdefault(
            (
                declaration.type,
                declaration.max_size,
                declaration.min_size,
                id(declaration.item),
                declaration.is_map,
                fields,
            ),
            declaration,
        )

    def _declare_child(self, schema: Schema) -> Declaration | None:
        return self.declare(schema, root=bool(schema.get(EMBEDDED)))

    def _declare_schema(self, schema: Schema, *, root: bool) -> Declaration | None:
        if schema.get(INT_OR_STRING):
            return Declaration(DYN, self.sizes.bound_int_or_string(schema.get("maxLength")), 1)
        match schema.type:
            case "array":
                return self._declare_list(schema)
            case "object":
                return self._declare_object(schema, root=root)
            case "string":
                return self._declare_string(schema)
        return _SCALARS.get(schema.type)

    def _declare_list(self, schema: Schema) -> Declaration | None:
        item = self._declare_child(schema.items) if isinstance(schema.items, Schema) else None
        if item is None:
            return None
        most = self.sizes.get_bound(schema.get("maxItems"), LONGEST // (item.min_size + 1))
        return Declaration(None, most, 2, item)

    def _declare_object(self, schema: Schema, *, root: bool) -> Declaration | None:
        if isinstance(schema.additional, Schema):
            return self._declare_map(schema, schema.additional)
        properties = self.get_resource_properties(schema) if root else schema.properties
        required, fields, least = frozenset(schema.get("required") or ()), {}, 2
        for name, child in properties.items():
            declared = self._declare_child(child)
            if declared is None:
                continue
            if (name.isascii() and name.isidentifier()) or re.fullmatch(_EXPRESSIBLE, name):
                fields[escape_cel_name(name)] = declared
            if name in required and child.get("default") is None:
                least += len(name.encode()) + declared.min_size + 4
        return Declaration(None, 0, least, fields=fields)

    def _declare_map(self, schema: Schema, values: Schema) -> Declaration | None:
        item = self._declare_child(values)
        if item is None:
            return None
        most = self.sizes.get_bound(schema.get("maxProperties"), LONGEST // (item.min_size + 6))
        return Declaration(None, most, 2, item, is_map=True)

    def _declare_string(self, schema: Schema) -> Declaration:
        form, longest = schema.get("format") or "", schema.get("maxLength")
        kind = _FORMATS.get(form, STRING)
        if form in FORMATTED:
            least, most = FORMATTED[form]
            return Declaration(kind, most, least)
        most = (
            self.sizes.get_bound(longest, LONGEST)
            if kind is BYTES
            else self.sizes.bound_string(longest, schema.get("enum"))
        )
        return Declaration(kind, most, SHORTEST["string"])

    def get_resource_properties(self, schema: Schema) -> dict[str, Schema]:
        """Return the properties of a resource, which always has `kind`, `apiVersion`, and names in `metadata`."""
        properties = dict(schema.properties)
        metadata = properties.get("metadata")
        named = dict(metadata.properties) if metadata is not None and metadata.type == "object" else {}
        strings = [properties.get("kind"), properties.get("apiVersion"), named.get("name"), named.get("generateName")]
        if all(string is not None and string.type == "string" for string in strings):
            return properties
        string = Schema({"type": "string"})
        names = {which: self._get_name_schema(which, metadata) for which in ("name", "generateName")}
        names_schema = Schema({"type": "object", "properties": names})
        return {**properties, "kind": string, "apiVersion": string, "metadata": names_schema}

    def _get_name_schema(self, which: str, metadata: Schema | None) -> Schema:
        schema = metadata.properties.get(which) if metadata is not None else None
        longest = None if schema is None else schema.get("maxLength")
        return Schema({"type": "string", "maxLength": self.sizes.bound_name(which, longest)})
