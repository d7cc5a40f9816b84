"""The validation options of creations and updates; `update_validation` computes those of updates."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_OPTIONAL, SchemaVisitor
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd
from protoc_gen_crd.admission.version_differences import FIELD_SELECTORS, RATCHETING
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import Schema


class ValidationOptions(Record):
    """Exceptions from the validation, which an update allows for errors of the old CRD.

    `ratcheted` are the flags of errors that the old CRD already has. `requires_structural` requires structural schemas,
    `requires_schema` a schema for every version, and `requires_pruned_defaults` defaults without unknown fields.
    `many_selectable_paths` are the paths that may keep more than eight selectable fields. `stored_expressions` are the
    rules and messageExpressions of the old CRD. `unchanged_versions` are the versions with an unchanged schema.
    `keeps_optional_old_self` and `keeps_selectable_fields` are false if a feature gate drops these fields.
    """

    ratcheted: int = 0
    requires_structural: bool = True
    requires_schema: bool = True
    requires_pruned_defaults: bool = True
    requires_recognized_version: bool = True
    allows_invalid_ca_bundle: bool = False
    many_selectable_paths: frozenset[str] = frozenset()
    stored_expressions: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    unchanged_versions: frozenset[str] = frozenset()
    keeps_optional_old_self: bool = True
    keeps_selectable_fields: bool = True


def get_creation_options(internal: InternalCrd, visitor: SchemaVisitor, switches: Switches) -> ValidationOptions:
    """Return the options for a new CRD."""
    optional, selectable = find_gated_fields(internal, visitor)
    return ValidationOptions(
        allows_invalid_ca_bundle=True,
        keeps_optional_old_self=not optional or RATCHETING in switches,
        keeps_selectable_fields=not selectable or FIELD_SELECTORS in switches,
    )


def find_gated_fields(internal: InternalCrd, visitor: SchemaVisitor) -> tuple[bool, bool]:
    """Return whether a CRD has optionalOldSelf, and whether it has selectableFields.

    Shortcut gated-fields: a gate drops fields, so it has no effect on a CRD that has none of them.
    """
    parts = (part for part in (internal.top, *internal.versions) if part is not None)
    return bool(collect_flags(internal, visitor) & HAS_OPTIONAL), any(
        part.selectable_fields is not None for part in parts
    )


def iterate_schemas(internal: InternalCrd) -> Iterator[Schema]:
    """Iterate over the schemas of a CRD; a shared one occurs once."""
    for part in (internal.top, *internal.versions):
        if part is not None and part.openapi is not None:
            yield part.openapi


def collect_flags(internal: InternalCrd, visitor: SchemaVisitor) -> int:
    """Return the flags of all schemas of a CRD."""
    flags = 0
    for schema in iterate_schemas(internal):
        flags |= visitor.visit_root(schema).flags
    return flags
