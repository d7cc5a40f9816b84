"""The types of CEL, and what a schema is to it.

Names are cel-go's: `name` is what `type(x)` prints, `shown` what compile errors print, `spelled` what declarations
print. Source: cel-go v0.29 `common/types/types.go`, `checker/format.go`; k8s.io/apiserver pkg/cel/common/schemas.go.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.celnames import RESERVED, cel_name
from protoc_gen_crd.schema.types import EMBEDDED, INT_OR_STRING, Schema

from .sizes import FORMATTED, LONGEST, SHORTEST, Sizes

# What a type is: these, and the names of the types without parameters.
LIST, MAP, TYPE, OPAQUE, OBJECT, PARAMETER, WRAPPER = "list", "map", "type", "opaque", "object", "parameter", "wrapper"

_SHOWN = {
    "google.protobuf.Any": "any", "google.protobuf.Duration": "duration", "google.protobuf.Timestamp": "timestamp",
    "null_type": "null",
}  # fmt: skip


class Type:
    """One type. `kind` is what it is, `fields` what an object has, `open` whether a parameter is in it."""

    __slots__ = ("fields", "kind", "name", "open", "params")

    def __init__(self, kind: str, name: str, params: tuple[Type, ...] = (), fields: Declared | None = None) -> None:
        self.kind, self.name, self.params, self.fields = kind, name, params, fields
        self.open: bool = kind == PARAMETER or any(param.open for param in params)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Type) or self.kind != other.kind or self.name != other.name:
            return False
        return self.params == other.params

    def __hash__(self) -> int:
        return hash((self.kind, self.name, self.params))

    def __repr__(self) -> str:
        return f"<{spelled(self)}>"

    def field(self, name: str, *, keywords: bool) -> Type | None:
        """The type of an object's field; with `keywords`, reserved words need no escaping."""
        if self.fields is None:
            return None
        found = self.fields.fields.get(name)
        if found is None and keywords and cel_name(name) == f"__{name}__":
            name = f"__{name}__"
            found = self.fields.fields.get(name)
        return None if found is None else found.typed(f"{self.name}.{name}")


def _simple(name: str) -> Type:
    return Type(name, name)


BOOL, INT, UINT, DOUBLE = _simple("bool"), _simple("int"), _simple("uint"), _simple("double")
STRING, BYTES, NULL = _simple("string"), _simple("bytes"), _simple("null_type")
DURATION, TIMESTAMP = _simple("google.protobuf.Duration"), _simple("google.protobuf.Timestamp")
DYN, ANY, ERROR = _simple("dyn"), _simple("google.protobuf.Any"), Type("error", "!error!")
UNSET = _simple("")  # fits nothing, itself included
ANY_TYPE = Type(TYPE, "type")


def untyped() -> Type:
    """What has no type at all: a new one each time, since it fits nothing, itself included."""
    return Type("", "<nil>")


def list_of(item: Type) -> Type:
    """`list(item)`."""
    return Type(LIST, "list", (item,))


def map_of(key: Type, value: Type) -> Type:
    """`map(key, value)`."""
    return Type(MAP, "map", (key, value))


def type_of(value: Type) -> Type:
    """`type(value)`, the type of a type."""
    return Type(TYPE, "type", (value,))


def opaque(name: str, *params: Type) -> Type:
    """A type that only its library's functions look into."""
    return Type(OPAQUE, name, params)


def foreign(name: str) -> Type:
    """An object of which nothing is declared."""
    return Type(OBJECT, name)


def optional(value: Type) -> Type:
    """`optional_type(value)`."""
    return Type(OPAQUE, "optional_type", (value,))


def parameter(name: str) -> Type:
    """A type that a call decides."""
    return Type(PARAMETER, name)


def wrapper(value: Type) -> Type:
    """The value or null: what the wrapper messages of protobuf are."""
    return Type(WRAPPER, value.name)


def alike(one: Type, other: Type) -> bool:
    """Whether types are the same where a wrapper is what it wraps."""
    if WRAPPER in (one.kind, other.kind) or one == other:
        return one.name == other.name
    if (one.kind, one.name, len(one.params)) != (other.kind, other.name, len(other.params)) or not one.params:
        return False
    return all(map(alike, one.params, other.params))


def is_reserved(word: str) -> bool:
    """Whether a field of this name is escaped as a reserved word."""
    return word in RESERVED


def shown(kind: Type) -> str:
    """A type as compile errors print it."""
    if kind.kind == WRAPPER:
        return f"wrapper({kind.name})"
    if not kind.params:
        return kind.name if kind.kind == OBJECT else _SHOWN.get(kind.name, kind.name)
    return f"{kind.name}({', '.join([shown(param) for param in kind.params])})"


def spelled(kind: Type) -> str:
    """A type as cel-go prints it for a program's author: `map(<K>, google.protobuf.Duration)`."""
    if kind.kind in (PARAMETER, WRAPPER):
        return f"<{kind.name}>" if kind.kind == PARAMETER else f"wrapper({kind.name})"
    if not kind.params:
        return kind.name
    return f"{kind.name}({', '.join([spelled(param) for param in kind.params])})"


