"""Places of the members of imported CRDs in their files."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.importer.identifiers import make_field_name, make_type_name
from protoc_gen_crd.schema.go_type_decoder import DocumentPlace, Path
from protoc_gen_crd.schema.schema import Schema

_VERSIONS = ("spec", "versions")
_SORTED = "required"  # the order of its items differs in a normalized manifest


def locate_key(crd: Crd, path: Path) -> Place | None:
    """Return the place of the key of a member, or of its nearest parent that exists.

    Args:
        crd: The CRD.
        path: The path of the member in the normalized manifest, where the versions have names instead of indexes.
    """
    place = crd.origin
    if not isinstance(place, DocumentPlace):
        return place
    for step in _find_steps(crd, path):
        place = place.append(step)
    return place.get_key()


def _find_steps(crd: Crd, path: Path) -> Path:
    """Return the path of a member in the manifest as written."""
    if path[:2] == _VERSIONS and len(path) > len(_VERSIONS):
        names = [version.name for version in crd.versions]
        path = (*_VERSIONS, names.index(str(path[2])), *path[3:]) if path[2] in names else _VERSIONS
    return path[:-1] if path[-2:-1] == (_SORTED,) and isinstance(path[-1], int) else path


def locate_field(crd: Crd, name: str) -> Place | None:
    """Return the place of the property of a field of a generated file; that of the CRD if it is ambiguous.

    Args:
        crd: The CRD.
        name: The full name of the field.
    """
    message, _, field = name.rpartition(".")
    for version in crd.versions:
        root = (*_VERSIONS, version.name, "schema", "openAPIV3Schema")
        pairs = list(_iterate_properties(version.schema, root)) if version.schema else []
        paths = [(path, owner) for path, owner in pairs if make_field_name(str(path[-1]), set()) == field]
        if len(paths) > 1:
            paths = [(path, owner) for path, owner in paths if message.endswith(make_type_name(owner))]
        if paths:
            return locate_key(crd, paths[0][0]) if len(paths) == 1 else crd.origin
    return crd.origin


def _iterate_properties(schema: Schema, path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the path of each property, with the property whose objects have it, which is empty in the root."""
    stack = [(schema, path, "")]
    while stack:
        node, path, owner = stack.pop()
        for name, child in node.properties.items():
            yield (*path, "properties", name), owner
            stack.append((child, (*path, "properties", name), name))
        if node.items:
            stack.append((node.items, (*path, "items"), owner))
        if isinstance(node.additional, Schema):
            stack.append((node.additional, (*path, "additionalProperties"), owner))
