"""What an update may keep of the CRD it replaces, and what it may not change.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go
(ValidateCustomResourceDefinitionUpdate).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.crd.conversion import REVIEW_VERSIONS
from protoc_gen_crd.admission.crd.held import Held, Part, equal
from protoc_gen_crd.admission.crd.options import Options, bits, schemas, uses
from protoc_gen_crd.admission.crd.survey import (
    HAS_DEFAULT,
    HAS_EXTENSION,
    HAS_RULE,
    LOOSE_KEYS,
    LOOSE_SET,
    ODD_TYPE,
    STRUCTURAL,
    UNCONVERTIBLE,
    Survey,
    said,
)
from protoc_gen_crd.admission.crd.versions import MAX_SELECTABLE
from protoc_gen_crd.admission.errors import INVALID, FieldError, Typed
from protoc_gen_crd.admission.switches import (
    FIELD_SELECTORS,
    MANY_SELECTABLE_KEPT,
    RATCHETING,
    STORED_MESSAGES,
    UNCHANGED_UNLIMITED,
    Switches,
)
from protoc_gen_crd.schema.types import Schema


def options(held: Held, old: Held, survey: Survey, switches: Switches) -> Options:
    """What the old CRD lets the new one be."""
    before, now = bits(old, survey), bits(held, survey)
    optional, selectable = uses(held, survey)
    sound = not before & UNCONVERTIBLE and not any(_unstructural(schema, survey, switches) for schema in schemas(old))
    return Options(
        eased=before & (LOOSE_SET | LOOSE_KEYS | ODD_TYPE),
        structural=sound or not held.crd.preserve_unknown_fields or bool(now & (HAS_DEFAULT | HAS_EXTENSION)),
        required=all(part.openapi is not None for part in _effective(old)),
        pruned=not before & HAS_DEFAULT or not _has_unpruned(old),
        recognized=_recognized(old),
        bundles=not is_established(old) or _had_bad_bundle(old),
        many=_many(held, old) if selectable and MANY_SELECTABLE_KEPT in switches else frozenset(),
        stored=_texts(old, survey, switches),
        unchanged=_unchanged(held, old) if UNCHANGED_UNLIMITED in switches else frozenset(),
        optional=not optional or keeps_optional(old, survey, switches),
        selectable=not selectable or keeps_selectable(old, survey, switches),
    )


def keeps_optional(old: Held, survey: Survey, switches: Switches) -> bool:
    """Whether optionalOldSelf is kept: where the gate is open or the old CRD has it."""
    return RATCHETING in switches or uses(old, survey)[0]


def keeps_selectable(old: Held, survey: Survey, switches: Switches) -> bool:
    """Whether selectableFields are kept: where the gate is open or the old CRD has them."""
    return FIELD_SELECTORS in switches or uses(old, survey)[1]


def _unstructural(schema: Schema, survey: Survey, switches: Switches) -> bool:
    return any(said(survey.of(schema), STRUCTURAL, switches))


def _effective(held: Held) -> tuple[Part, ...]:
    """The parts that have the schemas: the top where all share one, else the versions."""
    return (held.top,) if held.top is not None and held.top.openapi is not None else held.versions


def _has_unpruned(old: Held) -> bool:
    from protoc_gen_crd.admission.crd.defaults import has_unpruned  # noqa: PLC0415 - few updates have defaults

    return any(has_unpruned(schema) for schema in schemas(old))


def _recognized(old: Held) -> bool:
    reviews = ((old.crd.conversion or {}).get("webhook") or {}).get("conversionReviewVersions") or ()
    return not reviews or bool(set(reviews) & set(REVIEW_VERSIONS))


def _had_bad_bundle(old: Held) -> bool:
    from protoc_gen_crd.admission.crd.bundles import fault  # noqa: PLC0415 - few CRDs have webhooks

    config = ((old.crd.conversion or {}).get("webhook") or {}).get("clientConfig") or {}
    return bool(config.get("caBundle")) and fault(config["caBundle"]) is not None


def _many(held: Held, old: Held) -> frozenset[str]:
    before = {
        part.path if part.path == "spec" else part.version.name: part for part in (old.top, *old.versions) if part
    }
    kept = set()
    for part in (held.top, *held.versions):
        known = before.get(part.path if part.path == "spec" else part.version.name) if part else None
        if part and known and len(known.selectable_fields or ()) > MAX_SELECTABLE:
            kept |= {part.path} if part.selectable_fields == known.selectable_fields else set()
    return frozenset(kept)


def _texts(old: Held, survey: Survey, switches: Switches) -> tuple[frozenset[str], frozenset[str]]:
    rules: set[str] = set()
    messages: set[str] = set()
    if bits(old, survey) & HAS_RULE:
        for rule in (rule for schema in schemas(old) for node in _nodes(schema) for rule in node.rules):
            rules.add(rule.rule)
            if rule.message_expression:
                messages.add(rule.message_expression if STORED_MESSAGES in switches else rule.rule)
    return frozenset(rules), frozenset(messages)


def _nodes(schema: Schema) -> Iterator[Schema]:
    yield schema
    for _, child in schema.children():
        yield from _nodes(child)


def _unchanged(held: Held, old: Held) -> frozenset[str]:
    before = {part.version.name: part for part in reversed(old.versions)}
    same = set()
    for part in held.versions:
        known = before.get(part.version.name)
        if known is not None and equal(_schema_of(held, part), _schema_of(old, known)):
            same.add(part.version.name)
    return frozenset(same)


def _schema_of(held: Held, part: Part) -> Schema | None:
    return part.openapi if part.openapi is not None or held.top is None else held.top.openapi


def is_established(held: Held) -> bool:
    """Whether the status of a stored CRD says so."""
    conditions: list[dict[str, Any]] = (held.crd.status or {}).get("conditions") or []
    return any(each.get("type") == "Established" and each.get("status") == "True" for each in conditions)


def immutable(held: Held, old: Held) -> Iterator[FieldError]:
    """Fields that name the stored objects."""
    fields = [
        ("group", held.crd.group, old.crd.group, "string"),
        ("names.plural", held.names.plural, old.names.plural, "string"),
    ]
    if is_established(old):
        fields += [
            ("scope", held.crd.scope, old.crd.scope, "apiextensions.ResourceScope"),
            ("names.kind", held.names.kind, old.names.kind, "string"),
        ]
    for member, value, before, kind in fields:
        if value != before:
            shown = value if kind == "string" else Typed(kind, value)
            yield FieldError(INVALID, f"spec.{member}", "field is immutable", shown, held.crd.place(member))
