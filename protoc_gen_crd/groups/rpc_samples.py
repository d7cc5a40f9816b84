"""Samples of the requests and responses of each version, for the pytest plugin of generated packages.

A sample is Proto JSON with a value in every field: `GROUP/VERSION/RPC.request.json`, and a list of one message for a
stream. Messages in themselves end after one level. Microversions have samples only
if these differ from the previous ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.groups.codegen.package_files import GroupFile
from protoc_gen_crd.groups.group_model import HubType, MessageLineage, VersionField, VersionRpc
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.value_conversions import FLOATS, INTEGERS

_NUMBER = 1
_SCALARS: dict[str, Any] = {
    **{kind: str(_NUMBER) if bits == 64 else _NUMBER for kind, (bits, _) in INTEGERS.items()},
    **dict.fromkeys(FLOATS, 0.5),
    "bool": True,
    "bytes": "AQ==",
}
_WELL_KNOWN: dict[str, Any] = {
    "Any": {},  # any type would have to be in the pool of the version
    "BoolValue": True, "BytesValue": "AQ==", "DoubleValue": 0.5, "Duration": "1.5s", "Empty": {}, "FieldMask": "a",
    "FloatValue": 0.5, "Int32Value": _NUMBER, "Int64Value": str(_NUMBER), "ListValue": ["a"], "StringValue": "a",
    "Struct": {"a": "b"}, "Timestamp": "2026-01-02T03:04:05.000000006Z", "UInt32Value": _NUMBER,
    "UInt64Value": str(_NUMBER), "Value": "a",
}  # fmt: skip


def make_group_samples(plan: GroupPlan) -> Iterator[GroupFile]:
    """Yield the samples of all RPCs of all versions, as files that belong to the user once they exist."""
    for rpc in plan.group.rpcs:
        texts: dict[str, str] = {}
        for _, method in sorted(rpc.methods.items()):
            for way, text in make_rpc_samples(plan, method):
                if plan.group.line is not None and texts.get(way) == text:
                    continue
                texts[way] = text
                name = f"{plan.group.name}/{method.version.name}/{method.method.name}.{way}.json"
                yield GroupFile(name, f"{text}\n", is_written_once=True)


def make_rpc_samples(plan: GroupPlan, rpc: VersionRpc) -> Iterator[tuple[str, str]]:
    """Yield `request` and `response` with the sample of an RPC of a version."""
    sampler = _Sampler(plan, rpc.version.index)
    for way in ("request", "response"):
        yield way, json.dumps(sampler.sample(rpc, way), indent=2, ensure_ascii=False)


class _Sampler:
    """Generates samples of a version."""

    def __init__(self, plan: GroupPlan, version: int) -> None:
        self._plan = plan
        self._version = version

    def sample(self, rpc: VersionRpc, way: str) -> Any:
        """Return the sample of a request or response."""
        method = rpc.method
        is_request = way == "request"
        value = self._make_root(method.input_type if is_request else method.output_type)
        return [value] if (method.client_streaming if is_request else method.server_streaming) else value

    def _make_root(self, full_name: str) -> Any:
        name = self._plan.types.names.get((self._version, full_name), "")
        return self._make_message(name, ()) if name else _WELL_KNOWN.get(full_name.rpartition(".")[2], {})

    def _make_message(self, name: str, parents: tuple[str, ...]) -> dict[str, Any]:
        lineage, oneofs = self._plan.types.messages[name], set[str]()
        sample: dict[str, Any] = {}
        for field in lineage.members[self._version].fields.values():
            is_message = field.type.value.kind == "message"
            if field.type.oneof in oneofs or (is_message and field.type.value.name in (*parents, name)):
                continue
            oneofs |= {field.type.oneof} - {""}
            sample[field.field.json_name] = self._make_field(field, lineage, (*parents, name))
        return sample

    def _make_field(self, field: VersionField, lineage: MessageLineage, parents: tuple[str, ...]) -> Any:
        value = self._make_value(field.type.value, field, lineage, parents)
        if field.type.label == "map" and field.type.key is not None:
            key = field.type.key.kind
            return {"true" if key == "bool" else str(_NUMBER): value}
        return [value] if field.type.label == "list" else value

    def _make_value(self, hub_type: HubType, field: VersionField, lineage: MessageLineage, parents: Any) -> Any:
        kind = hub_type.kind
        if kind == "message":
            return self._make_message(hub_type.name, parents)
        if kind == "well-known":
            return _WELL_KNOWN.get(hub_type.name.rpartition(".")[2], {})
        if kind == "enum":
            values = self._plan.types.enums[hub_type.name].members[self._version].values
            return next((value.name for value in values if value.number), values[0].name)
        if kind == "string":
            return str(_NUMBER) if self._is_number_elsewhere(field, lineage) else field.name
        return _SCALARS[kind]

    def _is_number_elsewhere(self, field: VersionField, lineage: MessageLineage) -> bool:
        """Return whether the field of another version that a string is linked to, directly or not, is a number."""
        links = [
            {(pair.older.version.index, name) for name in link.older}
            | {(pair.newer.version.index, name) for name in link.newer}
            for pair in self._plan.messages[lineage.name].links
            for link in pair.links
        ]
        linked, size = {(self._version, field.name)}, 0
        while len(linked) > size:
            size = len(linked)
            linked = linked.union(*(link for link in links if link & linked))
        kinds = {lineage.members[version].fields[name].type.value.kind for version, name in linked}
        return bool(kinds & INTEGERS.keys())
