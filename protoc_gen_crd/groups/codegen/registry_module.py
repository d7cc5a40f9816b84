"""The module `registry.py` of a group: the versions of a group, from oldest to newest."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.conversion.plan.python_source import format_literal, format_string
from protoc_gen_crd.groups.codegen.microversion_module import find_status
from protoc_gen_crd.groups.codegen.module_source import format_module, get_natural_key
from protoc_gen_crd.groups.codegen.rpc_types import list_version_rpcs
from protoc_gen_crd.groups.group_plan import GroupPlan


def generate_registry(plan: GroupPlan) -> str:
    """Return the module that lists the versions of a group, from oldest to newest."""
    versions = [version.name for version in plan.group.versions]
    imports = ["from collections.abc import Iterable", ""]
    if plan.group.line is not None:
        imports += ["from ..runtime.services import VersionService, join_microversions", "from . import api"]
    else:
        imports += ["from ..runtime.services import VersionService", "from . import api"]
    imports += import_versions(plan, "messages, servicers")
    imports += ["from .versions import HEADER, POOL"] if plan.group.line else []
    lines = [f"GROUP = {format_string(plan.group.name)}", f"VERSIONS = {format_literal(tuple(versions))}", ""]
    lines += ["", *_generate_list(plan, ""), "", "", *_generate_list(plan, "Aio")]
    return format_module(f"Versions of the group {plan.group.name}, from oldest to newest.", imports, lines)


def import_versions(plan: GroupPlan, names: str) -> Iterator[str]:
    """Yield imports of modules of all versions, each under the name of its version."""
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
