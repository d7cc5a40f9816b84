"""The way of an object through a server: created, updated, or its status updated.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresource strategy.go, status_strategy.go;
k8s.io/apiserver pkg/registry/rest create.go, update.go, pkg/endpoints/handlers rest.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.field_errors import (
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    TOO_LONG,
    TOO_MANY,
    TYPE_INVALID,
    FieldError,
)
from protoc_gen_crd.admission.name_checks import validate_label_key
from protoc_gen_crd.admission.objects import object_validator
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject, is_deep_equal
from protoc_gen_crd.admission.objects.json_body import DecodedBody
from protoc_gen_crd.admission.objects.object_verdict import ObjectVerdict
from protoc_gen_crd.admission.objects.version_handler import PreparedObject, VersionHandler
from protoc_gen_crd.admission.switches import (
    ENUM_BLOCKS,
    FINALIZER_PATHS,
    FINALIZER_WARNINGS,
    RATCHETING,
    STATUS_RATCHETING,
    Switches,
)
from protoc_gen_crd.golang.fmt import quote

UID = "00000000-0000-0000-0000-000000000001"  # what chance and the clock give an object, while it is judged
CREATED = "1970-01-01T00:00:00Z"
_VERSION = "1"
_GIVEN = frozenset(("uid", "creationTimestamp", "selfLink", "managedFields"))  # by servers
_DELETION = ("deletionTimestamp", "deletionGracePeriodSeconds")
_BLOCKING = frozenset((REQUIRED, TYPE_INVALID, TOO_LONG, TOO_MANY))
_BLOCKED = (
    "some validation rules were not checked because the object was invalid; correct the existing errors to complete"
    " validation"
)
_REPEATED_OWNERS = (
    ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject"
    " such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}"
)
_FINALIZERS = frozenset(("orphan", "foregroundDeletion", "kubernetes"))


def create_object(resource: VersionHandler, given: DecodedBody) -> ObjectVerdict:
    """What is said of a new object."""
    prepared = resource.prepare(given.value)
    if prepared.error:
        return ObjectVerdict((), decode_error=resource.format_decode_error(prepared.error))
    obj = prepared.obj
    repeated = _drop_repeated_owners(obj)
    meta = {k: v for k, v in (obj.get("metadata") or {}).items() if k not in _GIVEN and k not in _DELETION}
    obj["metadata"] = meta = {"uid": UID, "creationTimestamp": CREATED, **meta, "generation": 1}
    if meta.get("generateName") and not meta.get("name"):
        meta["name"] = meta["generateName"] + "xxxxx"
    _put_in_namespace(resource, meta)
    if resource.version.status:
        obj.pop("status", None)
    errors = list(object_validator.validate_create(resource, obj))
    warnings = [*repeated, *_run_rules(resource, obj, None, None, errors)]
    if not errors:
        warnings += _find_finalizer_warnings(meta.get("finalizers") or (), resource.switches)
    return _make_verdict(resource, obj, errors, warnings, _format_strict_errors(given, prepared))


def update_object(resource: VersionHandler, given: DecodedBody, old: Any, *, status: bool) -> ObjectVerdict:
    """What is said of an object that takes the place of a stored one, as a whole or with its status alone."""
    before = _as_stored(resource, old)
    prepared = resource.prepare(given.value)
    if prepared.error:
        return ObjectVerdict((), decode_error=resource.format_decode_error(prepared.error))
    was = before["metadata"]
    repeated = _drop_repeated_owners(prepared.obj)
    obj = _prepare_status_update(prepared.obj, before) if status else _prepare_update(resource, prepared.obj, before)
    correlated = CorrelatedObject(obj, before, resource.node) if RATCHETING in resource.switches else None
    errors = list(object_validator.validate_update(resource, obj, before, correlated, status=status))
    ratcheted = correlated if not status or STATUS_RATCHETING in resource.switches else None
    warnings = [*repeated, *_run_rules(resource, obj, before, ratcheted, errors)]
    errors = [*object_validator.validate_generic_update(resource, obj, before), *errors]  # which block no rules
    if not errors and not status:
        known = set(was.get("finalizers") or ())
        finalizers = [each for each in obj["metadata"].get("finalizers") or () if each not in known]
        warnings += _find_finalizer_warnings(finalizers, resource.switches)
    return _make_verdict(resource, obj, errors, warnings, _format_strict_errors(given, prepared))


def _as_stored(resource: VersionHandler, old: Any) -> dict[str, Any]:
    """An old object as it comes out of storage, where it was created: what a server gives it is made up.

    It may be one that is being deleted; only then has it a grace period.
    """
    obj = resource.prepare(old, stored=True).obj
    meta = {key: value for key, value in (obj.get("metadata") or {}).items() if key not in _GIVEN}
    if _DELETION[0] not in meta:
        meta.pop(_DELETION[1], None)
    obj["metadata"] = {"resourceVersion": _VERSION, "uid": UID, "creationTimestamp": CREATED, "generation": 1} | meta
    if resource.namespaced:
        _put_in_namespace(resource, obj["metadata"])
    return obj


def _prepare_update(resource: VersionHandler, obj: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """A new object with what an update leaves as it was."""
    was = before["metadata"]
    meta = {key: value for key, value in (obj.get("metadata") or {}).items() if key != "managedFields"}
    _put_in_namespace(resource, meta)
    meta = {"resourceVersion": was["resourceVersion"], "uid": was["uid"], **meta, "generation": was["generation"]}
    meta["creationTimestamp"] = was["creationTimestamp"]
    meta |= {key: was[key] for key in _DELETION if key in was and (key == _DELETION[0] or key not in meta)}
    made = {**obj, "metadata": meta}
    if resource.version.status:
        made.pop("status", None)
        made |= {"status": before["status"]} if "status" in before else {}
    if not is_deep_equal(made | {"metadata": None}, before | {"metadata": None}):
        meta["generation"] += 1
        if not meta["generation"]:
            del meta["generation"]
    return made


def _prepare_status_update(obj: dict[str, Any], before: dict[str, Any]) -> dict[str, Any]:
    """The old object with the new one's status."""
    made = {**before, "metadata": dict(before["metadata"])}
    made.pop("status", None)
    return made | ({"status": obj["status"]} if "status" in obj else {})


