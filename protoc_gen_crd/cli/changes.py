"""`changes [PATH...] --old OLD`: the changes since an older API, and whether they need a new version."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.cli.findings_output import make_report, print_lines, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.old_side import SideInputs, exclude_old_import_paths, find_default_references, open_old_side
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.change_findings import make_findings, merge_kinds
from protoc_gen_crd.comparison.change_verdict import (
    ApiVersions,
    ChangeVerdict,
    collect_versions,
    explain_verdict,
    find_verdict,
)
from protoc_gen_crd.comparison.crd_checklist import ChecklistItem, list_crd_items, make_open_finding
from protoc_gen_crd.comparison.severity_profiles import IMMUTABLE, ProfileChoice
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import LoadOptions, load_crds, summarize_protos
from protoc_gen_crd.documents.api_side import ApiSide, select_new_findings, separate_repeated
from protoc_gen_crd.documents.crd_text_cache import KnownCrds
from protoc_gen_crd.documents.side_reference import HISTORY, LATEST_TAG, parse_reference
from protoc_gen_crd.documents.unknown_kinds import SKIP_RULE
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.report_order_and_limits import Report
from protoc_gen_crd.findings.severity_policy import has_error, is_accepted
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.history.release_names import list_releases
from protoc_gen_crd.kubernetes.version_ranges import get_next_release, parse_release
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.deprecation_policy_checks import DeprecationPolicyChecker
from protoc_gen_crd.versioning.project_checklist import ProjectChecklist
from protoc_gen_crd.versioning.side_comparison import BranchChanges, compare_sides
from protoc_gen_crd.versioning.unreadable_crds import drop_crds, drop_partial, find_unreadable, list_rejected

if TYPE_CHECKING:
    from protoc_gen_crd.comparison.groups.group_api import GroupApi
    from protoc_gen_crd.proto.request import Request


_KEPT_PLACES = 4 << 20  # bytes of files of the new side whose places stay in memory


class _Review(Record):
    """The result of a comparison: the verdict, the lines that explain it, and the checklist.

    `is_complete` is false if CRDs cannot be decoded.
    """

    verdict: ChangeVerdict
    explanation: tuple[str, ...]
    items: tuple[ChecklistItem, ...]
    is_complete: bool


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "changes")


def run(arguments: argparse.Namespace) -> int:
    """Print the changes and the verdict; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = _find_inputs(arguments, settings)
    require_inputs(inputs, settings, "inputs", "documents")
    paths: dict[str, str] = {}
    known, generator, reader = KnownCrds(), Problems(), Problems()
    new = _load_new_side(inputs, settings, paths, known, generator, reader)
    own = (*generator.findings, *reader.findings)
    is_compared = not new.is_empty or (new.protos is not None and _compares_protos(settings))
    is_empty = not is_compared and all(finding.rule == SKIP_RULE for finding in (*problems.findings, *own))
    old_inputs = _describe_old_inputs(arguments, settings, new.crds, known)
    references = settings.old or find_default_references(old_inputs, settings, problems)
    with open_old_side(references, old_inputs, settings, problems) as old:
        sources = SourceFiles(paths, old.contents, old.copies) if old else SourceFiles(paths)
        if is_empty and not _is_removed(old, new):
            problems.report("crd-none", f"no CRDs found in {', '.join(inputs)}")
        unreadable = [find_unreadable(findings) for findings in (problems.findings, reader.findings)]
        general = drop_partial((*problems.findings, *own))
        if old is None or not references or has_error(general, settings.findings, complete=False):
            problems.findings += own
            return report_findings(_make_report(problems, settings, sources, None, ""), settings)
        # Without .proto files of the old side, it is unknown which findings of `generate` are new.
        problems.findings += select_new_findings(own if old.generated else reader.findings, old)
        _report_uncompared(references, old, new, problems)
        old, new = (drop_crds(side, [name for names in unreadable for name in names]) for side in (old, new))
        rejected = list_rejected(unreadable[1], settings.findings)
        review = _compare(old, new, settings, problems, rejected).replace(is_complete=not any(unreadable))
        review = _note_uncompared_crds(review, [name for name in unreadable[0] if name not in unreadable[1]])
        is_chosen = not settings.old or any(parse_reference(value).form == LATEST_TAG for value in settings.old)
        print_status([f"compared with {old.label}"] if is_chosen else (), settings, now=True)
        status = report_findings(_make_report(problems, settings, sources, review, old.label), settings)
        print_lines([f"verdict: {review.verdict.format()}"], settings)
        print_lines(_format_explanation(review) if settings.explain else (), settings)
        return status


