"""Generation of the Python packages of gRPC API groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.groups.codegen.package_files import GroupFile, generate_groups
from protoc_gen_crd.groups.group_plan import GroupPlan
from protoc_gen_crd.settings.settings import Settings


def make_group_files(
    plans: Sequence[GroupPlan], protos: Collection[GroupFile], settings: Settings, problems: Problems
) -> tuple[OutputFile, ...]:
    """Return the files of the packages of groups; none, with a finding, if there is no service.

    `protos` are the protos of versions of annotated services, which are written for clients.
    """
    if not plans:
        problems.report("group-none", "no services found", hint="remove the setting groups, or add a service")
    files = generate_groups(plans, settings.groups, is_aio=settings.group_servers == "asyncio")
    return tuple(
        [OutputFile(file.name, (file.text,), is_written_once=file.is_written_once) for file in (*files, *protos)]
    )
