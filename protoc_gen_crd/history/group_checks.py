"""Checks of gRPC API groups against their last release: removals, incompatible changes, and frozen versions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.comparison.api_summary import ApiSummary
from protoc_gen_crd.comparison.change import Change, ChangeClass
from protoc_gen_crd.comparison.groups.group_api import FROZEN, POLICY, GroupApi, list_terms
from protoc_gen_crd.comparison.groups.group_comparison import compare_groups
from protoc_gen_crd.comparison.summary_comparison import REMOVED, compare_summaries
from protoc_gen_crd.findings.finding import Finding, Location, Place, Problems
from protoc_gen_crd.findings.severity_policy import PolicyEntry
from protoc_gen_crd.history.early_removals import find_early_removals, format_early_removal, suggest_removal
from protoc_gen_crd.history.element_places import ElementPlaces
from protoc_gen_crd.history.incompatible_changes import INCOMPATIBLE, NARROWED
from protoc_gen_crd.history.merged_findings import VersionFinding, merge_versions
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy, Term
from protoc_gen_crd.schema.schema import DEPRECATED

_PROBLEMS = {INCOMPATIBLE: "has an incompatible change", NARROWED: "accepts fewer values than the last release"}
_FROZEN = "history-frozen"
_FROZEN_HINT = (
    "released versions of annotated services do not change: add the change to a new version with since and until"
)
_HINT = 'make the change in a new version, or accept it in the settings file with path "%s" and a reason'
# Rules of changes that `find_early_removals` reports with the deprecation period.
_REMOVALS = ("change-kind-removed", "change-version-removed", "change-rpc-removed", "change-field-removed")
_VALUE_REMOVED = "change-enum-value-removed"
_COMPATIBLE_WITH_CLIENTS = (DEPRECATED, "deprecation_warning", POLICY, FROZEN)  # facts that frozen versions may change


def check_groups(
    history: Sequence[tuple[str, ApiSummary]],
    current: GroupApi,
    release: tuple[str, str],
    terms: DeprecationPolicy,
    recorded_file: str,
    entries: Sequence[PolicyEntry],
    problems: Problems,
) -> None:
    """Report changes of groups that clients of the last release do not expect.

    Args:
        history: The summaries of groups of all releases, oldest first.
        current: The current groups, released under the name and date of `release`.
        release: The name and date of the release.
        terms: The deprecation policy; it includes the release.
        recorded_file: The file of the last release with the summary of its groups.
        entries: The entries of the settings. Versions that one is about have findings of their own.
        problems: Receives the findings.
    """
    check = _GroupCheck(history[-1][1], current, terms.add_elements(list_terms(history[-1][1])), recorded_file)
    problems.findings += merge_versions(check.find_frozen(), entries)
    problems.findings += merge_versions(check.find_removals(history, *release), entries)
    problems.findings += merge_versions(check.find_incompatible_changes(), entries)


class _GroupCheck:
    """The check of the groups of a release. `terms` include the periods that the last release declares."""

    def __init__(self, before: ApiSummary, current: GroupApi, terms: DeprecationPolicy, recorded_file: str) -> None:
        self._before = before
        self._current = current
        self._terms = terms
        self._recorded = ElementPlaces((), recorded_file)

    def _find_place(self, kind: str, version: str, path: str) -> Place:
        return self._current.find_place(kind, version, path) or self._recorded.find_recorded(kind, version, path)

    def find_frozen(self) -> Iterator[VersionFinding]:
        """Find changes of recorded versions that are generated from annotated services."""
        for change in compare_summaries(self._before, self._current.summary):
            kind = self._before.get(change.kind)
            version = kind.versions.get(change.version) if kind else None
            is_whole = not change.path and change.action == REMOVED
            names = [name for name in change.facts if name not in _COMPATIBLE_WITH_CLIENTS]
            if version is None or not version.facts.get(FROZEN) or is_whole or not names:
                continue
            where = change.kind, change.version, change.path
            subject = f'"{change.path}" of ' if change.path else ""
            problem = f"{subject}recorded version {change.version} of {change.kind} is {change.action}"
            finding = Finding(_FROZEN, problem, self._find_place(*where), ".".join(filter(None, where)), _FROZEN_HINT)
            key = change.action, change.kind, change.path, *([] if change.path else [change.version])
            yield VersionFinding(finding, change.version, key, self._recorded.find_recorded(*where))

    def find_removals(
        self, history: Sequence[tuple[str, ApiSummary]], release: str, date: str
    ) -> Iterator[VersionFinding]:
        """Find removals before the end of the deprecation period."""
        for removal in find_early_removals(history, self._current.summary, release, date, self._terms):
            removed = removal.removed
            if removed.path and self._is_frozen(removed.kind, removed.version):
                continue
            if not removed.path or self._is_client_visible(removed.kind, removed.version, removed.path):
                where = removed.kind, removed.version, removed.path
                problem, hint = format_early_removal(removal, self._terms), suggest_removal(removal, release)
                place = self._find_place(*where)
                finding = Finding("history-removal", problem, place, removal.element, hint, aliases=("change-*",))
                key = removed.kind, removed.path, removed.value, *([] if removed.path else [removed.version])
                yield VersionFinding(finding, removed.version, key, self._recorded.find_recorded(*where))

    def _is_frozen(self, kind: str, version: str) -> bool:
        return bool(self._before[kind].versions[version].facts.get(FROZEN))

    def _is_client_visible(self, kind: str, version: str, path: str) -> bool:
        """Return whether an element that was removed has an effect of its own.

        A message has none: the removal or change of the RPCs and fields that use it is reported.
        """
        return self._before[kind].versions[version].fields[path].get("element") != "message"

    def find_incompatible_changes(self) -> Iterator[VersionFinding]:
        """Find incompatible changes of versions that have a deprecation period, other than removals."""
        for change in compare_groups(GroupApi(self._before), self._current):
            if change.change_class < ChangeClass.TIGHTEN or change.rule in (*_REMOVALS, _VALUE_REMOVED):
                continue
            for name in change.versions:
                element = change.replace(versions=(name,)).element
                is_free = self._terms.find_term(name, element=element) == Term(0, 0)
                if not is_free and not self._is_frozen(change.kind, name):
                    yield self._report_change(change, name)

    def _report_change(self, change: Change, version: str) -> VersionFinding:
        rule = INCOMPATIBLE if change.change_class is ChangeClass.BREAK else NARROWED
        element = change.replace(versions=(version,)).element
        subject = f'"{change.path}" of {change.kind} {version}' if change.path else f"{change.kind} {version}"
        problem = f"{subject} {_PROBLEMS[rule]}: {change.message}"
        place = self._find_place(change.kind, version, change.path)
        finding = Finding(rule, problem, place, element, _HINT % element, aliases=("change-*",))
        recorded: Location = self._recorded.find_recorded(change.kind, version, change.path)
        return VersionFinding(finding, version, (rule, change.kind, change.path, change.message), recorded)
