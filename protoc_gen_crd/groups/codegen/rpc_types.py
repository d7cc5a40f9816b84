"""Types and names of an RPC in generated code: on the level of the hub, and in a version."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.groups.codegen.conversion_module import FROM_HUB, TO_HUB, get_function_name
from protoc_gen_crd.groups.codegen.message_modules import list_well_known
from protoc_gen_crd.groups.group_model import GroupVersion, Rpc, VersionRpc
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.python_names import format_method, make_unique
from protoc_gen_crd.groups.value_expressions import format_well_known_class


class RpcType(Record):
    """The request or response of an RPC: its class in the hub and in a version, and its full name.

    `name` is the class of the hub without a module, empty for well-known types, which are copied.
    """

    full_name: str
    hub: str
    message: str
    name: str

    def convert_to_hub(self, code: str, module: str = "conversions") -> str:
        """Return the conversion of a message to the hub."""
        if not self.name:
            return f"copy_message({self.hub}, {code})"
        return f"{module}.{get_function_name(self.name, TO_HUB)}({code})"

    def get_converter(self, module: str = "conversions") -> str:
        """Return the function that converts a message to the hub."""
        return f"{module}.{get_function_name(self.name, TO_HUB)}" if self.name else f"partial(copy_message, {self.hub})"

    def convert_from_hub(self, code: str, target: str, module: str = "conversions") -> Iterator[str]:
        """Yield the statements that convert an object of the hub to a new message."""
        yield f"{target} = {self.message}()"
        if self.name:
            yield f"{module}.{get_function_name(self.name, FROM_HUB)}({code}, {target})"
        else:
            yield f"fill_copy({code}, {target})"


class NamedRpc(Record):
    """An RPC of the hub with the name of its method."""

    rpc: Rpc
    method: str


def list_rpcs(plan: GroupPlan) -> list[NamedRpc]:
    """Return the RPCs of a group with unique names of methods."""
    names: dict[str, Rpc] = {}
    for rpc in plan.group.rpcs:
        names[make_unique(format_method(rpc.name), names)] = rpc
    return [NamedRpc(rpc, name) for name, rpc in names.items()]


def get_types(plan: GroupPlan, rpc: VersionRpc) -> tuple[RpcType, RpcType]:
    """Return the types of the request and response of an RPC of a version."""
    request, response = [
        _get_type(plan, rpc.version, full_name) for full_name in (rpc.method.input_type, rpc.method.output_type)
    ]
    return request, response


def _get_type(plan: GroupPlan, version: GroupVersion, full_name: str) -> RpcType:
    name = plan.types.names.get((version.index, full_name), "")
    if not name:
        well_known = format_well_known_class(full_name)
        return RpcType(full_name, well_known, f"messages.{list_well_known(plan, version)[full_name]}", "")
    return RpcType(full_name, f"hub.{name}", f"messages.{plan.get_message_path(version, full_name)}", name)


def list_version_rpcs(plan: GroupPlan, version: GroupVersion) -> list[tuple[NamedRpc, VersionRpc]]:
    """Return the RPCs of a version with those of the hub."""
    return [
        (named, named.rpc.methods[version.index]) for named in list_rpcs(plan) if version.index in named.rpc.methods
    ]
