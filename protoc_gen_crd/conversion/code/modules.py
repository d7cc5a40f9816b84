"""Plans made ready to run: the generated module, compiled in memory. It is the code that users get, and no other.

Hand-written functions are taken from their file, which stands in a package of its own here: what it imports from the
helpers is what our modules use, and what it imports besides comes from its folder.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from protoc_gen_crd.conversion.code.codegen import functions_name, module
from protoc_gen_crd.conversion.code.handwritten import needed
from protoc_gen_crd.conversion.code.helpers import MODULES
from protoc_gen_crd.conversion.helpers import runtime
from protoc_gen_crd.conversion.helpers.runtime import Object
from protoc_gen_crd.conversion.plan.plan import Plan

_NUMBERS = count(1)


def compiled(plan: Plan, folder: str = "") -> dict[str, Any]:
    """The names of the module of a plan; `folder` holds its hand-written functions, whose errors are raised."""
    package = _package(plan, folder) if needed(plan) else str(runtime.__package__)
    name = "".join(letter if letter.isalnum() else "_" for letter in plan.name)
    scope: dict[str, Any] = {"__name__": f"{package}._{name}", "__package__": package}
    exec(compile(module(plan), f"<conversion of {plan.name}>", "exec"), scope)  # noqa: S102 - we have just written it
    return scope


def converter(plan: Plan, folder: str = "") -> Callable[[Object, str], Object]:
    """The function `convert` of the module of a plan."""
    return cast("Callable[[Object, str], Object]", compiled(plan, folder)["convert"])


def _package(plan: Plan, folder: str) -> str:
    """A new package of the files in a folder, with our helpers in place of those that were written there."""
    name = f"{__package__}._written_{next(_NUMBERS)}"
    made = sys.modules[name] = ModuleType(name)
    made.__path__ = [str(Path(folder).resolve())]
    sys.modules |= {f"{name}.{helper}": module for helper, module in MODULES.items()}
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # the folder is the user's
    try:
        importlib.import_module(f"{name}.{functions_name(plan)}")
    finally:
        sys.dont_write_bytecode = before
    return name
