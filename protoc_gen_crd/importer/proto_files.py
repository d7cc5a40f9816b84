"""Declarations of the .proto files of a CRD: one for each group of versions with equal schemas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.importer.identifiers import make_package, make_type_name
from protoc_gen_crd.importer.proto_declarations import FileDeclaration, MessageDeclaration
from protoc_gen_crd.importer.resource_options import make_resource_options
from protoc_gen_crd.importer.schema_importer import SchemaImporter
from protoc_gen_crd.importer.structure_keys import StructureKeys
from protoc_gen_crd.importer.version_merge import merge_versions
from protoc_gen_crd.kubernetes.api_version_order import get_priority_key

Json = dict[str, Any]
_ROOTS = frozenset(["google", "k8s", "protoc_gen_crd"])  # the first names of imported packages
_OF_ENTRIES = ("name", "served", "storage", "deprecated", "deprecationWarning")  # members that equal versions differ in
_METADATA = {"type": "object"}
_TYPE_META = {"type": "string"}


def declare_files(manifest: Json, raw: Collection[str] = (), *, merge: bool = True) -> Iterator[FileDeclaration]:
    """Yield the files of the manifest of a CRD.

    Args:
        manifest: The manifest.
        raw: Keywords that the option `keywords` sets even if they have their own option.
        merge: Whether versions that are alike become ranges of one message.
    """
    spec = manifest["spec"]
    prefix = "." if _ROOTS.intersection(make_package(spec["group"], "").split(".")) else ""
    for message in _merge_similar(list(_import_versions(manifest, prefix, raw)), merge=merge):
        package = make_package(spec["group"], message.versions[0])
        name = f"{package.replace('.', '/')}/{spec['names']['kind'].lower()}.proto"
        yield FileDeclaration(name, package, prefix, (message.declaration,))


class _KindMessage(Record):
    """The message of a kind for some versions, newest first. The versions are those of one schema, or `parts`."""

    versions: tuple[str, ...]
    declaration: MessageDeclaration
    parts: Mapping[str, MessageDeclaration]  # by version


def _import_versions(manifest: Json, prefix: str, raw: Collection[str]) -> Iterator[_KindMessage]:
    """Yield the messages of the different schemas of a CRD, newest first."""
    keys, spec = StructureKeys(), manifest["spec"]
    name = make_type_name(spec["names"]["kind"])
    for versions in _group_versions(spec["versions"], keys):
        importer = SchemaImporter(keys, prefix, raw)
        root = (spec["versions"][versions[0]].get("schema") or {}).get("openAPIV3Schema") or {}
        options = make_resource_options(manifest, versions, name)
        message = importer.add_message(_drop_implied(root), name, options)
        single = {
            version: message.replace(resource=make_resource_options(manifest, [version], name)) for version in versions
        }
        yield _KindMessage(tuple(versions), message, single)


def _merge_similar(messages: Sequence[_KindMessage], *, merge: bool) -> Iterator[_KindMessage]:
    """Yield the messages; subsequent ones that are alike are merged."""
    if not messages:
        return
    current = messages[0]
    for message in messages[1:]:
        parts = {**current.parts, **message.parts}
        if merge and (merged := merge_versions(parts)):
            versions = tuple(sorted(parts, key=get_priority_key))
            current = _KindMessage(versions, merged, parts)
        else:
            yield current
            current = message
    yield current


def _group_versions(versions: Mapping[str, Json], keys: StructureKeys) -> Iterable[list[str]]:
    """Return the names of versions, grouped by equal members, newest first."""
    groups: dict[int, list[str]] = {}
    for name in sorted(versions, key=get_priority_key):
        shared = {member: value for member, value in versions[name].items() if member not in _OF_ENTRIES}
        groups.setdefault(keys.get_key(shared), []).append(name)
    return groups.values()


def _drop_implied(root: Json) -> Json:
    """Return a root schema without the properties that the generator adds."""
    implied = {"apiVersion": _TYPE_META, "kind": _TYPE_META, "metadata": _METADATA}
    properties = {name: child for name, child in (root.get("properties") or {}).items() if implied.get(name) != child}
    return {**root, "properties": properties}
