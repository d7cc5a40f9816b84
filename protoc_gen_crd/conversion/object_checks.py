"""Errors of objects that `convert` would skip, or that would lose data."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.admission.objects.error_paths import resolve_path
from protoc_gen_crd.conversion.rule_files.api_conversion import GROUP
from protoc_gen_crd.conversion.rule_files.settings_rules import is_rule_like
from protoc_gen_crd.documents.document_reader import DocumentCase
from protoc_gen_crd.documents.input_documents import InputDocuments
from protoc_gen_crd.documents.kind_messages import make_version_error
from protoc_gen_crd.documents.unknown_field_hints import make_field_hint
from protoc_gen_crd.documents.unknown_kinds import UnknownKinds
from protoc_gen_crd.findings.finding import Finding, Location, Severity
from protoc_gen_crd.schema.schema import Schema

_MAX_FIELDS = 100  # of an object that are reported


class ObjectChecker:
    """Checks the objects of a run like `validate`. `converted` are the groups and kinds that have a converter."""

    def __init__(self, documents: InputDocuments, converted: Collection[tuple[str, str]]) -> None:
        self._definitions, self._converted = documents.definitions, converted
        self._kinds = UnknownKinds(documents.definitions, documents.settings.skip_kinds, other_kinds=converted)
        self._make_place_formatter = documents.make_place_formatter

    def find_error(self, case: DocumentCase) -> Finding | None:
        """Return the error of a misspelled kind, group, or version; None for objects of unrelated kinds."""
        definition = self._definitions.find(case)
        if definition is not None and definition.crd is not None:
            is_known = case.version in [version.name for version in definition.crd.versions]
            return None if is_known else make_version_error(case, definition.list_served_versions())
        is_rule = case.group == GROUP or is_rule_like(case.object)
        return None if is_rule or (case.group, case.kind) in self._converted else self._kinds.find_error(case)

    def find_lost_fields(self, case: DocumentCase, schema: Schema, fields: Sequence[str]) -> Iterator[Finding]:
        """Yield an error for each unknown field of an object, which the converted object does not have."""
        format_place = self._make_place_formatter()
        for field in fields[:_MAX_FIELDS]:
            steps = resolve_path(case.object, field)[0]
            message = f'unknown field "{field}" in {case.name} ({case.version}) would be lost'
            hint = make_field_hint(schema, steps, format_place)
            yield _make_loss(message, case, case.get_place(steps, key=True), hint)
        if len(fields) > _MAX_FIELDS:
            more = f"{len(fields) - _MAX_FIELDS:,} more unknown fields in {case.name} ({case.version}) would be lost"
            yield _make_loss(more, case, case.at)


def _make_loss(message: str, case: DocumentCase, at: Location, hint: str = "") -> Finding:
    return Finding("document-unknown-field", message, at, case.name, hint, severity=Severity.ERROR)
