"""The types that the schemas of an API are made of, each once, and where each is used.

A type with a name, a message, is one type in all its versions, and so are `acme.v1.Port` and `acme.v1beta1.Port`. An
object without a name is known by its first place, `Widget.spec.ports[]`, wherever the same object stands again; a small
one is told where it stands. Knows no text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.versions import get_age_key, parse_version
from protoc_gen_crd.schema.schema import TYPE, NamedType, Schema, ValidationRule
from protoc_gen_crd.schema.schema_encoder import encode_rule

_MAX_SMALL_FIELDS = 6  # fields of an object that is told where it stands
_STANDARD_FIELDS = ("apiVersion", "kind", "metadata")

VersionedSchemas = Mapping[str, Schema]  # by API version, oldest first
TypeKey = tuple[object, ...]


class TypeUse(Record):
    """A field that a type is used in: of a kind's object or of another type."""

    owner: TypeKey
    field: str


class DocumentedType:
    """An object type or an enum: how each API version has it, and where it is used."""

    def __init__(self, key: TypeKey, title: str) -> None:
        self.key = key
        self.title = title
        self.schemas: dict[str, Schema] = {}
        self.uses: dict[TypeUse, None] = {}
        self.paths: dict[tuple[str, str, str], None] = {}  # kind, version and path of every place

    @property
    def is_named(self) -> bool:
        """Check whether it is a message or an enum."""
        return self.key[0] == "named"

    @property
    def ordered_schemas(self) -> VersionedSchemas:
        """The schemas, oldest version first."""
        return {name: self.schemas[name] for name in sorted(self.schemas, key=get_age_key)}


def get_named_type(schema: Schema) -> NamedType | None:
    """The type with a name that a node is of; a node with fields that its type does not have is of none."""
    found: NamedType | None = (schema.facts or {}).get(TYPE)
    if found is None or found.schema is None:
        return None
    return found if found.schema.properties is schema.properties or not schema.properties else None


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


def collect_fields(editions: VersionedSchemas) -> dict[str, dict[str, Schema]]:
    """The fields of an object, with their schemas by version: those of the newest version first, in its order."""
    newest = list(editions.values())[::-1]
    names = dict.fromkeys(name for each in newest for name in each.properties)
    return {
        name: {version: each.properties[name] for version, each in editions.items() if name in each.properties}
        for name in names
    }


def is_small(schema: Schema) -> bool:
    """Check whether an unnamed object is documented inline: it has few fields, and none has fields of its own."""
    children = [unwrap_containers(child)[0] for child in schema.properties.values()]
    return len(children) <= _MAX_SMALL_FIELDS and not any(
        child.properties or get_named_type(child) for child in children
    )


