"""The files of all groups: a package for each group, with a package for each version, and the shared runtime."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.groups.codegen.api_module import generate_api
from protoc_gen_crd.groups.codegen.client_modules import generate_client, generate_hub_client
from protoc_gen_crd.groups.codegen.conversion_module import ConversionModule
from protoc_gen_crd.groups.codegen.group_client_module import generate_group_client
from protoc_gen_crd.groups.codegen.group_readme import generate_page
from protoc_gen_crd.groups.codegen.handwritten_function_scaffold import generate_functions, list_functions
from protoc_gen_crd.groups.codegen.hub_module import generate_hub
from protoc_gen_crd.groups.codegen.message_modules import (
    generate_descriptors,
    generate_group_descriptors,
    generate_messages,
    generate_stub,
)
from protoc_gen_crd.groups.codegen.microversion_module import generate_discovery_document, generate_versions
from protoc_gen_crd.groups.codegen.module_source import HEADER
from protoc_gen_crd.groups.codegen.package_docstrings import generate_package, generate_version_package
from protoc_gen_crd.groups.codegen.registry_module import generate_registry
from protoc_gen_crd.groups.codegen.runtime_files import list_runtime_files
from protoc_gen_crd.groups.codegen.server_scaffold import generate_scaffold
from protoc_gen_crd.groups.codegen.servicer_module import generate_servicers
from protoc_gen_crd.groups.group_model import GroupVersion
from protoc_gen_crd.groups.group_plan import GroupPlan


class GroupFile(Record):
    """A generated file. A file that `is_written_once` belongs to the user once it exists."""

    name: str
    text: str
    is_written_once: bool = False


def generate_groups(plans: Sequence[GroupPlan], folder: str, *, is_aio: bool = True) -> tuple[GroupFile, ...]:
    """Return the files of groups below a folder. The scaffolds of servers use asyncio or threads."""
    if not plans:
        return ()
    files = [GroupFile("__init__.py", f'{HEADER}\n"""gRPC API groups."""\n')]
    files += [GroupFile(f"runtime/{name}", text) for name, text in list_runtime_files()]
    for plan in plans:
        files += [file.replace(name=f"{plan.package}/{file.name}") for file in _generate_group(plan, is_aio=is_aio)]
    return tuple([file.replace(name=f"{folder}/{file.name}") for file in files])


def _generate_group(plan: GroupPlan, *, is_aio: bool) -> Iterator[GroupFile]:
    yield GroupFile("README.md", generate_page(plan))
    yield GroupFile("__init__.py", generate_package(plan))
    yield GroupFile("api.py", generate_api(plan))
    yield GroupFile("client.py", generate_group_client(plan))
    yield GroupFile("hub.py", generate_hub(plan))
    yield GroupFile("registry.py", generate_registry(plan))
    if plan.group.line is not None:
        yield GroupFile("versions.py", generate_versions(plan))
        yield GroupFile("versions.json", generate_discovery_document(plan))
        yield GroupFile("descriptors.py", generate_group_descriptors(plan))
    yield GroupFile("server.py", generate_scaffold(plan, is_aio=is_aio), is_written_once=True)
    if list_functions(plan):
        yield GroupFile("functions.py", generate_functions(plan), is_written_once=True)
    for version in plan.group.versions:
        for file in _generate_version(plan, version):
            yield file.replace(name=f"{version.module}/{file.name}")


def _generate_version(plan: GroupPlan, version: GroupVersion) -> Iterator[GroupFile]:
    yield GroupFile("__init__.py", generate_version_package(plan, version.name, version.deprecated))
    yield GroupFile("client.py", generate_client(plan, version))
    yield GroupFile("client_conversions.py", ConversionModule(plan, version, for_client=True).generate())
    yield GroupFile("conversions.py", ConversionModule(plan, version).generate())
    yield GroupFile("descriptors.py", generate_descriptors(plan, version))
    yield GroupFile("hub_client.py", generate_hub_client(plan, version))
    yield GroupFile("messages.py", generate_messages(plan, version))
    yield GroupFile("messages.pyi", generate_stub(plan, version))
    yield GroupFile("servicers.py", generate_servicers(plan, version))
