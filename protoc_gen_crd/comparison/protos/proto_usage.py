"""The use of messages and enums by kinds, which decides who notices a change of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.comparison.protos.proto_summary import MESSAGE, ProtoSummary, get_json_name, get_type_name
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.schema.schema import FIELD, TYPE, Schema

_Reference = tuple[str, str, str]  # the JSON name of a field, the end of the path of its values, and their type


class KindUse(Record):
    """The use of a type by a kind (`group/Kind`): the versions that have it, and its first path.

    `members` are the JSON names of the fields, or the values of the enum, that the schema of each version shows; none
    for a type without a schema of its own, such as that of an opaque field. `is_stored` is false if objects cannot
    have the type, since it is the type of skipped fields.
    """

    kind: str
    versions: tuple[str, ...]
    path: str
    members: Mapping[str, Collection[str]] = {}
    is_stored: bool = True

    @property
    def is_shown(self) -> bool:
        """Whether a schema shows members of the type."""
        return any(self.members.values())

    def select_versions(self, member: str) -> tuple[str, ...]:
        """Return the versions that have a member; all versions for one that no version shows."""
        return tuple([name for name in self.versions if member in self.members.get(name, ())]) or self.versions

    def shows(self, member: str) -> bool:
        """Return whether the schema of a version shows a member."""
        return any(member in members for members in self.members.values())


def find_kind_uses(crds: Iterable[Crd], summary: ProtoSummary) -> Mapping[str, Sequence[KindUse]]:
    """Return the uses of types by kinds, by the full names of the types. Only generated CRDs have types."""
    uses = _find_shown_uses(crds)
    references = _list_references(summary)
    for is_stored in (True, False):
        _add_hidden_uses(uses, references, is_stored=is_stored)
    return {name: tuple(kinds.values()) for name, kinds in uses.items()}


def _find_shown_uses(crds: Iterable[Crd]) -> dict[str, dict[str, KindUse]]:
    """Return the uses of types that schemas show, by the names of types and kinds."""
    uses: dict[str, dict[str, KindUse]] = {}
    for crd in crds:
        kind = f"{crd.group}/{crd.names.kind}"
        for version in crd.versions:
            for name, path, node in _find_types(version.schema) if version.schema else ():
                kinds = uses.setdefault(name, {})
                use = kinds.setdefault(kind, KindUse(kind, (), path))
                members = {*node.properties, *map(str, node.get("enum") or ())}
                kinds[kind] = use.replace(
                    versions=(*use.versions, version.name), members={**use.members, version.name: members}
                )
    return uses


def _add_hidden_uses(
    uses: dict[str, dict[str, KindUse]], references: Mapping[str, Sequence[_Reference]], *, is_stored: bool
) -> None:
    """Add the uses of types without schemas of their own: those of fields that objects have, or all others."""
    queue = [(name, use) for name, kinds in uses.items() if name in references for use in kinds.values()]
    for owner, use in queue:  # grows
        for json_name, suffix, type_name in references.get(owner, ()):
            kinds = uses.setdefault(type_name, {})
            if use.kind not in kinds and not (is_stored and use.is_shown and not use.shows(json_name)):
                path = ".".join(filter(None, (use.path, json_name))) + suffix
                versions = use.select_versions(json_name)
                kinds[use.kind] = KindUse(use.kind, versions, path, is_stored=is_stored)
                queue.append((type_name, kinds[use.kind]))


def _list_references(summary: ProtoSummary) -> Mapping[str, Sequence[_Reference]]:
    """Return the fields of messages whose types the summary has, by the names of the messages."""
    references: dict[str, list[_Reference]] = {}
    for owner, proto_type in summary.types.items():
        for name, facts in proto_type.members.items() if proto_type.kind == MESSAGE else ():
            if (type_name := get_type_name(facts)) in summary.types:
                reference = get_json_name(name, facts), _get_suffix(facts["type"]), type_name
                references.setdefault(owner, []).append(reference)
    return references


def _get_suffix(field_type: str) -> str:
    """Return the end of the path of the items or values of a field."""
    return "[]" if field_type.startswith("repeated ") else "{}" if field_type.startswith("map<") else ""


def find_root_types(crds: Iterable[Crd]) -> Mapping[tuple[str, str], str]:
    """Return the full names of the messages of kinds by kind and version. Only generated CRDs have types."""
    roots = {key: names.get("", names.get("spec", "")) for key, names in _iterate_root_types(crds)}
    return {key: name for key, name in roots.items() if name}


def list_root_types(crds: Iterable[Crd]) -> Mapping[str, Mapping[str, str]]:
    """Return the full names of the messages of kinds (`group/Kind.version`) by the paths of their parts of objects.

    The message of a kind describes the whole object or its spec, and another one can describe its status.
    """
    return {f"{kind}.{version}": names for (kind, version), names in _iterate_root_types(crds) if names}


def _iterate_root_types(crds: Iterable[Crd]) -> Iterator[tuple[tuple[str, str], Mapping[str, str]]]:
    for crd in crds:
        for version in crd.versions:
            schema = version.schema or Schema({})
            parts = {name: child for name, child in schema.properties.items() if name in ("spec", "status")}
            facts = {path: node.facts or {} for path, node in {"": schema, **parts}.items()}
            # A field has the type of a part of the message of the whole object.
            names = {path: own[TYPE].name for path, own in facts.items() if TYPE in own and FIELD not in own}
            yield (f"{crd.group}/{crd.names.kind}", version.name), names


def _find_types(schema: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Yield the types of a schema with their first paths and nodes."""
    types: set[str] = set()
    stack = [(schema, "")]
    while stack:
        node, path = stack.pop()
        named = (node.facts or {}).get(TYPE)
        if named is not None and not isinstance(node.items, Schema) and not isinstance(node.additional, Schema):
            if named.name in types:
                continue
            types.add(named.name)
            yield named.name, path, node
        children = [(child, f"{path}.{name}" if path else name) for name, child in node.properties.items()]
        children += [(node.items, f"{path}[]")] if isinstance(node.items, Schema) else []
        children += [(node.additional, f"{path}{{}}")] if isinstance(node.additional, Schema) else []
        stack += reversed(children)


def split_package(package: str) -> tuple[str, str]:
    """Return a package without its version, and the version; empty if the package has none."""
    name, _, version = package.rpartition(".")
    return (name, version) if name and parse_version(version) else (package, "")


def collect_package_versions(*summaries: ProtoSummary) -> Mapping[str, set[str]]:
    """Return the versions of packages by the names of packages without versions."""
    versions: dict[str, set[str]] = {}
    for summary in summaries:
        for facts in summary.files.values():
            name, version = split_package(facts["package"])
            versions.setdefault(name, set()).update(filter(None, (version,)))
    return versions
