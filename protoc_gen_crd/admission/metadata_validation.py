"""Validation of object metadata, on creation and on update.

Source: k8s.io/apimachinery pkg/api/validation objectmeta.go, pkg/apis/meta/v1/validation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.field_errors import (
    FORBIDDEN,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    TOO_LONG,
    Cause,
    format_supported_values,
    format_too_long,
)
from protoc_gen_crd.admission.name_checks import validate_dns1123_label, validate_label_key, validate_label_value
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import (
    BARE_DETAILS,
    GENERATION_UPDATES,
    MANAGED_OPERATIONS,
    METADATA_LIMITS,
    METADATA_ONCE,
    OWNERS_BY_INDEX,
    OWNERS_BY_KIND,
)
from protoc_gen_crd.kubernetes.api_server_limits import ANNOTATIONS_SIZE
from protoc_gen_crd.kubernetes.shared_results import Switches

MANAGER_LIMIT, SUBRESOURCE_LIMIT = 128, 256  # bytes
# Returns the errors of a name or, with prefix=True, of the prefix of a generated name.
NameValidator = Callable[..., list[str]]


def deduplicate_errors(errors: Iterator[Cause], switches: Switches) -> Iterable[Cause]:
    """Return the errors without duplicates for versions that deduplicate the metadata errors of a kind."""
    all_errors = list(errors)
    distinct = {repr(error): error for error in all_errors}.values()
    return distinct if len(distinct) < len(all_errors) and METADATA_ONCE in switches else all_errors


def validate_object_meta(
    meta: Mapping[str, Any], path: str, switches: Switches, validate_name: NameValidator, *, namespaced: bool = False
) -> Iterator[Cause]:
    """Validate the metadata of a new object, whose name has already been generated."""
    name, prefix = meta.get("name") or "", meta.get("generateName") or ""
    for fault in validate_name(prefix, prefix=True) if prefix else ():
        yield Cause(INVALID, f"{path}.generateName", fault, prefix)
    if not name:
        yield Cause(REQUIRED, f"{path}.name", "name or generateName is required")
    for fault in validate_name(name) if name else ():
        yield Cause(INVALID, f"{path}.name", fault, name)
    yield from _validate_namespace(meta.get("namespace") or "", f"{path}.namespace", switches, namespaced=namespaced)
    yield from _validate_generation(meta, path)
    yield from _validate_common(meta, path, switches)
    for finalizer in meta.get("finalizers") or ():
        for fault in validate_label_key(finalizer, switches):
            yield Cause(INVALID, f"{path}.finalizers", fault, finalizer)
    yield from _validate_finalizers(meta.get("finalizers") or (), f"{path}.finalizers")


def validate_object_meta_update(
    meta: Mapping[str, Any], old: Mapping[str, Any], path: str, switches: Switches
) -> Iterator[Cause]:
    """Validate the metadata of an updated object against the old metadata."""
    if old.get("deletionTimestamp"):
        new = sorted(set(meta.get("finalizers") or ()) - set(old.get("finalizers") or ()))
        if new:
            yield Cause(FORBIDDEN, f"{path}.finalizers", _format_new_finalizers(new))
    if not meta.get("resourceVersion"):
        yield Cause(INVALID, f"{path}.resourceVersion", "must be specified for an update", "")
    if GENERATION_UPDATES in switches:
        yield from _validate_generation(meta, path)
    for member in ("name", "namespace", "uid"):
        value = meta.get(member) or ""
        if value != (old.get(member) or ""):
            shown = GoTypedValue("types.UID", value) if member == "uid" else value
            yield Cause(INVALID, f"{path}.{member}", "field is immutable", shown)
    for member in ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"):
        if meta.get(member) != old.get(member):
            shown = GoTypedValue("*v1.Time" if member != "deletionGracePeriodSeconds" else "*int64", meta.get(member))
            yield Cause(INVALID, f"{path}.{member}", "field is immutable", shown)
    yield from _validate_common(meta, path, switches)


def _format_new_finalizers(new: Sequence[str]) -> str:
    from protoc_gen_crd.golang.fmt import quote  # noqa: PLC0415 - rare

    listed = f"[]string{{{', '.join(quote(name) for name in new)}}}"
    return f"no new finalizers can be added if the object is being deleted, found new finalizers {listed}"


def _validate_generation(meta: Mapping[str, Any], path: str) -> Iterator[Cause]:
    generation = meta.get("generation") or 0
    if generation < 0:
        yield Cause(INVALID, f"{path}.generation", "must be greater than or equal to 0", generation)


def _validate_namespace(namespace: str, path: str, switches: Switches, *, namespaced: bool) -> Iterator[Cause]:
    if not namespaced:
        if namespace:
            yield Cause(FORBIDDEN, path, "not allowed on this type")
    elif not namespace:
        yield Cause(REQUIRED, path)
    else:
        for fault in validate_dns1123_label(namespace, switches):
            yield Cause(INVALID, path, fault, namespace)


def _validate_common(meta: Mapping[str, Any], path: str, switches: Switches) -> Iterator[Cause]:
    for key, value in (meta.get("labels") or {}).items():
        for fault in validate_label_key(key, switches):
            yield Cause(INVALID, f"{path}.labels", fault, key)
        for fault in validate_label_value(value, switches):
            yield Cause(INVALID, f"{path}.labels", fault, value)
    yield from _validate_annotations(meta.get("annotations") or {}, f"{path}.annotations", switches)
    yield from _validate_owner_references(meta.get("ownerReferences") or (), f"{path}.ownerReferences", switches)
    for index, entry in enumerate(meta.get("managedFields") or ()):
        yield from _validate_managed_fields_entry(entry, f"{path}.managedFields[{index}]", switches)


def _validate_annotations(annotations: Mapping[str, str], path: str, switches: Switches) -> Iterator[Cause]:
    for key in annotations:
        for fault in validate_label_key(key.lower(), switches):
            yield Cause(INVALID, path, fault, key)
    if sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items()) > ANNOTATIONS_SIZE:
        yield _make_too_long(path, ANNOTATIONS_SIZE, switches)


def _make_too_long(path: str, limit: int, switches: Switches) -> Cause:
    old = f"must have at most {limit} bytes"
    return Cause(TOO_LONG, path, format_too_long(limit, switches) if METADATA_LIMITS in switches else old)


def _validate_finalizers(finalizers: Sequence[str], path: str) -> Iterator[Cause]:
    if {"orphan", "foregroundDeletion"} <= set(finalizers):
        reason = "finalizer orphan and foregroundDeletion cannot be both set"
        yield Cause(INVALID, path, reason, GoTypedValue("[]string", finalizers))


def _validate_owner_references(owners: Sequence[Mapping[str, Any]], path: str, switches: Switches) -> Iterator[Cause]:
    first = ""
    for index, owner in enumerate(owners):
        yield from _validate_owner_reference(
            owner, f"{path}[{index}]" if OWNERS_BY_INDEX in switches else path, switches
        )
        if owner.get("controller"):
            name = owner.get("name") or ""
            name = f"{owner.get('kind') or ''}/{name}" if OWNERS_BY_KIND in switches else name
            if first:
                reason = "Only one reference can have Controller set to true. "
                reason += f'Found "true" in references for {first} and {name}'
                yield Cause(INVALID, path, reason, GoTypedValue("[]v1.OwnerReference", owners))
            first = first or name


def _validate_owner_reference(owner: Mapping[str, Any], path: str, switches: Switches) -> Iterator[Cause]:
    api_version = owner.get("apiVersion") or ""
    group, _, version = api_version.rpartition("/")
    malformed = not version or "/" in group
    members = [member for member in ("kind", "name", "uid") if not owner.get(member)]
    if OWNERS_BY_INDEX in switches:
        if api_version and malformed:
            reason = "must be <group>/<version> or <version>"
            yield Cause(INVALID, f"{path}.apiVersion", reason, api_version)
        for member in members if api_version else ["apiVersion", *members]:
            yield Cause(REQUIRED, f"{path}.{member}", "must not be empty")
    else:
        if malformed:
            yield Cause(INVALID, f"{path}.apiVersion", "version must not be empty", api_version)
        for member in members:
            what = "" if BARE_DETAILS in switches else f"{member} "
            yield Cause(INVALID, f"{path}.{member}", f"{what}must not be empty", "")
    if api_version == "v1" and owner.get("kind") == "Event":
        reason = "/v1, Kind=Event is disallowed from being an owner"
        yield Cause(INVALID, path, reason, GoTypedValue("v1.OwnerReference", owner))


def _validate_managed_fields_entry(entry: Mapping[str, Any], path: str, switches: Switches) -> Iterator[Cause]:
    operation = entry.get("operation") or ""
    if operation not in ("Apply", "Update"):
        shown = GoTypedValue("v1.ManagedFieldsOperationType", operation)
        if MANAGED_OPERATIONS not in switches:
            yield Cause(INVALID, f"{path}.operation", "must be `Apply` or `Update`", shown)
        elif operation:
            yield Cause(NOT_SUPPORTED, f"{path}.operation", format_supported_values(("Apply", "Update")), shown)
        else:
            yield Cause(REQUIRED, f"{path}.operation", "must not be empty")
    if entry.get("fieldsType") not in (None, "", "FieldsV1"):
        yield Cause(INVALID, f"{path}.fieldsType", "must be `FieldsV1`", entry["fieldsType"])
    yield from _validate_field_manager(entry.get("manager") or "", f"{path}.manager", switches)
    if len((entry.get("subresource") or "").encode()) > SUBRESOURCE_LIMIT:
        yield _make_too_long(f"{path}.subresource", SUBRESOURCE_LIMIT, switches)


def _validate_field_manager(manager: str, path: str, switches: Switches) -> Iterator[Cause]:
    if len(manager.encode()) > MANAGER_LIMIT:
        yield _make_too_long(path, MANAGER_LIMIT, switches)
    position = 0
    for char in manager:
        if not char.isprintable():
            yield Cause(INVALID, path, f"invalid character U+{ord(char):04X} (at position {position})", manager)
        position += len(char.encode())
