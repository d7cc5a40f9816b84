"""Files of a group of microversions: `versions.py` with their range, metadata, and decorator, and `versions.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator

from protoc_gen_crd.conversion.plan.python_source import format_string
from protoc_gen_crd.groups.codegen.module_source import format_module
from protoc_gen_crd.groups.codegen.rpc_types import list_rpcs
from protoc_gen_crd.groups.group_model import GroupVersion, NumberRecord
from protoc_gen_crd.groups.group_plan import GroupPlan


def generate_versions(plan: GroupPlan) -> str:
    """Return the text of the module."""
    imports = [
        "from ..runtime.method_bodies import VersionDecorator",
        "from ..runtime.pools import load_pool",
        "from ..runtime.requested_version import VersionHeader",
        "from . import descriptors, hub",
    ]
    return format_module(f"Microversions of the group {plan.group.name}.", imports, _generate_lines(plan))


def _generate_lines(plan: GroupPlan) -> Iterator[str]:
    header = plan.group.header
    yield f"MINIMUM = {format_string(plan.group.versions[0].name)}"
    yield f"MAXIMUM = {format_string(plan.group.versions[-1].name)}"
    strings = [format_string(string) for string in (plan.group.name, header.key, header.form)]
    yield f"HEADER = VersionHeader({', '.join(strings)})"
    records = plan.records
    constants = [(records[number].constant, number) for number in records if records[number].constant]
    yield from (f"{constant} = {format_string(number)}" for constant, number in constants)
    yield "POOL = load_pool(descriptors.FILES)  # with the elements of all versions"
    yield "_RANGES = {"
    for named in list_rpcs(plan):
        ends = [format_string(plan.group.versions[find(named.rpc.methods)].name) for find in (min, max)]
        yield f"    {format_string(named.method)}: ({', '.join(ends)}),"
    yield "}"
    yield "api_version = VersionDecorator(hub.Version, _RANGES)"


def generate_discovery_document(plan: GroupPlan) -> str:
    """Return the discovery document of a group: its microversions, oldest first, as JSON."""
    versions = []
    for version in plan.group.versions:
        record = plan.records.get(version.name, NumberRecord())
        row = {"version": version.name, "status": find_status(plan, version), "title": record.title}
        row |= {"release": record.release, "released": record.date, "deprecated": version.deprecated}
        versions.append(row)
    first, last = plan.group.versions[0], plan.group.versions[-1]
    document = {
        "group": plan.group.name,
        "service": last.get_wire_name(last.service.full_name),
        "minimum": first.name,
        "maximum": last.name,
        "header": {"key": plan.group.header.key, "value": plan.group.header.form.replace("{group}", plan.group.name)},
        "versions": versions,
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def find_status(plan: GroupPlan, version: GroupVersion) -> str:
    """Return the status of a version: CURRENT for the newest one, DEPRECATED, or SUPPORTED."""
    if version is plan.group.versions[-1]:
        return "CURRENT"
    return "DEPRECATED" if version.deprecated else "SUPPORTED"
