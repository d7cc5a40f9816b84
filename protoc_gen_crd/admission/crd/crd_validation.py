"""Validation of a whole CRD: its parts in the server's order, on creation and on update.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go,
pkg/registry/customresourcedefinition strategy.go, k8s.io/apiserver pkg/registry/rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission import metadata_validation
from protoc_gen_crd.admission.crd.naming import api_approval, crd_names
from protoc_gen_crd.admission.crd.structure.schema_validation import SchemaValidator
from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_DEFAULT
from protoc_gen_crd.admission.crd.update.validation_options import (
    ValidationOptions,
    collect_flags,
    get_creation_options,
)
from protoc_gen_crd.admission.crd.versions import spec_versions
from protoc_gen_crd.admission.crd.versions.internal_version import CrdPart, InternalCrd
from protoc_gen_crd.admission.field_errors import INVALID, Cause
from protoc_gen_crd.admission.name_checks import mask_trailing_dash, validate_dns1123_subdomain, validate_path_segment
from protoc_gen_crd.crd.crd import Crd, Names
from protoc_gen_crd.kubernetes.shared_results import Switches


def get_name(crd: Crd) -> str:
    """Return the name, generated from generateName if necessary: the server's five random characters are all x here."""
    prefix: str = crd.metadata.get("generateName") or ""
    return crd.name or (f"{prefix}xxxxx" if prefix else "")


def validate_create(
    internal: InternalCrd, name: str, validator: SchemaValidator, switches: Switches
) -> Iterator[Cause]:
    """Validate a new CRD with this name."""

    def validate_name(text: str, *, prefix: bool = False) -> list[str]:
        expected = f"{internal.crd.names.plural}.{internal.crd.group}"
        errors = validate_dns1123_subdomain(mask_trailing_dash(text) if prefix else text)
        return errors if text == expected else [*errors, 'must be spec.names.plural+"."+spec.group']

    meta = {**_get_object_meta(internal.crd), "name": name, "generation": 1}
    for error in metadata_validation.deduplicate_errors(
        metadata_validation.validate_object_meta(meta, "metadata", switches, validate_name), switches
    ):
        yield error.replace(place=internal.crd.get_place(error.path.partition("[")[0]))
    yield from _validate_spec(
        internal, validator, switches, get_creation_options(internal, validator.visitor, switches)
    )
    yield from crd_names.validate_stored_versions(
        internal, None if internal.storage is None else [internal.storage], switches
    )
    yield from api_approval.validate_approval(internal, None, switches)
    yield from _validate_preserve_unknown_fields(internal)


def validate_update(
    internal: InternalCrd, old: InternalCrd, validator: SchemaValidator, switches: Switches
) -> Iterator[Cause]:
    """Validate an update of a stored CRD."""
    from protoc_gen_crd.admission.crd.update import update_validation  # noqa: PLC0415 - most CRDs are new

    old_meta = _get_object_meta(old.crd) | {"name": old.crd.name}
    kept = {key: old_meta.get(key) for key in ("generation", "uid", "creationTimestamp", "resourceVersion")}
    meta = {**_get_object_meta(internal.crd), "name": internal.crd.name}
    meta |= {
        key: value for key, value in kept.items() if key in ("generation", "creationTimestamp") or not meta.get(key)
    }
    errors = [
        *metadata_validation.validate_object_meta(meta, "metadata", switches, validate_path_segment),
        *metadata_validation.validate_object_meta_update(
            meta, old_meta, "metadata", switches
        ),  # as for any object, and again as for a CRD
        *metadata_validation.deduplicate_errors(
            metadata_validation.validate_object_meta_update(meta, old_meta, "metadata", switches), switches
        ),
    ]
    for error in errors:
        yield error.replace(place=internal.crd.get_place(error.path.partition("[")[0]))
    yield from _validate_spec(
        internal,
        validator,
        switches,
        update_validation.compute_update_options(internal, old, validator.visitor, switches),
    )
    yield from update_validation.validate_immutable_fields(internal, old)
    accepted: Names = (old.crd.status or {}).get("acceptedNames") or Names("", "")
    yield from crd_names.validate_name_grammar(accepted, "status.acceptedNames")
    yield from crd_names.validate_stored_versions(internal, compute_stored_versions(internal, old), switches)
    yield from api_approval.validate_approval(internal, old, switches)
    if not old.crd.preserve_unknown_fields:
        yield from _validate_preserve_unknown_fields(internal)


