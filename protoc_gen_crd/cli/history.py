"""`history ACTION`: record the API of each release, report what changed, and check the recorded releases."""

from __future__ import annotations

import argparse
import datetime
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.path_hints import find_path_hint
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_lines, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.help_examples import format_examples
from protoc_gen_crd.cli.output_folder import lock_folder
from protoc_gen_crd.cli.release_date import add_date_argument, get_today
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.comparison.api_summary import ApiSummary, format_summary, summarize_api
from protoc_gen_crd.comparison.groups.group_api import list_terms, parse_groups, select_groups, select_kinds
from protoc_gen_crd.comparison.protos.proto_summary import format_protos
from protoc_gen_crd.comparison.protos.proto_usage import list_root_types
from protoc_gen_crd.comparison.severity_profiles import ProfileChoice
from protoc_gen_crd.comparison.summary_comparison import ApiChange, compare_summaries, name_default_channel
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.emit.output_names import report_invalid_names
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.findings.report_order_and_limits import Report
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.group_loader import LoadedGroups, load_groups
from protoc_gen_crd.history import release_store
from protoc_gen_crd.history.changelog_entries import format_count
from protoc_gen_crd.history.changelog_formats import (
    ReleaseChanges,
    format_changes,
    format_lifetimes,
    render_changelog,
    render_json,
)
from protoc_gen_crd.history.changelog_notes import FOLDER, read_notes, remove_notes
from protoc_gen_crd.history.early_removals import add_removal_dates
from protoc_gen_crd.history.element_places import ElementPlaces
from protoc_gen_crd.history.group_checks import check_groups
from protoc_gen_crd.history.history_check import CurrentKinds, ReleasePolicy, check_compatibility
from protoc_gen_crd.history.lifetimes import compute_lifetimes
from protoc_gen_crd.history.since_checks import check_ranges
from protoc_gen_crd.history.unknown_policy_elements import check_policy_elements
from protoc_gen_crd.kubernetes.deprecation_policy import DeprecationPolicy
from protoc_gen_crd.kubernetes.version_ranges import get_next_release, parse_release
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.proto.request import Request

_ACTIONS = {
    "record": "record the CRDs of a release, by default of the next one",
    "show": "print kinds, versions and fields with their releases",
    "diff": "print the changes since the last release, or between two releases",
    "changelog": "print the changelog of all releases as Markdown",
    "check": "check that recorded releases are unchanged and that the API removes nothing too early",
}
_MAX_YEARS_AHEAD = 5  # later dates are typing errors, and all following releases would have to be later still
_RELEASE_LIKE = re.compile(r"[vVrR]?[0-9]+(?:[.-][0-9A-Za-z]+)*")  # looks like a release number
_NAME_LIKE = re.compile(r"[0-9A-Za-z-]+")  # has neither the separator nor the suffix of a path
_PATHS = "CRDs in YAML or JSON, or inputs of generate (default: the inputs or documents of the settings file)"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, help_text in _ACTIONS.items():
        epilog = format_examples(f"history {name}", "protoc-gen-crd")
        action = actions.add_parser(
            name, help=help_text, description=f"{help_text[0].upper()}{help_text[1:]}.", epilog=epilog
        )
        _ARGUMENTS[name](action)
        add_flags(action, f"history {name}")


def _add_record_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("given", nargs="*", metavar="[RELEASE] PATH", help=f"release such as 1.4, and {_PATHS}")
    add_date_argument(parser)


def _add_check_arguments(parser: argparse.ArgumentParser) -> None:
    help_text = f"release that the API becomes (default: the next one), and {_PATHS}"
    parser.add_argument("given", nargs="*", metavar="[RELEASE] PATH", help=help_text)
    add_date_argument(parser)


def _add_diff_arguments(parser: argparse.ArgumentParser) -> None:
    help_text = "the older release (default: compare the last release with the inputs of the settings file)"
    parser.add_argument("old", nargs="?", default="", metavar="A", help=help_text)
    parser.add_argument("new", nargs="?", default="", metavar="B", help="the newer release (default: the newest one)")


