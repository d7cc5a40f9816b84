"""What an object is held to, apart from its rules, in the server's order.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresource validator.go, strategy.go, status_strategy.go;
k8s.io/apiserver pkg/registry/rest update.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission import metadata
from protoc_gen_crd.admission.errors import FieldError
from protoc_gen_crd.admission.names import dns1123_subdomain, masked, path_segment
from protoc_gen_crd.admission.objects import embedded, scale
from protoc_gen_crd.admission.objects.correlation import Correlated
from protoc_gen_crd.admission.objects.lists import duplicates
from protoc_gen_crd.admission.objects.resource import Resource
from protoc_gen_crd.admission.switches import STATUS_LISTS, STATUS_PATH, STATUS_RATCHETING, STATUS_SCHEMA


def created(resource: Resource, obj: dict[str, Any]) -> Iterator[FieldError]:
    """What is wrong with a new object."""
    meta, switches = obj["metadata"], resource.switches
    errors = metadata.created(meta, "metadata", switches, _name_faults, namespaced=resource.namespaced)
    yield from metadata.once(errors, switches)
    yield from resource.values.errors(resource.schema, obj)
    yield from _replicas(resource, obj)
    yield from _resources(resource, obj)
    yield from duplicates(obj, resource.node)


def updated(
    resource: Resource, obj: dict[str, Any], old: dict[str, Any], correlated: Correlated | None, *, status: bool
) -> Iterator[FieldError]:
    """What is wrong with an object that replaces another, as a whole or with its status alone."""
    switches = resource.switches
    yield from metadata.once(metadata.updated(obj["metadata"], old["metadata"], "metadata", switches), switches)
    if status:
        yield from _of_status(resource, obj, correlated)
        if STATUS_LISTS not in switches:
            return
    else:
        yield from resource.values.errors(resource.schema, obj, None, correlated)
        yield from _replicas(resource, obj)
        yield from _resources(resource, obj)
    if resource.node.lists and not duplicates(old, resource.node):
        yield from duplicates(obj, resource.node)


def of_any_update(resource: Resource, obj: dict[str, Any], old: dict[str, Any]) -> Iterator[FieldError]:
    """What is wrong with an object of any kind that replaces another, which is said besides."""
    new = obj["metadata"]
    yield from metadata.created(new, "metadata", resource.switches, path_segment, namespaced=resource.namespaced)
    yield from metadata.updated(new, old["metadata"], "metadata", resource.switches)


def _of_status(resource: Resource, obj: dict[str, Any], correlated: Correlated | None) -> Iterator[FieldError]:
    schema, switches = resource.schema.properties.get("status"), resource.switches
    if STATUS_SCHEMA not in switches:
        yield from resource.values.errors(resource.schema, obj)
    elif "status" in obj and schema is not None:
        before = correlated.key("status") if correlated is not None and STATUS_RATCHETING in switches else None
        path = "status" if STATUS_PATH in switches else None
        yield from resource.values.errors(schema, obj["status"], path, before)
    yield from scale.status(resource.version.scale, obj)


def _replicas(resource: Resource, obj: dict[str, Any]) -> Iterator[FieldError]:
    yield from scale.spec(resource.version.scale, obj)
    yield from scale.status(resource.version.scale, obj)


def _resources(resource: Resource, obj: dict[str, Any]) -> Iterator[FieldError]:
    if resource.node.resources:
        yield from embedded.validated(obj, resource.schema, None, resource.switches, resource=False)


def _name_faults(text: str, *, prefix: bool = False) -> list[str]:
    return dns1123_subdomain(masked(text) if prefix else text)
