"""The module `client.py` of a group: clients that negotiate the version."""

from __future__ import annotations

from protoc_gen_crd.conversion.plan.python_source import format_string
from protoc_gen_crd.groups.codegen.module_source import format_module
from protoc_gen_crd.groups.codegen.registry_module import import_versions
from protoc_gen_crd.groups.group_plan import GroupPlan


def generate_group_client(plan: GroupPlan) -> str:
    """Return the module that connects clients of a group in the newest version that both sides support."""
    oldest, newest = plan.group.versions[0].constant, plan.group.versions[-1].constant
    imports = ["from collections.abc import Callable", "", "import grpc", "import grpc.aio", ""]
    imports += ["from ..runtime.clients import choose_aio_version, choose_version", "from . import api, hub"]
    imports += [*import_versions(plan, "hub_client")]
    lines = [f"GROUP = {format_string(plan.group.name)}"]
    services = [
        f"    hub.Version.{version.constant}: ("
        f"{format_string(version.get_wire_name(version.service.full_name))}, {format_string(version.name)}),"
        for version in plan.group.versions
    ]
    lines += ["_SERVICES = {", *services, "}"]
    range_ = f"floor: hub.Version = hub.Version.{oldest}, ceiling: hub.Version = hub.Version.{newest}"
    for prefix, start, wait, kind in (("", "def connect", "", ""), ("Aio", "async def connect_aio", "await ", ".aio")):
        rows = [
            f"    hub.Version.{version.constant}: {version.module}_hub_client.{prefix}HubClient,"
            for version in plan.group.versions
        ]
        table = f"_{prefix.upper() + '_' if prefix else ''}CLIENTS"
        table_type = f"dict[hub.Version, Callable[[grpc{kind}.Channel], api.{prefix}Client]]"
        choose = "choose_aio_version" if prefix else "choose_version"
        lines += [f"{table}: {table_type} = {{", *rows, "}"]
        lines += [
            "",
            "",
            f"{start}(channel: grpc{kind}.Channel, *, {range_}, timeout: float | None = None) -> api.{prefix}Client:",
        ]
        lines += ['    """Return a client in the newest version of a range that the server has.', ""]
        lines += ["    The client uses the floor if the server does not support discovery.", '    """']
        lines += [
            f"    version = {wait}{choose}(channel, GROUP, _SERVICES, floor, ceiling, timeout)",
            f"    return {table}[version](channel)",
        ]
        lines += ["", ""]
    return format_module(f"Clients of the group {plan.group.name}, which negotiate the version.", imports, lines[:-2])