def _add_no_arguments(parser: argparse.ArgumentParser) -> None:
    pass


def _add_show_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="also list fields with the same releases as their parent")


_ARGUMENTS = {
    "record": _add_record_arguments,
    "show": _add_show_arguments,
    "diff": _add_diff_arguments,
    "changelog": _add_no_arguments,
    "check": _add_check_arguments,
}


def run(arguments: argparse.Namespace) -> int:
    """Run an action; exit status 1 if a finding is as severe as --fail-on."""
    job = _HistoryCommand(read_command_settings(arguments, problems := Problems()), problems)
    print_action_lines = print_status if arguments.action in ("record", "check") else print_lines
    print_action_lines(_RUN[arguments.action](job, arguments), job.settings)
    report = job.make_report()
    return report_findings(report, job.settings)


class _CurrentApi(Record):
    """The CRDs and groups that a release is recorded from."""

    crds: tuple[Crd, ...]
    groups: LoadedGroups

    @property
    def summary(self) -> ApiSummary:
        """The summary of kinds and groups."""
        return {**summarize_api(self.crds), **self.groups.api.summary}


class _HistoryCommand:
    """One run, with its history folder and findings."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self.settings = settings
        self.folder = Path(settings.history)
        self.problems = problems
        self.paths: dict[str, str] = {}
        self.requests: list[Request] = []
        self.is_complete = False

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs of the settings file, or its documents for an API without .proto files."""
        return self.settings.api_inputs

    @property
    def default_channel(self) -> str:
        """The first release channel."""
        return next(iter(self.settings.channels), "")

    def make_report(self) -> Report:
        """Return the report of the findings so far."""
        command = "history" if self.is_complete else ""  # without the check, suppressions cannot be unused
        return make_report(self.problems.findings, self.settings, SourceFiles(self.paths), command=command)

    def has_errors(self) -> bool:
        """Return whether there is an error."""
        return has_errors(self.problems, self.settings)

    def load_releases(self) -> list[release_store.Release]:
        """Return the recorded releases, oldest first; none if there are errors."""
        releases = release_store.load_releases(self.folder, self.problems)
        if not releases and not self.has_errors():
            message = f'no releases found in "{self.folder}"'
            self.problems.report(
                "history-empty", message, hint="run `protoc-gen-crd history record` to record the first one"
            )
        return releases if not self.has_errors() else []

    def make_policy(self, releases: Sequence[release_store.Release], *more: tuple[str, str]) -> DeprecationPolicy:
        """Return the deprecation policy for the releases and further ones."""
        dates = [(release.name, release.date) for release in releases]
        return DeprecationPolicy([*dates, *more], self.settings.deprecation_policy, self.settings.channels)

    def load_summaries(self, releases: list[release_store.Release]) -> Iterator[tuple[str, ApiSummary]]:
        """Yield the names of releases with their API summaries."""
        for release, summary in release_store.load_summaries(self.folder, releases, self.problems):
            yield release.name, summary

    def collect_changes(self) -> Sequence[ReleaseChanges]:
        """Return the changes and notes of each release, and the notes on changes that are not released."""
        before: ApiSummary = {}
        releases_with_changes = []
        releases = self.load_releases()
        terms = self.make_policy(releases)
        for release, (name, summary) in zip(releases, self.load_summaries(releases), strict=True):
            changes = add_removal_dates(self.compare(before, summary), summary, name, terms)
            notes = read_notes(self.folder / name / FOLDER, self.problems)
            releases_with_changes.append(ReleaseChanges(name, release.date, tuple(changes), notes))
            before = summary
        if pending := read_notes(Path(self.settings.notes), self.problems):
            releases_with_changes.append(ReleaseChanges("", "", (), pending))
        return releases_with_changes

    def compare(self, old: ApiSummary, new: ApiSummary) -> Iterator[ApiChange]:
        """Yield the changes between two releases."""
        return name_default_channel(compare_summaries(old, new), self.default_channel)

    def check_numbers(self, known: list[release_store.Release], api: _CurrentApi) -> Mapping[str, str]:
        """Check the microversions, and return the notes of those that no release has by the names of files."""
        if not any(plan.group.line for plan in api.groups.plans):
            return {}
        from protoc_gen_crd.groups.microversion_records import check_numbers

        last = release_store.load_summary(self.folder, known[-1], Problems()) if known else None
        return check_numbers(api.groups.plans, api.groups.api, last, self.settings, self.problems)

    def check_compatibility(self, known: list[release_store.Release], api: _CurrentApi, name: str, date: str) -> int:
        """Return the number of changes since the last release; report incompatible ones, and wrong release ranges."""
        from protoc_gen_crd.crd_loader import summarize_protos
        from protoc_gen_crd.versioning.side_comparison import compare_with_release

        settings, last = self.settings, self.folder / known[-1].name
        terms, entries = self.make_policy(known, (name, date)), settings.findings
        history = list(self.load_summaries(known))
        kinds = [(release, select_kinds(summary)) for release, summary in history]
        side = ApiSide("", api.crds, protos=summarize_protos(self.requests))
        changes = compare_with_release(self.folder, known[-1], side, settings, self.problems)
        current = CurrentKinds(summarize_api(api.crds), changes, ElementPlaces(api.crds, str(last / release_store.API)))
        policy = ReleasePolicy(name, date, terms, ProfileChoice({"": settings.profile, **settings.profiles}), entries)
        check_compatibility(kinds, current, policy, self.problems)
        check_ranges(kinds, api.crds, name, self.problems)
        groups = [(release, select_groups(summary)) for release, summary in history]
        recorded = str(last / release_store.GROUPS)
        check_groups(groups, api.groups.api, (name, date), terms, recorded, entries, self.problems)
        summaries = [api.summary, *(summary for _, summary in history)]
        at = settings.places.get("deprecation_policy")
        check_policy_elements(settings.deprecation_policy, summaries, at, self.problems)
        self.is_complete = True
        return len(list(self.compare(history[-1][1], api.summary)))


