"""`migrate CRD...`: migrate stored objects to the storage version, so that old versions can be removed."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.resolved_paths import resolve_links
from protoc_gen_crd.cli.findings_output import has_errors, make_report, print_status, report_findings
from protoc_gen_crd.cli.flags_from_options import add_flags, read_command_settings, require_inputs
from protoc_gen_crd.cli.migration_state_file import MigrationStateFile
from protoc_gen_crd.cli.output_folder import remove_temporary_files
from protoc_gen_crd.cli.progress_line import ProgressLine
from protoc_gen_crd.cli.usage_error import UsageError
from protoc_gen_crd.cluster.api_server import ApiServer, ClusterError
from protoc_gen_crd.cluster.cluster_client import connect
from protoc_gen_crd.cluster.installed_crds import InstalledCrd, read_crd
from protoc_gen_crd.cluster.migration import Migration, MigrationOptions, MigrationResult
from protoc_gen_crd.cluster.migration_loss import find_lost_fields
from protoc_gen_crd.cluster.migration_objects import FAILED, StorageVersionMigration, is_stale, watch_migration
from protoc_gen_crd.cluster.migration_state import GONE, OTHERS, REWRITTEN, UNCHANGED, MigrationState
from protoc_gen_crd.cluster.rate_limit_and_retry import RequestThrottle
from protoc_gen_crd.emit.storage_version_migrations import find_apis, format_migrations, make_migration
from protoc_gen_crd.findings.finding import Place, Problems, Severity
from protoc_gen_crd.findings.severity_policy import has_error
from protoc_gen_crd.findings.source_lines import SourceFiles
from protoc_gen_crd.kubernetes.supported_versions import parse_minors
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.crd.crd import Crd


class _MigrationTarget(Record):
    """A CRD to migrate: its name, and the CRD if it was read from a file."""

    name: str
    crd: Crd | None = None

    @property
    def origin(self) -> Place | None:
        """The place of findings about the CRD."""
        return self.crd.origin if self.crd else None


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    help_text = "name of an installed CRD, <plural>.<group>, or a path of CRDs in YAML or JSON or of inputs of generate"
    parser.add_argument("paths", nargs="*", metavar="CRD", help=help_text)
    add_flags(parser, "migrate")


def run(arguments: argparse.Namespace) -> int:
    """Migrate, wait or print; exit status 1 if objects remain in an old version, 2 without a cluster."""
    settings = read_command_settings(arguments, problems := Problems())
    names = arguments.paths or settings.inputs
    require_inputs(names, settings, "inputs", argument="a name or a path")
    paths: dict[str, str] = {}
    targets = _find_targets(names, settings, paths, problems)
    failure = ""
    if not has_errors(problems, settings):
        try:
            _MigrateCommand(settings, problems).run(targets)
        except ClusterError as error:
            failure = str(error)
    report = make_report(problems.findings, settings, SourceFiles(paths))
    status = report_findings(report, settings)
    if failure:
        raise UsageError(failure)
    return status


def _find_targets(
    names: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems
) -> Sequence[_MigrationTarget]:
    """Read the paths among the arguments; names have dots and no slashes."""
    files = [name for name in names if name == "-" or "/" in name or "." not in name or Path(name).exists()]
    targets = [_MigrationTarget(name) for name in names if name not in files]
    if files:
        from protoc_gen_crd.crd_loader import load_crds

        generator_problems = Problems()  # only errors matter for a migration
        targets += [
            _MigrationTarget(crd.name, crd) for crd in load_crds(files, settings, paths, problems, generator_problems)
        ]
        problems.findings += [finding for finding in generator_problems.findings if finding.severity is Severity.ERROR]
    if not targets:
        problems.report("crd-none", "no CRDs found")
    return targets


class _MigrateCommand:
    """One run."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self._settings, self._problems = settings, problems
        self._progress = ProgressLine(quiet=settings.quiet)
        self._end = time.monotonic() + settings.time if settings.time else None

    def run(self, targets: Sequence[_MigrationTarget]) -> None:
        """Migrate the targets. Raises ClusterError."""
        remove_temporary_files([resolve_links(self._settings.state).parent])
        try:
            if self._settings.emit:
                self._emit(targets)
                return
            self._progress.show_stage("connecting to the cluster")
            api = connect(self._settings.kubeconfig, self._settings.context)
            for target in targets:
                crd = self._read_installed(api, target)
                if crd is not None:
                    (self._wait if self._settings.wait else self._migrate)(api, target, crd)
        finally:
            self._progress.clear()

    def _print_line(self, line: str) -> None:
        self._progress.clear()
        print_status([line], self._settings, now=True)

    def _emit(self, targets: Sequence[_MigrationTarget]) -> None:
        versions = self._settings.kubernetes
        apis = find_apis(self._settings.emit, parse_minors(versions))
        if len(apis) > 1:
            raise UsageError(
                f'Kubernetes "{versions}" has several APIs of StorageVersionMigration: select fewer versions'
            )
        if not apis:
            message = f'Kubernetes "{versions}" has no API for StorageVersionMigration objects'
            self._problems.report("migrate-api", message)
            return
        kinds = [self._get_kind(target) for target in targets]
        migrations = [make_migration(apis[0], *kind) for kind in kinds if kind is not None]
        if migrations:
            print(format_migrations(apis[0], migrations), end="")

    def _get_kind(self, target: _MigrationTarget) -> tuple[str, str, str] | None:
        """Return group, plural and storage version of the CRD in the file, otherwise of the installed one."""
        if target.crd is not None:
            storage = next((version.name for version in target.crd.versions if version.storage), "")
            return target.crd.group, target.crd.names.plural, storage
        crd = self._read_installed(connect(self._settings.kubeconfig, self._settings.context), target)
        return (crd.group, crd.plural, crd.storage) if crd else None

    def _read_installed(self, api: ApiServer, target: _MigrationTarget) -> InstalledCrd | None:
        """Read the installed CRD, and report if it cannot be migrated."""
        crd = read_crd(RequestThrottle(api), target.name)
        if crd is not None and crd.storage in self._settings.drop_managed:
            raise UsageError(f"--drop-managed cannot name {crd.storage}, the storage version of {crd.name}")
        if crd is not None and crd.is_ready and crd.served_versions:
            return crd
        reason = (
            "is not installed"
            if crd is None
            else "has no served version"
            if crd.is_ready
            else "is not established, or is being deleted"
        )
        message = f"CRD {target.name} {reason}"
        self._problems.report("migrate-crd", message, target.origin, path=target.name)
        return None

    def _migrate(self, api: ApiServer, target: _MigrationTarget, crd: InstalledCrd) -> None:
        if crd.stored_versions == (crd.storage,) and not self._settings.drop_managed:
            self._print_line(f"{crd.name}: nothing to migrate, all objects are stored in {crd.storage}")
            return
        if self._report_losses(crd, target):
            return
        states, settings = MigrationStateFile(self._settings.state), self._settings
        options = MigrationOptions(
            settings.rate, settings.parallel, settings.settle, settings.dry_run, settings.drop_managed
        )
        saved_state = None if options.is_dry_run else states.get(crd.name)
        report_progress = self._make_progress_callback(crd, states)
        result = Migration(api, crd, options, report_progress).run(saved_state)
        if not options.is_dry_run:
            states.forget(crd.name)
        self._report_result(result, target)

    def _report_losses(self, crd: InstalledCrd, target: _MigrationTarget) -> bool:
        """Report fields that the migration would lose; returns whether this is an error."""
        before = len(self._problems.findings)
        for version, path in find_lost_fields(crd):
            message = f'field "{path}" of {crd.name} {version} would be lost: {crd.storage} does not have it'
            hint = "add a conversion webhook first; see `protoc-gen-crd explain migrate-loss`"
            self._problems.report("migrate-loss", message, target.origin, path=crd.name, hint=hint)
        return has_error(self._problems.findings[before:], self._settings.findings, complete=False)

    def _make_progress_callback(
        self, crd: InstalledCrd, states: MigrationStateFile
    ) -> Callable[[MigrationState], None]:
        def report_progress(state: MigrationState) -> None:
            if not self._settings.dry_run:
                states.save(crd.name, state)
            failed = f", {state.failed_count:,} failed" if state.failed_count else ""
            shown = f"{crd.name}: {state.processed_count:,} of {_format_objects(state.total)}{failed}"
            self._progress.show_bar(shown, state.processed_count, state.total)
            if self._end is not None and time.monotonic() > self._end and state.token:
                raise ClusterError(f"stopped after {self._settings.time} s; run the command again to resume")

        self._progress.show_stage(f"{crd.name}: waiting until all API servers use {crd.storage}")
        return report_progress

    def _report_result(self, migrated: MigrationResult, target: _MigrationTarget) -> None:
        state, crd = migrated.state, migrated.crd
        if state.processed_count or not migrated.crd_change:  # else every pass was interrupted
            self._print_line(f"{crd.name}: {format_counts(state, dry=self._settings.dry_run)}")
        for name, reason in state.failures:
            message = f"cannot write {crd.kind} {name} in {crd.storage}: {reason}"
            self._problems.report("migrate-object", message, target.origin, path=f"{crd.name}/{name}")
        if more := state.failed_count - len(state.failures):
            message = f"cannot write {more:,} more {crd.kind} object{'s' * (more != 1)} in {crd.storage}"
            self._problems.report("migrate-object", message, target.origin, path=crd.name)
        if migrated.crd_change:
            message = f"CRD {crd.name} changed during the migration: {migrated.crd_change}"
            hint = "status.storedVersions was not trimmed: run the command again"
            self._problems.report("migrate-changed", message, target.origin, path=crd.name, hint=hint)
        if migrated.trimmed_versions:
            self._report_trimmed(migrated, target)

    def _report_trimmed(self, migrated: MigrationResult, target: _MigrationTarget) -> None:
        crd, gone = migrated.crd, migrated.trimmed_versions
        kept = [version for version in gone if version in crd.versions]
        may = f"; {', '.join(kept)} may be removed from the CRD" if kept else ""
        self._print_line(f"{crd.name}: stored versions are {', '.join(crd.stored_versions)}{may}")
        for version in gone:
            count = migrated.state.managed.get(version)
            if count and version not in self._settings.drop_managed:
                verb = "has" if count == 1 else "have"
                message = f"{_format_objects(count)} of {crd.name} {verb} managedFields of {version}"
                hint = (
                    f"server-side apply fails once {version} is removed: drop the entries with --drop-managed {version}"
                )
                self._problems.report("migrate-managed-fields", message, target.origin, path=crd.name, hint=hint)

    def _wait(self, api: ApiServer, target: _MigrationTarget, crd: InstalledCrd) -> None:
        migration: StorageVersionMigration | None = None
        for migration in watch_migration(api, crd, self._pause):
            if migration is not None:
                self._progress.show_stage(f"{migration.name}: {migration.condition_text}")
        if migration is None or not migration.is_done or is_stale(migration, crd):
            self._report_unfinished(migration, target)
            return
        self._print_line(f"{migration.name} ({migration.api_version}): {migration.condition_text}")
        if FAILED in migration.conditions:
            message = f"migration {migration.name} failed: {migration.condition_text}"
            self._problems.report("migrate-failed", message, target.origin, path=target.name)
            return
        now = read_crd(api, crd.name)
        if now is not None and now.stored_versions != (now.storage,):
            message = f"status.storedVersions has {', '.join(now.stored_versions)}, expected only {now.storage}"
            hint = f"run `protoc-gen-crd migrate {crd.name}` to check all objects and trim it"
            self._problems.report("migrate-stored-versions", message, target.origin, path=target.name, hint=hint)

    def _report_unfinished(self, migration: StorageVersionMigration | None, target: _MigrationTarget) -> None:
        if migration is None:
            message = f"no StorageVersionMigration of {target.name} found"
        elif migration.is_done:
            message = f"StorageVersionMigration {migration.name} of {target.name} is older than the spec of the CRD"
        else:
            message = f"StorageVersionMigration of {target.name} is not done: {migration.condition_text}"
        self._problems.report("migrate-unfinished", message, target.origin, path=target.name)

    def _pause(self, seconds: float) -> bool:
        time.sleep(seconds)
        return self._end is None or time.monotonic() < self._end


_OUTCOME_TEXTS = {
    REWRITTEN: "rewritten",
    UNCHANGED: "already stored in this version",
    OTHERS: "written by others",
    GONE: "deleted by others",
}


def format_counts(state: MigrationState, *, dry: bool) -> str:
    """Format the number of objects by outcome."""
    counts = {kind: state.counts.get(kind, 0) for kind in _OUTCOME_TEXTS}
    earlier = min(state.earlier, counts[UNCHANGED])  # a restarted list includes objects that were rewritten before
    counts |= {REWRITTEN: counts[REWRITTEN] + earlier, UNCHANGED: counts[UNCHANGED] - earlier}
    parts = [f"{count:,} {_OUTCOME_TEXTS[kind]}" for kind, count in counts.items() if count]
    if dry:
        parts = [f"{state.processed_count - state.failed_count:,} can be written in {state.storage}"]
    parts += [f"{state.failed_count:,} failed"] if state.failed_count else []
    return f"{_format_objects(state.processed_count)}{': ' * bool(parts)}{', '.join(parts)}"


def _format_objects(count: int) -> str:
    return f"{count:,} object{'s' * (count != 1)}"