class Declared(Record):
    """What a schema is to CEL, before it has a name: its type, or its items' or fields' declarations.

    `most` is the largest size an estimate goes by (bytes of a string, items of a list or map), `least` the fewest bytes
    of JSON that a value takes.
    """

    type: Type | None
    most: int = 0
    least: int = 0
    item: Declared | None = None
    keyed: bool = False
    fields: dict[str, Declared] = {}  # noqa: RUF012 - never written to

    def typed(self, name: str) -> Type:
        """The type, with this name for an object and names made of it for objects within."""
        if self.type is not None:
            return self.type
        if self.item is None:
            return Type(OBJECT, name, (), self)
        if self.keyed:
            return map_of(STRING, self.item.typed(f"{name}.@elem"))
        return list_of(self.item.typed(f"{name}.@idx"))


_EXPRESSIBLE = re.compile(r"[A-Za-z_.\-/][A-Za-z0-9_.\-/]*")
_SCALARS = {
    "boolean": Declared(BOOL, 0, SHORTEST["boolean"]),
    "number": Declared(DOUBLE, 0, SHORTEST["number"]),
    "integer": Declared(INT, 0, SHORTEST["integer"]),
}
_FORMATS = {"byte": BYTES, "duration": DURATION, "date": TIMESTAMP, "date-time": TIMESTAMP}


class Declarations:
    """Schemas declared once each. `sizes` says what differs between Kubernetes versions.

    Declarations with the same `alike` give the same object for what is the same to all of them.
    """

    def __init__(self, sizes: Sizes, alike: dict[object, Declared] | None = None) -> None:
        self.sizes = sizes
        self._known: dict[
            tuple[int, bool], tuple[Schema, Declared | None]
        ] = {}  # keeps schemas and with them ids alive
        self._alike = {} if alike is None else alike

    def of(self, schema: Schema, *, root: bool = False) -> Declared | None:
        """The declaration, None for what CEL cannot see; `root` tells the schema of a whole resource."""
        known = self._known.get((id(schema), root))
        if known is None:
            known = schema, self._shared(self._declare(schema, root=root))
            self._known[id(schema), root] = known
        return known[1]

    def _shared(self, made: Declared | None) -> Declared | None:
        """One declaration for all schemas that are the same to CEL, so that rules on them are compiled once."""
        if made is None:
            return None
        fields = tuple([(name, id(field)) for name, field in made.fields.items()])
        return self._alike.setdefault((made.type, made.most, made.least, id(made.item), made.keyed, fields), made)

    def _below(self, schema: Schema) -> Declared | None:
        return self.of(schema, root=bool(schema.get(EMBEDDED)))

    def _declare(self, schema: Schema, *, root: bool) -> Declared | None:
        if schema.get(INT_OR_STRING):
            return Declared(DYN, self.sizes.int_or_string(schema.get("maxLength")), 1)
        match schema.type:
            case "array":
                return self._list(schema)
            case "object":
                return self._object(schema, root=root)
            case "string":
                return self._string(schema)
        return _SCALARS.get(schema.type)

    def _list(self, schema: Schema) -> Declared | None:
        item = self._below(schema.items) if isinstance(schema.items, Schema) else None
        if item is None:
            return None
        most = self.sizes.bound(schema.get("maxItems"), LONGEST // (item.least + 1))
        return Declared(None, most, 2, item)

    def _object(self, schema: Schema, *, root: bool) -> Declared | None:
        if isinstance(schema.additional, Schema):
            return self._map(schema, schema.additional)
        properties = self.of_resource(schema) if root else schema.properties
        required, fields, least = frozenset(schema.get("required") or ()), {}, 2
        for name, child in properties.items():
            declared = self._below(child)
            if declared is None:
                continue
            if _EXPRESSIBLE.fullmatch(name):
                fields[cel_name(name)] = declared
            if name in required and child.get("default") is None:
                least += len(name.encode()) + declared.least + 4
        return Declared(None, 0, least, fields=fields)

    def _map(self, schema: Schema, values: Schema) -> Declared | None:
        item = self._below(values)
        if item is None:
            return None
        most = self.sizes.bound(schema.get("maxProperties"), LONGEST // (item.least + 6))
        return Declared(None, most, 2, item, keyed=True)

    def _string(self, schema: Schema) -> Declared:
        form, longest = schema.get("format") or "", schema.get("maxLength")
        kind = _FORMATS.get(form, STRING)
        if form in FORMATTED:
            least, most = FORMATTED[form]
            return Declared(kind, most, least)
        most = self.sizes.bound(longest, LONGEST) if kind is BYTES else self.sizes.text(longest, schema.get("enum"))
        return Declared(kind, most, SHORTEST["string"])

    def of_resource(self, schema: Schema) -> dict[str, Schema]:
        """The properties of a whole resource, which always has a kind, an apiVersion and names."""
        properties = dict(schema.properties)
        metadata = properties.get("metadata")
        named = dict(metadata.properties) if metadata is not None and metadata.type == "object" else {}
        texts = [properties.get("kind"), properties.get("apiVersion"), named.get("name"), named.get("generateName")]
        if all(text is not None and text.type == "string" for text in texts):
            return properties
        text = Schema({"type": "string"})
        names = {which: self._name(which, metadata) for which in ("name", "generateName")}
        known = Schema({"type": "object", "properties": names})
        return {**properties, "kind": text, "apiVersion": text, "metadata": known}

    def _name(self, which: str, metadata: Schema | None) -> Schema:
        given = metadata.properties.get(which) if metadata is not None else None
        longest = None if given is None else given.get("maxLength")
        return Schema({"type": "string", "maxLength": self.sizes.name(which, longest)})
