"""What the server stores of a CRD that it takes, and answers with.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresourcedefinition strategy.go, pkg/apis/apiextensions/v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.admission.crd.crd_validation import compute_stored_versions, get_name
from protoc_gen_crd.admission.crd.structure.default_values import normalize_defaults
from protoc_gen_crd.admission.crd.structure.node_checks import make_schema_visitor
from protoc_gen_crd.admission.crd.update import update_validation
from protoc_gen_crd.admission.crd.update.validation_options import ValidationOptions, get_creation_options
from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd, is_equal
from protoc_gen_crd.admission.objects.metadata_codec import encode_metadata
from protoc_gen_crd.admission.switches import (
    MESSAGE_EXPRESSION,
    OBSERVED_GENERATION,
    OPTIONAL_OLD_SELF,
    REASON_AND_FIELD_PATH,
    SELECTABLE_FIELDS,
    Switches,
)
from protoc_gen_crd.crd.crd import Crd, CrdVersion, Names
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.schema.schema import VALIDATIONS

_SYSTEM = ("namespace", "selfLink", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def encode_created(internal: InternalCrd, switches: Switches) -> dict[str, Any]:
    """A new CRD as it is stored, without what clock and chance give it."""
    made = _encode_crd(internal, switches, get_creation_options(internal, make_schema_visitor(), switches))
    meta = {key: value for key, value in internal.crd.metadata.items() if key not in _SYSTEM}
    made["metadata"] = _encode_metadata(internal.crd, {**meta, "name": get_name(internal.crd), "generation": 1})
    made["status"] = _encode_status(
        {"storedVersions": None if internal.storage is None else [internal.storage]}, switches
    )
    return made


def as_stored(internal: InternalCrd, *, established: bool) -> Crd:
    """A CRD with the status it would have after its creation and, if established, after its names were accepted."""
    status = dict(internal.crd.status or {})
    if not status.get("storedVersions"):
        status["storedVersions"] = None if internal.storage is None else [internal.storage]
    if established:
        accepted = status.get("acceptedNames")
        if accepted is None or not accepted.plural:
            status["acceptedNames"] = internal.names
        conditions = list(status.get("conditions") or ())
        known = {condition.get("type") for condition in conditions}
        missing = [kind for kind in ("NamesAccepted", "Established") if kind not in known]
        status["conditions"] = conditions + [{"type": kind, "status": "True"} for kind in missing]
    meta = {"generation": 1, "resourceVersion": "1", **internal.crd.metadata}
    meta = {key: value for key, value in meta.items() if key not in _SYSTEM}
    return internal.crd.replace(status=status, metadata=meta)


def encode_updated(internal: InternalCrd, old: InternalCrd, switches: Switches) -> dict[str, Any]:
    """A CRD that takes the place of another as it is stored."""
    survey = make_schema_visitor()
    let = ValidationOptions(
        keeps_optional_old_self=update_validation.can_keep_optional_old_self(old, survey, switches),
        keeps_selectable_fields=update_validation.can_keep_selectable_fields(old, survey, switches),
    )
    made = _encode_crd(internal, switches, let)
    given, before = [_encode_crd(each, switches, ValidationOptions())["spec"] for each in (internal, old)]
    changed = not is_equal(given, before)  # what is dropped counts
    meta = {key: value for key, value in internal.crd.metadata.items() if key not in _SYSTEM or key == "selfLink"}
    meta.setdefault("resourceVersion", old.crd.metadata.get("resourceVersion"))
    made["metadata"] = _encode_metadata(
        internal.crd, {**meta, "generation": (old.crd.metadata.get("generation") or 1) + changed}
    )
    made["status"] = _encode_status(
        {**(old.crd.status or {}), "storedVersions": compute_stored_versions(internal, old)}, switches
    )
    return made


def _encode_metadata(crd: Crd, members: Mapping[str, Any]) -> dict[str, Any]:
    return encode_metadata({**members, "labels": dict(crd.labels), "annotations": dict(crd.annotations)})


def _encode_crd(internal: InternalCrd, switches: Switches, options: ValidationOptions) -> dict[str, Any]:
    versions = tuple(_normalize_defaults(version, switches) for version in internal.crd.versions)
    made = encode(internal.crd.replace(names=internal.names, versions=versions))
    spec = made["spec"]
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
    return made


def _normalize_defaults(version: CrdVersion, switches: Switches) -> CrdVersion:
    return version if version.schema is None else version.replace(schema=normalize_defaults(version.schema, switches))


def _find_unknown_rule_fields(switches: Switches, *, optional: bool) -> frozenset[str]:
    since = {
        "messageExpression": MESSAGE_EXPRESSION in switches,
        "reason": REASON_AND_FIELD_PATH in switches,
        "fieldPath": REASON_AND_FIELD_PATH in switches,
        "optionalOldSelf": OPTIONAL_OLD_SELF in switches and optional,
    }
    return frozenset(key for key, known in since.items() if not known)


def _drop_rule_fields(plain: Any, members: frozenset[str]) -> Any:
    """A schema as plain data without these members of its rules."""
    if not isinstance(plain, dict):
        return plain
    made = dict(plain)
    for keyword, value in plain.items():
        if keyword in ("properties", "patternProperties", "definitions"):
            made[keyword] = {name: _drop_rule_fields(child, members) for name, child in value.items()}
        elif keyword in ("items", "additionalProperties", "not"):
            made[keyword] = _drop_rule_fields(value, members)
        elif keyword in ("allOf", "anyOf", "oneOf"):
            made[keyword] = [_drop_rule_fields(child, members) for child in value]
        elif keyword == VALIDATIONS:
            made[keyword] = [{key: each for key, each in rule.items() if key not in members} for rule in value]
    return made


def _encode_conversion(given: Mapping[str, Any] | None) -> dict[str, Any]:
    if given is None:
        return {"strategy": "None"}
    made: dict[str, Any] = {"strategy": given.get("strategy") or ""}
    webhook = given.get("webhook") or {}
    config, reviews = webhook.get("clientConfig"), webhook.get("conversionReviewVersions")
    if config is not None or reviews is not None:
        made["webhook"] = {"conversionReviewVersions": reviews}
        if config is not None:
            made["webhook"]["clientConfig"] = _encode_client_config(config)
    return made


def _encode_client_config(given: Mapping[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in given.items() if value is not None and not (key == "caBundle" and not value)}
    if made.get("service") is not None:
        made["service"] = {"namespace": "", "name": "", "port": 443, **made["service"]}
    return made


def _encode_status(status: Mapping[str, Any], switches: Switches) -> dict[str, Any]:
    tracked = OBSERVED_GENERATION in switches
    conditions = status.get("conditions")
    made: dict[str, Any] = {
        "acceptedNames": _encode_names(status.get("acceptedNames") or Names("", "")),
        "conditions": None if conditions is None else [_encode_condition(each, tracked=tracked) for each in conditions],
        "storedVersions": status.get("storedVersions"),
    }
    if status.get("observedGeneration") and tracked:
        made["observedGeneration"] = status["observedGeneration"]
    return made


def _encode_names(names: Names) -> dict[str, Any]:
    made = {
        "singular": names.singular,
        "listKind": names.list_kind,
        "shortNames": list(names.short_names),
        "categories": list(names.categories),
    }
    return {"plural": names.plural, "kind": names.kind} | {key: value for key, value in made.items() if value}


def _encode_condition(given: Mapping[str, Any], *, tracked: bool) -> dict[str, Any]:
    made = {key: given[key] for key in ("reason", "message", "observedGeneration") if given.get(key)}
    if not tracked:
        made.pop("observedGeneration", None)
    return (
        {"type": given.get("type") or "", "status": given.get("status") or ""}
        | made
        | {"lastTransitionTime": given.get("lastTransitionTime")}
    )
