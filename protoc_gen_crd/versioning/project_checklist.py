"""The checklist of what must accompany changes: the items that follow from recorded releases and from folders.

Items are checked only for what a project has: a folder of notes, samples, reference docs, or test documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.bounded_json import format_string
from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.crd_checklist import ChecklistItem
from protoc_gen_crd.comparison.groups.group_api import is_group
from protoc_gen_crd.comparison.severity_profiles import is_limited_to_alpha
from protoc_gen_crd.comparison.version_differences import VersionDifference, find_element_path, get_rule
from protoc_gen_crd.conversion.derivation.conversion_options import has_declarations
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.documents.document_files import find_files, read_content
from protoc_gen_crd.documents.document_reader import DocumentCase, read_cases
from protoc_gen_crd.findings.finding import Finding, Problems, Severity
from protoc_gen_crd.findings.severity_policy import is_accepted
from protoc_gen_crd.schema.schema import DEPRECATED_VALUES
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.deprecation_policy_checks import DeprecationPolicyChecker

if TYPE_CHECKING:
    from protoc_gen_crd.history.early_removals import EarlyRemoval

_VALUE_REMOVED = "change-enum-value-removed"
_OF_VERSIONS = ("change-version-removed", "change-version-unserved")
REMOVALS = (
    "change-kind-removed",
    *_OF_VERSIONS,
    "change-field-removed",
    "change-rpc-removed",
    _VALUE_REMOVED,
)
_ADDITIONS = (
    "change-kind-added",
    "change-version-added",
    "change-field-added",
    "change-field-added-required",
    "change-rpc-added",
)
_VALIDATIONS = (ChangeClass.LOOSEN, ChangeClass.TIGHTEN)
_WARNING = "deprecation_warning"
_WITH_COMMAND = "with `protoc-gen-crd version deprecate`"
_MAX_SHOWN = 3  # elements in a requirement


class ProjectChecklist:
    """The checklist of the changes to an API; `documents` are the paths of test documents."""

    def __init__(
        self, side: ApiSide, policy: DeprecationPolicyChecker, settings: Settings, problems: Problems,
        documents: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self._crds, self._policy, self._settings, self._problems = side.crds, policy, settings, problems
        self._documents, self._groups = documents, side.groups
        self._early = policy.find_early_removals(side) if policy.has_releases else []
        self._actions = policy.compare_elements(side) if policy.has_releases else {}

    def mark_due(self, change: Change) -> Change:
        """Mark a removal that the recorded releases show to be after the end of the deprecation period."""
        is_due = change.rule in REMOVALS and self._is_since_release(change) and not self._find_early(change)
        return change.replace(is_due=True) if is_due else change

    def _is_since_release(self, change: Change) -> bool:
        """Return whether the last release has what a change removes, so that the policy applies to the removal."""
        from protoc_gen_crd.comparison.api_summary import list_ancestors  # noqa: PLC0415 - few changes are removals
        from protoc_gen_crd.comparison.summary_comparison import REMOVED  # noqa: PLC0415

        for version in change.versions or ("",):
            for path in (change.path, *change.other_paths):
                around = [self._actions.get((change.kind, version, name)) for name in ("", *list_ancestors(path))]
                if (change.kind, version, path) in self._actions or REMOVED in around:
                    return True
        return False

    def is_accepted(self, crd: Crd, difference: VersionDifference) -> bool:
        """Return whether the settings accept a difference between versions, or that a conversion has no webhook."""
        if not self._settings.findings:
            return False
        rule, path = get_rule(difference), find_element_path(crd, difference)
        if self._is_declared(crd):
            rule, path = "conversion-webhook-missing", crd.name
        return is_accepted(Finding(rule, "", None, path), self._settings.findings)

    def _is_declared(self, crd: Crd) -> bool:
        """Return whether a conversion of a CRD is declared."""
        if not self._settings.conversion_rules and not self._settings.conversions:
            return has_declarations(crd)
        from protoc_gen_crd.conversion.plan_builder import find_declared_crds  # noqa: PLC0415 - few declare conversions
        from protoc_gen_crd.conversion.rule_files.settings_rules import read_rules  # noqa: PLC0415

        return bool(find_declared_crds([crd], read_rules(self._settings, Problems())))

    def list_items(self, old: Sequence[Crd], changes: Sequence[Change]) -> Iterator[ChecklistItem]:
        """Yield the items of changes since the old CRDs."""
        relevant = [change for change in changes if change.change_class > ChangeClass.NONE]
        of_kinds = [change for change in relevant if not is_group(change.kind)]
        if relevant and self._policy.has_releases:
            yield self._check_history()
        for change in changes:
            yield from self._check_deprecation(change, old)
        yield from self._check_notes(relevant)
        added = [change for change in of_kinds if change.rule in _ADDITIONS]
        validated = [change for change in relevant if change.nodes and change.change_class in _VALIDATIONS]
        folder = self._settings.samples
        if Path(folder).is_dir():
            hint = f"run `protoc-gen-crd samples`, or add samples to {folder}"
            yield from self._check_documents("samples", "samples", added, (folder,), hint)
        if self._documents:
            hint = "add a document that the new validation accepts, and one that it rejects"
            yield from self._check_documents("test-documents", "test documents", validated, self._documents, hint)
        yield from self._check_docs([change for change in relevant if change.rule in _ADDITIONS])
        yield from self._check_conversions(changes)

    def _check_history(self) -> ChecklistItem:
        release = self._policy.next_release
        hint = f"run `protoc-gen-crd history record {release}` when it is released"
        requirement = f"record release {release} with the changes"
        is_done = self._policy.is_recorded(self._crds, self._groups)
        return ChecklistItem("history-entry", release, requirement, is_done, hint, severity=Severity.NOTE)

    def _find_early(self, change: Change, value: str | None = None) -> EarlyRemoval | None:
        """Return the removal that comes too early and that a change reports; with a value, that of the enum value."""
        own = (early for early in self._early if _is_of(early, change))
        return next((early for early in own if value is None or early.removed.value in (None, value)), None)

    def _check_deprecation(self, change: Change, old: Sequence[Crd]) -> Iterator[ChecklistItem]:
        """Require the deprecation of removed elements before, and a notice with the removal of deprecated ones."""
        if change.rule == "change-deprecated" and not change.path:
            yield self._check_notice(change)
        if change.rule not in REMOVALS or is_limited_to_alpha(change):
            return
        from protoc_gen_crd.comparison.enum_value_changes import name_value  # noqa: PLC0415 - few changes are removals
        from protoc_gen_crd.history.early_removals import format_early_removal, suggest_removal  # noqa: PLC0415

        for value in _list_removed_values(change) if change.rule == _VALUE_REMOVED else (None,):
            element = change.element if value is None else f"{change.element}.{name_value(value)}"
            is_done = False
            if early := self._find_early(change, value):
                requirement = format_early_removal(early, self._policy.make_terms())
                hint = suggest_removal(early, self._policy.next_release)
            elif change.change_class is ChangeClass.NONE:  # no client can use the version
                continue
            else:
                is_done = self._is_since_release(change) or _is_deprecated(change, value, old)
                requirement = f"deprecate {element} before it is removed"
                example = f", for example {_WITH_COMMAND}," if change.rule in _OF_VERSIONS else ","
                hint = f"deprecate it{example} and remove it when the deprecation period is over"
            yield ChecklistItem("deprecation", element, requirement, is_done, hint, change.at)

    def _check_notice(self, change: Change) -> ChecklistItem:
        warnings = {
            version.name: version.deprecation_warning
            for crd in self._crds
            if f"{crd.group}/{crd.names.kind}" == change.kind
            for version in crd.versions
        }
        group = self._groups.summary.get(change.kind) if self._groups else None
        warnings |= {
            name: str(group_version.facts.get(_WARNING, ""))
            for name, group_version in (group.versions if group else {}).items()
        }
        name = change.versions[0] if change.versions else ""
        is_dated = name in warnings and self._policy.has_releases
        removal = self._policy.describe_removal(name) if is_dated else ""
        earliest = f"; removal is possible {removal}" if removal else ""
        requirement = f"name the replacement of {change.element} in its deprecation notice{earliest}"
        is_done = bool(warnings.get(name))
        hint = f"set deprecationWarning, for example {_WITH_COMMAND}"
        return ChecklistItem("deprecation-notice", change.element, requirement, is_done, hint, change.at)

    def _check_notes(self, changes: Sequence[Change]) -> Iterator[ChecklistItem]:
        """Require a changelog note for each change, if the folder exists."""
        folder = Path(self._settings.notes)
        if not folder.is_dir():
            return
        from protoc_gen_crd.history.changelog_notes import read_notes  # noqa: PLC0415 - many projects have no notes

        notes = read_notes(folder, self._problems)
        for kind, own in _group(changes).items():
            missing = [
                change
                for change in own
                if not any(
                    note.covers(kind, version, change.path) for note in notes for version in change.versions or ("",)
                )
            ]
            name = re.sub(r"[^\w.-]", "", (missing or own)[0].element.replace("/", "_"))
            requirement = f"add a note on {_format_elements(missing or own)} to {folder}"
            hint = f"describe the change for users in {folder / name}.md"
            yield ChecklistItem("changelog-note", kind, requirement, not missing, hint, (missing or own)[0].at)

    def _check_documents(
        self, name: str, noun: str, changes: Sequence[Change], paths: Sequence[str], hint: str
    ) -> Iterator[ChecklistItem]:
        """Require documents of each changed kind and version that use the changed fields."""
        cases = _read_documents(paths)
        for kind, own in _group(changes).items():
            missing = [change for change in own if not any(_uses(case, change) for case in cases)]
            requirement = f"use {_format_elements(missing or own)} in {noun}"
            yield ChecklistItem(name, kind, requirement, not missing, hint, (missing or own)[0].at)

    def _check_conversions(self, changes: Sequence[Change]) -> Iterator[ChecklistItem]:
        """Require proofs of the declared conversions of changed kinds."""
        changed = {change.kind for change in changes if change.nodes or change.rule == "change-version-added"}
        crds = [crd for crd in self._crds if f"{crd.group}/{crd.names.kind}" in changed and len(crd.versions) > 1]
        has_rules = crds and (self._settings.conversion_rules or self._settings.conversions)
        if has_rules or any(map(has_declarations, crds)):
            from protoc_gen_crd.versioning.conversion_proofs import check_conversions  # noqa: PLC0415 - few declare conversions

            yield from check_conversions(crds, self._settings)

    def _check_docs(self, changes: Sequence[Change]) -> Iterator[ChecklistItem]:
        """Require added elements in the reference docs, if the folder exists."""
        folder = Path(self._settings.docs)
        if not folder.is_dir():
            return
        words = {word for path in sorted(folder.rglob("*.md")) for word in re.findall(r"\w+", read_text(path))}
        for kind, own in _group(changes).items():
            missing = [change for change in own if not _get_words(change) <= words]
            requirement = f"describe {_format_elements(missing or own)} in the reference docs"
            hint = "run `protoc-gen-crd docs`"
            yield ChecklistItem("docs", kind, requirement, not missing, hint, (missing or own)[0].at)


def _is_of(early: EarlyRemoval, change: Change) -> bool:
    removed = early.removed
    if removed.kind != change.kind or removed.path not in (change.path, *change.other_paths):
        return False
    return change.rule == "change-kind-removed" or removed.version in change.versions


def _list_removed_values(change: Change) -> list[str]:
    """Return the enum values that a change removes: of a list of values in a CRD, or of a group's enum."""
    if not isinstance(change.old, list):
        return [str(change.old)]
    removed = [value for value in change.old if value is not None and value not in (change.new or ())]
    return list(map(format_string, removed))


