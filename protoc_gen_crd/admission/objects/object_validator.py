"""Validation of an object, except for its rules, in the server's order.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresource validator.go, strategy.go, status_strategy.go;
k8s.io/apiserver pkg/registry/rest update.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission import metadata_validation
from protoc_gen_crd.admission.field_errors import Cause
from protoc_gen_crd.admission.name_checks import mask_trailing_dash, validate_dns1123_subdomain, validate_path_segment
from protoc_gen_crd.admission.objects import embedded_resources, scale_subresource
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject
from protoc_gen_crd.admission.objects.list_uniqueness import find_duplicates
from protoc_gen_crd.admission.objects.version_handler import VersionHandler
from protoc_gen_crd.admission.version_differences import STATUS_LISTS, STATUS_PATH, STATUS_RATCHETING, STATUS_SCHEMA


def validate_create(resource: VersionHandler, obj: dict[str, Any]) -> Iterator[Cause]:
    """Validate a new object."""
    meta, switches = obj["metadata"], resource.switches
    errors = metadata_validation.validate_object_meta(
        meta, "metadata", switches, _validate_name, namespaced=resource.namespaced
    )
    yield from metadata_validation.deduplicate_errors(errors, switches)
    yield from resource.validator.validate_value(resource.schema, obj)
    yield from _validate_replicas(resource, obj)
    yield from _validate_resources(resource, obj)
    yield from find_duplicates(obj, resource.node)


def validate_update(
    resource: VersionHandler,
    obj: dict[str, Any],
    old: dict[str, Any],
    correlated: CorrelatedObject | None,
    *,
    status: bool,
) -> Iterator[Cause]:
    """Validate an update of an object, or with `status` of its status subresource."""
    switches = resource.switches
    yield from metadata_validation.deduplicate_errors(
        metadata_validation.validate_object_meta_update(obj["metadata"], old["metadata"], "metadata", switches),
        switches,
    )
    if status:
        yield from _validate_status(resource, obj, correlated)
        if STATUS_LISTS not in switches:
            return
    else:
        yield from resource.validator.validate_value(resource.schema, obj, None, correlated)
        yield from _validate_replicas(resource, obj)
        yield from _validate_resources(resource, obj)
    if resource.node.lists and not find_duplicates(old, resource.node):
        yield from find_duplicates(obj, resource.node)


def validate_generic_update(resource: VersionHandler, obj: dict[str, Any], old: dict[str, Any]) -> Iterator[Cause]:
    """Validate the metadata of an update, as a server does for objects of any kind in addition."""
    new = obj["metadata"]
    yield from metadata_validation.validate_object_meta(
        new, "metadata", resource.switches, validate_path_segment, namespaced=resource.namespaced
    )
    yield from metadata_validation.validate_object_meta_update(new, old["metadata"], "metadata", resource.switches)


def _validate_status(
    resource: VersionHandler, obj: dict[str, Any], correlated: CorrelatedObject | None
) -> Iterator[Cause]:
    schema, switches = resource.schema.properties.get("status"), resource.switches
    if STATUS_SCHEMA not in switches:
        yield from resource.validator.validate_value(resource.schema, obj)
    elif "status" in obj and schema is not None:
        before = correlated.get_member("status") if correlated is not None and STATUS_RATCHETING in switches else None
        path = "status" if STATUS_PATH in switches else None
        yield from resource.validator.validate_value(schema, obj["status"], path, before)
    yield from scale_subresource.validate_status(resource.version.scale, obj)


def _validate_replicas(resource: VersionHandler, obj: dict[str, Any]) -> Iterator[Cause]:
    yield from scale_subresource.validate_spec_replicas(resource.version.scale, obj)
    yield from scale_subresource.validate_status(resource.version.scale, obj)


def _validate_resources(resource: VersionHandler, obj: dict[str, Any]) -> Iterator[Cause]:
    if resource.node.resources:
        yield from embedded_resources.validate_resources(obj, resource.schema, None, resource.switches, resource=False)


def _validate_name(name: str, *, prefix: bool = False) -> list[str]:
    return validate_dns1123_subdomain(mask_trailing_dash(name) if prefix else name)