def _record(job: _HistoryCommand, arguments: argparse.Namespace) -> Iterator[str]:
    name, paths = _split_release(arguments.given)
    with lock_folder(job.folder):
        release_store.remove_interrupted(job.folder)
        known = release_store.load_releases(job.folder, job.problems)
        name = name or get_next_release(known[-1].name if known else "")
        date = _get_date(arguments)
        _check_order(known[-1] if known else None, name, date, job.problems)
        api = _load_api(job, job.settings.replace(release=name), paths or job.inputs)
        notes = read_notes(Path(job.settings.notes), job.problems)
        files = {**_make_files(job, api), **{f"{FOLDER}/{note.name}": f"{note.text}\n" for note in notes}}
        files |= {f"{FOLDER}/{file}": f"{text}\n" for file, text in job.check_numbers(known, api).items()}
        if known and not job.has_errors():
            job.check_compatibility(known, api, name, date)
        if not job.has_errors() and not report_invalid_names(files, job.problems):
            release_store.record_release(job.folder, name, date, files, known[-1] if known else None)
            remove_notes(Path(job.settings.notes), notes)
            yield f"recorded {job.folder / name}: {_format_counts(files)}"


def _check_order(last: release_store.Release | None, name: str, date: str, problems: Problems) -> None:
    if last and _get_release_key(name) <= _get_release_key(last.name):
        message = f"release {name} does not follow the last release {last.name}"
        problems.report("history-release", message, hint=f"the next release is {get_next_release(last.name)}")
    if last and date < last.date:
        message = f"release date {date} is before the date of the last release, {last.date}"
        problems.report("history-release", message)
    if int(date[:4]) > datetime.datetime.now(tz=datetime.UTC).year + _MAX_YEARS_AHEAD:
        message = f"release date {date} is more than {_MAX_YEARS_AHEAD} years in the future"
        problems.report("history-release", message, hint="omit --date for today's date")


