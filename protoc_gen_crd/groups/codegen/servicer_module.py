"""The module `servicers.py` of a version: servicers that convert requests to the hub, and responses from it."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.plan.python_source import format_string
from protoc_gen_crd.groups.codegen.conversion_module import read_attribute
from protoc_gen_crd.groups.codegen.module_source import format_module, list_words, select_imports
from protoc_gen_crd.groups.codegen.rpc_types import NamedRpc, get_types, list_version_rpcs
from protoc_gen_crd.groups.group_model import GroupVersion, VersionRpc
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES

_ERRORS = (
    "convert_stream",
    "convert_stream_aio",
    "abort",
    "abort_aio",
    "check_request",
    "closing",
    "closing_aio",
)
_SOURCES = {
    "...runtime.errors": _ERRORS,
    "...runtime.trailing_metadata": ("add_metadata", "add_notice"),
    "...runtime.unknown_fields": ("make_parser",),
    "...runtime.values": ("copy_message", "fill_copy"),
    "..": ("api", "hub"),
    "..versions": ("HEADER", "MAXIMUM", "MINIMUM", "POOL"),
    ".": ("conversions", "messages"),
}
RPC_KINDS = {
    (False, False): "unary_unary",
    (False, True): "unary_stream",
    (True, False): "stream_unary",
    (True, True): "stream_stream",
}


def generate_servicers(plan: GroupPlan, version: GroupVersion) -> str:
    """Return the text of the module."""
    lines = [f"VERSION = hub.Version.{version.constant}"]
    if plan.group.line is not None:
        lines += [f"METADATA = HEADER.make_response({format_string(version.name)}, MINIMUM, MAXIMUM)"]
    for is_aio in (False, True):
        lines += ["", "", *_ServicerWriter(plan, version, is_aio=is_aio).write()]
    words = list_words(lines)
    abstract = [name for name in ("AsyncIterator", "Iterator") if name in words]
    modules = sorted({*WELL_KNOWN_MODULES.values()} & words)
    imports = [f"from collections.abc import {', '.join(abstract)}"] if abstract else []
    imports += ["from functools import partial"] if "partial" in words else []
    imports += ["from typing import Any", "", "import grpc"]
    imports += [f"from google.protobuf import {', '.join(modules)}"] if modules else []
    imports += [""]
    imports += select_imports(words, _SOURCES)
    return format_module(f"Servicers of version {version.name} of the group {plan.group.name}.", imports, lines)


class _ServicerWriter:
    """Writes one servicer, for threads or for asyncio."""

    def __init__(self, plan: GroupPlan, version: GroupVersion, *, is_aio: bool) -> None:
        self._plan = plan
        self._version = version
        self._is_aio = is_aio
        self._rpcs = list_version_rpcs(plan, version)
        self._wait = "await " if is_aio else ""
        self._async = "async " if is_aio else ""

    def write(self) -> Iterator[str]:
        """Yield the lines of the class."""
        prefix, kind = ("Aio", "asyncio") if self._is_aio else ("", "threads")
        yield f"class {prefix}Servicer:"
        yield f'    """Serves version {self._version.name} with {kind}."""'
        yield ""
        yield f"    def __init__(self, server: api.{prefix}Server) -> None:"
        yield "        self._server = server"
        for named, rpc in self._rpcs:
            yield ""
            yield from self._write_method(named, rpc)
        yield ""
        yield from self._write_handlers()

    def _write_method(self, named: NamedRpc, rpc: VersionRpc) -> Iterator[str]:
        request, response = get_types(self._plan, rpc)
        iterator = "AsyncIterator" if self._is_aio else "Iterator"
        streams, returns_stream = named.rpc.client_streaming, named.rpc.server_streaming
        parameter = f"requests: {iterator}[{request.message}]" if streams else f"request: {request.message}"
        result = f"{iterator}[{response.message}]" if returns_stream else response.message
        context = "api.AioContext" if self._is_aio else "api.Context"
        label = format_string(f"{self._plan.group.name}/{self._version.name}/{rpc.method.name}")
        yield f"    {self._async}def {named.method}(self, {parameter}, context: {context}) -> {result}:"
        yield f'        """Serve the RPC {rpc.method.name}."""'
        if self._plan.group.line is not None:
            yield "        context = add_metadata(context, METADATA)"
        yield "        try:"
        yield from (f"            {line}" for line in self._write_body(named, rpc))
        yield "        except Exception as error:"
        yield f"            {self._wait}abort{'_aio' if self._is_aio else ''}(context, error, {label})"
        yield "            raise"

    def _write_body(self, named: NamedRpc, rpc: VersionRpc) -> Iterator[str]:
        request, response = get_types(self._plan, rpc)
        notice = rpc.deprecated or self._version.deprecated
        if notice:
            yield f"context = add_notice(context, {format_string(self._describe_notice(rpc))})"
        if not named.rpc.client_streaming:
            yield "request = check_request(request)"
        yield from self._write_field_notices(rpc)
        argument = request.convert_to_hub("request")
        if named.rpc.client_streaming:
            argument = f"convert_stream{'_aio' if self._is_aio else ''}({request.get_converter()}, requests)"
        call = f"self._server.{named.method}({argument}, context, VERSION)"
        if named.rpc.server_streaming:
            yield f"{self._async}with closing{'_aio' if self._is_aio else ''}({call}) as responses:"
            yield f"    {self._async}for response in responses:"
            yield from (f"        {line}" for line in response.convert_from_hub("response", "message"))
            yield "        yield message"
        else:
            yield f"response = {self._wait}{call}"
            yield from response.convert_from_hub("response", "message")
            yield "return message"

    def _write_field_notices(self, rpc: VersionRpc) -> Iterator[str]:
        """Yield the statements that add a notice for each deprecated field that a request sets."""
        name = self._plan.types.names.get((self._version.index, rpc.method.input_type))
        if name is None or rpc.method.client_streaming:
            return
        for field in self._plan.types.messages[name].members[self._version.index].fields.values():
            notice = self._plan.get_deprecation(field.field)
            if notice:
                is_set = f'request.HasField("{field.name}")' if field.type.has_presence else ""
                yield f"if {is_set or read_attribute('request', field.name)}:"
                text = format_string(f"field {field.name} is deprecated: {notice}")
                yield f"    context = add_notice(context, {text})"

    def _describe_notice(self, rpc: VersionRpc) -> str:
        if rpc.deprecated:
            return f"RPC {rpc.method.name} is deprecated: {rpc.deprecated}"
        return f"version {self._version.name} is deprecated: {self._version.deprecated}"

    def _write_handlers(self) -> Iterator[str]:
        """Yield the method that lists the handlers of gRPC."""
        yield "    def list_handlers(self) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:"
        yield '        """Return the handler of each RPC by name."""'
        yield "        return {"
        for named, rpc in self._rpcs:
            request, response = get_types(self._plan, rpc)
            kind = RPC_KINDS[named.rpc.client_streaming, named.rpc.server_streaming]
            label = format_string(f"{self._plan.group.name}/{self._version.name}/{rpc.method.name}")
            yield f"            {format_string(rpc.method.name)}: grpc.{kind}_rpc_method_handler("
            yield f"                self.{named.method},"
            rejects = ", rejects=True" if self._version.rejects_unknown_fields else ""
            rejects += ", pool=POOL" if self._plan.group.line else ""
            yield f"                make_parser({request.message}, {label}{rejects}),"
            yield f"                {response.message}.SerializeToString,"
            yield "            ),"
        yield "        }"
