"""The actual cost of a call. Source: cel-go v0.29 `interpreter/runtimecost.go` (costCall)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protoc_gen_crd.cel.values.runtime_values import Value

from .function_costs import find_formula

Charge = Callable[[Sequence[Value], Value], int]


def find_charge(overload: str, function: str, minor: int) -> Charge:
    """Return the charge for calls: a function of the operands (the target first) and the result.

    `overload` is "" if the checker left several, `function` is the resolved name.
    """
    return find_formula(overload, function, minor).charge
