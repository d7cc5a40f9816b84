"""Messages and fields for the schemas of a CRD. Equal schemas become one message."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from protoc_gen_crd.importer.description_comments import make_comment
from protoc_gen_crd.importer.identifiers import (
    is_identifier,
    is_json_name,
    make_field_name,
    make_type_name,
    make_unique_type,
)
from protoc_gen_crd.importer.keyword_options import make_options
from protoc_gen_crd.importer.proto_declarations import (
    EnumDeclaration,
    EnumValueDeclaration,
    FieldDeclaration,
    MessageDeclaration,
)
from protoc_gen_crd.importer.proto_types import (
    LIST,
    STRUCT,
    VALUE,
    ProtoType,
    choose_type,
    find_metadata_type,
    find_type_name,
    get_type,
)
from protoc_gen_crd.importer.structure_keys import StructureKeys

Json = dict[str, Any]
_OF_FIELDS = frozenset(["description", "default", "nullable", "example", "title"])  # keywords of a use of a type
_OF_OBJECTS = ("apiVersion", "kind", "metadata")  # fields of the root whose comments are not descriptions
_OF_MESSAGES = ("properties", "required")
_OF_MAPS = ("additionalProperties",)
_OBJECT = {"type": "object"}
_DEPRECATED = "Deprecated:"


class SchemaImporter:
    """Imports the schemas of one file. `messages` are the declared messages; the first is the resource."""

    def __init__(self, keys: StructureKeys, prefix: str, raw: Collection[str]) -> None:
        self.messages: list[MessageDeclaration] = []
        self._prefix = prefix  # "." if names of imported packages need it
        self._keys = keys
        self.raw = raw  # keywords without an option of their own, as in `make_options`
        self._names: dict[tuple[int, str], str] = {}  # by structure and description
        self._described: dict[int, str] = {}  # by structure, for fields with a description
        self._taken: set[str] = set()

    def add_message(self, schema: Json, name: str, resource: Mapping[str, Any]) -> MessageDeclaration:
        """Return the message of a resource with all messages that it refers to."""
        self._taken.add(name)
        message = self._declare(schema, name, ())
        return message.replace(resource=resource, messages=self.messages)

    def _declare(self, schema: Json, name: str, around: tuple[str, ...]) -> MessageDeclaration:
        description = schema.get("description", "")
        comment = () if _DEPRECATED in description else make_comment(description)
        own = {key: value for key, value in schema.items() if key not in _OF_FIELDS}
        options = make_options(own, _OBJECT, "MESSAGE", _OF_MESSAGES, self.raw)
        properties = schema.get("properties") or {}
        required = [key for key in schema.get("required") or () if key in properties]
        if len(required) < len(schema.get("required") or ()):
            options = _add_keywords(options, {"required": schema["required"]})
        if description and not comment:
            options["description"] = description
        scope = _Scope(properties)
        fields = [
            self._declare_field(key, child, scope, (*around, name), required=key in required)
            for key, child in properties.items()
        ]
        return MessageDeclaration(name, comment, options, fields, scope.enums)

    def _declare_field(
        self, json_name: str, schema: Json, scope: _Scope, around: tuple[str, ...], *, required: bool
    ) -> FieldDeclaration:
        name, derived = scope.names[json_name]
        is_root = not around[1:]
        use = _Use(self, json_name, scope, around)
        type_name, repeated, options = use.resolve_field(schema)
        description = schema.get("description", "")
        comment = make_comment(description) if description and not (is_root and json_name in _OF_OBJECTS) else ()
        if description and not comment:
            options = {"description": description, **options}
        if required:
            options = {"required": True, **options}
        return FieldDeclaration(name, type_name, repeated, "" if derived == json_name else json_name, comment, options)

    def refer_to_message(
        self, schema: Json, hint: str, around: tuple[str, ...], description: str, *, is_described: bool
    ) -> str:
        """Return the name of the message of a schema, which is declared if it is new.

        Args:
            schema: The schema.
            hint: The JSON name of the property.
            around: The names of the messages around it.
            description: The description of the message.
            is_described: The field has a description, which replaces that of any message.
        """
        key = self._keys.get_key({name: value for name, value in schema.items() if name not in _OF_FIELDS})
        name = self._names.get((key, description))
        if name is None and is_described:
            name = self._described.get(key)
        if name is not None:
            return name
        own = find_type_name(schema.get("properties") or ()) or make_type_name(hint)
        name = self._names[key, description] = make_unique_type(_list_type_names(own, around), self._taken)
        self._described.setdefault(key, name)
        at = len(self.messages)
        plain = {key: value for key, value in schema.items() if key != "description"}
        declared = self._declare({**plain, "description": description} if description else plain, name, around)
        self.messages.insert(at, declared)
        return name

    def refer_to_type(self, proto_type: ProtoType) -> str:
        """Return the name of a scalar or imported type."""
        return f"{self._prefix if proto_type.file else ''}{proto_type.name}"

    def take_enum_name(self, json_name: str, around: tuple[str, ...]) -> str:
        """Return a name for an enum, which no message has."""
        own = make_type_name(json_name)
        return make_unique_type([own, f"{around[-1]}{own}"], self._taken)


def _list_type_names(name: str, around: tuple[str, ...]) -> Iterator[str]:
    """Yield a name, then the same name behind more and more of the messages around it."""
    yield name
    for at in range(len(around) - 1, 0, -1):
        yield "".join([*around[at:], name])


class _Scope:
    """The names in a message: its fields, by JSON name with the JSON name that protoc derives, and its enums."""

    def __init__(self, properties: Mapping[str, Json]) -> None:
        from protoc_gen_crd.proto.json_names import make_json_name  # noqa: PLC0415

        taken: set[str] = set()
        fields = {key: make_field_name(key, taken) for key in properties}
        self.names = {key: (name, make_json_name(name)) for key, name in fields.items()}
        self.enums: list[EnumDeclaration] = []
        self._symbols = {name for name, _ in self.names.values()}

    def add_enum(self, name: str, values: tuple[str, ...]) -> bool:
        """Add an enum if its values are proto identifiers that are not used in the message."""
        folded = {value.lower().replace("_", "") for value in values}
        prefix = name.lower()
        short = {value.removeprefix(prefix) or value for value in folded}
        if not values or len(folded) < len(values) or len(short) < len(values):
            return False
        if not all(map(is_identifier, values)) or self._symbols.intersection((*values, name)):
            return False
        self._symbols.update((*values, name))
        self.enums.append(EnumDeclaration(name, tuple([EnumValueDeclaration(value, {}) for value in values])))
        return True

    def find_enum(self, values: tuple[str, ...]) -> str:
        """Return the enum with these values; else empty."""
        return next((enum.name for enum in self.enums if tuple([value.name for value in enum.values]) == values), "")


class _Use:
    """A property whose type is resolved."""

    def __init__(self, importer: SchemaImporter, json_name: str, scope: _Scope, around: tuple[str, ...]) -> None:
        self._importer = importer
        self._json_name = json_name
        self._scope = scope
        self._around = around

    def resolve_field(self, schema: Json) -> tuple[str, bool, Json]:
        """Return the type of a property, whether it is repeated, and its options."""
        own = {key: value for key, value in schema.items() if key != "description"}
        raw = self._importer.raw
        if _is_list(schema):
            name, options = self._resolve_element(schema["items"], "items")
            return name, True, {**make_options(own, {"type": "array"}, "FIELD", ["items"], raw), **options}
        if _is_map(schema):
            name, options = self._resolve_element(schema["additionalProperties"], "values")
            return f"map<string, {name}>", False, {**make_options(own, _OBJECT, "FIELD", _OF_MAPS, raw), **options}
        name, base = self._choose(schema, "")
        return name, False, make_options(own, base, "FIELD", (), raw)

    def _resolve_element(self, schema: Json, step: str) -> tuple[str, Json]:
        """Return the type of an item or a value, and the options of the field for it."""
        name, base = self._choose(schema, step)
        own = dict(schema)
        if base.get("properties") is not None:
            own.pop("description", None)  # the comment of the message
        options = make_options(own, base, "", (), self._importer.raw)
        return name, {step: options} if options else {}

    def _choose(self, schema: Json, step: str) -> tuple[str, Mapping[str, Any]]:
        """Return the type of a single value and its keywords."""
        is_nested = not step and len(self._around) > 1
        if is_nested and (metadata := find_metadata_type(self._json_name, schema.keys() - _OF_FIELDS)):
            return self._importer.refer_to_type(metadata), metadata.keywords
        if _is_message(schema):
            description = schema.get("description", "")
            name = self._importer.refer_to_message(
                schema,
                self._json_name,
                self._around,
                description if step else "",
                is_described=bool(description and not step),
            )
            return name, {"properties": {}, **{key: value for key, value in schema.items() if key not in _OF_FIELDS}}
        if enum := self._choose_enum(schema):
            return enum, {"type": "string", "enum": schema["enum"]}
        proto_type = choose_type(schema) if not schema.keys() & _WITH_CHILDREN else get_type(_get_container(schema))
        return self._importer.refer_to_type(proto_type), proto_type.keywords

    def _choose_enum(self, schema: Json) -> str:
        values = schema.get("enum")
        if schema.get("type") != "string" or not values or not all(isinstance(value, str) for value in values):
            return ""
        if schema.get("format") or schema.get("nullable"):
            return ""
        enum = self._scope.find_enum(tuple(values))
        if enum:
            return enum
        name = self._importer.take_enum_name(self._json_name, self._around)
        return name if self._scope.add_enum(name, tuple(values)) else ""


_WITH_CHILDREN = frozenset(["items", "additionalProperties", "properties"])


def _get_container(schema: Json) -> str:
    """Return the type for a schema whose children no message can express."""
    return {"array": LIST, "object": STRUCT}.get(schema.get("type", ""), VALUE)


def _is_list(schema: Json) -> bool:
    return schema.get("type") == "array" and isinstance(schema.get("items"), dict)


def _is_map(schema: Json) -> bool:
    return (
        schema.get("type") == "object"
        and isinstance(schema.get("additionalProperties"), dict)
        and not schema.get("properties")
    )


def _is_message(schema: Json) -> bool:
    """Return whether a schema is an object with properties that fields can have, or one without any fields."""
    if schema.get("type") != "object" or isinstance(schema.get("additionalProperties"), dict):
        return False
    if not all(map(is_json_name, schema.get("properties") or ())):
        return False
    return "properties" in schema or not schema.get("x-kubernetes-preserve-unknown-fields")


def _add_keywords(options: Json, added: Json) -> Json:
    import json  # noqa: PLC0415 - few messages need it

    keywords = {**json.loads(options.get("keywords", "{}")), **added}
    return {**options, "keywords": json.dumps(keywords, ensure_ascii=False, sort_keys=True)}
