"""The module `api.py` of a group: the protocols that servers implement and that clients of the group have."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.plan.python_source import format_docstring
from protoc_gen_crd.groups.codegen.module_source import format_module, format_summary, list_words
from protoc_gen_crd.groups.codegen.rpc_types import NamedRpc, get_types, list_rpcs
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES


def generate_api(plan: GroupPlan) -> str:
    """Return the text of the module."""
    rpcs = list_rpcs(plan)
    lines = ["Context = grpc.ServicerContext", 'AioContext: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"']
    lines += ["Metadata: TypeAlias = tuple[tuple[str, str | bytes], ...] | None"]
    name = plan.group.name
    lines += _generate_protocol("Server", f"A server of the group {name} with threads", rpcs, plan, is_aio=False)
    lines += _generate_protocol("AioServer", f"A server of the group {name} with asyncio", rpcs, plan, is_aio=True)
    lines += _generate_client(
        "Client", f"A client of the group {name} in the version that it negotiated", rpcs, plan, is_aio=False
    )
    lines += _generate_client(
        "AioClient", f"An asyncio client of the group {name} in the version that it negotiated", rpcs, plan, is_aio=True
    )
    words = list_words(lines)
    used = [name for name in ("AsyncIterator", "Iterator") if name in words]
    modules = sorted({*WELL_KNOWN_MODULES.values()} & words)
    imports = [f"from collections.abc import {', '.join(used)}"] if used else []
    imports += ["from typing import Any, Protocol, TypeAlias", "", "import grpc", "import grpc.aio"]
    imports += [f"from google.protobuf import {', '.join(modules)}"] if modules else []
    imports += ["", "from . import hub"]
    return format_module(f"Protocols of servers and clients of the group {name}.", imports, lines)


def _generate_protocol(
    name: str, summary: str, rpcs: list[NamedRpc], plan: GroupPlan, *, is_aio: bool
) -> Iterator[str]:
    yield from (
        "",
        "",
        f"class {name}(Protocol):",
        f'    """{format_docstring(summary)}: every RPC of every version."""',
    )
    for named in rpcs:
        yield ""
        yield f"    {format_signature(named, plan, is_aio=is_aio)}:"
        yield f'        """{describe_rpc(named)}"""'
        yield "        ..."


def describe_rpc(named: NamedRpc, verb: str = "Implement") -> str:
    """Return the first line of the docstring of an RPC. The verb is used for an RPC without a comment."""
    newest = named.rpc.newest
    summary = format_summary(newest.method.comment, f"{verb} the RPC {named.rpc.name}.")
    return f"{summary} Deprecated: {format_docstring(newest.deprecated)}" if newest.deprecated else summary


def format_signature(named: NamedRpc, plan: GroupPlan, *, is_aio: bool, prefix: str = "") -> str:
    """Return the signature of the method of an RPC in a server, without the colon."""
    request, response = get_types(plan, named.rpc.newest)
    iterator = "AsyncIterator" if is_aio else "Iterator"
    context = "AioContext" if is_aio else "Context"
    parameter = f"requests: {iterator}[{request.hub}]" if named.rpc.client_streaming else f"request: {request.hub}"
    result = f"{iterator}[{response.hub}]" if named.rpc.server_streaming else response.hub
    start = "async def" if is_aio and not named.rpc.server_streaming else "def"
    return f"{start} {named.method}(self, {parameter}, context: {prefix}{context}, version: hub.Version) -> {result}"


def _generate_client(name: str, summary: str, rpcs: list[NamedRpc], plan: GroupPlan, *, is_aio: bool) -> Iterator[str]:
    yield from ("", "", f"class {name}(Protocol):", f'    """{format_docstring(summary)}."""')
    yield from (
        "",
        "    @property",
        "    def version(self) -> hub.Version:",
        '        """The version of the requests."""',
        "        ...",
    )
    for named in rpcs:
        yield ""
        yield f"    {format_client_signature(named, plan, is_aio=is_aio)}:"
        yield f'        """{describe_rpc(named, "Call")}"""'
        yield "        ..."


def format_client_signature(named: NamedRpc, plan: GroupPlan, *, is_aio: bool, prefix: str = "") -> str:
    """Return the signature of the method of an RPC in a client of the group, without the colon."""
    request, response = get_types(plan, named.rpc.newest)
    iterator = "AsyncIterator" if is_aio else "Iterator"
    parameter = f"requests: {iterator}[{request.hub}]" if named.rpc.client_streaming else f"request: {request.hub}"
    result = f"{iterator}[{response.hub}]" if named.rpc.server_streaming else response.hub
    start = "async def" if is_aio and not named.rpc.server_streaming else "def"
    metadata = f"timeout: float | None = None, metadata: {prefix}Metadata = None"
    return f"{start} {named.method}(self, {parameter}, {metadata}) -> {result}"