def _is_deprecated(change: Change, value: str | None, old: Sequence[Crd]) -> bool:
    """Return whether the old API deprecates a removed element or enum value, its version, or a field around it."""
    versions = [
        version
        for crd in old
        if f"{crd.group}/{crd.names.kind}" == change.kind
        for version in crd.versions
        if version.name in change.versions or not change.versions
    ]
    if versions and all(version.deprecated for version in versions):
        return True
    nodes = [change.nodes, *change.nodes.iterate_ancestors()] if change.nodes else []
    from protoc_gen_crd.schema.deprecated_fields import is_deprecated  # noqa: PLC0415 - few changes are removals

    values = (change.nodes.old.facts or {}).get(DEPRECATED_VALUES, ()) if change.nodes else ()
    return value in values or any(is_deprecated(node.old) for node in nodes)


def _group(changes: Sequence[Change]) -> Mapping[str, list[Change]]:
    """Group changes by kind."""
    by_kind: dict[str, list[Change]] = {}
    for change in changes:
        by_kind.setdefault(change.kind, []).append(change)
    return by_kind


def _format_elements(changes: Sequence[Change]) -> str:
    elements = list(dict.fromkeys(change.element for change in changes))
    rest = len(elements) - _MAX_SHOWN
    return ", ".join(elements[:_MAX_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def _read_documents(paths: Sequence[str]) -> list[DocumentCase]:
    """Return the documents in paths; `validate` reports files that cannot be read."""
    ignored = Problems()
    files = find_files(paths, ignored).documents
    return [case for file in files for case in read_cases(read_content(file, ignored), file, ignored)]


def _uses(case: DocumentCase, change: Change) -> bool:
    """Return whether a document has the kind, one of the versions, and the field of a change."""
    is_of_version = case.version in change.versions or not change.versions
    if f"{case.group}/{case.kind}" != change.kind or not is_of_version:
        return False
    return _has_path(case.object, change.path.replace("[]", ".[]").replace("{}", ".{}").split("."))


def _has_path(value: Any, steps: Sequence[str]) -> bool:
    if not steps or steps == [""]:
        return True
    step, rest = steps[0], steps[1:]
    if step in ("[]", "{}"):
        items = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
        return any(_has_path(item, rest) for item in items)
    return isinstance(value, dict) and step in value and _has_path(value[step], rest)


def _get_words(change: Change) -> set[str]:
    """Return the names that docs of an element must contain: its kind, version, and last field."""
    name = change.path.replace("[]", "").replace("{}", "").rpartition(".")[2]
    return set(re.findall(r"\w+", " ".join((change.kind.rpartition("/")[2], *change.versions[:1], name))))
