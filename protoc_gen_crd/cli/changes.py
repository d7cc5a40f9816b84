"""`changes [PATH...] --old OLD`: the changes since an older API, and whether they need a new version."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_lines, print_status, report_findings
from protoc_gen_crd.cli.flags import add_flags, read_command_settings
from protoc_gen_crd.cli.old_side import SideInputs, find_default_references, open_old_side
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.comparison.api_comparison import judge_changes
from protoc_gen_crd.comparison.change_findings import make_findings
from protoc_gen_crd.comparison.checklist import ChecklistItem, list_crd_items, make_open_finding
from protoc_gen_crd.comparison.profiles import ProfileChoice
from protoc_gen_crd.comparison.proto_usage import collect_package_versions
from protoc_gen_crd.comparison.verdicts import ChangeVerdict, collect_versions, explain_verdict, find_verdict
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd_loader import require_crds, summarize_protos
from protoc_gen_crd.documents.api_side import ApiSide, drop_repeated
from protoc_gen_crd.documents.side_reference import HISTORY
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.report import Report
from protoc_gen_crd.findings.severity_policy import is_accepted
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.history.release_names import list_releases
from protoc_gen_crd.kubernetes.version_ranges import get_next_release
from protoc_gen_crd.kubernetes.versions import parse_minors
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.deprecation_policy_checks import DeprecationPolicyChecker
from protoc_gen_crd.versioning.release_checklist import ReleaseChecklist
from protoc_gen_crd.versioning.released_changes import compare_sides, drop_released

if TYPE_CHECKING:
    from protoc_gen_crd.proto.request import Request


class _Review(Record):
    """The result of a comparison: the verdict, the lines that explain it, and the checklist."""

    verdict: ChangeVerdict
    explanation: tuple[str, ...]
    items: tuple[ChecklistItem, ...]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    paths_help = "file or folder of CRDs in YAML or JSON, - for standard input, or what generate reads"
    parser.add_argument("paths", nargs="*", metavar="PATH", help=paths_help)
    add_flags(parser, "changes")


def run(arguments: argparse.Namespace) -> int:
    """Print the changes and the verdict; exit status 1 if a finding is as severe as --fail-on."""
    settings = read_command_settings(arguments, problems := Problems())
    inputs = _find_inputs(arguments, settings)
    if not inputs:
        raise UsageError('no input: pass a path, or set "inputs" or "documents" in the settings file')
    paths: dict[str, str] = {}
    requests: list[Request] = []
    crds = drop_repeated(require_crds(inputs, settings, paths, problems, requests), {}, "the new API", problems)
    new = ApiSide("", tuple(crds), protos=summarize_protos(requests))
    references = settings.old or find_default_references(settings, problems)
    released = _load_release(references, settings, problems)
    with open_old_side(references, _describe_old_inputs(arguments, settings, crds), settings, problems) as old:
        sources = SourceFiles(paths, old.contents, old.copies) if old else SourceFiles(paths)
        if old is None or not references or has_errors(problems, settings):
            return report_findings(_make_report(problems, settings, sources, None, ""), settings)
        _report_uncompared(references, old, new, problems)
        review = _compare(old, new, released, settings, problems)
        print_status(() if settings.old else [f"compared with {old.label}"], settings)
        print_lines([f"verdict: {review.verdict.text}"], settings)
        print_lines(_format_explanation(review) if settings.explain else (), settings)
        return report_findings(_make_report(problems, settings, sources, review, old.label), settings)


def _load_release(references: Sequence[str], settings: Settings, problems: Problems) -> ApiSide | None:
    """Return the last recorded release, None if there is none, or if it is the old side itself."""
    names = list_releases(settings.history)
    if not names or set(references) & {HISTORY, f"{HISTORY}:{names[-1]}"}:
        return None
    with open_old_side((HISTORY,), SideInputs(), settings, problems) as release:
        return release


def _report_uncompared(references: Sequence[str], old: ApiSide, new: ApiSide, problems: Problems) -> None:
    """Report that a release has no field numbers, since an older version of this tool recorded it."""
    is_release = all(reference.partition(":")[0] == HISTORY for reference in references)
    if is_release and new.protos is not None and old.protos is None:
        message = f"{old.label} has no numbers and reservations of protos, so only CRDs are compared"
        hint = "the next `protoc-gen-crd history record` records them; `--old git:REF` compares the .proto files"
        problems.report("change-uncompared", message, hint=hint)


def _find_inputs(arguments: argparse.Namespace, settings: Settings) -> Sequence[str]:
    """Return the paths of the new API."""
    if settings.artifacts:
        return (settings.out,)
    paths: Sequence[str] = arguments.paths
    return paths or settings.inputs or settings.documents


def _describe_old_inputs(arguments: argparse.Namespace, settings: Settings, new: Sequence[Crd]) -> SideInputs:
    paths, options = ((), ("out",)) if settings.artifacts else (arguments.paths, ("inputs", "documents"))
    return SideInputs(paths, options, groups={crd.group for crd in new}, requires_crds=True)


def _compare(old: ApiSide, new: ApiSide, released: ApiSide | None, settings: Settings, problems: Problems) -> _Review:
    """Compare two sides and report the changes and the open items of the checklist."""
    profiles = ProfileChoice({"": settings.profile, **settings.profiles})
    crds = (*old.crds, *new.crds)
    packages = collect_package_versions(*(side.protos for side in (old, new) if side.protos))
    _check_profiles(crds, packages, settings, problems)
    policy = _load_policy(settings, problems)
    policy.check_elements((old, new), problems)
    checklist = ReleaseChecklist(new, policy, settings, problems, settings.documents)
    minors = parse_minors(settings.kubernetes)
    judged = judge_changes(old.crds, new.crds, minors)
    changes = [checklist.mark_due(change) for change in (*judged, *compare_sides(old, new, judged, profiles))]
    changes = drop_released(changes, released, new, minors[-1], profiles) if released else changes
    findings = list(make_findings(changes, settings.findings, profiles))
    problems.findings += (finding for _, finding in findings)
    accepted = [change for change, finding in findings if is_accepted(finding, settings.findings)]
    remaining = [change for change, finding in findings if not is_accepted(finding, settings.findings)]
    versions = collect_versions(crds, packages, _find_microversion(settings))
    verdict = find_verdict(remaining, versions, profiles)
    items = (*list_crd_items(old.crds, new.crds, remaining, profiles), *checklist.list_items(old.crds, remaining))
    problems.findings += [make_open_finding(item) for item in items if not item.is_done]
    return _Review(verdict, tuple(explain_verdict(verdict, remaining, accepted, profiles)), items)


def _load_policy(settings: Settings, problems: Problems) -> DeprecationPolicyChecker:
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return DeprecationPolicyChecker(settings, today, problems)


def _check_profiles(crds: Sequence[Crd], packages: Iterable[str], settings: Settings, problems: Problems) -> None:
    """Report profiles of groups, kinds, and packages that neither side has."""
    names = {name for crd in crds for name in (crd.group, f"{crd.group}/{crd.names.kind}")} | {*packages}
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
    report = make_report(problems.findings, settings, sources, command="changes" if review else "")
    if review is None:
        return report
    checklist = [
        {"name": item.name, "element": item.element, "done": item.is_done, "requirement": item.requirement}
        for item in review.items
    ]
    details = {"verdict": review.verdict.text, "old": old, "path": list(review.explanation), "checklist": checklist}
    return report.replace(details=details, baseline=old)