class TypeIndex:
    """All types of a page."""

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
        """The types that have a section of their own, those with names by name, then the others as they come."""
        found = list(self._types.values())
        return sorted(found, key=lambda one: (not one.is_named, one.title if one.is_named else ""))

    def find_type(self, editions: VersionedSchemas) -> DocumentedType | None:
        """The type that the objects, or the enum, of a field are of; None where it has no section."""
        key = self._make_key({version: unwrap_containers(schema)[0] for version, schema in editions.items()})
        return self._types.get(key) if key else None

    def _walk_fields(self, owner: DocumentedType, editions: VersionedSchemas, kind: str, path: str, title: str) -> None:
        """Go through the fields of an object. Without places every schema of a type is gone through once."""
        for name, fields in collect_fields(editions).items():
            if owner.key[0] == "kind" and name in _STANDARD_FIELDS:
                continue
            held = {version: unwrap_containers(schema) for version, schema in fields.items()}
            objects = {version: schema for version, (schema, _) in held.items()}
            steps = max((step for _, step in held.values()), key=len)
            where = f"{path}.{name}" if path else name
            self._add_type(owner, name, objects, kind, where + steps, f"{title}.{name}{steps}")

    def _add_type(
        self, owner: DocumentedType, name: str, objects: VersionedSchemas, kind: str, path: str, title: str
    ) -> None:
        known = {version: one for version, schema in objects.items() if (one := get_named_type(schema)) and one.schema}
        if len(known) == len(objects) and all(one.name.rpartition(".")[2] != owner.title for one in known.values()):
            objects = {version: one.schema or objects[version] for version, one in known.items()}
        key = self._make_key(objects)
        if key is None:
            if any(schema.properties for schema in objects.values()):
                self._walk_fields(owner, objects, kind, path, title)
            return
        found = self._types.get(key)
        if found is None:
            found = self._types[key] = DocumentedType(key, str(key[1]) if key[0] == "named" else title)
        found.uses[TypeUse(owner.key, name)] = None
        fresh = {v: s for v, s in objects.items() if (key, v, id(s)) not in self._seen}
        self._seen |= {(key, version, id(schema)) for version, schema in fresh.items()}
        for version, schema in objects.items():
            found.schemas.setdefault(version, schema)
            found.paths[kind, version, path] = None
        if any(schema.properties for schema in objects.values()) and (self._places or fresh):
            self._walk_fields(found, objects, kind, path, found.title)

    def _make_key(self, objects: VersionedSchemas) -> TypeKey | None:
        """What makes two nodes the same type; None for what has no section."""
        types = {version: get_named_type(schema) for version, schema in objects.items()}
        names = {_strip_version(one.name) for one in types.values() if one}
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
        for version, one in types.items():
            if self._type_names.setdefault((name, version), one.name) != one.name:
                return "named", one.name
        return "named", name

    def _number_schema(self, schema: Schema) -> int:
        """A number that nodes share which are the same but for what is said of them themselves."""
        known = self._numbers.get(id(schema))
        if known is None:
            held = tuple(
                (keyword, self._encode_value(value))
                for keyword, value in sorted(schema.keywords.items())
                if keyword != "description"
            )
            known = self._numbers[id(schema)] = self._schema_numbers.setdefault(held, len(self._schema_numbers))
        return known

    def _encode_value(self, value: object) -> object:
        """A value of a keyword as something to be compared."""
        if isinstance(value, Schema):
            return self._number_schema(value), value.get("description")
        if isinstance(value, ValidationRule):
            return tuple(sorted(encode_rule(value).items()))
        if isinstance(value, dict):
            return tuple([(name, self._encode_value(each)) for name, each in sorted(value.items())])
        if isinstance(value, list | tuple):
            return tuple([self._encode_value(each) for each in value])
        return type(value).__name__, value


def _strip_version(name: str) -> str:
    """A full name less the part of its package that is an API version."""
    return ".".join(part for part in name.split(".") if parse_version(part) is None)


def make_titles(types: Sequence[DocumentedType], kinds: Sequence[DocumentedType]) -> dict[TypeKey, str]:
    """A title for each: of a type with a name what follows its package, or all of it where others are called the same.

    A type that is called like the kind whose spec it is has the title of a place: `Widget.spec`.
    """
    known = {kind.key: kind.title for kind in kinds}
    shorts = {
        one.key: _make_place_title(one, known) or _strip_package(one.title) if one.is_named else one.title
        for one in types
    }
    used = Counter(title.lower() for title in (*known.values(), *shorts.values()))
    return known | {one.key: shorts[one.key] if used[shorts[one.key].lower()] == 1 else one.title for one in types}


def _make_place_title(one: DocumentedType, kinds: Mapping[TypeKey, str]) -> str:
    use = next(iter(one.uses), None)
    kind = kinds.get(use.owner, "") if use else ""
    return f"{kind}.{use.field}" if use and kind == _strip_package(one.title) else ""


def _strip_package(name: str) -> str:
    """What follows the package: from the first part on that is written as a type."""
    parts = name.split(".")
    at = next((index for index, part in enumerate(parts) if part[:1].isupper()), len(parts) - 1)
    return ".".join(parts[at:])
