"""Conversion options of fields, read from the facts of schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import CONVERSION, PLURAL_OF, UNREADABLE, Schema, iterate_nodes

# Members that name the source of a value; members for no counterpart. All others change the value.
SOURCE_MEMBERS = ("renamed_from", "moved_from")
ABSENCE_MEMBERS = ("preserved", "dropped", "default")


class ConversionDeclaration(Record):
    """One declaration: members of the option `Conversion`, its place, and its element."""

    values: Mapping[str, Any]
    origin: Place
    owner: str = ""

    @property
    def named_versions(self) -> frozenset[str]:
        """The versions that it names."""
        return frozenset(self.values.get("versions") or ())

    @property
    def invalid_text(self) -> str:
        """The text of an unreadable option, which is already reported."""
        return str(self.values.get(UNREADABLE, ""))

    def is_applicable(self, own: str, version: str, other: Schema | None) -> bool:
        """Return True if the declaration applies between two versions. `other` is the field of the same name."""
        if self.named_versions:
            return version in self.named_versions and own not in self.named_versions
        if other is None:
            return True
        moved = any(name in self.values for name in (*SOURCE_MEMBERS, *ABSENCE_MEMBERS, "part", "join"))
        return not moved and all(declaration.values != self.values for declaration in get_declarations(other))


def get_declarations(schema: Schema) -> tuple[ConversionDeclaration, ...]:
    """The declarations of a field."""
    return tuple([ConversionDeclaration(*values) for values in (schema.facts or {}).get(CONVERSION, ())])


def get_plural_declaration(schema: Schema) -> ConversionDeclaration | None:
    """The declaration of a list that has a singular field beside it; `renamed_from` is the singular field."""
    fact = (schema.facts or {}).get(PLURAL_OF)
    return ConversionDeclaration({"renamed_from": fact[0]}, *fact[1:]) if fact else None


def get_plural_of(schema: Schema | None, singular: str) -> str:
    """Return the list of an object that is declared as the plural of a field; empty if there is none."""
    properties = schema.properties.items() if schema else ()
    lists = ((name, get_plural_declaration(field)) for name, field in properties)
    return next((name for name, plural in lists if plural and plural.values["renamed_from"] == singular), "")


def has_declarations(crd: Crd) -> bool:
    """Return True if a field of a CRD has conversion options, or some versions lack a list beside its singular."""
    schemas = [version.schema for version in crd.versions if version.schema]
    if not any(node.facts for node in iterate_nodes(schemas)):
        return False
    if any(True for schema in schemas for _ in iterate_declarations(schema)):
        return True
    plurals = [
        {path for path, node in _iterate_fields(schema) if PLURAL_OF in (node.facts or ())} for schema in schemas
    ]
    return any(plural != plurals[0] for plural in plurals)


def has_plurals(schema: Schema) -> bool:
    """Return True if an object has a list beside its singular."""
    return any(node.facts and PLURAL_OF in node.facts for node in _iterate_nodes([schema]))


def iterate_declarations(schema: Schema) -> Iterator[ConversionDeclaration]:
    """All declarations below a schema, those of a shared node once."""
    for node in _iterate_nodes([schema]):
        yield from get_declarations(node)


def _iterate_nodes(schemas: Sequence[Schema]) -> Iterator[Schema]:
    """All nodes of schemas, shared ones once."""
    seen: set[int] = set()
    stack = [*schemas]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        below = [node.items, node.additional, *node.properties.values()]
        stack += [child for child in below if isinstance(child, Schema)]


def iterate_field_declarations(root: Schema) -> Iterator[tuple[Path, ConversionDeclaration]]:
    """All declarations below a schema, with the paths of their fields."""
    for path, schema in _iterate_fields(root):
        yield from ((path, declaration) for declaration in get_declarations(schema))


def _iterate_fields(root: Schema) -> Iterator[tuple[Path, Schema]]:
    """All fields, items and values below a schema, with their paths."""
    stack: list[tuple[Path, Schema]] = [((), root)]
    while stack:
        path, schema = stack.pop()
        yield path, schema
        below = {ITEM: schema.items, VALUE: schema.additional, **schema.properties}
        stack += [((*path, step), child) for step, child in below.items() if isinstance(child, Schema)]
