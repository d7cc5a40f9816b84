"""The types in the schemas of an API, each once, and the fields that use them.

A named type (a message) is one type in all its versions; so are `acme.v1.Port` and `acme.v1beta1.Port`. An unnamed
object is identified by its first path, such as `Widget.spec.ports[]`, even if an equal object occurs elsewhere. A small
unnamed object is documented inline.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.api_version_order import get_age_key, parse_version
from protoc_gen_crd.schema.schema import TYPE, NamedType, Schema, ValidationRule
from protoc_gen_crd.schema.schema_encoder import encode_rule

_MAX_SMALL_FIELDS = 6  # fields of an object that is documented inline
_STANDARD_FIELDS = ("apiVersion", "kind", "metadata")

VersionedSchemas = Mapping[str, Schema]  # by API version, oldest first
TypeKey = tuple[object, ...]


class TypeUse(Record):
    """A field that uses a type; it belongs to a kind or to another type."""

    owner: TypeKey
    field: str


class DocumentedType:
    """An object type or an enum: its schema in each API version, and where it is used."""

    def __init__(self, key: TypeKey, title: str) -> None:
        self.key = key
        self.title = title
        self.schemas: dict[str, Schema] = {}
        self.uses: dict[TypeUse, None] = {}
        self.paths: dict[tuple[str, str, str], None] = {}  # kind, version and path of every place

    @property
    def is_named(self) -> bool:
        """Check whether the type is a message or an enum of protobuf."""
        return self.key[0] == "named"

    @property
    def ordered_schemas(self) -> VersionedSchemas:
        """Return the schemas, oldest version first."""
        return {name: self.schemas[name] for name in sorted(self.schemas, key=get_age_key)}


def get_named_type(schema: Schema) -> NamedType | None:
    """Return the named type of a node; None if the node has other fields than its type."""
    named_type: NamedType | None = (schema.facts or {}).get(TYPE)
    if named_type is None or named_type.schema is None:
        return None
    return named_type if named_type.schema.properties is schema.properties or not schema.properties else None


def unwrap_containers(schema: Schema) -> tuple[Schema, str]:
    """Return the innermost item or value of a list or map and the steps to it (`[]`, `{}`); else the node itself."""
    steps = ""
    while True:
        if isinstance(schema.items, Schema):
            schema, steps = schema.items, f"{steps}[]"
        elif isinstance(schema.additional, Schema):
            schema, steps = schema.additional, f"{steps}{{}}"
        else:
            return schema, steps


def collect_fields(schemas: VersionedSchemas) -> dict[str, dict[str, Schema]]:
    """Return the fields of an object and their schemas by version; those of the newest version first, in its order."""
    newest = list(schemas.values())[::-1]
    names = dict.fromkeys(name for schema in newest for name in schema.properties)
    return {
        name: {version: schema.properties[name] for version, schema in schemas.items() if name in schema.properties}
        for name in names
    }


def is_small(schema: Schema) -> bool:
    """Check whether an unnamed object is documented inline: it has few fields, and none has fields of its own."""
    children = [unwrap_containers(child)[0] for child in schema.properties.values()]
    return len(children) <= _MAX_SMALL_FIELDS and not any(
        child.properties or get_named_type(child) for child in children
    )


class TypeIndex:
    """All types of a page. `places` to record every path of a type, which lifecycles need."""

    def __init__(self, crds: Sequence[Crd], *, places: bool) -> None:
        self._places = places
        self._types: dict[TypeKey, DocumentedType] = {}
        self._numbers: dict[int, int] = {}
        self._schema_numbers: dict[TypeKey, int] = {}
        self._seen: set[tuple[TypeKey, str, int]] = set()
        self._split: set[str] = set()
        self._type_names: dict[tuple[str, str], str] = {}
        self.kinds = [self._make_kind(crd) for crd in crds]
        for crd, kind in zip(crds, self.kinds, strict=True):
            for version in crd.versions:
                if version.schema is not None:
                    kind.schemas[version.name] = version.schema
        for kind, crd in zip(self.kinds, crds, strict=True):
            self._walk_fields(kind, kind.ordered_schemas, f"{crd.group}/{crd.names.kind}", "", kind.title)

    def _make_kind(self, crd: Crd) -> DocumentedType:
        return DocumentedType(("kind", crd.name), crd.names.kind)

    def list_types(self) -> list[DocumentedType]:
        """Return the types that have a section: named types by name, then unnamed types in the order of the fields."""
        types = list(self._types.values())
        return sorted(types, key=lambda entry: (not entry.is_named, entry.title if entry.is_named else ""))

    def find_type(self, schemas: VersionedSchemas) -> DocumentedType | None:
        """Return the type of the objects or enum values of a field; None if it has no section."""
        key = self._make_key({version: unwrap_containers(schema)[0] for version, schema in schemas.items()})
        return self._types.get(key) if key else None

    def _walk_fields(self, owner: DocumentedType, schemas: VersionedSchemas, kind: str, path: str, title: str) -> None:
        """Add the types of the fields of an object. Without places, every schema of a type is visited once."""
        for name, fields in collect_fields(schemas).items():
            if owner.key[0] == "kind" and name in _STANDARD_FIELDS:
                continue
            unwrapped = {version: unwrap_containers(schema) for version, schema in fields.items()}
            objects = {version: schema for version, (schema, _) in unwrapped.items()}
            steps = max((step for _, step in unwrapped.values()), key=len)
            field_path = f"{path}.{name}" if path else name
            self._add_type(owner, name, objects, kind, field_path + steps, f"{title}.{name}{steps}")

    def _add_type(
        self, owner: DocumentedType, name: str, objects: VersionedSchemas, kind: str, path: str, title: str
    ) -> None:
        named_types = {
            version: named_type
            for version, schema in objects.items()
            if (named_type := get_named_type(schema)) and named_type.schema
        }
        if len(named_types) == len(objects) and all(
            named_type.name.rpartition(".")[2] != owner.title for named_type in named_types.values()
        ):
            objects = {version: named_type.schema or objects[version] for version, named_type in named_types.items()}
        key = self._make_key(objects)
        if key is None:
            if any(schema.properties for schema in objects.values()):
                self._walk_fields(owner, objects, kind, path, title)
            return
        documented_type = self._types.get(key)
        if documented_type is None:
            documented_type = self._types[key] = DocumentedType(key, str(key[1]) if key[0] == "named" else title)
        documented_type.uses[TypeUse(owner.key, name)] = None
        fresh = {v: s for v, s in objects.items() if (key, v, id(s)) not in self._seen}
        self._seen |= {(key, version, id(schema)) for version, schema in fresh.items()}
        for version, schema in objects.items():
            documented_type.schemas.setdefault(version, schema)
            documented_type.paths[kind, version, path] = None
        if any(schema.properties for schema in objects.values()) and (self._places or fresh):
            self._walk_fields(documented_type, objects, kind, path, documented_type.title)

    def _make_key(self, objects: VersionedSchemas) -> TypeKey | None:
        """Return a key that is equal for nodes of the same type; None for types without a section."""
        types = {version: get_named_type(schema) for version, schema in objects.items()}
        names = {_strip_version(named_type.name) for named_type in types.values() if named_type}
        if all(types.values()) and len(names) == 1:
            return self._make_named_key(types)  # type: ignore[arg-type] # none is None
        if not any(schema.properties for schema in objects.values()) or all(map(is_small, objects.values())):
            return None
        return ("same", *((version, self._number_schema(schema)) for version, schema in objects.items()))

    def _make_named_key(self, types: Mapping[str, NamedType]) -> TypeKey | None:
        schema = next(iter(types.values())).schema
        if schema is None or not (schema.properties or next(iter(types.values())).values()):
            return None
        name = _strip_version(list(types.values())[-1].name)
        for version, named_type in types.items():
            if self._type_names.setdefault((name, version), named_type.name) != named_type.name:
                return "named", named_type.name
        return "named", name

    def _number_schema(self, schema: Schema) -> int:
        """Return a number that is equal for schemas that differ at most in their own description."""
        number = self._numbers.get(id(schema))
        if number is None:
            key = tuple(
                (keyword, self._encode_value(value))
                for keyword, value in sorted(schema.keywords.items())
                if keyword != "description"
            )
            number = self._numbers[id(schema)] = self._schema_numbers.setdefault(key, len(self._schema_numbers))
        return number

    def _encode_value(self, value: object) -> object:
        """Return the value of a keyword in a form that can be compared."""
        if isinstance(value, Schema):
            return self._number_schema(value), value.get("description")
        if isinstance(value, ValidationRule):
            return tuple(sorted(encode_rule(value).items()))
        if isinstance(value, dict):
            return tuple([(name, self._encode_value(item)) for name, item in sorted(value.items())])
        if isinstance(value, list | tuple):
            return tuple([self._encode_value(item) for item in value])
        return type(value).__name__, value


def _strip_version(name: str) -> str:
    """Remove the API version from the package of a full name."""
    return ".".join(part for part in name.split(".") if parse_version(part) is None)


def make_titles(types: Sequence[DocumentedType], kinds: Sequence[DocumentedType]) -> dict[TypeKey, str]:
    """Return the titles of types and kinds: the name without its package, or the full name where titles would be equal.

    A type with the name of the kind that uses it is titled by its path, such as `Widget.spec`.
    """
    kind_titles = {kind.key: kind.title for kind in kinds}
    short_titles = {
        entry.key: _make_place_title(entry, kind_titles) or _strip_package(entry.title)
        if entry.is_named
        else entry.title
        for entry in types
    }
    used = Counter(title.lower() for title in (*kind_titles.values(), *short_titles.values()))
    return kind_titles | {
        entry.key: short_titles[entry.key] if used[short_titles[entry.key].lower()] == 1 else entry.title
        for entry in types
    }


def _make_place_title(documented_type: DocumentedType, kinds: Mapping[TypeKey, str]) -> str:
    use = next(iter(documented_type.uses), None)
    kind = kinds.get(use.owner, "") if use else ""
    return f"{kind}.{use.field}" if use and kind == _strip_package(documented_type.title) else ""


def _strip_package(name: str) -> str:
    """Remove the package of a name; the type begins with the first part in upper case."""
    parts = name.split(".")
    start = next((index for index, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[start:])
