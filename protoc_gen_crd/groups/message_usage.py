"""The messages of a version that servers convert to the hub (requests) and from it (responses), also in others."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.groups.group_model import GroupVersion, HubTypes, ServiceGroup, VersionField

REQUEST, RESPONSE = "from", "to"  # the directions of functions in a declaration


def find_usage(group: ServiceGroup, types: HubTypes, version: GroupVersion) -> list[tuple[str, str]]:
    """Return the classes of the hub that a version uses, each with REQUEST or RESPONSE."""
    stack: list[tuple[str, str]] = []
    for rpc in group.rpcs:
        if version.index in rpc.methods:
            method = rpc.methods[version.index].method
            names = [types.names.get((version.index, name), "") for name in (method.input_type, method.output_type)]
            stack += [(name, way) for name, way in zip(names, (REQUEST, RESPONSE), strict=True) if name]
    used: dict[tuple[str, str], None] = {}
    while stack:
        name, way = stack.pop()
        if (name, way) not in used:
            used[name, way] = None
            fields = types.messages[name].members[version.index].fields.values()
            stack += [(field.type.value.name, way) for field in fields if field.type.value.kind == "message"]
    return sorted(used)


def iterate_fields(
    group: ServiceGroup, types: HubTypes, version: GroupVersion, way: str
) -> Iterator[tuple[str, VersionField]]:
    """Yield the fields of the used messages of a version in one direction, with the classes of these messages."""
    for name, direction in find_usage(group, types, version):
        if direction == way:
            yield from ((name, field) for field in types.messages[name].members[version.index].fields.values())
