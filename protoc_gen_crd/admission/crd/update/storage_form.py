"""The form of an accepted CRD in storage and in responses.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresourcedefinition strategy.go, pkg/apis/apiextensions/v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.admission.crd.crd_validation import compute_stored_versions, get_name
from protoc_gen_crd.admission.crd.structure.checks_by_position import make_schema_visitor
from protoc_gen_crd.admission.crd.update import update_validation
from protoc_gen_crd.admission.crd.update.validation_options import ValidationOptions, get_creation_options
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd, is_equal
from protoc_gen_crd.admission.objects.metadata_codec import encode_metadata
from protoc_gen_crd.admission.version_differences import (
    MESSAGE_EXPRESSION,
    OBSERVED_GENERATION,
    OPTIONAL_OLD_SELF,
    REASON_AND_FIELD_PATH,
    SELECTABLE_FIELDS,
)
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import BRANCH_KEYWORDS, VALIDATIONS

_SYSTEM = ("namespace", "selfLink", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def encode_created(internal: InternalCrd, switches: Switches) -> dict[str, Any]:
    """Encode a new CRD as stored, without generated times and identifiers."""
    encoded = _encode_crd(internal, switches, get_creation_options(internal, make_schema_visitor(), switches))
    meta = {key: value for key, value in internal.crd.metadata.items() if key not in _SYSTEM}
    encoded["metadata"] = _encode_metadata(internal.crd, {**meta, "name": get_name(internal.crd), "generation": 1})
    encoded["status"] = _encode_status(
        {"storedVersions": None if internal.storage is None else [internal.storage]}, switches
    )
    return encoded


def as_stored(internal: InternalCrd, *, established: bool) -> Crd:
    """Return a CRD with its status after creation and, if `established`, after its names were accepted."""
    status = dict(internal.crd.status or {})
    if not status.get("storedVersions"):
        status["storedVersions"] = None if internal.storage is None else [internal.storage]
    if established:
        accepted = status.get("acceptedNames")
        if accepted is None or not accepted.plural:
            status["acceptedNames"] = internal.names
        conditions = list(status.get("conditions") or ())
        condition_types = {condition.get("type") for condition in conditions}
        missing = [kind for kind in ("NamesAccepted", "Established") if kind not in condition_types]
        status["conditions"] = conditions + [{"type": kind, "status": "True"} for kind in missing]
    meta = {"generation": 1, "resourceVersion": "1", **internal.crd.metadata}
    meta = {key: value for key, value in meta.items() if key not in _SYSTEM}
    return internal.crd.replace(status=status, metadata=meta)


def encode_updated(internal: InternalCrd, old: InternalCrd, switches: Switches) -> dict[str, Any]:
    """Encode an updated CRD as stored."""
    visitor = make_schema_visitor()
    options = ValidationOptions(
        keeps_optional_old_self=update_validation.can_keep_optional_old_self(old, visitor, switches),
        keeps_selectable_fields=update_validation.can_keep_selectable_fields(old, visitor, switches),
    )
    encoded = _encode_crd(internal, switches, options)
    new_spec, old_spec = [_encode_crd(crd, switches, ValidationOptions())["spec"] for crd in (internal, old)]
    changed = not is_equal(new_spec, old_spec)  # dropped fields count as changes
    meta = {key: value for key, value in internal.crd.metadata.items() if key not in _SYSTEM or key == "selfLink"}
    meta.setdefault("resourceVersion", old.crd.metadata.get("resourceVersion"))
    encoded["metadata"] = _encode_metadata(
        internal.crd, {**meta, "generation": (old.crd.metadata.get("generation") or 1) + changed}
    )
    encoded["status"] = _encode_status(
        {**(old.crd.status or {}), "storedVersions": compute_stored_versions(internal, old)}, switches
    )
    return encoded


def _encode_metadata(crd: Crd, members: Mapping[str, Any]) -> dict[str, Any]:
    return encode_metadata({**members, "labels": dict(crd.labels), "annotations": dict(crd.annotations)})


def _encode_crd(internal: InternalCrd, switches: Switches, options: ValidationOptions) -> dict[str, Any]:
    versions = tuple(_normalize_defaults(version, switches) for version in internal.crd.versions)
    encoded = encode(internal.crd.replace(names=internal.names, versions=versions))
    spec = encoded["spec"]
    spec["conversion"] = _encode_conversion(internal.crd.conversion)
    if internal.crd.preserve_unknown_fields:
        spec["preserveUnknownFields"] = True
    unknown = _find_unknown_rule_fields(switches, optional=options.keeps_optional_old_self)
    for version in spec["versions"]:
        if not options.keeps_selectable_fields or SELECTABLE_FIELDS not in switches:
            version.pop("selectableFields", None)
        if unknown and version.get("schema"):
            version["schema"] = {
                "openAPIV3Schema": _drop_rule_fields(version["schema"].get("openAPIV3Schema"), unknown)
            }
    return encoded


def _normalize_defaults(version: CrdVersion, switches: Switches) -> CrdVersion:
    from protoc_gen_crd.admission.crd.structure.default_values import normalize_defaults  # noqa: PLC0415 - few callers encode

    return version if version.schema is None else version.replace(schema=normalize_defaults(version.schema, switches))


def _find_unknown_rule_fields(switches: Switches, *, optional: bool) -> frozenset[str]:
    known = {
        "messageExpression": MESSAGE_EXPRESSION in switches,
        "reason": REASON_AND_FIELD_PATH in switches,
        "fieldPath": REASON_AND_FIELD_PATH in switches,
        "optionalOldSelf": OPTIONAL_OLD_SELF in switches and optional,
    }
    return frozenset(key for key, is_known in known.items() if not is_known)


def _drop_rule_fields(plain: Any, members: frozenset[str]) -> Any:
    """Return a schema in plain data without these members of its rules."""
    if not isinstance(plain, dict):
        return plain
    reduced = dict(plain)
    for keyword, value in plain.items():
        if keyword in ("properties", "patternProperties", "definitions"):
            reduced[keyword] = {name: _drop_rule_fields(child, members) for name, child in value.items()}
        elif keyword in ("items", "additionalProperties", "not"):
            reduced[keyword] = _drop_rule_fields(value, members)
        elif keyword in BRANCH_KEYWORDS:
            reduced[keyword] = [_drop_rule_fields(child, members) for child in value]
        elif keyword == VALIDATIONS:
            reduced[keyword] = [{key: member for key, member in rule.items() if key not in members} for rule in value]
    return reduced


def _encode_conversion(conversion: Mapping[str, Any] | None) -> dict[str, Any]:
    if conversion is None:
        return {"strategy": "None"}
    encoded: dict[str, Any] = {"strategy": conversion.get("strategy") or ""}
    webhook = conversion.get("webhook") or {}
    config, reviews = webhook.get("clientConfig"), webhook.get("conversionReviewVersions")
    if config is not None or reviews is not None:
        encoded["webhook"] = {"conversionReviewVersions": reviews}
        if config is not None:
            encoded["webhook"]["clientConfig"] = _encode_client_config(config)
    return encoded


def _encode_client_config(config: Mapping[str, Any]) -> dict[str, Any]:
    encoded = {
        key: value for key, value in config.items() if value is not None and not (key == "caBundle" and not value)
    }
    if encoded.get("service") is not None:
        encoded["service"] = {"namespace": "", "name": "", "port": 443, **encoded["service"]}
    return encoded


def _encode_status(status: Mapping[str, Any], switches: Switches) -> dict[str, Any]:
    tracked = OBSERVED_GENERATION in switches
    conditions = status.get("conditions")
    encoded: dict[str, Any] = {
        "acceptedNames": _encode_names(status.get("acceptedNames") or Names("", "")),
        "conditions": None
        if conditions is None
        else [_encode_condition(condition, tracked=tracked) for condition in conditions],
        "storedVersions": status.get("storedVersions"),
    }
    if status.get("observedGeneration") and tracked:
        encoded["observedGeneration"] = status["observedGeneration"]
    return encoded


def _encode_names(names: Names) -> dict[str, Any]:
    optional = {
        "singular": names.singular,
        "listKind": names.list_kind,
        "shortNames": list(names.short_names),
        "categories": list(names.categories),
    }
    return {"plural": names.plural, "kind": names.kind} | {key: value for key, value in optional.items() if value}


def _encode_condition(condition: Mapping[str, Any], *, tracked: bool) -> dict[str, Any]:
    optional = {key: condition[key] for key in ("reason", "message", "observedGeneration") if condition.get(key)}
    if not tracked:
        optional.pop("observedGeneration", None)
    return (
        {"type": condition.get("type") or "", "status": condition.get("status") or ""}
        | optional
        | {"lastTransitionTime": condition.get("lastTransitionTime")}
    )
