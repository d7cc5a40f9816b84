"""Messages, enums, and fields of recorded releases: CRDs lack their names and numbers, but summaries have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from protoc_gen_crd.comparison.protos.proto_summary import MESSAGE, ProtoSummary, get_json_name, get_type_name
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.schema.schema import FIELD, TYPE, FieldOrigin, NamedType, Schema


def restore_messages(crds: Iterable[Crd], protos: ProtoSummary) -> tuple[Crd, ...]:
    """Return the CRDs of a release with the types and fields of its summary, as far as these have their JSON names."""
    restorer = _Restorer(protos)
    return tuple([crd.replace(versions=tuple(restorer.restore_versions(crd))) for crd in crds])


class _Restorer:
    """Copies schemas with the facts `type` and `field`; nodes of unknown types are not copied."""

    def __init__(self, protos: ProtoSummary) -> None:
        self._protos = protos
        self._fields: dict[str, Mapping[str, tuple[FieldOrigin, str]]] = {}
        self._copies: dict[tuple[int, str], Schema] = {}  # of shared nodes, by the original and the type

    def restore_versions(self, crd: Crd) -> Iterable[CrdVersion]:
        """Yield copies of the versions whose messages are recorded."""
        for version in crd.versions:
            roots = self._protos.kinds.get(f"{crd.group}/{crd.names.kind}.{version.name}", {})
            yield version.replace(schema=self._restore_root(version.schema, roots)) if version.schema else version

    def _restore_root(self, schema: Schema, roots: Mapping[str, str]) -> Schema:
        root = self._restore(schema, roots.get("", ""))
        parts = {name: self._restore(child, roots[name]) for name, child in root.properties.items() if name in roots}
        return root.with_keywords({"properties": {**root.properties, **parts}}) if parts else root

    def _restore(self, schema: Schema, name: str) -> Schema:
        """Return a copy of a node with a type: that of its items or values, if it has some."""
        if name not in self._protos.types:
            return schema
        key = id(schema), name
        if key not in self._copies:
            self._copies[key] = self._copy(schema, name)
        return self._copies[key]

    def _copy(self, schema: Schema, name: str) -> Schema:
        children = {"items": schema.items, "additionalProperties": schema.additional}
        elements = {keyword: child for keyword, child in children.items() if isinstance(child, Schema)}
        if elements:
            return schema.with_keywords({key: self._restore(child, name) for key, child in elements.items()})
        has_fields = schema.properties and self._protos.types[name].kind == MESSAGE
        changes = {"properties": dict(self._restore_fields(schema, name))} if has_fields else {}
        return schema.with_keywords(changes).with_facts({TYPE: NamedType(name)})

    def _restore_fields(self, schema: Schema, owner: str) -> Iterable[tuple[str, Schema]]:
        fields = self._get_fields(owner)
        for name, child in schema.properties.items():
            if name in fields:
                origin, type_name = fields[name]
                yield name, self._restore(child, type_name).with_facts({FIELD: origin})
            else:
                yield name, child

    def _get_fields(self, owner: str) -> Mapping[str, tuple[FieldOrigin, str]]:
        """Return the fields of a message with the names of their types, by JSON name."""
        if owner not in self._fields:
            members = self._protos.types[owner].members
            self._fields[owner] = {
                get_json_name(name, facts): (
                    FieldOrigin(f"{owner}.{name}", facts["number"]), get_type_name(facts)
                )
                for name, facts in members.items()
            }  # fmt: skip
        return self._fields[owner]
