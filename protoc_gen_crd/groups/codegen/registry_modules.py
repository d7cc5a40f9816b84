"""Modules of a whole group: the registry of its versions, its client, its package, and the scaffold of its server."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.plan.python_source import format_docstring, format_literal, format_string
from protoc_gen_crd.groups.codegen.api_module import describe_rpc, format_signature
from protoc_gen_crd.groups.codegen.function_scaffold import WRITTEN_ONCE
from protoc_gen_crd.groups.codegen.microversion_module import find_status
from protoc_gen_crd.groups.codegen.module_source import format_module, get_natural_key, list_words
from protoc_gen_crd.groups.codegen.rpc_types import list_rpcs, list_version_rpcs
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES


def generate_registry(plan: GroupPlan) -> str:
    """Return the module that lists the versions of a group, from oldest to newest."""
    versions = [version.name for version in plan.group.versions]
    imports = ["from collections.abc import Iterable", ""]
    if plan.group.line is not None:
        imports += ["from ..runtime.services import VersionService, join_microversions", "from . import api"]
    else:
        imports += ["from ..runtime.services import VersionService", "from . import api"]
    imports += _import_versions(plan, "messages, servicers")
    imports += ["from .versions import HEADER, POOL"] if plan.group.line else []
    lines = [f"GROUP = {format_string(plan.group.name)}", f"VERSIONS = {format_literal(tuple(versions))}", ""]
    lines += ["", *_generate_list(plan, ""), "", "", *_generate_list(plan, "Aio")]
    return format_module(f"Versions of the group {plan.group.name}, from oldest to newest.", imports, lines)


def _import_versions(plan: GroupPlan, names: str) -> Iterator[str]:
    for version in sorted((version.module for version in plan.group.versions), key=get_natural_key):
        yield from (f"from .{version} import {name} as {version}_{name}" for name in names.split(", "))


def _generate_list(plan: GroupPlan, prefix: str) -> Iterator[str]:
    name = f"list_{'aio_' if prefix else ''}services"
    yield f"def {name}(server: api.{prefix}Server) -> Iterable[VersionService]:"
    yield f'    """Return the services of all versions with {"asyncio" if prefix else "threads"}."""'
    is_line = plan.group.line is not None
    yield f"    {'services =' if is_line else 'return'} ("
    for version in plan.group.versions:
        yield "        VersionService("
        yield "            group=GROUP,"
        yield f"            version={format_string(version.name)},"
        yield f"            name={format_string(version.get_wire_name(version.service.full_name))},"
        yield f"            endpoint={format_string(version.endpoint)},"
        yield f"            deprecated={format_string(version.deprecated)},"
        yield f"            handlers={version.module}_servicers.{prefix}Servicer(server).list_handlers(),"
        yield f"            pool={version.module}_messages.pool,"
        yield f"            status={format_string(find_status(plan, version))},"
        record = plan.records.get(version.name)
        if record is not None and record.date:
            yield f"            released={format_string(record.date)},"
        deprecated = [rpc.method.name for _, rpc in list_version_rpcs(plan, version) if rpc.deprecated]
        if deprecated:
            yield f"            deprecated_rpcs=frozenset({format_literal(tuple(deprecated))}),"
        yield "        ),"
    yield "    )"
    if is_line:
        yield "    return (join_microversions(services, HEADER, POOL),)"


def generate_group_client(plan: GroupPlan) -> str:
    """Return the module that connects clients of a group in the newest version that both sides support."""
    oldest, newest = plan.group.versions[0].constant, plan.group.versions[-1].constant
    imports = ["from collections.abc import Callable", "", "import grpc", "import grpc.aio", ""]
    imports += ["from ..runtime.clients import choose_aio_version, choose_version", "from . import api, hub"]
    imports += [*_import_versions(plan, "hub_client")]
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
    ordered = lines[: len(lines) - 2]
    return format_module(f"Clients of the group {plan.group.name}, which negotiate the version.", imports, ordered)


def generate_package(plan: GroupPlan) -> str:
    """Return the module of the package of a group."""
    return format_module(f"The API group {plan.group.name}.", [], [])


def generate_version_package(plan: GroupPlan, version: str, notice: str) -> str:
    """Return the module of the package of a version."""
    deprecated = f" Deprecated: {notice}" if notice else ""
    return format_module(f"Version {version} of the API group {plan.group.name}.{deprecated}", [], [])


def generate_scaffold(plan: GroupPlan, *, is_aio: bool) -> str:
    """Return the initial content of `server.py`, which belongs to the user."""
    rpcs = list_rpcs(plan)
    lines = [
        "class Server:",
        f'    """The server of the group {format_docstring(plan.group.name)}, for all versions."""',
    ]
    for named in rpcs:
        lines += [
            "",
            f"    {format_signature(named, plan, is_aio=is_aio, prefix='api.')}:",
            f'        """{describe_rpc(named)}"""',
        ]
        lines += [f"        raise NotImplementedError({format_string(named.rpc.name)})"]
        lines += ["        yield"] if named.rpc.server_streaming else []
    lines = [line.replace("api.AsyncIterator", "AsyncIterator").replace("api.Iterator", "Iterator") for line in lines]
    lines = [_make_generator(line, is_aio=is_aio) for line in lines]
    words = list_words(lines)
    iterators = [name for name in ("AsyncIterator", "Iterator") if name in words]
    modules = sorted({*WELL_KNOWN_MODULES.values()} & words)
    imports = [f"from collections.abc import {', '.join(iterators)}", ""] if iterators else []
    imports += [f"from google.protobuf import {', '.join(modules)}", ""] if modules else []
    docstring = f"The server of the group {plan.group.name}."
    return format_module(docstring, [*imports, "from . import api, hub"], ["", *lines], WRITTEN_ONCE)


def _make_generator(line: str, *, is_aio: bool) -> str:
    """Return the signature of a stream of responses as that of an asynchronous generator."""
    is_stream = line.startswith("    def ") and "-> AsyncIterator[" in line
    return line.replace("    def ", "    async def ", 1) if is_aio and is_stream else line
