"""What a call costs that has been made. Source: cel-go v0.29 `interpreter/runtimecost.go` (costCall)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from protoc_gen_crd.cel.values import Value

from .table import formula

Charge = Callable[[Sequence[Value], Value], int]


def charge_of(overload: str, function: str, minor: int) -> Charge:
    """The charge for calls, a function of operands (the target first) and result.

    `overload` is "" where the checker left several, `function` the name that was resolved.
    """
    return formula(overload, function, minor).charge
