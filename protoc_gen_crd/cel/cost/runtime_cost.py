"""What a call costs that has been made. Source: cel-go v0.29 `interpreter/runtimecost.go` (costCall)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protoc_gen_crd.cel.values.values import Value

from .cost_table import find_formula

Charge = Callable[[Sequence[Value], Value], int]


def find_charge(overload: str, function: str, minor: int) -> Charge:
    """The charge for calls, a function of operands (the target first) and result.

    `overload` is "" where the checker left several, `function` the name that was resolved.
    """
    return find_formula(overload, function, minor).charge
