"""The comparison of the unknown fields of CRDs, which API servers drop."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.schemas.keyword_order import to_key
from protoc_gen_crd.crd.crd import Crd, CrdVersion, UnknownField
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.go_type_decoder import Path, format_path
from protoc_gen_crd.schema.schema import Schema

_SCHEMA = ("schema", "openAPIV3Schema")
_VERSIONS = ("spec", "versions")
_NOTHING: tuple[Place | None, UnknownField | None] = (None, None)


class UnknownFieldPair(Record):
    """An unknown field that differs: the version and the path of its schema node, its name there, and both fields.

    `version` is empty for a field outside of versions, `path` for one outside of schemas and at the root of a schema.
    `place` is that of the field in the new CRD, or of what was around it.
    """

    version: str
    path: str
    name: str
    old: UnknownField | None
    new: UnknownField | None
    place: Place | None


class _Owner(Record):
    """The part of a CRD that has an unknown field, and the place of the same part in the other CRD."""

    version: str
    path: str
    other_place: Place | None


def compare_unknown_fields(old: Crd, new: Crd) -> Iterator[UnknownFieldPair]:
    """Yield the unknown fields that differ, except those of the status, and of versions and nodes of one side only.

    An API server stores only fields that it knows, perhaps because it is newer than this tool. A manifest does not
    remove what only the CRD of the server has.
    """
    is_installed = [_is_installed(crd) for crd in (old, new)]
    before, after = dict(_list_fields(old, new)), dict(_list_fields(new, old))
    for key in dict.fromkeys((*after, *before)):
        (_, old_field), (_, new_field) = pair = before.get(key, _NOTHING), after.get(key, _NOTHING)
        if [old_field is not None, new_field is not None] == is_installed != [True, True]:
            continue
        if old_field is None or new_field is None or to_key(old_field.value) != to_key(new_field.value):
            place = new_field.origin if new_field else pair[0][0]
            yield UnknownFieldPair(*key, old_field, new_field, place)


def _is_installed(crd: Crd) -> bool:
    """Return whether a CRD was read from an API server, which sets the stored versions."""
    return bool((crd.status or {}).get("storedVersions"))


def _list_fields(crd: Crd, other: Crd) -> Iterator[tuple[tuple[str, str, str], tuple[Place | None, UnknownField]]]:
    """Yield version, path and name of the unknown fields of a CRD, with the place in the other CRD, and the field."""
    for field in crd.unknown_fields:
        if field.path[:2] == _VERSIONS and len(field.path) > len(_VERSIONS) + 1:
            version = crd.versions[int(field.path[2])]
            others = [candidate for candidate in other.versions if candidate.name == version.name]
            found = _find_owner(version, others[0], field.path[3:]) if others else None
        else:
            found = None if field.path[0] == "status" else (_Owner("", "", other.origin), field.path)
        if found:
            owner, name = found
            yield (owner.version, owner.path, format_path(name)), (owner.other_place, field)


def _find_owner(version: CrdVersion, other: CrdVersion, steps: Path) -> tuple[_Owner, Path] | None:
    """Return the owner of a field of a version, and the rest of its path; None if the other version lacks the node."""
    if steps[:2] != _SCHEMA or len(steps) == len(_SCHEMA) or version.schema is None:
        return _Owner(version.name, "", other.origin), steps
    path, node, other_node, steps = "", version.schema, other.schema, steps[2:]
    while other_node is not None and (child := _get_child(node, steps)):
        other_child = _get_child(other_node, steps)
        node, step, count = child
        other_node = other_child[0] if other_child else None
        path, steps = f"{path}{step}" if path else step.lstrip("."), steps[count:]
    return None if other_node is None else (_Owner(version.name, path, other_node.origin), steps)


def _get_child(node: Schema, steps: Path) -> tuple[Schema, str, int] | None:
    """Return the child that the next steps lead to, its step in paths of fields, and the number of the steps."""
    if steps[0] == "properties" and len(steps) > 1 and (child := node.properties.get(str(steps[1]))):
        return child, f".{steps[1]}", 2
    if steps[0] == "items" and node.items:
        return node.items, "[]", 1
    if steps[0] == "additionalProperties" and isinstance(node.additional, Schema):
        return node.additional, "{}", 1
    return None