def _split_release(arguments: Sequence[str]) -> tuple[str, Sequence[str]]:
    """Split the arguments into the release and the paths."""
    if arguments and parse_release(arguments[0]) is not None:
        return arguments[0], arguments[1:]
    if arguments and _RELEASE_LIKE.fullmatch(arguments[0]) and not Path(arguments[0]).exists():
        raise UsageError(f'invalid release "{arguments[0]}": expected two numbers such as 1.4')
    if arguments and _NAME_LIKE.fullmatch(arguments[0]) and not Path(arguments[0]).exists():
        hint = find_path_hint(FileNotFoundError(), arguments[0])
        message = f'"{arguments[0]}" is neither a release such as 1.4 nor a file or folder'
        raise UsageError(f"{message}; {hint}" if hint else message)
    return "", arguments


def _get_release_key(name: str) -> tuple[int, int]:
    return parse_release(name) or (0, 0)


def _get_date(arguments: argparse.Namespace) -> str:
    return arguments.date or get_today()


def _load_api(job: _HistoryCommand, settings: Settings, inputs: Sequence[str]) -> _CurrentApi:
    """Generate and read the CRDs of all release channels, and the groups."""
    from protoc_gen_crd.crd_loader import load_valid_crds, report_no_resources
    from protoc_gen_crd.documents.document_files import find_files

    require_inputs(inputs, settings, "inputs", "documents")
    crds = load_valid_crds(inputs, settings.replace(channel=""), job.paths, job.problems, job.requests)
    groups = load_groups(job.requests, settings, job.problems)
    if not crds and not groups.plans and not job.has_errors():
        if find_files(inputs, Problems()).generator_inputs:
            report_no_resources(", ".join(inputs), settings.replace(channel=""), job.problems)
        else:
            job.problems.report("crd-none", f"no CRDs found in {', '.join(inputs)}")
    return _CurrentApi(crds, groups)


def _make_files(job: _HistoryCommand, api: _CurrentApi) -> dict[str, str]:
    """Return the files of the release."""
    from protoc_gen_crd.conversion.hub_choice import apply_hub_settings
    from protoc_gen_crd.crd_loader import summarize_protos
    from protoc_gen_crd.emit.crd_files import make_crd_files

    files = make_crd_files(api.crds, job.settings.replace(format="yaml", bundle="", header=""), job.problems)
    written = {f"crds/{file.name}": file.text for file in files}
    known = apply_hub_settings(api.crds, job.settings, job.problems)
    samples = _make_sample_files(job, api.crds)
    protos = summarize_protos(job.requests)
    protos = protos and protos.replace(kinds=list_root_types(api.crds))
    return {
        release_store.API: format_summary(summarize_api(known)),
        **({release_store.PROTOS: format_protos(protos)} if protos else {}),
        **written,
        **samples,
        **_make_group_files(job, api),
    }


def _make_group_files(job: _HistoryCommand, api: _CurrentApi) -> dict[str, str]:
    """Return the summary of the groups, and the .proto files of the versions of annotated services."""
    prefix = f"{job.settings.groups}/proto/"
    protos = {f"protos/{file.name.removeprefix(prefix)}": file.text for file in api.groups.protos}
    summary = api.groups.api.summary
    return {release_store.GROUPS: format_summary(summary), **protos} if summary else {}


def _make_sample_files(job: _HistoryCommand, crds: Sequence[Crd]) -> dict[str, str]:
    """Return the samples of the release. A missing sample is only a warning."""
    from protoc_gen_crd.testing.kind_samples import make_samples

    if job.has_errors():
        return {}
    problems = Problems()
    shown = make_samples(crds, job.settings.replace(header=""), problems, job.paths)
    for finding in problems.findings:
        softened = finding.replace(severity=Severity.WARNING) if finding.rule == "sample-unsolved" else finding
        job.problems.findings.append(softened)
    return {f"samples/{sample.file}": sample.text for sample in shown}


def _format_counts(files: Mapping[str, str]) -> str:
    """Format the number of CRDs and samples, and of groups and notes if there are any."""
    crds, samples, notes = (
        sum(name.startswith(folder) for name in files) for folder in ("crds/", "samples/", f"{FOLDER}/")
    )
    groups = len(parse_groups(files[release_store.GROUPS])) if release_store.GROUPS in files else 0
    counts = [format_count(crds, "CRD"), format_count(samples, "sample")] if crds or not groups else []
    counts += [format_count(groups, "API group")] if groups else []
    return ", ".join([*counts, *([format_count(notes, "note")] if notes else [])])


