"""Differences between a version and the storage version, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.bounded_json import format_json
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.schemas.implicit_fields import add_implicit_fields, list_present_fields
from protoc_gen_crd.comparison.schemas.node_pair import ITEM, PROPERTY, VALUE, NodePair
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.schema.schema import INT_OR_STRING, PRESERVE, Schema
from protoc_gen_crd.schema.schema_encoder import EncodedSchemas, encode

if TYPE_CHECKING:
    from protoc_gen_crd.comparison.schemas.schema_numbers import SchemaNumbers

# Kinds of differences other than the value of a keyword.
DEMANDED, READ, SHAPE, UNKNOWN, WRITTEN = "demanded", "read", "shape", "unknown", "written"
_EACH = {"items": "[]", "additionalProperties": "{}"}
_INT_OR_STRING = "integer or string"
_DOCUMENTATION = frozenset(("description", "title", "example", "externalDocs"))
_WALKED = frozenset(("properties", "items", "additionalProperties", "required", "type", INT_OR_STRING, PRESERVE))
# Types of which one accepts all values of the other.
_NESTED = frozenset(map(frozenset, (("integer", "number"), ("integer", _INT_OR_STRING), ("string", _INT_OR_STRING))))
# Keywords that are not compared if the fields differ.
_FIELD_KEYWORDS = _WALKED | {"allOf", "oneOf"}


class VersionDifference(Record):
    """A difference at a path: `kind` is a key of _MESSAGES or a keyword, `values` are of the version and of storage."""

    kind: str
    path: str
    at: Place | None
    values: tuple[str, str] = ("", "")


def report_differences(crd: Crd, versions: Sequence[CrdVersion], storage: CrdVersion, problems: Problems) -> None:
    """Report differences between versions of a kind and its storage version, each once."""
    from protoc_gen_crd.kubernetes.version_phrases import format_versions  # noqa: PLC0415 - not for the comparison of two APIs

    versions_by_difference: dict[object, tuple[VersionDifference, list[str]]] = {}
    for version in versions:
        for difference in find_differences(version, storage.schema or Schema({})):
            key = difference.kind, difference.path, difference.values
            versions_by_difference.setdefault(key, (difference, []))[1].append(version.name)
    names = [version.name for version in crd.versions]
    for difference, own_names in versions_by_difference.values():
        _report(crd, difference, format_versions(own_names, names), storage.name, problems)


def find_differences(
    version: CrdVersion, storage: Schema, numbers: SchemaNumbers | None = None
) -> Iterator[VersionDifference]:
    """Yield the differences between a version and the storage version, each pair of schemas once.

    With `numbers`, equal schemas are not compared field by field, except where Go types add fields.
    """
    visited: set[tuple[int, int, bool]] = set()
    stack = [NodePair(version.schema or storage, storage)]
    while stack:
        written = stack.pop()
        if written.old is written.new:
            continue
        pair = add_implicit_fields(written)
        if numbers is not None and pair is written and numbers.are_equal(pair.old, pair.new):
            continue
        key = id(written.old), id(written.new), pair is written
        if key in visited:
            continue
        visited.add(key)
        path, own, stored = pair.path, pair.old, pair.new
        if _describe_shape(own) != _describe_shape(stored):
            shapes = _describe_shape(own), _describe_shape(stored)
            yield VersionDifference("type" if frozenset(shapes) in _NESTED else SHAPE, path, own.origin, shapes)
            continue
        unshared = list(_find_unshared_fields(path, own, stored))
        yield from unshared
        yield from _find_required_differences(pair)
        yield from _find_constraint_differences(
            path, own, stored, _DOCUMENTATION | (_FIELD_KEYWORDS if unshared else _WALKED)
        )
        stack += reversed(list(_pair_children(pair)))


def _describe_shape(schema: Schema) -> str:
    """Describe the type of values, with maps distinguished from objects."""
    if schema.get(INT_OR_STRING):
        return _INT_OR_STRING
    type_name = schema.type or "any type"
    return "map" if type_name == "object" and isinstance(schema.additional, Schema) else type_name


def _find_unshared_fields(path: str, own: Schema, stored: Schema) -> Iterator[VersionDifference]:
    """Yield the fields that one of the two schemas prunes, and differences in pruning of unknown fields."""
    for name, child in own.properties.items():
        if name not in stored.properties and not _is_preserving(stored):
            kind = DEMANDED if name in (own.get("required") or ()) else WRITTEN
            yield VersionDifference(kind, _append_step(path, name), child.origin)
    for name, child in stored.properties.items():
        if name not in own.properties and not _is_preserving(own):
            yield VersionDifference(READ, _append_step(path, name), child.origin)
    if _is_preserving(own) != _is_preserving(stored):
        yield VersionDifference(
            UNKNOWN, path, own.get_place(PRESERVE), (_describe_unknown_fields(own), _describe_unknown_fields(stored))
        )


def _is_preserving(schema: Schema) -> bool:
    """Report whether unknown fields are preserved."""
    return bool(schema.get(PRESERVE))


def _describe_unknown_fields(schema: Schema) -> str:
    return "preserved" if _is_preserving(schema) else "pruned"


def _find_required_differences(pair: NodePair) -> Iterator[VersionDifference]:
    """Yield the fields of both schemas that only one of them requires."""
    own, stored = pair.old, pair.new
    names = {*(own.get("required") or ())} ^ {*(stored.get("required") or ())}
    if not names:
        return
    for name in sorted(names - list_present_fields(pair)):
        if name in own.properties and name in stored.properties:
            values = ["required" if name in (schema.get("required") or ()) else "optional" for schema in (own, stored)]
            yield VersionDifference(
                "required", _append_step(pair.path, name), own.properties[name].origin, (values[0], values[1])
            )


def _find_constraint_differences(
    path: str, own: Schema, stored: Schema, excluded: frozenset[str]
) -> Iterator[VersionDifference]:
    """Yield keywords with different values, with which one version rejects objects that the other has accepted."""
    for keyword in sorted({*own.keywords, *stored.keywords} - excluded):
        if own.get(keyword) == stored.get(keyword):
            continue
        own_value, stored_value = _encode_keyword(own, keyword), _encode_keyword(stored, keyword)
        if own_value != stored_value:
            mark = (own.marks or {}).get(keyword) or (stored.marks or {}).get(keyword)
            values = _format_value(own_value), _format_value(stored_value)
            yield VersionDifference(keyword, path, mark or own.origin, values)


def _encode_keyword(schema: Schema, keyword: str) -> Any:
    """Return the value of a keyword as plain data, without places; None if it is absent or empty."""
    value = schema.get(keyword)
    return None if value in (None, [], ()) else encode(Schema({keyword: value}), EncodedSchemas())[keyword]


def _format_value(value: Any) -> str:
    return "not set" if value is None else format_json(value)


def _pair_children(pair: NodePair) -> Iterator[NodePair]:
    for name, child in pair.old.properties.items():
        if name in pair.new.properties:
            path = _append_step(pair.path, name)
            yield NodePair(child, pair.new.properties[name], path, PROPERTY, pair, name)
    for keyword, position in (("items", ITEM), ("additionalProperties", VALUE)):
        child, other = pair.old.get(keyword), pair.new.get(keyword)
        if isinstance(child, Schema) and isinstance(other, Schema):
            yield NodePair(child, other, pair.path + _EACH[keyword], position, pair)


def _append_step(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


_LOSS, _REQUIRED, _DIFFERS = "version-loss", "version-required", "version-differs"
DIFFERENCE_RULES = frozenset((_LOSS, _REQUIRED, _DIFFERS))
_MESSAGES = {
    READ: (_LOSS, """
        "{path}" of the storage version {storage} is missing in {versions}: clients of {versions} do not see it, and
        every update by them removes it"""),
    DEMANDED: (_REQUIRED, """
        "{path}" is required in {versions} but missing in the storage version {storage}: objects are stored without
        it and are then invalid in {versions}"""),
    SHAPE: (_LOSS, """
        "{path}" has type {own} in {versions} but {stored} in the storage version {storage}: neither version reads
        what the other writes"""),
    UNKNOWN: (_LOSS, """
        unknown fields of "{path}" are {own} by {versions} but {stored} by the storage version {storage}"""),
    WRITTEN: (_LOSS, """
        "{path}" of {versions} is missing in the storage version {storage}: it is dropped when an object is
        stored"""),
}  # fmt: skip
_KEYWORD_DIFFERS = (_DIFFERS, """
    "{kind}" of "{path}" is {own} in {versions} but {stored} in the storage version {storage}""")  # fmt: skip
_HINT = """\
declare a conversion, serve only one of the versions, or accept the finding in the settings file with "path: {path}" \
and a reason"""


def get_rule(difference: VersionDifference) -> str:
    """Return the id of the rule that reports a difference."""
    return _MESSAGES.get(difference.kind, _KEYWORD_DIFFERS)[0]


def find_element_path(crd: Crd, difference: VersionDifference) -> str:
    """Return the path of the proto element with a difference, for entries of the severity policy."""
    at = difference.at or crd.origin
    return (at.find_owner() if at else "") or crd.name


def _report(crd: Crd, difference: VersionDifference, versions: str, storage: str, problems: Problems) -> None:
    rule, message = _MESSAGES.get(difference.kind, _KEYWORD_DIFFERS)
    own, stored = difference.values
    at = difference.at or crd.origin
    problem = " ".join(message.split()).format(
        kind=difference.kind, path=difference.path, versions=versions, storage=storage, own=own, stored=stored
    )
    path = find_element_path(crd, difference)
    problems.report(rule, problem, at, path=path, hint=_HINT.format(path=path))
