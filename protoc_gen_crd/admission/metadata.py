"""Rules for the metadata of objects, on creation and on update.

Source: k8s.io/apimachinery pkg/api/validation objectmeta.go, pkg/apis/meta/v1/validation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.errors import (
    FORBIDDEN,
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    TOO_LONG,
    FieldError,
    Typed,
    supported,
    too_long,
)
from protoc_gen_crd.admission.names import dns1123_label, label_key, label_value
from protoc_gen_crd.admission.switches import (
    BARE_DETAILS,
    GENERATION_UPDATES,
    MANAGED_OPERATIONS,
    METADATA_LIMITS,
    METADATA_ONCE,
    OWNERS_BY_INDEX,
    OWNERS_BY_KIND,
    Switches,
)

ANNOTATIONS_LIMIT = 256 * 1024
MANAGER_LIMIT, SUBRESOURCE_LIMIT = 128, 256  # bytes
NameFaults = Callable[..., list[str]]  # what is wrong with a name or, with prefix=True, the start of a generated one


def once(errors: Iterator[FieldError], switches: Switches) -> Iterable[FieldError]:
    """What a kind's own validation says of metadata: of equal errors one, where that is declared."""
    found = list(errors)
    distinct = {repr(error): error for error in found}.values()
    return distinct if len(distinct) < len(found) and METADATA_ONCE in switches else found


def created(
    meta: Mapping[str, Any], path: str, switches: Switches, faults: NameFaults, *, namespaced: bool = False
) -> Iterator[FieldError]:
    """Metadata of a new object, whose name was generated if one was to be."""
    name, start = meta.get("name") or "", meta.get("generateName") or ""
    for fault in faults(start, prefix=True) if start else ():
        yield FieldError(INVALID, f"{path}.generateName", fault, start)
    if not name:
        yield FieldError(REQUIRED, f"{path}.name", "name or generateName is required")
    for fault in faults(name) if name else ():
        yield FieldError(INVALID, f"{path}.name", fault, name)
    yield from _namespace(meta.get("namespace") or "", f"{path}.namespace", switches, namespaced=namespaced)
    yield from _generation(meta, path)
    yield from _common(meta, path, switches)
    for finalizer in meta.get("finalizers") or ():
        for fault in label_key(finalizer, switches):
            yield FieldError(INVALID, f"{path}.finalizers", fault, finalizer)
    yield from _finalizers(meta.get("finalizers") or (), f"{path}.finalizers")


def updated(meta: Mapping[str, Any], old: Mapping[str, Any], path: str, switches: Switches) -> Iterator[FieldError]:
    """Metadata of an object that takes the place of another."""
    if old.get("deletionTimestamp"):
        new = sorted(set(meta.get("finalizers") or ()) - set(old.get("finalizers") or ()))
        if new:
            yield FieldError(FORBIDDEN, f"{path}.finalizers", _no_new_finalizers(new))
    if not meta.get("resourceVersion"):
        yield FieldError(INVALID, f"{path}.resourceVersion", "must be specified for an update", "")
    if GENERATION_UPDATES in switches:
        yield from _generation(meta, path)
    for member in ("name", "namespace", "uid"):
        given = meta.get(member) or ""
        if given != (old.get(member) or ""):
            shown = Typed("types.UID", given) if member == "uid" else given
            yield FieldError(INVALID, f"{path}.{member}", "field is immutable", shown)
    for member in ("creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"):
        if meta.get(member) != old.get(member):
            shown = Typed("*v1.Time" if member != "deletionGracePeriodSeconds" else "*int64", meta.get(member))
            yield FieldError(INVALID, f"{path}.{member}", "field is immutable", shown)
    yield from _common(meta, path, switches)


def _no_new_finalizers(new: Sequence[str]) -> str:
    from protoc_gen_crd.base.gotext import quote  # noqa: PLC0415 - rare

    listed = f"[]string{{{', '.join(quote(name) for name in new)}}}"
    return f"no new finalizers can be added if the object is being deleted, found new finalizers {listed}"


def _generation(meta: Mapping[str, Any], path: str) -> Iterator[FieldError]:
    generation = meta.get("generation") or 0
    if generation < 0:
        yield FieldError(INVALID, f"{path}.generation", "must be greater than or equal to 0", generation)


def _namespace(namespace: str, path: str, switches: Switches, *, namespaced: bool) -> Iterator[FieldError]:
    if not namespaced:
        if namespace:
            yield FieldError(FORBIDDEN, path, "not allowed on this type")
    elif not namespace:
        yield FieldError(REQUIRED, path)
    else:
        for fault in dns1123_label(namespace, switches):
            yield FieldError(INVALID, path, fault, namespace)


