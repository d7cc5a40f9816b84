"""Compile and load the generated module of a plan in memory: it is the code that users get.

Hand-written functions are loaded from their file in a separate package: imports of runtime modules resolve to ours, and
other imports to its folder.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from types import ModuleType
from typing import Any, cast

from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.conversion.codegen.conversions_on_demand import ConverterOnDemand
from protoc_gen_crd.conversion.codegen.handwritten_functions import find_required_functions
from protoc_gen_crd.conversion.codegen.module_generator import generate_module, has_hubs
from protoc_gen_crd.conversion.codegen.module_names import get_functions_module_name
from protoc_gen_crd.conversion.codegen.runtime_files import MODULES
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.runtime import runtime
from protoc_gen_crd.conversion.runtime.runtime import Object

_PACKAGE_NUMBERS = count(1)


def compile_plan_module(plan: Plan, folder: str = "") -> dict[str, Any]:
    """Return the names of a plan's module; errors of hand-written functions in `folder` are raised."""
    return _execute_module(plan, generate_module(plan), _find_package(plan, folder))


def _execute_module(plan: Plan, source: str, package: str) -> dict[str, Any]:
    """Return the names of a module of a package."""
    name = "".join(letter if letter.isalnum() else "_" for letter in plan.name)
    scope: dict[str, Any] = {"__name__": f"{package}._{name}", "__package__": package}
    exec(compile(source, f"<conversion of {plan.name}>", "exec"), scope)  # noqa: S102 - we have just written it
    return scope


def load_converter(plan: Plan, folder: str = "") -> Callable[[Object, str], Object]:
    """Return the function `convert` of a plan's module; errors of hand-written functions in `folder` are raised."""
    if plan.direct_on_demand is not None and has_hubs(plan):
        load_module = partial(_execute_module, package=_find_package(plan, folder))
        return ConverterOnDemand(plan, plan.direct_on_demand, load_module).convert
    return cast("Callable[[Object, str], Object]", compile_plan_module(plan, folder)["convert"])


def _find_package(plan: Plan, folder: str) -> str:
    """Return the package of a plan's module: ours, or a new one if the plan has hand-written functions."""
    return _create_package(plan, folder) if find_required_functions(plan) else str(runtime.__package__)


def _create_package(plan: Plan, folder: str) -> str:
    """Return a new package of the files in a folder, with our runtime modules in place of the generated ones."""
    name = f"{__package__}._written_{next(_PACKAGE_NUMBERS)}"
    package = sys.modules[name] = ModuleType(name)
    package.__path__ = [str(resolve_links(folder))]
    sys.modules |= {f"{name}.{helper}": module for helper, module in MODULES.items()}
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # the folder is the user's
    try:
        importlib.import_module(f"{name}.{get_functions_module_name(plan)}")
    finally:
        sys.dont_write_bytecode = before
    return name