def _put_in_namespace(resource: VersionHandler, meta: dict[str, Any]) -> None:
    if not resource.namespaced:
        meta.pop("namespace", None)
    elif not meta.get("namespace"):
        meta["namespace"] = "default"


def _drop_repeated_owners(obj: dict[str, Any]) -> list[str]:
    """Leave each owner once, as the handler of requests does before anything else; its warning."""
    meta = obj.get("metadata") or {}
    owners = meta.get("ownerReferences") or ()
    marks = [frozenset(owner.items()) for owner in owners]
    first = {mark: index for index, mark in reversed(list(enumerate(marks)))}
    repeated = [owners[index]["uid"] for index, mark in enumerate(marks) if first[mark] != index]
    if not repeated:
        return []
    obj["metadata"] = {**meta, "ownerReferences": [owners[index] for index in sorted(first.values())]}
    return [_REPEATED_OWNERS.format(", ".join(repeated))]


def _run_rules(
    resource: VersionHandler,
    obj: dict[str, Any],
    before: dict[str, Any] | None,
    correlated: CorrelatedObject | None,
    errors: list[FieldError],
) -> list[str]:
    """Add what rules find to the errors, or that they were not run: warnings."""
    if not resource.node.rules:
        return []
    if any(_is_blocking(error, resource.switches) for error in errors):
        errors.append(FieldError(INVALID, "<nil>", _BLOCKED, None))
        return []
    return resource.run_rules(obj, before, correlated, errors)


def _is_blocking(error: FieldError, switches: Switches) -> bool:
    return error.type in _BLOCKING or (error.type == NOT_SUPPORTED and ENUM_BLOCKS in switches)


def _find_finalizer_warnings(finalizers: Any, switches: Switches) -> Iterator[str]:
    """Names that may clash with those of others."""
    for name in sorted(set(finalizers)) if FINALIZER_WARNINGS in switches else ():
        start = f"metadata.finalizers: {quote(name)}: "
        for fault in validate_label_key(name, switches):
            yield start + fault
        if "/" not in name and name not in _FINALIZERS:
            path = " including a path (/)" if "." in name and FINALIZER_PATHS in switches else ""
            yield (
                f"{start}prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with other"
                " finalizer writers"
            )


def _format_strict_errors(given: DecodedBody, prepared: PreparedObject) -> tuple[str, ...]:
    duplicates = [f'duplicate field "{path}"' for path in given.duplicates]
    return (*duplicates, *(f'unknown field "{path}"' for path in prepared.unknown))


def _make_verdict(
    resource: VersionHandler,
    obj: dict[str, Any],
    errors: list[FieldError],
    warnings: list[str],
    strict: tuple[str, ...],
) -> ObjectVerdict:
    warnings = [resource.deprecation, *warnings] if resource.deprecation else warnings
    if errors:
        return ObjectVerdict((), tuple(errors), tuple(warnings), strict, _drop_generated_fields(obj))
    stored, back, refusal = resource.convert_through_storage(obj)
    if refusal:
        return ObjectVerdict((), (), tuple(warnings), strict, None, None, "", refusal)
    shown = _drop_generated_fields(back)
    return ObjectVerdict(
        (), (), tuple(warnings), strict, shown, shown if stored is back else _drop_generated_fields(stored)
    )


def _drop_generated_fields(obj: dict[str, Any]) -> dict[str, Any]:
    """The object without what was made up for it."""
    meta = dict(obj["metadata"])
    if meta.get("uid") == UID:
        meta.pop("uid")
        meta.pop("creationTimestamp", None)
    if meta.get("resourceVersion") == _VERSION:
        meta.pop("resourceVersion")
    return {**obj, "metadata": meta}
