"""What a server lets be, on a creation or, more of it, on an update; `update_validation` works out the latter."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.admission.crd.structure.schema_visitor import HAS_OPTIONAL, SchemaVisitor
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd
from protoc_gen_crd.admission.switches import FIELD_SELECTORS, RATCHETING, Switches
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.schema.schema import Schema


class ValidationOptions(Record):
    """What is let be. On a creation, nothing is.

    `ratcheted` are faults of the old CRD that may stay, `requires_structural` whether schemas must be structural,
    `requires_schema` whether
    every version must have one, `requires_pruned_defaults` whether defaults must hold no unknown fields;
    `many_selectable_paths` are paths that may keep
    more than eight selectable fields; `stored_expressions` are texts of rules and of messageExpressions that the old
    CRD had; `unchanged_versions` are the versions whose schema is the same; `keeps_optional_old_self` and
    `keeps_selectable_fields` are whether optionalOldSelf and
    selectableFields are kept, which are dropped where their gate is closed.
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
    """The options for a new CRD."""
    optional, selectable = find_gated_fields(internal, visitor)
    return ValidationOptions(
        allows_invalid_ca_bundle=True,
        keeps_optional_old_self=not optional or RATCHETING in switches,
        keeps_selectable_fields=not selectable or FIELD_SELECTORS in switches,
    )


def find_gated_fields(internal: InternalCrd, visitor: SchemaVisitor) -> tuple[bool, bool]:
    """Whether a CRD has optionalOldSelf and selectableFields at all; else nobody need ask whether they are kept.

    Shortcut gated-fields: a gate drops fields, so it has no effect on a CRD that has none of them.
    """
    parts = (part for part in (internal.top, *internal.versions) if part is not None)
    return bool(collect_flags(internal, visitor) & HAS_OPTIONAL), any(
        part.selectable_fields is not None for part in parts
    )


def iterate_schemas(internal: InternalCrd) -> Iterator[Schema]:
    """Every schema of a CRD, the shared one once."""
    for part in (internal.top, *internal.versions):
        if part is not None and part.openapi is not None:
            yield part.openapi


def collect_flags(internal: InternalCrd, visitor: SchemaVisitor) -> int:
    """What the schemas of a CRD hold, taken together."""
    found = 0
    for schema in iterate_schemas(internal):
        found |= visitor.visit_root(schema).flags
    return found
