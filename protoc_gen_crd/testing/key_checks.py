"""Checks of the keys of test documents against the CRD of their kind: versions and unknown fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.objects.error_paths import DocumentPath
from protoc_gen_crd.documents.crd_definitions import CrdDefinition
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.expectation_keys import Json
from protoc_gen_crd.documents.kind_messages import suggest_version
from protoc_gen_crd.documents.old_object_key import OLD
from protoc_gen_crd.findings.finding import Finding
from protoc_gen_crd.testing.document_errors_and_expectations import find_unknown_field

STORED = "_stored"


def make_key_case(case: DocumentCase, key: str, obj: Json) -> DocumentCase:
    """Return a case for the object in a key of a test document."""
    return case.replace(object=obj, prefix=(*case.prefix, key))


def check_old_version(case: DocumentCase, definition: CrdDefinition) -> Iterator[Finding]:
    """Report an apiVersion in `_old` that neither the CRD nor the CRD before the update has."""
    written, old = case.source_object.get(OLD), case.expectation.old
    if not isinstance(written, dict) or old is None or not isinstance(written.get("apiVersion"), str):
        return
    old_case = make_key_case(case, OLD, old)
    versions = _list_versions(definition)
    if (old_case.group, old_case.kind) != (case.group, case.kind) or old_case.version in versions:
        return
    names = ", ".join(f'"{case.group}/{version}"' for version in versions)
    message = (
        f'"{OLD}" of {case.name} has version "{old_case.version}", which its CRD does not have (versions: {names})'
    )
    hint = suggest_version(old_case, versions)
    yield Finding("document-version", message, old_case.get_place(("apiVersion",)), case.name, hint)


def _list_versions(definition: CrdDefinition) -> list[str]:
    """Return the versions of a CRD, served or not, and those of the CRD before the update."""
    spec = (definition.old or {}).get("spec")
    old_versions = spec.get("versions") if isinstance(spec, dict) else None
    old = (
        [item.get("name") for item in old_versions if isinstance(item, dict)] if isinstance(old_versions, list) else []
    )
    names = [version.name for version in definition.crd.versions] if definition.crd else []
    return [*dict.fromkeys([*names, *(name for name in old if isinstance(name, str))])]


def find_unknown_nulls(case: DocumentCase, definition: CrdDefinition, minor: int) -> Iterator[tuple[DocumentPath, str]]:
    """Yield the fields that `_stored` expects to be missing, but that no version of the CRD has.

    The items are the path of a field and the error of strict decoding. A field of the document or of its old object can
    be unknown, since API servers drop it.
    """
    stored = case.expectation.stored
    if stored is None or not _contains_null(stored):
        return
    versions = [case.version, *definition.list_served_versions()]
    errors = [_list_unknown_fields(case, definition, stored, version, minor) for version in versions]
    for error in errors[0]:
        path = find_unknown_field(make_key_case(case, STORED, stored), error)
        is_written = any(_has_field(obj, path) for obj in (case.object, case.expectation.old))
        if _get_field(stored, path) is None and not is_written and all(error in others for others in errors):
            yield path, error


def _list_unknown_fields(
    case: DocumentCase, definition: CrdDefinition, stored: Json, version: str, minor: int
) -> list[str]:
    obj = {**stored, "apiVersion": f"{case.group}/{version}", "kind": case.kind}
    verdicts = definition.validate(obj, None, [minor], status=False)
    return [error.detail for verdict in verdicts for error in verdict.unknown_fields]


def _contains_null(value: Any) -> bool:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value is None or any(map(_contains_null, items))


def _get_field(value: Any, path: DocumentPath) -> Any:
    for step in path:
        value = value[step]
    return value


def _has_field(value: Any, path: DocumentPath) -> bool:
    try:
        _get_field(value, path)
    except (KeyError, IndexError, TypeError):
        return False
    return True