def _note_uncompared_crds(review: _Review, names: Sequence[str]) -> _Review:
    """Return a review whose verdict names the CRDs that are not compared, because their old state cannot be decoded."""
    if not names:
        return review
    note = "; ".join(filter(None, (review.verdict.note, f"not compared: {', '.join(names)}")))
    return review.replace(verdict=review.verdict.replace(note=note))


def _load_new_side(
    inputs: Sequence[str], settings: Settings, paths: dict[str, str], known: KnownCrds, generator: Problems,
    reader: Problems,
) -> ApiSide:  # fmt: skip
    """Load the new API. `generator` receives the findings of `generate`, `reader` those of documents."""
    requests: list[Request] = []
    options = LoadOptions(known, requests, kept_places=_KEPT_PLACES, reports_unknown_fields=False)
    crds = load_crds(inputs, exclude_old_import_paths(settings, inputs), paths, reader, generator, options)
    hint = "keep one of them: this one and the CRD at {} are both compared with the old API"
    generated, repeated = separate_repeated(tuple(crds), {}, "the new API", reader, hint)
    # Errors in conversions between versions are no changes: `generate` reports them.
    groups = _load_groups(requests, settings) if settings.groups else None
    protos = summarize_protos(requests)
    return ApiSide("", tuple(generated), groups=groups, protos=protos, repeated=tuple(repeated))


def _load_groups(requests: Sequence[Request], settings: Settings) -> GroupApi | None:
    from protoc_gen_crd.group_loader import load_groups

    return load_groups(requests, settings, Problems()).api


def _is_removed(old: ApiSide | None, new: ApiSide) -> bool:
    """Return whether the .proto files of an empty new side defined an API in the old one."""
    if old is None or old.is_empty or new.protos is None:
        return False
    return old.protos is not None or old.groups is not None  # a cluster also has the CRDs of other projects


def _report_uncompared(references: Sequence[str], old: ApiSide, new: ApiSide, problems: Problems) -> None:
    """Report that a release has no field numbers, since an older version of this tool recorded it."""
    is_release = all(reference.partition(":")[0] == HISTORY for reference in references)
    if is_release and old.crds and new.protos is not None and old.protos is None:
        message = f"{old.label} has no numbers and reservations of protos, so only CRDs are compared"
        hint = "the next `protoc-gen-crd history record` records them; `--old git:REF` compares the .proto files"
        problems.report("change-uncompared", message, hint=hint)


def _find_inputs(arguments: argparse.Namespace, settings: Settings) -> Sequence[str]:
    """Return the paths of the new API."""
    if settings.artifacts:
        return (settings.out,)
    paths: Sequence[str] = arguments.paths
    return paths or settings.api_inputs


def _describe_old_inputs(
    arguments: argparse.Namespace, settings: Settings, new: Sequence[Crd], known: KnownCrds
) -> SideInputs:
    paths, options = ((), ("out",)) if settings.artifacts else (arguments.paths, ("inputs", "documents"))
    groups, accepts_protos = {crd.group for crd in new}, _compares_protos(settings)
    return SideInputs(
        paths, options, groups=groups, requires_crds=True, accepts_protos=accepts_protos, known=known,
        reads_releases=True,
    )  # fmt: skip


def _compares_protos(settings: Settings) -> bool:
    """Return whether packages are compared that contain no kinds."""
    return IMMUTABLE in (settings.profile, *settings.profiles.values())


def _compare(old: ApiSide, new: ApiSide, settings: Settings, problems: Problems, rejected: Sequence[Change]) -> _Review:
    """Compare two sides and report the changes and the open items of the checklist.

    `rejected` are changes that are already reported, but count for the verdict.
    """
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    _check_profiles((old, new), settings, problems)
    policy = _load_policy(settings, problems)
    policy.check_elements((old, new), problems)
    checklist = ProjectChecklist(new, policy, settings, problems, settings.documents)
    branch = _find_changes(old, new, settings, profiles, problems)
    changes = [checklist.mark_due(change) for change in branch.changes]
    findings = list(make_findings(changes, settings.findings, profiles))
    problems.findings += merge_kinds(findings, settings.findings)
    accepted = [change for change, finding in findings if is_accepted(finding, settings.findings)]
    remaining = [change for change, finding in findings if not is_accepted(finding, settings.findings)]
    verdict = find_verdict([*rejected, *remaining], _collect_versions((old, new), settings), profiles)
    items = (
        *_list_crd_items(branch, (old, new), remaining, profiles, checklist),
        *checklist.list_items(branch.old.crds, remaining),
    )
    problems.findings += [make_open_finding(item) for item in items if not item.is_done]
    return _Review(verdict, tuple(explain_verdict(verdict, remaining, accepted, profiles)), items, is_complete=True)


