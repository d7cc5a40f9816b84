"""Pairs of versions whose fields are equal or declared to have no counterpart, one by one.

Most versions only add and remove fields. What converts between two of them follows from the fields alone, without a
plan of the pair.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.checks.conversion_data_checks import find_secret
from protoc_gen_crd.conversion.derivation.conversion_options import (
    get_declarations,
    has_plurals,
    iterate_declarations,
)
from protoc_gen_crd.conversion.derivation.endpoints import COMMON_FIELDS
from protoc_gen_crd.conversion.derivation.schema_compatibility import (
    CONTAINER_SHAPES,
    OBJECT,
    OPAQUE,
    get_shape,
    is_same_structure,
)
from protoc_gen_crd.schema.schema import PRESERVE, Schema

_ABSENCES = ({"preserved": True}, {"dropped": True})


class _Fields(Record):
    """The fields of an object: all with the identities of their schemas, all names, and those that may be absent."""

    nodes: frozenset[tuple[str, int]]
    names: frozenset[str]
    optional: frozenset[str]
    required: frozenset[str]


class IndependentFields:
    """Finds the pairs of versions whose conversion copies or keeps each field by itself, without errors.

    Shortcut independent-fields: two versions share the nodes that are equal, and such fields are copied. Every other
    field is declared to be kept or dropped, wherever it has no counterpart, is neither required nor secret, and is in
    an object that both versions have, with the same required fields and no unknown ones. No step writes to a field of
    another one, so none of the checks of a pair has an error to report.
    """

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        """Take the schemas of the versions of a kind without rules."""
        self._schemas, self._roots = schemas, {id(schema): schema for schema in schemas.values()}
        self._fields: dict[int, _Fields | None] = {}
        self._has_only_absences = all(map(_has_only_absences, self._roots.values()))

    def are_independent(self, one: str, other: str) -> bool:
        """Return True if the fields of two versions convert one by one, without errors."""
        return self._has_only_absences and self._have_independent_fields(self._schemas[one], self._schemas[other])

    def _have_independent_fields(self, one: Schema, other: Schema) -> bool:
        stack = [(one, other)]
        while stack:
            pair = stack.pop()
            fields, other_fields = map(self._get_fields, pair)
            if fields is None or other_fields is None or fields.required != other_fields.required:
                return False
            here, there = fields.names - other_fields.names, other_fields.names - fields.names
            if not (here <= fields.optional and there <= other_fields.optional):
                return False
            different = fields.nodes - other_fields.nodes
            if len(different) > len(here):
                common = map(itemgetter(0), different)
                children = [(pair[0].properties[name], pair[1].properties[name]) for name in common if name not in here]
                stack += [ends for ends in children if not _are_equal_scalars(*ends)]
        return True

    def _get_fields(self, node: Schema) -> _Fields | None:
        """Return the fields of an object; None if it may be null or have other fields, and for other values."""
        if id(node) not in self._fields:
            is_plain = get_shape(node) == OBJECT and not node.get(PRESERVE) and not node.get("nullable")
            self._fields[id(node)] = _collect_fields(node, is_root=id(node) in self._roots) if is_plain else None
        return self._fields[id(node)]


def _collect_fields(node: Schema, *, is_root: bool) -> _Fields:
    fields = {name: child for name, child in node.properties.items() if not (is_root and name in COMMON_FIELDS)}
    required = frozenset(node.get("required") or ())
    optional = {name for name, child in fields.items() if name not in required and _may_be_absent(child)}
    nodes = frozenset([(name, id(child)) for name, child in fields.items()])
    return _Fields(nodes, frozenset(fields), frozenset(optional), required)


def _has_only_absences(schema: Schema) -> bool:
    """Return True if the declarations of a version say no more than that fields have no counterpart."""
    return not has_plurals(schema) and all(
        declaration.values in _ABSENCES for declaration in iterate_declarations(schema)
    )


def _may_be_absent(field: Schema) -> bool:
    """Return True if a field is declared to have no counterpart, and its values may be in an annotation."""
    return len(get_declarations(field)) == 1 and find_secret(field, (), Schema({})) is None


def _are_equal_scalars(one: Schema, other: Schema) -> bool:
    return get_shape(one) not in (*CONTAINER_SHAPES, OPAQUE) and is_same_structure(one, other)