def _show(job: _HistoryCommand, arguments: argparse.Namespace) -> Iterator[str]:
    releases = job.load_releases()
    lives = compute_lifetimes(job.load_summaries(releases), job.settings.channels)
    newest = release_store.load_summary(job.folder, releases[-1], Problems()) if releases else {}
    terms = job.make_policy(releases).add_elements(list_terms(newest))
    yield from format_lifetimes(lives, terms, everything=arguments.all)


def _show_diff(job: _HistoryCommand, arguments: argparse.Namespace) -> Iterator[str]:
    yield from _compare_releases(job, arguments) if arguments.old else _compare_inputs(job)


def _compare_inputs(job: _HistoryCommand) -> Iterator[str]:
    """Compare the API with the last release."""
    require_inputs(job.inputs, job.settings, "inputs", "documents", argument="two releases")
    releases = job.load_releases()
    if not releases:
        return
    api = _load_api(job, job.settings, job.inputs)
    if not job.has_errors():
        last = releases[-1]
        old = release_store.load_summary(job.folder, last, job.problems)
        changes = tuple(job.compare(old, api.summary))
        step = ReleaseChanges(get_next_release(last.name), "", changes)
        yield from _format_diff(job, step, f"since release {last.name}")


def _format_diff(job: _HistoryCommand, step: ReleaseChanges, period: str) -> Iterator[str]:
    """Yield the lines of a diff; the line for no changes names the period."""
    if job.settings.json:
        yield from render_json([step]).rstrip().split("\n")
    else:
        yield from format_changes(step.changes) if step.changes else [f"no changes {period}"]


def _compare_releases(job: _HistoryCommand, arguments: argparse.Namespace) -> Iterator[str]:
    known = {release.name: release for release in job.load_releases()}
    names = [arguments.old, arguments.new or max(known, key=_get_release_key, default="")]
    for name in names:
        if known and name not in known:
            message = f"release {name} is not recorded"
            job.problems.report("history-release", message, hint=f"recorded releases: {', '.join(known)}")
    if not job.has_errors():
        old, new = (release_store.load_summary(job.folder, known[name], job.problems) for name in names)
        step = ReleaseChanges(names[1], known[names[1]].date, tuple(job.compare(old, new)))
        yield from _format_diff(job, step, f"between release {names[0]} and release {names[1]}")


def _show_changelog(job: _HistoryCommand, _: argparse.Namespace) -> Iterator[str]:
    steps = job.collect_changes()
    if steps:
        yield from (render_json if job.settings.json else render_changelog)(steps).rstrip().split("\n")


def _check(job: _HistoryCommand, arguments: argparse.Namespace) -> Iterator[str]:
    from protoc_gen_crd.documents.document_files import find_files

    name, paths = _split_release(arguments.given)
    find_files(paths, Problems())  # a missing path is an error without releases, too
    releases, date = job.load_releases(), _get_date(arguments)
    inputs, compared = paths or job.inputs, ""
    if releases and name:
        _check_order(releases[-1], name, date, job.problems)
    if releases and (inputs or name):
        settings = job.settings.replace(release=name) if name else job.settings
        api = _load_api(job, settings, inputs)
        job.check_numbers(releases, api)
        if not job.has_errors():
            last = releases[-1].name
            count = job.check_compatibility(releases, api, name or get_next_release(last), date)
            compared = f", {format_count(count, 'change') if count else 'no changes'} since release {last}"
    if releases:
        yield f"{job.folder}: {format_count(len(releases), 'release')} verified{compared}"


_RUN: dict[str, Callable[[_HistoryCommand, argparse.Namespace], Iterator[str]]] = {
    "record": _record,
    "show": _show,
    "diff": _show_diff,
    "changelog": _show_changelog,
    "check": _check,
}
