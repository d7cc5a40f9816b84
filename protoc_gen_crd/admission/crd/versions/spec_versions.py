"""Validation of spec.versions, and of the subresources, printer columns, and selectable fields of a version or the top.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from protoc_gen_crd.admission.crd.versions.internal_version import CrdPart, InternalCrd
from protoc_gen_crd.admission.field_errors import (
    DUPLICATE,
    INVALID,
    REQUIRED,
    TOO_MANY,
    Cause,
    format_too_many,
)
from protoc_gen_crd.admission.name_checks import validate_dns1035_label
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import BARE_DETAILS
from protoc_gen_crd.crd.crd import PrinterColumn, Scale
from protoc_gen_crd.kubernetes.api_server_limits import MAX_SELECTABLE_FIELDS
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import Schema

_LIST = "[]apiextensions.CustomResourceDefinitionVersion"
_COLUMN_TYPES = ("boolean", "date", "integer", "number", "string")
_COLUMN_FORMATS = ("byte", "date", "date-time", "double", "float", "int32", "int64", "password")


def validate_versions(internal: InternalCrd) -> Iterator[Cause]:
    """Validate the names, their uniqueness, the storage version, and deprecation warnings."""
    for part in internal.versions:
        if faults := validate_dns1035_label(part.version.name):
            origin = part.version.get_place("name")
            yield Cause(INVALID, f"{part.path}.name", ",".join(faults), part.version.name, origin)
        yield from _validate_deprecation(part)
    names = [part.version.name for part in internal.versions]
    shown = GoTypedValue(_LIST, internal.versions if names or "versions" in internal.crd.explicit_empty else None)
    if len(set(names)) < len(names):
        yield Cause(
            INVALID, "spec.versions", "must contain unique version names", shown, internal.crd.get_place("versions")
        )
    if sum(part.version.storage for part in internal.versions) != 1:
        reason = "must have exactly one version marked as storage version"
        yield Cause(INVALID, "spec.versions", reason, shown, internal.crd.get_place("versions"))
    if names and names[0] and (faults := validate_dns1035_label(names[0])):
        yield Cause(INVALID, "spec.version", ",".join(faults), names[0], internal.versions[0].version.get_place("name"))


def validate_schemas_exist(internal: InternalCrd, switches: Switches, *, required: bool) -> Iterator[Cause]:
    """Require a schema for every version or, without `required`, for every version that is served and pruned."""
    if internal.top is not None and internal.top.openapi is not None:
        return
    for part in internal.versions:
        if part.openapi is None and (required or (part.version.served and not internal.crd.preserve_unknown_fields)):
            detail = "because otherwise all fields are pruned"
            if required:
                detail = "" if BARE_DETAILS in switches else "schemas are required"
            origin = part.version.get_place("schema")
            yield Cause(REQUIRED, f"{part.path}.schema.openAPIV3Schema", detail, place=origin)


def _validate_deprecation(part: CrdPart) -> Iterator[Cause]:
    warning = part.version.deprecation_warning
    if warning is None:
        return
    faults = _find_warning_errors(warning) if part.version.deprecated else ["can only be set for deprecated versions"]
    for fault in faults:
        origin = part.version.get_place("deprecationWarning")
        yield Cause(INVALID, f"{part.path}.deprecationWarning", fault, GoTypedValue("*string", warning), origin)


def _find_warning_errors(warning: str) -> Iterator[str]:
    if len(warning.encode()) > 256:
        yield "must be <= 256 characters long"
    if not warning:
        yield "must not be an empty string"
    for index, char in enumerate(warning):
        if not char.isprintable():
            offset = len(warning[:index].encode())
            yield f"must only contain printable UTF-8 characters; non-printable character found at index {offset}"
            return


def validate_subresources(part: CrdPart) -> Iterator[Cause]:
    """Validate the scale subresource."""
    if part.subresources is None or part.subresources.scale is None:
        return
    scale, path = part.subresources.scale, f"{part.path}.subresources.scale"
    origin = scale.origin or part.subresources.get_place("subresources")
    for member, value, prefixes, parents in _list_scale_paths(scale):
        if not value:
            if member != "labelSelectorPath":
                yield Cause(REQUIRED, f"{path}.{member}", place=origin)
        elif not value.startswith("."):
            reason = "must be a simple json path starting with ."
            yield Cause(INVALID, f"{path}.{member}", reason, value, origin)
        elif not value.startswith(prefixes):
            shown = GoTypedValue("*string", value) if member == "labelSelectorPath" else value
            yield Cause(INVALID, f"{path}.{member}", f"should be a json path under {parents}", shown, origin)


def _list_scale_paths(scale: Scale) -> Iterator[tuple[str, str, tuple[str, ...], str]]:
    yield "specReplicasPath", scale.spec_replicas_path, (".spec.",), ".spec"
    yield "statusReplicasPath", scale.status_replicas_path, (".status.",), ".status"
    yield "labelSelectorPath", scale.label_selector_path or "", (".spec.", ".status."), "either .spec or .status"


def validate_columns(part: CrdPart) -> Iterator[Cause]:
    """Validate the printer columns."""
    for index, column in enumerate(part.columns or ()):
        path = f"{part.path}.additionalPrinterColumns[{index}]"
        origin = column.origin or part.version.get_place("additionalPrinterColumns")
        for error in _validate_column(column, path):
            yield error.replace(place=origin)


def _validate_column(column: PrinterColumn, path: str) -> Iterator[Cause]:
    if not column.name:
        yield Cause(REQUIRED, f"{path}.name")
    detail = f"must be one of {','.join(_COLUMN_TYPES)}"
    if not column.type:
        yield Cause(REQUIRED, f"{path}.type", detail)
    elif column.type not in _COLUMN_TYPES:
        yield Cause(INVALID, f"{path}.type", detail, column.type)
    if column.format and column.format not in _COLUMN_FORMATS:
        yield Cause(INVALID, f"{path}.format", f"must be one of {','.join(_COLUMN_FORMATS)}", column.format)
    if not column.json_path:
        yield Cause(REQUIRED, f"{path}.JSONPath")
    elif not column.json_path.startswith("."):
        reason = "must be a simple json path starting with ."
        yield Cause(INVALID, f"{path}.JSONPath", reason, column.json_path)


def validate_selectable_fields(part: CrdPart, switches: Switches, *, many: bool) -> Iterator[Cause]:
    """Validate the selectable fields. `many` allows an update to keep more than eight."""
    for error in _validate_selectable_fields(part, switches, many=many):
        yield error if error.place else error.replace(place=part.version.get_place("selectableFields"))


def _validate_selectable_fields(part: CrdPart, switches: Switches, *, many: bool) -> Iterator[Cause]:
    from protoc_gen_crd.admission.crd.structure.structural_conversion_errors import find_structural_error  # noqa: PLC0415 - few CRDs have any

    path = f"{part.path}.selectableFields"
    if part.openapi is None and (part.path != "spec" or part.schema is None):
        yield Cause(INVALID, path, _format_missing_schema(part, switches), "")
        return
    reason = find_structural_error(part.openapi) if part.openapi is not None else None
    if reason is not None:
        yield Cause(INVALID, f"{part.path}.schema.openAPIV3Schema", reason, "")
    schema = part.openapi if reason is None else None
    seen: set[str] = set()
    for index, json_path in enumerate(part.selectable_fields or ()):
        origin = part.version.get_place(f"selectableFields[{index}]")
        for error in _validate_selectable_field(schema, json_path, f"{path}[{index}].jsonPath", seen):
            yield error.replace(place=origin)
    if len(seen) > MAX_SELECTABLE_FIELDS and not many:
        yield Cause(TOO_MANY, path, format_too_many(MAX_SELECTABLE_FIELDS, switches), len(seen))


def _validate_selectable_field(schema: Schema | None, json_path: str, path: str, seen: set[str]) -> Iterator[Cause]:
    from protoc_gen_crd.admission.crd.rules.field_paths import FieldPathError, resolve_field_path  # noqa: PLC0415 - few CRDs have any

    if not json_path:
        yield Cause(REQUIRED, path)
        return
    try:
        normal, target = resolve_field_path(schema, json_path, brackets=False)
    except FieldPathError as error:
        yield Cause(INVALID, path, f"is an invalid path: {error}", json_path)
        return
    if re.split(r"[.\[]", normal)[0] == "metadata":
        yield Cause(INVALID, path, "must not point to fields in metadata", json_path)
    if target is None or target.type not in ("string", "boolean", "integer"):
        reason = "must point to a field of type string, boolean or integer."
        reason += " Enum string fields and strings with formats are allowed."
        yield Cause(INVALID, path, reason, json_path)
    if normal in seen:
        yield Cause(DUPLICATE, path, value=json_path)
    seen.add(normal)


def _format_missing_schema(part: CrdPart, switches: Switches) -> str:
    bare = BARE_DETAILS in switches
    member = "validations.schema" if part.path == "spec" else "version.schema.openAPIV3Schema"
    if part.path != "spec":
        member = f"`{member}` is not" if bare else f"{member} is not"
    else:
        member += " is"
    return f"{'' if bare else 'selectableFields '}may only be set when {member} included"
