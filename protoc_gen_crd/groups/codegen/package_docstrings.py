"""The `__init__.py` of the package of a group, and of the packages of its versions."""

from __future__ import annotations

from protoc_gen_crd.groups.codegen.module_source import format_module
from protoc_gen_crd.groups.group_plan import GroupPlan


def generate_package(plan: GroupPlan) -> str:
    """Return the module of the package of a group."""
    return format_module(f"The API group {plan.group.name}.", [], [])


def generate_version_package(plan: GroupPlan, version: str, notice: str) -> str:
    """Return the module of the package of a version."""
    deprecated = f" Deprecated: {notice}" if notice else ""
    return format_module(f"Version {version} of the API group {plan.group.name}.{deprecated}", [], [])
