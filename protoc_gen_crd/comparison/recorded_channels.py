"""Release channels of recorded releases: CRDs lack those of fields and enum values, but summaries have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from protoc_gen_crd.comparison.api_summary import ApiSummary, Facts, list_ancestors
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES, Schema


def restore_channels(crds: Iterable[Crd], summary: ApiSummary) -> tuple[Crd, ...]:
    """Return the CRDs of a release that was generated from protos, with the channels of its summary."""
    return tuple([_restore_crd(crd, summary) for crd in crds])


def _restore_crd(crd: Crd, summary: ApiSummary) -> Crd:
    kind = summary.get(f"{crd.group}/{crd.names.kind}")
    recorded = kind.versions if kind else {}
    versions = [
        _restore_version(version, recorded[version.name].fields) if version.name in recorded else version
        for version in crd.versions
    ]
    return crd.replace(versions=tuple(versions))


def _restore_version(version: CrdVersion, fields: Mapping[str, Facts]) -> CrdVersion:
    return version.replace(schema=_Restorer(fields).restore(version.schema, "")) if version.schema else version


class _Restorer:
    """Copies schemas with the fact `channel` at each node, which is None without a channel."""

    def __init__(self, fields: Mapping[str, Facts]) -> None:
        self._fields = fields
        marked = [path for path, facts in fields.items() if {CHANNEL, CHANNEL_VALUES} & facts.keys()]
        self._paths = {"", *(ancestor for path in marked for ancestor in list_ancestors(path))}
        self._copies: dict[int, Schema] = {}  # of shared nodes without channels, by the original

    def restore(self, schema: Schema, path: str) -> Schema:
        """Return a copy of the node at a path."""
        if path in self._paths:
            return self._copy(schema, path)
        if id(schema) not in self._copies:
            self._copies[id(schema)] = self._copy(schema, path)
        return self._copies[id(schema)]

    def _copy(self, schema: Schema, path: str) -> Schema:
        facts = self._fields.get(path, {})
        channels = {CHANNEL: facts.get(CHANNEL)}
        channels |= {name: facts[name] for name in (CHANNEL_VALUES,) if name in facts}
        return schema.with_keywords(self._copy_children(schema, path)).with_facts(channels)

    def _copy_children(self, schema: Schema, path: str) -> dict[str, Any]:
        children: dict[str, Any] = {}
        if schema.properties:
            prefix = f"{path}." if path else ""
            properties = schema.properties.items()
            children["properties"] = {name: self.restore(child, f"{prefix}{name}") for name, child in properties}
        for keyword, child, step in (("items", schema.items, "[]"), ("additionalProperties", schema.additional, "{}")):
            if isinstance(child, Schema):
                children[keyword] = self.restore(child, f"{path}{step}")
        return children
