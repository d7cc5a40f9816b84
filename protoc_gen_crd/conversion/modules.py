"""Plans made ready to run: the generated module, compiled in memory. It is the code that users get, and no other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from protoc_gen_crd.conversion.codegen import module
from protoc_gen_crd.conversion.plan import Plan
from protoc_gen_crd.conversion.runtime import Object


def compiled(plan: Plan) -> dict[str, Any]:
    """The names of the module of a plan."""
    name = "".join(letter if letter.isalnum() else "_" for letter in plan.name)
    scope: dict[str, Any] = {"__name__": f"{__package__}._{name}", "__package__": __package__}
    exec(compile(module(plan), f"<conversion of {plan.name}>", "exec"), scope)  # noqa: S102 - we have just written it
    return scope


def converter(plan: Plan) -> Callable[[Object, str], Object]:
    """The function `convert` of the module of a plan."""
    return cast("Callable[[Object, str], Object]", compiled(plan)["convert"])
