# Written once by protoc-gen-crd. It is yours: fill it in, and keep it.
"""Hand-written conversion functions for Cluster of acme.example."""

from __future__ import annotations

from .handwritten import Derived, function
from .runtime import Object


@function
def owner_from_v1(value: Object, derived: Derived) -> Object:
    """Convert spec.owner to spec.owner, v1 to v2."""
    return derived(value)


@function
def limits_of_quota(value: Object, derived: Derived) -> Object:
    """Convert spec.pools[].quota to spec.pools[].limits, v1 to v2."""
    return derived(value)


@function
def owner_to_v1(value: Object, derived: Derived) -> Object:
    """Convert spec.owner to spec.owner, v2 to v1."""
    return derived(value)


@function
def quota_of_limits(value: Object, derived: Derived) -> Object:
    """Convert spec.pools[].limits to spec.pools[].quota, v2 to v1."""
    return derived(value)
