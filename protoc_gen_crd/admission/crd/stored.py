"""What the server stores of a CRD that it takes, and answers with.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresourcedefinition strategy.go, pkg/apis/apiextensions/v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from protoc_gen_crd.admission.crd import update
from protoc_gen_crd.admission.crd.defaults import kept
from protoc_gen_crd.admission.crd.held import Held, equal
from protoc_gen_crd.admission.crd.options import Options, of_creation
from protoc_gen_crd.admission.crd.spec import name_of, stored_versions
from protoc_gen_crd.admission.crd.survey import Survey
from protoc_gen_crd.admission.objects.meta import written
from protoc_gen_crd.admission.switches import (
    MESSAGE_EXPRESSION,
    OBSERVED_GENERATION,
    OPTIONAL_OLD_SELF,
    REASON_AND_FIELD_PATH,
    SELECTABLE_FIELDS,
    Switches,
)
from protoc_gen_crd.crd.codec import encode
from protoc_gen_crd.crd.types import Crd, Names, Version
from protoc_gen_crd.schema.types import VALIDATIONS

_SYSTEM = ("namespace", "selfLink", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def created(held: Held, switches: Switches) -> dict[str, Any]:
    """A new CRD as it is stored, without what clock and chance give it."""
    made = _encoded(held, switches, of_creation(held, Survey(), switches))
    meta = {key: value for key, value in held.crd.metadata.items() if key not in _SYSTEM}
    made["metadata"] = _metadata(held.crd, {**meta, "name": name_of(held.crd), "generation": 1})
    made["status"] = _status({"storedVersions": None if held.storage is None else [held.storage]}, switches)
    return made


def as_stored(held: Held, *, established: bool) -> Crd:
    """A CRD with the status it would have after its creation and, if established, after its names were accepted."""
    status = dict(held.crd.status or {})
    if not status.get("storedVersions"):
        status["storedVersions"] = None if held.storage is None else [held.storage]
    if established:
        accepted = status.get("acceptedNames")
        if accepted is None or not accepted.plural:
            status["acceptedNames"] = held.names
        conditions = list(status.get("conditions") or ())
        known = {condition.get("type") for condition in conditions}
        missing = [kind for kind in ("NamesAccepted", "Established") if kind not in known]
        status["conditions"] = conditions + [{"type": kind, "status": "True"} for kind in missing]
    meta = {"generation": 1, "resourceVersion": "1", **held.crd.metadata}
    meta = {key: value for key, value in meta.items() if key not in _SYSTEM}
    return held.crd.replace(status=status, metadata=meta)


def updated(held: Held, old: Held, switches: Switches) -> dict[str, Any]:
    """A CRD that takes the place of another as it is stored."""
    survey = Survey()
    let = Options(
        optional=update.keeps_optional(old, survey, switches), selectable=update.keeps_selectable(old, survey, switches)
    )
    made = _encoded(held, switches, let)
    given, before = [_encoded(each, switches, Options())["spec"] for each in (held, old)]
    changed = not equal(given, before)  # what is dropped counts
    meta = {key: value for key, value in held.crd.metadata.items() if key not in _SYSTEM or key == "selfLink"}
    meta.setdefault("resourceVersion", old.crd.metadata.get("resourceVersion"))
    made["metadata"] = _metadata(held.crd, {**meta, "generation": (old.crd.metadata.get("generation") or 1) + changed})
    made["status"] = _status({**(old.crd.status or {}), "storedVersions": stored_versions(held, old)}, switches)
    return made


def _metadata(crd: Crd, members: Mapping[str, Any]) -> dict[str, Any]:
    return written({**members, "labels": dict(crd.labels), "annotations": dict(crd.annotations)})


def _encoded(held: Held, switches: Switches, options: Options) -> dict[str, Any]:
    versions = tuple(_with_kept_defaults(version, switches) for version in held.crd.versions)
    made = encode(held.crd.replace(names=held.names, versions=versions))
    spec = made["spec"]
    spec["conversion"] = _conversion(held.crd.conversion)
    if held.crd.preserve_unknown_fields:
        spec["preserveUnknownFields"] = True
    unknown = _unknown_of_rules(switches, optional=options.optional)
    for version in spec["versions"]:
        if not options.selectable or SELECTABLE_FIELDS not in switches:
            version.pop("selectableFields", None)
        if unknown and version.get("schema"):
            version["schema"] = {"openAPIV3Schema": _without(version["schema"].get("openAPIV3Schema"), unknown)}
    return made


def _with_kept_defaults(version: Version, switches: Switches) -> Version:
    return version if version.schema is None else version.replace(schema=kept(version.schema, switches))


def _unknown_of_rules(switches: Switches, *, optional: bool) -> frozenset[str]:
    since = {
        "messageExpression": MESSAGE_EXPRESSION in switches,
        "reason": REASON_AND_FIELD_PATH in switches,
        "fieldPath": REASON_AND_FIELD_PATH in switches,
        "optionalOldSelf": OPTIONAL_OLD_SELF in switches and optional,
    }
    return frozenset(key for key, known in since.items() if not known)


def _without(plain: Any, members: frozenset[str]) -> Any:
    """A schema as plain data without these members of its rules."""
    if not isinstance(plain, dict):
        return plain
    made = dict(plain)
    for keyword, value in plain.items():
        if keyword in ("properties", "patternProperties", "definitions"):
            made[keyword] = {name: _without(child, members) for name, child in value.items()}
        elif keyword in ("items", "additionalProperties", "not"):
            made[keyword] = _without(value, members)
        elif keyword in ("allOf", "anyOf", "oneOf"):
            made[keyword] = [_without(child, members) for child in value]
        elif keyword == VALIDATIONS:
            made[keyword] = [{key: each for key, each in rule.items() if key not in members} for rule in value]
    return made


def _conversion(given: Mapping[str, Any] | None) -> dict[str, Any]:
    if given is None:
        return {"strategy": "None"}
    made: dict[str, Any] = {"strategy": given.get("strategy") or ""}
    webhook = given.get("webhook") or {}
    config, reviews = webhook.get("clientConfig"), webhook.get("conversionReviewVersions")
    if config is not None or reviews is not None:
        made["webhook"] = {"conversionReviewVersions": reviews}
        if config is not None:
            made["webhook"]["clientConfig"] = _client_config(config)
    return made


def _client_config(given: Mapping[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in given.items() if value is not None and not (key == "caBundle" and not value)}
    if made.get("service") is not None:
        made["service"] = {"namespace": "", "name": "", "port": 443, **made["service"]}
    return made


def _status(status: Mapping[str, Any], switches: Switches) -> dict[str, Any]:
    tracked = OBSERVED_GENERATION in switches
    conditions = status.get("conditions")
    made: dict[str, Any] = {
        "acceptedNames": _names(status.get("acceptedNames") or Names("", "")),
        "conditions": None if conditions is None else [_condition(each, tracked=tracked) for each in conditions],
        "storedVersions": status.get("storedVersions"),
    }
    if status.get("observedGeneration") and tracked:
        made["observedGeneration"] = status["observedGeneration"]
    return made


def _names(names: Names) -> dict[str, Any]:
    made = {
        "singular": names.singular,
        "listKind": names.list_kind,
        "shortNames": list(names.short_names),
        "categories": list(names.categories),
    }
    return {"plural": names.plural, "kind": names.kind} | {key: value for key, value in made.items() if value}


def _condition(given: Mapping[str, Any], *, tracked: bool) -> dict[str, Any]:
    made = {key: given[key] for key in ("reason", "message", "observedGeneration") if given.get(key)}
    if not tracked:
        made.pop("observedGeneration", None)
    return (
        {"type": given.get("type") or "", "status": given.get("status") or ""}
        | made
        | {"lastTransitionTime": given.get("lastTransitionTime")}
    )