def compute_stored_versions(internal: InternalCrd, old: InternalCrd) -> list[str] | None:
    """Return status.storedVersions after an update."""
    stored: list[str] | None = (old.crd.status or {}).get("storedVersions")
    return (
        stored
        if internal.storage is None or internal.storage in (stored or ())
        else [*(stored or ()), internal.storage]
    )


def _get_object_meta(crd: Crd) -> dict[str, Any]:
    meta = {key: value for key, value in crd.metadata.items() if key != "namespace"}
    return {**meta, "labels": crd.labels, "annotations": crd.annotations}


def _validate_preserve_unknown_fields(internal: InternalCrd) -> Iterator[Cause]:
    if internal.crd.preserve_unknown_fields:
        reason = (
            "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead"
        )
        origin = internal.crd.get_place("preserveUnknownFields")
        yield Cause(INVALID, "spec.preserveUnknownFields", reason, value=True, place=origin)


def _validate_spec(
    internal: InternalCrd, validator: SchemaValidator, switches: Switches, options: ValidationOptions
) -> Iterator[Cause]:
    if not options.keeps_selectable_fields:
        internal = _drop_selectable_fields(internal)
    yield from crd_names.validate_group_and_scope(internal)
    yield from spec_versions.validate_schemas_exist(internal, switches, required=options.requires_schema)
    if internal.crd.preserve_unknown_fields and collect_flags(internal, validator.visitor) & HAS_DEFAULT:
        reason = "must be false in order to use defaults in the schema"
        origin = internal.crd.get_place("preserveUnknownFields")
        yield Cause(INVALID, "spec.preserveUnknownFields", reason, value=True, place=origin)
    yield from spec_versions.validate_versions(internal)
    yield from crd_names.validate_names(internal)
    any_status = any(version.status for version in internal.crd.versions)
    shared = internal.top is not None and internal.top.subresources is not None
    status_by_name = {
        part.version.name: part.version.status for part in reversed(internal.versions)
    }  # looked up by name
    for part in internal.versions:
        yield from _validate_part(
            part, validator, switches, options, status=any_status if shared else status_by_name[part.version.name]
        )
    if internal.top is not None:
        yield from _validate_part(internal.top, validator, switches, options, status=any_status)
    if internal.crd.conversion is not None:
        from protoc_gen_crd.admission.crd.versions.conversion_webhook import validate_conversion  # noqa: PLC0415 - few CRDs have any

        conversion = internal.crd.conversion
        yield from validate_conversion(
            internal,
            conversion,
            switches,
            requires_recognized_version=options.requires_recognized_version,
            allows_invalid_ca_bundle=options.allows_invalid_ca_bundle,
        )


def _validate_part(
    part: CrdPart, validator: SchemaValidator, switches: Switches, options: ValidationOptions, *, status: bool
) -> Iterator[Cause]:
    yield from validator.validate_schema(part, switches, options, status=status)
    yield from spec_versions.validate_subresources(part)
    yield from spec_versions.validate_columns(part)
    if part.selectable_fields:
        yield from spec_versions.validate_selectable_fields(
            part, switches, many=part.path in options.many_selectable_paths
        )


def _drop_selectable_fields(internal: InternalCrd) -> InternalCrd:
    """Return the CRD without selectable fields."""
    parts = tuple(part.replace(selectable_fields=None) for part in internal.versions)
    top = internal.top.replace(selectable_fields=None) if internal.top is not None else None
    return internal.replace(top=top, versions=parts)
