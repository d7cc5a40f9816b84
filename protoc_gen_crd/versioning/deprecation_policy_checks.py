"""The deprecation policy for a removal: what the recorded releases require of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.groups.group_api import GroupApi, select_groups, select_kinds
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Finding, Problems
from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.kubernetes.version_ranges import get_next_release
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.side_comparison import compare_with_release

if TYPE_CHECKING:
    from protoc_gen_crd.comparison.api_summary import ApiSummary
    from protoc_gen_crd.history.early_removals import EarlyRemoval
    from protoc_gen_crd.history.history_check import ReleasePolicy
    from protoc_gen_crd.history.release_store import Release
    from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy

_UNRECORDED_HINT = "record the releases with `protoc-gen-crd history record`, or accept the finding with a reason"


class DeprecationPolicyChecker:
    """The recorded releases, and the periods of the settings; `date` is that of the removal, YYYY-MM-DD."""

    def __init__(self, settings: Settings, date: str, problems: Problems) -> None:
        self._settings, self._date = settings, date
        self._folder = Path(settings.history)
        self._releases: list[Release] = []
        self._history: list[tuple[str, ApiSummary]] = []
        if self._folder.is_dir():
            from protoc_gen_crd.history.release_store import load_releases, load_summaries  # noqa: PLC0415 - many APIs have no releases

            self._releases = load_releases(self._folder, problems)
            pairs = load_summaries(self._folder, self._releases, problems)
            self._history = [(release.name, summary) for release, summary in pairs]

    @property
    def has_releases(self) -> bool:
        """True if a release is recorded."""
        return bool(self._history)

    def compare_elements(self, side: ApiSide) -> Mapping[tuple[str, str, str], str]:
        """Return the actions of the changes since the last release by kind, version, and path."""
        from protoc_gen_crd.comparison.summary_comparison import compare_summaries  # noqa: PLC0415 - see above

        changes = compare_summaries(self._history[-1][1], self._summarize(side.crds, side.groups))
        return {(change.kind, change.version, change.path): change.action for change in changes}

    def make_terms(self) -> DeprecationPolicy:
        """Return the periods, for the recorded releases and the next one."""
        from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy  # noqa: PLC0415 - few changes are removals

        dates = [(release.name, release.date) for release in self._releases]
        return DeprecationPolicy(
            [*dates, (self.next_release, self._date)], self._settings.deprecation_policy, self._settings.channels
        )

    def describe_removal(self, version: str) -> str:
        """Describe the earliest removal of what the next release deprecates in a version."""
        if parse_version(version) is None:
            return ""
        removal = self.make_terms().find_earliest_removal(self.next_release, version)
        return f"{removal} (if {self.next_release} is released on {self._date})"

    @property
    def next_release(self) -> str:
        """The name of the release after the last recorded one."""
        return get_next_release(self._releases[-1].name if self._releases else "")

    def find_early_removals(self, side: ApiSide) -> list[EarlyRemoval]:
        """Return the elements that an API removes before the end of their deprecation periods.

        Groups are ignored if they are None.
        """
        from protoc_gen_crd.history.history_check import find_removals  # noqa: PLC0415 - many APIs have no releases

        current = self._summarize(side.crds, side.groups)
        return find_removals(self._history, current, self._compare(side), self._make_policy())

    def _compare(self, side: ApiSide) -> Sequence[Change]:
        return compare_with_release(self._folder, self._releases[-1], side, self._settings, Problems())

    def _make_policy(self) -> ReleasePolicy:
        from protoc_gen_crd.history.history_check import ReleasePolicy  # noqa: PLC0415 - see above

        settings = self._settings
        profiles = ProfileChoice({"": settings.profile, **settings.profiles})
        return ReleasePolicy(self.next_release, self._date, self.make_terms(), profiles, settings.findings)

    def check_elements(self, sides: Sequence[ApiSide], problems: Problems) -> None:
        """Report elements that the policy names, and that neither a side nor a recorded release has."""
        if not self._settings.deprecation_policy:
            return
        from protoc_gen_crd.history.unknown_policy_elements import check_policy_elements  # noqa: PLC0415 - most settings have no policy

        at = self._settings.places.get("deprecation_policy")
        check_policy_elements(self._settings.deprecation_policy, self._iterate_summaries(sides), at, problems)

    def _iterate_summaries(self, sides: Sequence[ApiSide]) -> Iterator[ApiSummary]:
        from protoc_gen_crd.comparison.api_summary import summarize_api  # noqa: PLC0415 - see above

        yield from (summary for _, summary in self._history)
        for side in sides:
            yield summarize_api(side.crds)
            yield side.groups.summary if side.groups else {}

    def _summarize(self, crds: tuple[Crd, ...], groups: GroupApi | None) -> ApiSummary:
        """Return the summary of an API; without groups, with those of the last release."""
        from protoc_gen_crd.comparison.api_summary import summarize_api  # noqa: PLC0415 - see above

        recorded = select_groups(self._history[-1][1])
        return {**summarize_api(crds), **(recorded if groups is None else groups.summary)}

    def is_recorded(self, crds: tuple[Crd, ...], groups: GroupApi | None = None) -> bool:
        """Return whether the last release has the API of these CRDs and groups."""
        from protoc_gen_crd.comparison.summary_comparison import compare_summaries  # noqa: PLC0415 - see above

        return not any(compare_summaries(self._history[-1][1], self._summarize(crds, groups)))

    def check(self, before: tuple[Crd, ...], after: tuple[Crd, ...], problems: Problems) -> None:
        """Report what the policy forbids of the change from the CRDs before to those after it."""
        if not self._history:
            self._check_unrecorded(before, after, problems)
            return
        known = {_get_key(finding) for finding in self._find_incompatibilities(before)}
        problems.findings += [
            finding for finding in self._find_incompatibilities(after) if _get_key(finding) not in known
        ]

    def check_groups(self, groups: GroupApi, removed: Iterable[tuple[str, str]], problems: Problems) -> None:
        """Report what the policy forbids of groups; `removed` are the names and versions that are removed."""
        if not self._history:
            from protoc_gen_crd.kubernetes.deprecation_policy import Term  # noqa: PLC0415 - see above

            for name, version in removed:
                term = self.make_terms().find_term(version)
                if term != Term(0, 0):
                    message = f"no release is recorded, so the deprecation period of {name} {version} ({term}) "
                    message += "cannot be checked"
                    problems.report("edit-unrecorded", message, path=f"{name}.{version}", hint=_UNRECORDED_HINT)
        else:
            from protoc_gen_crd.history.group_checks import check_groups  # noqa: PLC0415 - few APIs have groups
            from protoc_gen_crd.history.release_store import GROUPS  # noqa: PLC0415

            history = [(name, select_groups(summary)) for name, summary in self._history]
            last = self._folder / self._releases[-1].name / GROUPS
            release, entries = (self.next_release, self._date), self._settings.findings
            check_groups(history, groups, release, self.make_terms(), str(last), entries, problems)

    def _find_incompatibilities(self, crds: tuple[Crd, ...]) -> list[Finding]:
        from protoc_gen_crd.comparison.api_summary import summarize_api  # noqa: PLC0415
        from protoc_gen_crd.history.element_places import ElementPlaces  # noqa: PLC0415
        from protoc_gen_crd.history.history_check import CurrentKinds, check_compatibility  # noqa: PLC0415 - see above
        from protoc_gen_crd.history.release_store import API  # noqa: PLC0415

        incompatibilities = Problems()
        last = self._folder / self._releases[-1].name / API
        current = CurrentKinds(summarize_api(crds), self._compare(ApiSide("", crds)), ElementPlaces(crds, str(last)))
        history = [(name, select_kinds(summary)) for name, summary in self._history]
        check_compatibility(history, current, self._make_policy(), incompatibilities)
        return incompatibilities.findings

    def _check_unrecorded(self, crds: tuple[Crd, ...], after: tuple[Crd, ...], problems: Problems) -> None:
        """Report removals from served versions with a deprecation period, whose deprecation nobody can date."""
        from protoc_gen_crd.comparison.api_summary import summarize_api  # noqa: PLC0415
        from protoc_gen_crd.kubernetes.deprecation_policy import Term  # noqa: PLC0415 - see above

        terms, summary_after = self.make_terms(), summarize_api(after)
        origins = {
            (f"{crd.group}/{crd.names.kind}", version.name): version.origin for crd in crds for version in crd.versions
        }
        for kind, summary in summarize_api(crds).items():
            for name, version in summary.versions.items():
                new = summary_after[kind].versions.get(name) if kind in summary_after else None
                unchanged = new is not None and new.fields == version.fields
                term = terms.find_term(name, version.find_channel("", terms.channels))
                if unchanged or not version.facts.get("served") or term == Term(0, 0):
                    continue
                message = f"no release is recorded, so the deprecation period of {kind} {name} ({term}) "
                message += "cannot be checked"
                problems.report(
                    "edit-unrecorded", message, origins[kind, name], path=f"{kind}.{name}", hint=_UNRECORDED_HINT
                )


def _get_key(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.message, finding.path
