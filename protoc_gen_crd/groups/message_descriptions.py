"""Descriptions of RPCs, ranges of versions, and conversions of fields, for the pages of a group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from protoc_gen_crd.groups.declared_value_conversions import describe_type
from protoc_gen_crd.groups.group_model import GroupVersion, MessageLineage, Rpc, VersionMessage
from protoc_gen_crd.groups.group_plan import GroupPlan

_KINDS = {
    (False, False): "unary",
    (False, True): "server stream",
    (True, False): "client stream",
    (True, True): "both streams",
}


def describe_rpc_kind(rpc: Rpc) -> str:
    """Return which side of an RPC sends a stream."""
    return _KINDS[rpc.client_streaming, rpc.server_streaming]


def format_versions(indexes: Iterable[int], plan: GroupPlan) -> str:
    """Format versions as ranges: `v1alpha1, v1beta2 to v1`."""
    ordered, parts = sorted(indexes), []
    while ordered:
        count = 1
        while count < len(ordered) and ordered[count] == ordered[0] + count:
            count += 1
        first, last = plan.group.versions[ordered[0]].name, plan.group.versions[ordered[count - 1]].name
        parts.append(first if count == 1 else f"{first} to {last}")
        ordered = ordered[count:]
    return ", ".join(parts)


def describe_older_fields(plan: GroupPlan, lineage: MessageLineage, version: GroupVersion, name: str) -> Iterator[str]:
    """Yield the fields of older versions that a field is converted from, where their names or types differ."""
    shown = _describe_fields(lineage.members[version.index], [name])
    names = {name}
    for pair in reversed(plan.messages[lineage.name].links):
        if pair.newer.version.index <= version.index:
            names = {older for link in pair.links if names.intersection(link.newer) for older in link.older}
            described = _describe_fields(pair.older, sorted(names))
            if described and described != shown:
                yield f"in {pair.older.version.name}: {described}"
                shown = described


def _describe_fields(member: VersionMessage, names: Iterable[str]) -> str:
    fields = [member.fields[name] for name in names if name in member.fields]
    return ", ".join(f"{field.name} {describe_type(field.type)}" for field in fields)
