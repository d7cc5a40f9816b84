"""Creation, update, and status update of an object in a server.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresource strategy.go, status_strategy.go;
k8s.io/apiserver pkg/registry/rest create.go, update.go, pkg/endpoints/handlers rest.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from protoc_gen_crd.admission.field_errors import (
    BAD_REQUEST,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    RULES_NOT_CHECKED,
    TOO_LONG,
    TOO_MANY,
    TYPE_INVALID,
    Cause,
)
from protoc_gen_crd.admission.name_checks import validate_label_key
from protoc_gen_crd.admission.objects import object_validator
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject, is_deep_equal
from protoc_gen_crd.admission.objects.json_body import DecodedBody
from protoc_gen_crd.admission.objects.version_handler import PreparedObject, VersionHandler
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.admission.version_differences import (
    ENUM_BLOCKS,
    FINALIZER_PATHS,
    FINALIZER_WARNINGS,
    RATCHETING,
    STATUS_RATCHETING,
)
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.kubernetes.shared_results import Switches

UID = "00000000-0000-0000-0000-000000000001"  # stand-ins for generated values during validation
CREATED = "1970-01-01T00:00:00Z"
_VERSION = "1"
_SERVER_SET = frozenset(("uid", "creationTimestamp", "selfLink", "managedFields"))
_DELETION = ("deletionTimestamp", "deletionGracePeriodSeconds")
_BLOCKING = frozenset((REQUIRED, TYPE_INVALID, TOO_LONG, TOO_MANY))
_REPEATED_OWNERS = (
    ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject"
    " such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}"
)
_FINALIZERS = frozenset(("orphan", "foregroundDeletion", "kubernetes"))


def create_object(resource: VersionHandler, body: DecodedBody) -> Verdict:
    """Return the verdict on a new object."""
    prepared = resource.prepare(body.value)
    if prepared.error:
        return reject_undecodable(resource.format_decode_error(prepared.error))
    obj = prepared.obj
    owner_warnings = _drop_repeated_owners(obj)
    meta = {k: v for k, v in (obj.get("metadata") or {}).items() if k not in _SERVER_SET and k not in _DELETION}
    obj["metadata"] = meta = {"uid": UID, "creationTimestamp": CREATED, **meta, "generation": 1}
    if meta.get("generateName") and not meta.get("name"):
        meta["name"] = meta["generateName"] + "xxxxx"
    _put_in_namespace(resource, meta)
    if resource.version.status:
        obj.pop("status", None)
    errors = list(object_validator.validate_create(resource, obj))
    warnings = [*owner_warnings, *_run_rules(resource, obj, None, None, errors)]
    if not errors:
        warnings += _find_finalizer_warnings(meta.get("finalizers") or (), resource.switches)
    return _make_verdict(resource, obj, errors, warnings, _format_strict_errors(body, prepared))


def update_object(resource: VersionHandler, body: DecodedBody, old: Any, *, status: bool) -> Verdict:
    """Return the verdict on the update of a stored object, or with `status` of its status subresource."""
    old_obj = _as_stored(resource, old)
    prepared = resource.prepare(body.value)
    if prepared.error:
        return reject_undecodable(resource.format_decode_error(prepared.error))
    old_meta = old_obj["metadata"]
    owner_warnings = _drop_repeated_owners(prepared.obj)
    obj = _prepare_status_update(prepared.obj, old_obj) if status else _prepare_update(resource, prepared.obj, old_obj)
    correlated = CorrelatedObject(obj, old_obj, resource.node) if RATCHETING in resource.switches else None
    errors = list(object_validator.validate_update(resource, obj, old_obj, correlated, status=status))
    rule_correlation = correlated if not status or STATUS_RATCHETING in resource.switches else None
    warnings = [*owner_warnings, *_run_rules(resource, obj, old_obj, rule_correlation, errors)]
    # Added after the rules have run, because these errors do not block rules.
    errors = [*object_validator.validate_generic_update(resource, obj, old_obj), *errors]
    if not errors and not status:
        old_finalizers = set(old_meta.get("finalizers") or ())
        finalizers = [name for name in obj["metadata"].get("finalizers") or () if name not in old_finalizers]
        warnings += _find_finalizer_warnings(finalizers, resource.switches)
    return _make_verdict(resource, obj, errors, warnings, _format_strict_errors(body, prepared))


def _as_stored(resource: VersionHandler, old: Any) -> dict[str, Any]:
    """Return an old object as read from storage, with stand-ins for the fields that a server sets.

    The object may be in deletion; only then does it have a grace period.
    """
    obj = resource.prepare(old, stored=True).obj
    meta = {key: value for key, value in (obj.get("metadata") or {}).items() if key not in _SERVER_SET}
    if _DELETION[0] not in meta:
        meta.pop(_DELETION[1], None)
    obj["metadata"] = {"resourceVersion": _VERSION, "uid": UID, "creationTimestamp": CREATED, "generation": 1} | meta
    if resource.namespaced:
        _put_in_namespace(resource, obj["metadata"])
    return obj


def _prepare_update(resource: VersionHandler, obj: dict[str, Any], old_obj: dict[str, Any]) -> dict[str, Any]:
    """Return a new object with the fields that an update keeps from the old one."""
    old_meta = old_obj["metadata"]
    meta = {key: value for key, value in (obj.get("metadata") or {}).items() if key != "managedFields"}
    _put_in_namespace(resource, meta)
    meta = {
        "resourceVersion": old_meta["resourceVersion"],
        "uid": old_meta["uid"],
        **meta,
        "generation": old_meta["generation"],
    }
    meta["creationTimestamp"] = old_meta["creationTimestamp"]
    meta |= {key: old_meta[key] for key in _DELETION if key in old_meta and (key == _DELETION[0] or key not in meta)}
    updated = {**obj, "metadata": meta}
    if resource.version.status:
        updated.pop("status", None)
        updated |= {"status": old_obj["status"]} if "status" in old_obj else {}
    if not is_deep_equal(updated | {"metadata": None}, old_obj | {"metadata": None}):
        meta["generation"] += 1
        if not meta["generation"]:
            del meta["generation"]
    return updated


def _prepare_status_update(obj: dict[str, Any], old_obj: dict[str, Any]) -> dict[str, Any]:
    """Return the old object with the status of the new one."""
    updated = {**old_obj, "metadata": dict(old_obj["metadata"])}
    updated.pop("status", None)
    return updated | ({"status": obj["status"]} if "status" in obj else {})


def _put_in_namespace(resource: VersionHandler, meta: dict[str, Any]) -> None:
    if not resource.namespaced:
        meta.pop("namespace", None)
    elif not meta.get("namespace"):
        meta["namespace"] = "default"


def _drop_repeated_owners(obj: dict[str, Any]) -> list[str]:
    """Remove duplicate owners in place, as the request handler does first, and return its warning."""
    meta = obj.get("metadata") or {}
    owners = meta.get("ownerReferences") or ()
    keys = [frozenset(owner.items()) for owner in owners]
    first = {key: index for index, key in reversed(list(enumerate(keys)))}
    repeated = [owners[index]["uid"] for index, key in enumerate(keys) if first[key] != index]
    if not repeated:
        return []
    obj["metadata"] = {**meta, "ownerReferences": [owners[index] for index in sorted(first.values())]}
    return [_REPEATED_OWNERS.format(", ".join(repeated))]


def _run_rules(
    resource: VersionHandler,
    obj: dict[str, Any],
    old_obj: dict[str, Any] | None,
    correlated: CorrelatedObject | None,
    errors: list[Cause],
) -> list[str]:
    """Append the errors of rules, or that rules were not run, and return warnings."""
    if not resource.node.rules:
        return []
    if any(_is_blocking(error, resource.switches) for error in errors):
        errors.append(Cause(INVALID, "<nil>", RULES_NOT_CHECKED, None))
        return []
    return resource.run_rules(obj, old_obj, correlated, errors)


def _is_blocking(error: Cause, switches: Switches) -> bool:
    return error.type in _BLOCKING or (error.type == NOT_SUPPORTED and ENUM_BLOCKS in switches)


def _find_finalizer_warnings(finalizers: Any, switches: Switches) -> Iterator[str]:
    """Return warnings about finalizers whose names may conflict with others."""
    for name in sorted(set(finalizers)) if finalizers and FINALIZER_WARNINGS in switches else ():
        prefix = f"metadata.finalizers: {quote(name)}: "
        for fault in validate_label_key(name, switches):
            yield prefix + fault
        if "/" not in name and name not in _FINALIZERS:
            hint = " including a path (/)" if "." in name and FINALIZER_PATHS in switches else ""
            yield (
                f"{prefix}prefer a domain-qualified finalizer name{hint} to avoid accidental conflicts with other"
                " finalizer writers"
            )


def _format_strict_errors(body: DecodedBody, prepared: PreparedObject) -> tuple[str, ...]:
    duplicates = [f'duplicate field "{path}"' for path in body.duplicates]
    return (*duplicates, *(f'unknown field "{path}"' for path in prepared.unknown))


def _make_verdict(
    resource: VersionHandler,
    obj: dict[str, Any],
    errors: list[Cause],
    warnings: list[str],
    strict: tuple[str, ...],
) -> Verdict:
    warnings = [resource.deprecation, *warnings] if resource.deprecation else warnings
    response, stored, causes = (_drop_generated_fields(obj), None, tuple(errors)) if errors else _store(resource, obj)
    return Verdict((), causes, _make_messages(warnings), _make_messages(strict), response, stored)


def _store(resource: VersionHandler, obj: dict[str, Any]) -> tuple[Any, Any, tuple[Cause, ...]]:
    """Return the object in the response, the stored object, and the cause that prevents it from being stored."""
    stored, returned, error = resource.convert_through_storage(obj)
    if error:
        return None, None, _make_messages([error])
    response = _drop_generated_fields(returned)
    return response, response if stored is returned else _drop_generated_fields(stored), ()


def _make_messages(texts: Iterable[str]) -> tuple[Cause, ...]:
    return tuple([Cause(detail=message) for message in texts])


def reject_undecodable(message: str) -> Verdict:
    """Return the verdict on a body that cannot be decoded."""
    return Verdict(causes=(Cause(BAD_REQUEST, detail=message),))


def _drop_generated_fields(obj: dict[str, Any]) -> dict[str, Any]:
    """Return the object without the stand-ins for generated values."""
    meta = dict(obj["metadata"])
    if meta.get("uid") == UID:
        meta.pop("uid")
        meta.pop("creationTimestamp", None)
    if meta.get("resourceVersion") == _VERSION:
        meta.pop("resourceVersion")
    return {**obj, "metadata": meta}