def _find_changes(
    old: ApiSide, new: ApiSide, settings: Settings, profiles: ProfileChoice, problems: Problems
) -> BranchChanges:
    if old.released is None:
        return BranchChanges(old, compare_sides(old, new, settings, profiles))
    from protoc_gen_crd.versioning.branch_changes import find_branch_changes, report_unreleased

    branch = find_branch_changes(old, old.released, new, settings, profiles)
    report_unreleased(branch, old.released.label, profiles, problems)
    return branch


def _list_crd_items(
    branch: BranchChanges, sides: tuple[ApiSide, ApiSide], changes: Sequence[Change], profiles: ProfileChoice,
    checklist: ProjectChecklist,
) -> list[ChecklistItem]:  # fmt: skip
    """Return the items that follow from the CRDs, without those that the branch started with."""
    before, after = (
        list_crd_items(branch.old.crds, side.crds, own, profiles, checklist.is_accepted)
        for side, own in zip(sides, (branch.others, changes), strict=True)
    )
    known = {(item.name, item.element, item.requirement) for item in before}
    return [item for item in after if (item.name, item.element, item.requirement) not in known]


def _collect_versions(sides: Sequence[ApiSide], settings: Settings) -> ApiVersions:
    """Return the versions of the kinds and groups of both sides."""
    versions = collect_versions([crd for side in sides for crd in side.crds], microversion=_find_microversion(settings))
    by_kind = {name: {*names} for name, names in versions.by_kind.items()}
    for side in sides:
        for name, names in _collect_package_versions(side).items():
            by_kind.setdefault(name, set()).update(names)
        for name, group in side.groups.summary.items() if side.groups else ():
            by_kind.setdefault(name, set()).update(group.versions)
    return versions.replace(by_kind=by_kind, microversions=_find_microversions(sides[0], settings))


def _collect_package_versions(side: ApiSide) -> Mapping[str, set[str]]:
    """Return the versions of the packages of a side, none if it has no .proto files."""
    if not side.protos:
        return {}
    from protoc_gen_crd.comparison.protos.proto_usage import collect_package_versions

    return collect_package_versions(side.protos)


def _find_microversions(old: ApiSide, settings: Settings) -> dict[str, str]:
    """Return the next microversion of each group: the one after the last release, which unreleased changes share."""
    if not old.groups:
        return {}
    from protoc_gen_crd.versioning.recorded_sides import load_last_release

    sides = (old, load_last_release(settings.history, settings))
    summaries = [side.groups.summary for side in sides if side and side.groups]
    groups = {name: group for summary in summaries for name, group in summary.items()}
    numbers = {name: [number for version in group.versions if (number := parse_release(version))]
               for name, group in groups.items()}  # fmt: skip
    return {name: f"{max(line)[0]}.{max(line)[1] + 1}" for name, line in numbers.items() if line}


def _load_policy(settings: Settings, problems: Problems) -> DeprecationPolicyChecker:
    today = time.strftime("%Y-%m-%d", time.gmtime())  # the import of datetime takes 1 ms
    return DeprecationPolicyChecker(settings, today, problems)


def _check_profiles(sides: Sequence[ApiSide], settings: Settings, problems: Problems) -> None:
    """Report profiles of groups and kinds that neither side has."""
    crds = [crd for side in sides for crd in side.crds]
    names = {name for crd in crds for name in (crd.group, f"{crd.group}/{crd.names.kind}")}
    names |= {name for side in sides if side.groups for name in side.groups.summary}
    names |= {name for side in sides for name in _collect_package_versions(side)}
    for name in settings.profiles:
        if name not in names:
            message = f'unknown group or kind "{name}" in "profiles"'
            problems.report("option-unused", message, settings.places.get("profiles"), hint=suggest(name, names))


def _find_microversion(settings: Settings) -> str:
    """Return the release after the last recorded one."""
    releases = list_releases(settings.history)
    return get_next_release(releases[-1]) if releases else settings.release


def _format_explanation(review: _Review) -> Iterator[str]:
    yield from review.explanation
    if review.items:
        yield "checklist:"
        yield from (f"  {item.format()}" for item in review.items)


def _make_report(
    problems: Problems, settings: Settings, sources: SourceFiles, review: _Review | None, old: str
) -> Report:
    report = make_report(
        problems.findings, settings, sources, command="changes" if review and review.is_complete else ""
    )
    if review is None:
        return report.replace(details={"verdict": ""})
    checklist = [
        {"name": item.name, "element": item.element, "done": item.is_done, "requirement": item.requirement}
        for item in review.items
    ]
    verdict = review.verdict
    note = {"verdict_note": verdict.note} if verdict.note else {}
    details = {"verdict": verdict.text, **note, "old": old, "path": list(review.explanation), "checklist": checklist}
    return report.replace(details=details, baseline=old)
