"""`version ACTION`: add a version to kinds, or deprecate or remove a version, field or enum value, in the sources."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.cli.findings_output import has_errors, is_failing, print_report, print_status
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.help_examples import format_examples
from protoc_gen_crd.cli.output_folder import remove_temporary_files
from protoc_gen_crd.cli.release_date import add_date_argument, get_today
from protoc_gen_crd.cli.source_transaction import SourceTransaction, applied
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.findings.report_order_and_limits import Report, build_report
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.api_version_order import parse_version
from protoc_gen_crd.kubernetes.version_ranges import parse_release
from protoc_gen_crd.proto.source_elements import SourceElement, SourceFile
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.deprecation_policy_checks import DeprecationPolicyChecker
from protoc_gen_crd.versioning.document_versions import find_document_files
from protoc_gen_crd.versioning.group_versions import GroupSelection, GroupVersionPlanner, check_result, select_groups
from protoc_gen_crd.versioning.kind_selection import KindSelection, list_versions, select_kinds
from protoc_gen_crd.versioning.new_version_names import check_new_name
from protoc_gen_crd.versioning.proto_deprecations import choose_replacement, deprecate_element, find_element
from protoc_gen_crd.versioning.remaining_steps import (
    list_steps_of_addition,
    list_steps_of_deprecation,
    list_steps_of_removal,
)
from protoc_gen_crd.versioning.result_checks import (
    ApiState,
    check_added,
    check_deprecated,
    check_removed,
    check_removed_elements,
)
from protoc_gen_crd.versioning.settings_entries import copy_settings
from protoc_gen_crd.versioning.source_change import SourceChange
from protoc_gen_crd.versioning.version_planner import VersionPlanner, make_renaming, plan_element_removal
from protoc_gen_crd.versioning.workspace import Workspace

_ACTIONS = {
    "add": "add a version as a copy of another one",
    "deprecate": "deprecate a version, field or enum value",
    "remove": "remove a version, field or enum value whose deprecation period has ended",
}
_PATHS = ".proto file, folder, or file of CRDs in YAML (default: the inputs or documents of the settings file)"
_ELEMENT = "version such as v1beta1, or name of a field or enum value such as Widget.color"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, description in _ACTIONS.items():
        epilog = format_examples(f"version {name}", "protoc-gen-crd")
        action = actions.add_parser(
            name, help=description, description=f"{description[0].upper()}{description[1:]}.", epilog=epilog
        )
        _ARGUMENTS[name](action)
        action.add_argument("paths", nargs="*", default=[], metavar="PATH", help=_PATHS)
        action.add_argument(
            "--kind", action="append", default=[], dest="kinds", metavar="KIND[.GROUP]",
            help="kind, or gRPC API group, whose version changes (default: all kinds with the version)",
        )  # fmt: skip
        add_flags(action, f"version {name}")


def _add_addition_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("version", metavar="VERSION", help="name of the new version")
    parser.add_argument("--from", required=True, dest="source", metavar="VERSION", help="version to copy")


def _add_deprecation_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("element", metavar="ELEMENT", help=_ELEMENT)
    description = "version that replaces the deprecated one (default: the preferred one that is at least as stable)"
    parser.add_argument("--replacement", default="", metavar="VERSION", help=description)
    parser.add_argument("--warning", default="", help="warning to clients of the version (default: the replacement)")
    add_date_argument(parser)


def _add_removal_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("element", metavar="ELEMENT", help=_ELEMENT)
    add_date_argument(parser)


_ARGUMENTS = {
    "add": _add_addition_arguments,
    "deprecate": _add_deprecation_arguments,
    "remove": _add_removal_arguments,
}


def run(arguments: argparse.Namespace) -> int:
    """Run an action; exit status 1 if a finding is as severe as --fail-on, and then nothing is changed."""
    settings = read_command_settings(arguments, problems := Problems())
    job = _VersionCommand(arguments, settings, problems)
    if not job.has_errors():
        _RUN[arguments.action](job)
    report = job.report or job.make_report(job.before)
    failing = is_failing(report, settings)
    print_status(() if failing else job.lines, settings)
    print_report(report, settings)
    return int(failing)


class _VersionCommand:
    """One run: the state before, the findings, and the lines to print."""

    def __init__(self, arguments: argparse.Namespace, settings: Settings, problems: Problems) -> None:
        self.arguments, self.settings, self.problems = arguments, settings, problems
        self.paths: Sequence[str] = arguments.paths or settings.api_inputs
        self.lines: list[str] = []
        self.report: Report | None = None
        require_inputs(self.paths, settings, "inputs")
        self.before = Workspace(settings, self.paths)
        remove_temporary_files(self._list_folders())
        if self.before.has_errors:
            problems.findings += self.before.problems.findings

    def _list_folders(self) -> Iterator[Path]:
        """Yield the folders of the sources and documents, and those beside them, which can belong to other versions."""
        yield resolve_links(self.settings.settings).parent
        for folder in dict.fromkeys(resolve_links(path).parent for path in self.before.paths.values()):
            yield from (folder, *folder.parent.glob("*/"))
        with suppress(FileNotFoundError):  # of the settings; only some changes read documents
            yield from (resolve_links(file).parent for file in find_document_files(self.settings, self.paths))

    def has_errors(self) -> bool:
        """Return whether there is an error."""
        return has_errors(self.problems, self.settings)

    def make_report(self, workspace: Workspace) -> Report:
        """Return the report of the findings so far, with lines as they are on disk."""
        sources = SourceFiles({**self.before.paths, **workspace.paths})  # also removed files
        return build_report(self.problems.findings, self.settings.findings, sources)

    def select(self, version: str) -> KindSelection | None:
        """Return the selected kinds with a version."""
        return select_kinds(self.before, self.arguments.kinds, version, self.problems)

    def select_groups(self, version: str) -> GroupSelection | None:
        """Return the selected API groups with a version; None if kinds are selected."""
        names: Sequence[str] = self.arguments.kinds
        selection = select_groups(self.before.groups, names, version)
        is_named = bool(names) and set(names) <= {plan.group.name for plan in self.before.groups.plans}
        is_of_kind = any(version in kind.versions for kind in self.before.kinds)
        if is_named and not selection.versions:
            message = f'no version "{version}" in {", ".join(names)}'
            versions = [
                group_version.name for plan in self.before.groups.plans for group_version in plan.group.versions
            ]
            self.problems.report("edit-element", message, hint=suggest(version, versions) or list_versions(versions))
            return selection
        return selection if selection.versions and self.before.api and (is_named or not is_of_kind) else None

    def make_group_planner(self, selection: GroupSelection) -> GroupVersionPlanner:
        """Return the planner for the selected groups."""
        return GroupVersionPlanner(self.before.sources, self.before.groups.api, selection, self.problems)

    def make_group_check(self, selection: GroupSelection, rule: str, version: str) -> Callable[[Workspace], None]:
        """Return the check of the API after a change of groups."""

        def check(after: Workspace) -> None:
            check_result(self.before.groups, after.groups, selection, rule, version, self.problems)
            if rule == "change-version-removed":
                removed = [(name, version) for name in sorted(selection.names)]
                _load_policy(self, Problems()).check_groups(after.groups.api, removed, self.problems)

        return check

    def make_planner(self, selection: KindSelection) -> VersionPlanner:
        """Return the planner for the selected kinds."""
        return VersionPlanner(self.before, selection, tuple(self.arguments.paths), self.problems)

    def execute(self, change: SourceChange, check: Callable[[Workspace], None], steps: Sequence[str]) -> None:
        """Write a change, check the API after it, and restore all files if there is an error."""
        if self.has_errors():
            return
        transaction = SourceTransaction(change.contents)
        transaction.check_writable(self.problems)
        if self.has_errors():
            return
        with applied(transaction):
            after = self._load_result(transaction)
            if self.has_errors():
                self.problems.report("edit-result", "the API would have errors, so nothing is changed")
            else:
                check(after)
            self.report = self.make_report(after)
            if not is_failing(self.report, self.settings):
                transaction.keep()
                self.lines += [*transaction.list_lines(), "", "steps that are left to you:"]
                self.lines += [f"- {step}" for step in (*change.notes, *steps)]

    def _load_result(self, transaction: SourceTransaction) -> Workspace:
        """Load the API after a change, and report the findings that are new."""
        settings = read_command_settings(self.arguments, Problems())
        paths = [path for path in self._get_paths(settings) if path not in transaction.removed_paths]
        paths += transaction.list_new_paths(".proto") if self.arguments.paths else ()
        after = Workspace(settings, paths)
        known = {(finding.rule, finding.message) for finding in self.before.problems.findings}
        self.problems.findings += [
            finding for finding in after.problems.findings if (finding.rule, finding.message) not in known
        ]
        self.settings = settings
        return after

    def _get_paths(self, settings: Settings) -> Sequence[str]:
        return self.arguments.paths or settings.api_inputs


def _add(job: _VersionCommand) -> None:
    version, source = job.arguments.version, job.arguments.source
    groups = job.select_groups(source)
    if groups is not None:
        _add_to_groups(job, groups)
        return
    selection = job.select(source)
    if selection is None:
        return
    check_new_name(version, selection.crds, job.problems)
    if job.has_errors():
        return
    before = ApiState.make(job.before.crds)
    change = job.make_planner(selection).plan_addition(version, source)

    def check(after: Workspace) -> None:
        check_added(before, ApiState.make(after.crds), selection.names, (version, source), job.problems)

    records = _load_policy(job, Problems()).has_releases
    facts = {"generates": _generates(job), "records": records, "converts": _converts(job.settings)}
    job.execute(change, check, list(list_steps_of_addition(version, source, **facts)))


def _add_to_groups(job: _VersionCommand, groups: GroupSelection) -> None:
    version, source = job.arguments.version, job.arguments.source
    change, copies = job.make_group_planner(groups).plan_addition(version, source)
    copy_settings(job.settings, make_renaming(job.settings, (), (source, version), copies), change, job.problems)
    steps = [
        f"change {version}, which is still the same as {source}, and declare conversions of what changes",
        "regenerate: protoc-gen-crd generate",
        f"add a note on {version} to the changelog",
    ]
    job.execute(change, job.make_group_check(groups, "change-version-added", version), steps)


def _generates(job: _VersionCommand) -> bool:
    return job.before.api is not None


def _load_policy(job: _VersionCommand, problems: Problems) -> DeprecationPolicyChecker:
    date = getattr(job.arguments, "date", None) or get_today()
    return DeprecationPolicyChecker(job.settings, date, problems)


def _converts(settings: Settings) -> bool:
    return bool(settings.conversion_rules or settings.conversions or settings.converters)


def _deprecate(job: _VersionCommand) -> None:
    if _is_version(job, job.arguments.element):
        _deprecate_version(job)
    elif located := _find_element(job):
        file, element = located
        change = SourceChange()
        deprecate_element(file, element, change, job.problems)
        _execute_deprecation(job, change, element.full_name, "", set())


def _is_version(job: _VersionCommand, name: str) -> bool:
    if parse_version(name) is not None or any(name in kind.versions for kind in job.before.kinds):
        return True
    names = {version.name for plan in job.before.groups.plans for version in plan.group.versions}
    return name in names or (parse_release(name) is not None and any(map(parse_release, names)))


def _find_element(job: _VersionCommand) -> tuple[SourceFile, SourceElement] | None:
    """Return the field or enum value that is named; a CRD in YAML has no place for its deprecation."""
    if job.before.api is None:
        message = "fields and enum values can be changed only in .proto files"
        hint = "name a version, or edit the schema in the CRD"
        job.problems.report("edit-element", message, hint=hint)
        return None
    return find_element(job.before.api, job.arguments.element, job.problems)


def _deprecate_version(job: _VersionCommand) -> None:
    version = job.arguments.element
    groups = job.select_groups(version)
    if groups is not None:
        change = job.make_group_planner(groups).plan_deprecation(job.arguments.warning, job.arguments.replacement)
        steps = ["regenerate: protoc-gen-crd generate", f"announce the deprecation of {version} in the changelog"]
        job.execute(change, job.make_group_check(groups, "change-deprecated", version), steps)
        return
    selection = job.select(version)
    if selection is None:
        return
    replacement = choose_replacement(selection.crds, version, job.arguments.replacement, job.problems)
    change = job.make_planner(selection).plan_deprecation(version, replacement, job.arguments.warning)
    _execute_deprecation(job, change, version, replacement, {(name, version) for name in selection.names})


def _execute_deprecation(
    job: _VersionCommand, change: SourceChange, element: str, replacement: str, versions: set[tuple[str, str]]
) -> None:
    before = ApiState.make(job.before.crds)

    def check(after: Workspace) -> None:
        check_deprecated(before, ApiState.make(after.crds), versions, job.problems)

    policy = _load_policy(job, Problems())
    removal = policy.describe_removal(element) if policy.has_releases else ""
    facts = {"generates": _generates(job), "records": policy.has_releases}
    job.execute(change, check, list(list_steps_of_deprecation(element, replacement, removal, **facts)))


def _remove(job: _VersionCommand) -> None:
    name = job.arguments.element
    groups = job.select_groups(name)
    if groups is not None:
        change = job.make_group_planner(groups).plan_removal()
        steps = ["regenerate: protoc-gen-crd generate --prune", f"add a note on the removal of {name} to the changelog"]
        job.execute(change, job.make_group_check(groups, "change-version-removed", name), steps)
        return
    policy = _load_policy(job, job.problems)
    before = ApiState.make(job.before.crds)
    if _is_version(job, name):
        selection = job.select(name)
        if selection is None:
            return
        change = job.make_planner(selection).plan_removal(name)
        removed = {(crd, name) for crd in selection.names}
    elif located := _find_element(job):
        change, removed = plan_element_removal(*located, job.problems), set()
    else:
        return

    def check(after: Workspace) -> None:
        check_removals = check_removed if removed else check_removed_elements
        check_removals(before, ApiState.make(after.crds), removed, job.problems)
        policy.check(job.before.crds, after.crds, job.problems)

    facts = {"generates": _generates(job), "records": policy.has_releases}
    job.execute(change, check, list(list_steps_of_removal(name, sorted(crd for crd, _ in removed), **facts)))


_RUN: dict[str, Callable[[_VersionCommand], None]] = {"add": _add, "deprecate": _deprecate, "remove": _remove}