def _common(meta: Mapping[str, Any], path: str, switches: Switches) -> Iterator[FieldError]:
    for key, value in (meta.get("labels") or {}).items():
        for fault in label_key(key, switches):
            yield FieldError(INVALID, f"{path}.labels", fault, key)
        for fault in label_value(value, switches):
            yield FieldError(INVALID, f"{path}.labels", fault, value)
    yield from _annotations(meta.get("annotations") or {}, f"{path}.annotations", switches)
    yield from _owners(meta.get("ownerReferences") or (), f"{path}.ownerReferences", switches)
    for index, entry in enumerate(meta.get("managedFields") or ()):
        yield from _managed(entry, f"{path}.managedFields[{index}]", switches)


def _annotations(annotations: Mapping[str, str], path: str, switches: Switches) -> Iterator[FieldError]:
    for key in annotations:
        for fault in label_key(key.lower(), switches):
            yield FieldError(INVALID, path, fault, key)
    if sum(len(key.encode()) + len(value.encode()) for key, value in annotations.items()) > ANNOTATIONS_LIMIT:
        yield _too_long(path, ANNOTATIONS_LIMIT, switches)


def _too_long(path: str, limit: int, switches: Switches) -> FieldError:
    old = f"must have at most {limit} bytes"
    return FieldError(TOO_LONG, path, too_long(limit, switches) if METADATA_LIMITS in switches else old)


def _finalizers(finalizers: Sequence[str], path: str) -> Iterator[FieldError]:
    if {"orphan", "foregroundDeletion"} <= set(finalizers):
        reason = "finalizer orphan and foregroundDeletion cannot be both set"
        yield FieldError(INVALID, path, reason, Typed("[]string", finalizers))


def _owners(owners: Sequence[Mapping[str, Any]], path: str, switches: Switches) -> Iterator[FieldError]:
    first = ""
    for index, owner in enumerate(owners):
        yield from _owner(owner, f"{path}[{index}]" if OWNERS_BY_INDEX in switches else path, switches)
        if owner.get("controller"):
            name = owner.get("name") or ""
            name = f"{owner.get('kind') or ''}/{name}" if OWNERS_BY_KIND in switches else name
            if first:
                reason = "Only one reference can have Controller set to true. "
                reason += f'Found "true" in references for {first} and {name}'
                yield FieldError(INVALID, path, reason, Typed("[]v1.OwnerReference", owners))
            first = first or name


def _owner(owner: Mapping[str, Any], path: str, switches: Switches) -> Iterator[FieldError]:
    api_version = owner.get("apiVersion") or ""
    group, _, version = api_version.rpartition("/")
    malformed = not version or "/" in group
    members = [member for member in ("kind", "name", "uid") if not owner.get(member)]
    if OWNERS_BY_INDEX in switches:
        if api_version and malformed:
            reason = "must be <group>/<version> or <version>"
            yield FieldError(INVALID, f"{path}.apiVersion", reason, api_version)
        for member in members if api_version else ["apiVersion", *members]:
            yield FieldError(REQUIRED, f"{path}.{member}", "must not be empty")
    else:
        if malformed:
            yield FieldError(INVALID, f"{path}.apiVersion", "version must not be empty", api_version)
        for member in members:
            what = "" if BARE_DETAILS in switches else f"{member} "
            yield FieldError(INVALID, f"{path}.{member}", f"{what}must not be empty", "")
    if api_version == "v1" and owner.get("kind") == "Event":
        reason = "/v1, Kind=Event is disallowed from being an owner"
        yield FieldError(INVALID, path, reason, Typed("v1.OwnerReference", owner))


def _managed(entry: Mapping[str, Any], path: str, switches: Switches) -> Iterator[FieldError]:
    operation = entry.get("operation") or ""
    if operation not in ("Apply", "Update"):
        shown = Typed("v1.ManagedFieldsOperationType", operation)
        if MANAGED_OPERATIONS not in switches:
            yield FieldError(INVALID, f"{path}.operation", "must be `Apply` or `Update`", shown)
        elif operation:
            yield FieldError(NOT_SUPPORTED, f"{path}.operation", supported(("Apply", "Update")), shown)
        else:
            yield FieldError(REQUIRED, f"{path}.operation", "must not be empty")
    if entry.get("fieldsType") not in (None, "", "FieldsV1"):
        yield FieldError(INVALID, f"{path}.fieldsType", "must be `FieldsV1`", entry["fieldsType"])
    yield from _manager(entry.get("manager") or "", f"{path}.manager", switches)
    if len((entry.get("subresource") or "").encode()) > SUBRESOURCE_LIMIT:
        yield _too_long(f"{path}.subresource", SUBRESOURCE_LIMIT, switches)


def _manager(manager: str, path: str, switches: Switches) -> Iterator[FieldError]:
    if len(manager.encode()) > MANAGER_LIMIT:
        yield _too_long(path, MANAGER_LIMIT, switches)
    position = 0
    for char in manager:
        if not char.isprintable():
            yield FieldError(INVALID, path, f"invalid character U+{ord(char):04X} (at position {position})", manager)
        position += len(char.encode())
