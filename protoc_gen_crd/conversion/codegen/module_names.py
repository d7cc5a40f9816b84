"""Names of the generated modules of a kind."""

from __future__ import annotations

import re

from protoc_gen_crd.conversion.plan.plan import Plan


def get_module_name(plan: Plan) -> str:
    """Return the name of a kind's module."""
    name = re.sub(r"\W", "_", f"{plan.crd.group}_{plan.crd.names.plural}", flags=re.ASCII)
    return f"_{name}" if name[:1].isdigit() else name


def get_functions_module_name(plan: Plan) -> str:
    """Return the name of the module with the hand-written functions of a kind."""
    return f"{get_module_name(plan)}_functions"
