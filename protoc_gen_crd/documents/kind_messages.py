"""Messages, hints, and findings about the kind, group, or version of a document."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.suggestions import did_you_mean, find_nearest
from protoc_gen_crd.documents.document_reader import CRD_GROUP, CRD_KIND, DocumentCase
from protoc_gen_crd.documents.expectation_keys import VERSIONS
from protoc_gen_crd.documents.malformed_objects import TYPE_KEYS, UnknownKind, suggest_type_key
from protoc_gen_crd.findings.finding import Finding, Location
from protoc_gen_crd.kubernetes.built_in_groups import CORE_VERSION
from protoc_gen_crd.settings.option_types import KIND_PATTERN

NO_CRD_PREFIX = "no CRD found for kind"


def make_error(case: DocumentCase, message: str, key: str = "kind", hint: str = "") -> Finding:
    """Return the finding of an error at a key of a document; without a hint, with one for a misspelled key."""
    at = case.get_place((key,), key=key not in TYPE_KEYS)
    return Finding("document-kind", message, at, case.name, hint or suggest_type_key(case.object))


def make_version_error(case: DocumentCase, served: Sequence[str]) -> Finding:
    """Return the finding of a document whose version is not one of the served ones."""
    names = ", ".join(f'"{case.group}/{name}"' for name in served) or "none"
    message = f'{case.name} has version "{case.version}", which its CRD does not serve (served: {names})'
    hint = suggest_version(case, served)
    return Finding("document-version", message, _locate_version(case), case.name, hint)


def suggest_version(case: DocumentCase, versions: Sequence[str]) -> str:
    """Return a hint for an object of an unknown version: the apiVersion with the nearest version of its kind."""
    near = find_nearest(case.version, versions)
    return did_you_mean(f"{case.group}/{near}" if near else None)


def _locate_version(case: DocumentCase) -> Location:
    versions = case.expectation.versions
    if case.version in versions:
        return case.get_place((VERSIONS, versions.index(case.version)))
    return case.get_place((VERSIONS if versions else "apiVersion",))


def describe_missing_crd(kind: str, name: str) -> str:
    """Return the problem of a kind in an API group or version, which may be empty."""
    return f'{NO_CRD_PREFIX} "{kind}"' + (f' in "{name}"' if name else "")


def format_kind(kind: str, group: str) -> str:
    """Format a kind as kubectl and --skip-kinds accept it."""
    return f"{kind}.{group}" if group else kind


def list_patterns(kind: str, group: str) -> tuple[str, str, str]:
    """Return the entries of skip_kinds that match a kind."""
    return kind, f"{kind}.{group}", f"{group}/*"


def suggest_skip(kind: str, group: str, before: str) -> str:
    """Return a hint that names --skip-kinds, empty for a name that the option does not accept."""
    try:
        return f"{before}pass --skip-kinds {KIND_PATTERN.parse(format_kind(kind, group))}"
    except ValueError:
        return ""


def make_missing_version_error(case: DocumentCase) -> UnknownKind:
    """Return the error of an object without apiVersion."""
    add = f'add "apiVersion: {CRD_GROUP}/v1"' if case.kind == CRD_KIND else ""
    hint = suggest_type_key(case.object) or add
    return UnknownKind("", f'document of kind "{case.kind}" has no apiVersion', hint=hint)


def format_missing_crd(case: DocumentCase) -> str:
    """Return the problem of a document whose kind has no CRD."""
    return describe_missing_crd(case.kind, format_api_version(case))


def format_api_version(case: DocumentCase) -> str:
    """Return the apiVersion of a document, or the part of it that is not empty."""
    return "/".join(filter(None, (case.group, case.version)))


def suggest_groups(kind: str, groups: Sequence[str]) -> str:
    """Return a hint for a kind of other groups."""
    names = " or ".join(f'"{group or CORE_VERSION}"' for group in groups)
    return f'"{kind}" is a kind of {names}' if groups else ""
