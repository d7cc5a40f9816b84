"""The clients of a version: `client.py` with its own messages, and `hub_client.py` with the types of the hub."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.plan.python_source import format_string
from protoc_gen_crd.groups.codegen.api_module import describe_rpc, format_client_signature
from protoc_gen_crd.groups.codegen.module_source import format_module, format_summary, list_words, select_imports
from protoc_gen_crd.groups.codegen.rpc_types import NamedRpc, get_types, list_rpcs, list_version_rpcs
from protoc_gen_crd.groups.codegen.servicer_module import RPC_KINDS
from protoc_gen_crd.groups.group_model import GroupVersion, VersionRpc
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.python_names import format_method, make_unique
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES

_OPTIONS = "timeout: float | None = None, metadata: api.Metadata = None"


def _format_arguments(plan: GroupPlan) -> str:
    """Return the arguments of a call, with the metadata that names a microversion."""
    return f"timeout=timeout, metadata={'(*METADATA, *(metadata or ()))' if plan.group.line else 'metadata'}"


def generate_client(plan: GroupPlan, version: GroupVersion) -> str:
    """Return the module of the clients with the messages of a version."""
    lines = _generate_metadata(plan, version)
    for is_aio in (False, True):
        lines += ["", "", *_ClientWriter(plan, version, is_aio=is_aio).write()]
    words = list_words(lines)
    iterators = [name for name in ("AsyncIterator", "Iterator") if name in words]
    imports = [f"from collections.abc import {', '.join(iterators)}", ""] if iterators else []
    imports += ["import grpc", "import grpc.aio"]
    imports += ["from typing_extensions import deprecated"] if "deprecated" in words else []
    imports += [""]
    imports += select_imports(
        words,
        {
            "...runtime.response_streams": ("read_responses",),
            "..": ("api",),
            "..versions": ("HEADER",),
            ".": ("messages",),
        },
    )
    docstring = f"Clients of version {version.name} of the group {plan.group.name}."
    return format_module(docstring, imports, lines if plan.group.line else lines[1:])


def _generate_metadata(plan: GroupPlan, version: GroupVersion) -> list[str]:
    return [f"METADATA = HEADER.make_request({format_string(version.name)})"] if plan.group.line else []


def _write_callable(plan: GroupPlan, rpc: VersionRpc, name: str) -> Iterator[str]:
    """Yield the statements that create the callable of an RPC on a channel."""
    request, response = get_types(plan, rpc)
    kind = RPC_KINDS[rpc.method.client_streaming, rpc.method.server_streaming]
    path = f"/{rpc.version.get_wire_name(rpc.version.service.full_name)}/{rpc.method.name}"
    yield f"        self._{name} = channel.{kind}("
    yield f"            {format_string(path)},"
    yield f"            request_serializer={request.message}.SerializeToString,"
    yield f"            response_deserializer={response.message}.FromString,"
    yield "        )"


class _ClientWriter:
    """Writes one client with the messages of a version, for threads or for asyncio."""

    def __init__(self, plan: GroupPlan, version: GroupVersion, *, is_aio: bool) -> None:
        self._plan = plan
        self._version = version
        self._is_aio = is_aio
        self._names: dict[str, VersionRpc] = {}  # methods of the version have its own names of RPCs
        for _, rpc in list_version_rpcs(plan, version):
            self._names[make_unique(format_method(rpc.method.name), self._names)] = rpc

    def write(self) -> Iterator[str]:
        """Yield the lines of the class."""
        notice = self._version.deprecated
        if notice:
            text = f"version {self._version.name} of {self._plan.group.name} is deprecated: {notice}"
            yield f"@deprecated({format_string(text)})"
        yield f"class {'Aio' if self._is_aio else ''}Client:"
        yield f'    """A client of version {self._version.name}{" with asyncio" if self._is_aio else ""}."""'
        yield ""
        yield f"    def __init__(self, channel: grpc{'.aio' if self._is_aio else ''}.Channel) -> None:"
        for name, rpc in self._names.items():
            yield from _write_callable(self._plan, rpc, name)
        for name, rpc in self._names.items():
            yield from ("", *self._write_method(name, rpc))

    def _write_method(self, name: str, rpc: VersionRpc) -> Iterator[str]:
        request, response = get_types(self._plan, rpc)
        streams, returns_stream = rpc.method.client_streaming, rpc.method.server_streaming
        iterator = "AsyncIterator" if self._is_aio else "Iterator"
        parameter = f"requests: {iterator}[{request.message}]" if streams else f"request: {request.message}"
        result = f"{iterator}[{response.message}]" if returns_stream else response.message
        start = "async def" if self._is_aio and not returns_stream else "def"
        if rpc.deprecated:
            yield f"    @deprecated({format_string(f'RPC {rpc.method.name} is deprecated: {rpc.deprecated}')})"
        yield f"    {start} {name}(self, {parameter}, {_OPTIONS}) -> {result}:"
        summary = format_summary(rpc.method.comment, f"Call the RPC {rpc.method.name}.")
        yield f'        """{summary}"""'
        call = f"self._{name}(request{'s' if streams else ''}, {_format_arguments(self._plan)})"
        if not returns_stream:
            yield f"        response: {response.message} = {'await ' if self._is_aio else ''}{call}"
            yield "        return response"
        elif self._is_aio:
            yield f"        stream: {result} = read_responses({call})"
            yield "        return stream"
        else:
            yield f"        stream: {result} = {call}"
            yield "        return stream"


def generate_hub_client(plan: GroupPlan, version: GroupVersion) -> str:
    """Return the module of the clients that convert between the hub and a version."""
    lines = [f"VERSION = hub.Version.{version.constant}", *_generate_metadata(plan, version)]
    for is_aio in (False, True):
        lines += ["", "", *_HubClientWriter(plan, version, is_aio=is_aio).write()]
    words = list_words(lines)
    iterators = [name for name in ("AsyncIterator", "Iterator") if name in words]
    modules = sorted({*WELL_KNOWN_MODULES.values()} & words)
    imports = [f"from collections.abc import {', '.join(iterators)}"] if iterators else []
    imports += ["from contextlib import aclosing"] if "aclosing" in words else []
    imports += ["", "import grpc", "import grpc.aio"] if imports else ["import grpc", "import grpc.aio"]
    imports += [f"from google.protobuf import {', '.join(modules)}"] if modules else []
    imports += ["from typing_extensions import deprecated"] if "deprecated" in words else []
    imports += [""]
    names = ("copy_message", "fill_copy")
    imports += select_imports(
        words,
        {
            "...runtime.clients": ("MissingRpcError",),
            "...runtime.request_streams": ("AioRequestStream", "RequestStream"),
            "...runtime.response_streams": ("read_responses",),
            "...runtime.values": names,
            "..": ("api", "hub"),
            "..versions": ("HEADER",),
            ".": ("client_conversions", "messages"),
        },
    )
    return format_module(f"Clients of the group {plan.group.name} in version {version.name}.", imports, lines)


class _HubClientWriter:
    """Writes one client with the types of the hub, for threads or for asyncio."""

    def __init__(self, plan: GroupPlan, version: GroupVersion, *, is_aio: bool) -> None:
        self._plan = plan
        self._version = version
        self._is_aio = is_aio
        self._wait = "await " if is_aio else ""
        self._async = "async " if is_aio else ""

    def write(self) -> Iterator[str]:
        """Yield the lines of the class."""
        prefix = "Aio" if self._is_aio else ""
        yield f"class {prefix}HubClient:"
        yield f'    """Calls version {self._version.name} with the types of the hub."""'
        yield ""
        yield f"    def __init__(self, channel: grpc{'.aio' if self._is_aio else ''}.Channel) -> None:"
        rpcs = list_version_rpcs(self._plan, self._version)
        for named, rpc in rpcs:
            yield from _write_callable(self._plan, rpc, named.method)
        yield from ("        pass",) * (not rpcs)
        yield from ("", "    @property", "    def version(self) -> hub.Version:")
        yield from ('        """The version of the requests."""', "        return VERSION")
        for named in list_rpcs(self._plan):
            yield ""
            notice = named.rpc.newest.deprecated
            if notice:
                yield f"    @deprecated({format_string(f'RPC {named.rpc.name} is deprecated: {notice}')})"
            yield f"    {self._format_signature(named)}:"
            yield f'        """{describe_rpc(named, "Call")}"""'
            yield from (f"        {line}" if line else "" for line in self._write_body(named))

    def _format_signature(self, named: NamedRpc) -> str:
        signature = format_client_signature(named, self._plan, is_aio=self._is_aio, prefix="api.")
        return f"{self._async}def {signature.partition('def ')[2]}"

    def _write_body(self, named: NamedRpc) -> Iterator[str]:
        rpc = named.rpc.methods.get(self._version.index)
        if rpc is None:
            versions = ", ".join(named.rpc.methods[index].version.name for index in sorted(named.rpc.methods))
            problem = f"{named.rpc.name} is not in version {self._version.name}, only in {versions}"
            yield f"raise MissingRpcError({format_string(problem)})"
            if named.rpc.server_streaming:
                yield "yield"
            return
        request, response = get_types(self._plan, rpc)
        module = "client_conversions"
        if named.rpc.client_streaming:
            yield from self._write_stream(named)
            argument = "stream"
        else:
            yield from request.convert_from_hub("request", "message", module)
            argument = "message"
        call = f"self._{named.method}({argument}, {_format_arguments(self._plan)})"
        indent = ""
        if named.rpc.client_streaming:
            yield "with stream.reraise():"
            indent = "    "
        if named.rpc.server_streaming:
            responses = call
            if self._is_aio:
                yield f"{indent}call = {call}"
                yield f"{indent}async with aclosing(read_responses(call)) as responses:"
                indent, responses = f"{indent}    ", "responses"
            yield f"{indent}{self._async}for response in {responses}:"
            yield f"{indent}    yield {response.convert_to_hub('response', module)}"
        else:
            yield f"{indent}response = {self._wait}{call}"
            yield f"return {response.convert_to_hub('response', module)}"

    def _write_stream(self, named: NamedRpc) -> Iterator[str]:
        """Yield the statements that convert a stream of requests."""
        request, _ = get_types(self._plan, named.rpc.methods[self._version.index])
        yield ""
        yield f"def convert(request: {request.hub}) -> {request.message}:"
        yield from (f"    {line}" for line in request.convert_from_hub("request", "message", "client_conversions"))
        yield "    return message"
        yield ""
        yield f"stream = {'Aio' if self._is_aio else ''}RequestStream(convert, requests)"
