"""Validation of the group, scope, names, status, and approval of a CRD.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go, pkg/apihelpers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.admission.crd.versions.internal_version import InternalCrd
from protoc_gen_crd.admission.field_errors import (
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    Cause,
    format_supported_values,
)
from protoc_gen_crd.admission.name_checks import validate_dns1035_label, validate_dns1123_subdomain
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import STORED_HINT, STORED_LIST_SHOWN
from protoc_gen_crd.crd.crd import Names
from protoc_gen_crd.kubernetes.shared_results import Switches

SCOPES = ("Cluster", "Namespaced")


def validate_group_and_scope(internal: InternalCrd) -> Iterator[Cause]:
    """Validate spec.group and spec.scope."""
    for error in _validate_group_and_scope(internal.crd.group, internal.crd.scope):
        yield error.replace(place=internal.crd.get_place(error.path.removeprefix("spec.")))


def _validate_group_and_scope(group: str, scope: str) -> Iterator[Cause]:
    if not group:
        yield Cause(REQUIRED, "spec.group")
    elif faults := validate_dns1123_subdomain(group):
        yield Cause(INVALID, "spec.group", ",".join(faults), group)
    elif "." not in group:
        yield Cause(INVALID, "spec.group", "should be a domain with at least one dot", group)
    if not scope:
        yield Cause(REQUIRED, "spec.scope")
    elif scope not in SCOPES:
        yield Cause(NOT_SUPPORTED, "spec.scope", format_supported_values(SCOPES), scope)


def validate_names(internal: InternalCrd) -> Iterator[Cause]:
    """Validate spec.names."""
    names = internal.names
    for member, value in _list_names(names):
        if not value:
            yield Cause(REQUIRED, f"spec.names.{member}", place=internal.crd.get_place(f"names.{member}"))
    for error in validate_name_grammar(names, "spec.names"):
        yield error.replace(place=internal.crd.get_place(error.path.removeprefix("spec.")))


def _list_names(names: Names) -> Sequence[tuple[str, str]]:
    return (
        ("plural", names.plural),
        ("singular", names.singular),
        ("kind", names.kind),
        ("listKind", names.list_kind),
    )


def validate_name_grammar(names: Names, path: str) -> Iterator[Cause]:
    """Validate the syntax of names, in the spec or accepted in the status."""
    for member, value in _list_names(names):
        mixed = member in ("kind", "listKind")
        faults = validate_dns1035_label(value.lower() if mixed else value) if value else []
        if faults:
            prefix = "may have mixed case, but should otherwise match: " if mixed else ""
            yield Cause(INVALID, f"{path}.{member}", prefix + ",".join(faults), value)
    if names.kind and names.kind == names.list_kind:
        yield Cause(INVALID, f"{path}.listKind", "kind and listKind may not be the same", names.list_kind)
    for member, values in (("shortNames", names.short_names), ("categories", names.categories)):
        for index, value in enumerate(values):
            if faults := validate_dns1035_label(value):
                yield Cause(INVALID, f"{path}.{member}[{index}]", ",".join(faults), value)


def validate_stored_versions(
    internal: InternalCrd, stored: Sequence[str] | None, switches: Switches
) -> Iterator[Cause]:
    """Validate status.storedVersions against spec.versions."""
    for error in _validate_stored_versions(internal, stored, switches):
        yield error if error.place else error.replace(place=internal.crd.get_place("versions"))


def _validate_stored_versions(
    internal: InternalCrd, stored: Sequence[str] | None, switches: Switches
) -> Iterator[Cause]:
    path = "status.storedVersions"
    shown = GoTypedValue("[]string", stored)
    if not stored:
        yield Cause(INVALID, path, "must have at least one stored version", shown)
        return
    missing = {name: index for index, name in enumerate(stored)}
    for part in internal.versions:
        version = part.version
        if version.storage and version.name not in missing:
            value = (
                shown
                if STORED_LIST_SHOWN in switches
                else GoTypedValue("apiextensions.CustomResourceDefinitionVersion", part)
            )
            reason = f"must have the storage version {version.name}"
            yield Cause(INVALID, path, reason, value, version.origin)
        missing.pop(version.name, None)
    for name, index in missing.items():
        yield Cause(INVALID, f"{path}[{index}]", _format_missing_version(name, switches), name)


def _format_missing_version(name: str, switches: Switches) -> str:
    if STORED_HINT not in switches:
        return "must appear in spec.versions"
    return (
        f"missing from spec.versions; {name} was previously a storage version, and must remain in spec.versions until "
        f"a storage migration ensures no data remains persisted in {name} and removes {name} from status.storedVersions"
    )
