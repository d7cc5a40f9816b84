# Written once by protoc-gen-crd. It is yours: fill it in, and keep it.
"""Hand-written conversion functions for Gadget of acme.example."""

from __future__ import annotations

from .handwritten import Derived, function
from .runtime import Object


@function
def millis_of_cpu(value: str) -> int | None:
    """Convert spec.cpu to spec.cpuMillis, v1 to v2."""
    raise NotImplementedError("millis_of_cpu")


@function
def limits_from_v1(value: Object, derived: Derived) -> Object:
    """Convert spec.limits to spec.limits, v1 to v2."""
    return derived(value)


@function
def number_of_address(value: str) -> int | None:
    """Convert spec.ports[].address to spec.ports[].number, v1 to v2."""
    raise NotImplementedError("number_of_address")


@function
def cpu_of_millis(value: int) -> str | None:
    """Convert spec.cpuMillis to spec.cpu, v2 to v1."""
    raise NotImplementedError("cpu_of_millis")


@function
def limits_to_v1(value: Object, derived: Derived) -> Object:
    """Convert spec.limits to spec.limits, v2 to v1."""
    return derived(value)
