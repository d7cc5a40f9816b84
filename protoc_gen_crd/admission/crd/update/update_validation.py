"""Validation of updates: the errors that an update may keep from the old CRD, and the fields that it must not change.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go
(ValidateCustomResourceDefinitionUpdate).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    HAS_DEFAULT,
    HAS_EXTENSION,
    HAS_RULE,
    LOOSE_KEYS,
    LOOSE_SET,
    ODD_TYPE,
    STRUCTURAL,
    UNCONVERTIBLE,
    SchemaVisitor,
    select_findings,
)
from protoc_gen_crd.admission.crd.update.validation_options import (
    ValidationOptions,
    collect_flags,
    find_gated_fields,
    iterate_schemas,
)
from protoc_gen_crd.admission.crd.versions.conversion_webhook import REVIEW_VERSIONS
from protoc_gen_crd.admission.crd.versions.internal_version import CrdPart, InternalCrd, is_equal
from protoc_gen_crd.admission.field_errors import INVALID, Cause
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import (
    FIELD_SELECTORS,
    MANY_SELECTABLE_KEPT,
    RATCHETING,
    STORED_MESSAGES,
    UNCHANGED_UNLIMITED,
)
from protoc_gen_crd.kubernetes.api_server_limits import MAX_SELECTABLE_FIELDS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import Schema, iterate_rules


def compute_update_options(
    internal: InternalCrd, old: InternalCrd, visitor: SchemaVisitor, switches: Switches
) -> ValidationOptions:
    """Compute the validation options of an update from the old CRD."""
    old_flags, new_flags = collect_flags(old, visitor), collect_flags(internal, visitor)
    optional, selectable = find_gated_fields(internal, visitor)
    was_structural = all(_is_structural(schema, visitor, switches) for schema in iterate_schemas(old))
    return ValidationOptions(
        ratcheted=old_flags & (LOOSE_SET | LOOSE_KEYS | ODD_TYPE),
        requires_structural=was_structural
        or not internal.crd.preserve_unknown_fields
        or bool(new_flags & (HAS_DEFAULT | HAS_EXTENSION)),
        requires_schema=all(part.openapi is not None for part in _get_schema_parts(old)),
        requires_pruned_defaults=not old_flags & HAS_DEFAULT or not _has_unpruned(old, visitor, switches),
        requires_recognized_version=_has_recognized_review_version(old),
        allows_invalid_ca_bundle=not is_established(old) or _has_invalid_ca_bundle(old),
        many_selectable_paths=_find_many_selectable(internal, old)
        if selectable and MANY_SELECTABLE_KEPT in switches
        else frozenset(),
        stored_expressions=_collect_stored_expressions(old, visitor, switches),
        unchanged_versions=_find_unchanged_versions(internal, old) if UNCHANGED_UNLIMITED in switches else frozenset(),
        keeps_optional_old_self=not optional or can_keep_optional_old_self(old, visitor, switches),
        keeps_selectable_fields=not selectable or can_keep_selectable_fields(old, visitor, switches),
    )


def can_keep_optional_old_self(old: InternalCrd, visitor: SchemaVisitor, switches: Switches) -> bool:
    """Return true if optionalOldSelf is kept: the feature gate is on or the old CRD has it."""
    return RATCHETING in switches or find_gated_fields(old, visitor)[0]


def can_keep_selectable_fields(old: InternalCrd, visitor: SchemaVisitor, switches: Switches) -> bool:
    """Return true if selectableFields are kept: the feature gate is on or the old CRD has them."""
    return FIELD_SELECTORS in switches or find_gated_fields(old, visitor)[1]


def _is_structural(schema: Schema, visitor: SchemaVisitor, switches: Switches) -> bool:
    visit = visitor.visit_root(schema)
    return not visit.flags & UNCONVERTIBLE and not any(select_findings(visit, STRUCTURAL, switches))


def _get_schema_parts(internal: InternalCrd) -> tuple[CrdPart, ...]:
    """Return the parts with schemas: the top if all versions share one, otherwise the versions."""
    return (internal.top,) if internal.top is not None and internal.top.openapi is not None else internal.versions


def _has_unpruned(old: InternalCrd, visitor: SchemaVisitor, switches: Switches) -> bool:
    """Return true if a default is not pruned. Schemas that are not structural do not count: servers prune none."""
    from protoc_gen_crd.admission.crd.structure.default_values import has_unpruned  # noqa: PLC0415 - few updates have defaults

    return any(_is_structural(schema, visitor, switches) and has_unpruned(schema) for schema in iterate_schemas(old))


def _has_recognized_review_version(old: InternalCrd) -> bool:
    reviews = ((old.crd.conversion or {}).get("webhook") or {}).get("conversionReviewVersions") or ()
    return not reviews or bool(set(reviews) & set(REVIEW_VERSIONS))


def _has_invalid_ca_bundle(old: InternalCrd) -> bool:
    config = ((old.crd.conversion or {}).get("webhook") or {}).get("clientConfig") or {}
    if not config.get("caBundle"):
        return False
    from protoc_gen_crd.admission.crd.versions.ca_bundles import find_bundle_error  # noqa: PLC0415 - few CRDs have webhooks

    return find_bundle_error(config["caBundle"]) is not None


def _find_many_selectable(internal: InternalCrd, old: InternalCrd) -> frozenset[str]:
    old_parts = {
        part.path if part.path == "spec" else part.version.name: part for part in (old.top, *old.versions) if part
    }
    kept = set()
    for part in (internal.top, *internal.versions):
        old_part = old_parts.get(part.path if part.path == "spec" else part.version.name) if part else None
        if part and old_part and len(old_part.selectable_fields or ()) > MAX_SELECTABLE_FIELDS:
            kept |= {part.path} if part.selectable_fields == old_part.selectable_fields else set()
    return frozenset(kept)


def _collect_stored_expressions(
    old: InternalCrd, visitor: SchemaVisitor, switches: Switches
) -> tuple[frozenset[str], frozenset[str]]:
    rules: set[str] = set()
    messages: set[str] = set()
    if collect_flags(old, visitor) & HAS_RULE:
        for rule in iterate_rules(iterate_schemas(old)):
            rules.add(rule.rule)
            if rule.message_expression:
                messages.add(rule.message_expression if STORED_MESSAGES in switches else rule.rule)
    return frozenset(rules), frozenset(messages)


def _find_unchanged_versions(internal: InternalCrd, old: InternalCrd) -> frozenset[str]:
    old_parts = {part.version.name: part for part in reversed(old.versions)}
    same = set()
    for part in internal.versions:
        old_part = old_parts.get(part.version.name)
        if old_part is not None and is_equal(_get_schema(internal, part), _get_schema(old, old_part)):
            same.add(part.version.name)
    return frozenset(same)


def _get_schema(internal: InternalCrd, part: CrdPart) -> Schema | None:
    return part.openapi if part.openapi is not None or internal.top is None else internal.top.openapi


def is_established(internal: InternalCrd) -> bool:
    """Return true if the condition Established is true."""
    conditions: list[dict[str, Any]] = (internal.crd.status or {}).get("conditions") or []
    return any(condition.get("type") == "Established" and condition.get("status") == "True" for condition in conditions)


def validate_immutable_fields(internal: InternalCrd, old: InternalCrd) -> Iterator[Cause]:
    """Report changes of the fields that identify stored objects."""
    fields = [
        ("group", internal.crd.group, old.crd.group, "string"),
        ("names.plural", internal.names.plural, old.names.plural, "string"),
    ]
    if is_established(old):
        fields += [
            ("scope", internal.crd.scope, old.crd.scope, "apiextensions.ResourceScope"),
            ("names.kind", internal.names.kind, old.names.kind, "string"),
        ]
    for member, value, old_value, kind in fields:
        if value != old_value:
            shown = value if kind == "string" else GoTypedValue(kind, value)
            yield Cause(INVALID, f"spec.{member}", "field is immutable", shown, internal.crd.get_place(member))
