"""The initial content of `server.py` of a group, which belongs to the user."""

from __future__ import annotations

from protoc_gen_crd.conversion.plan.python_source import format_docstring, format_string
from protoc_gen_crd.groups.codegen.api_module import describe_rpc, format_signature
from protoc_gen_crd.groups.codegen.handwritten_function_scaffold import WRITTEN_ONCE
from protoc_gen_crd.groups.codegen.module_source import format_module, list_words
from protoc_gen_crd.groups.codegen.rpc_types import list_rpcs
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.groups.value_expressions import WELL_KNOWN_MODULES


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
