"""`migrate CRD...`: what a cluster has stored in old versions is written again, so that these versions can go."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from protoc_gen_crd.base.diagnostics import Place, Problems, Severity
from protoc_gen_crd.base.policy import fails
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.render.report import conclude
from protoc_gen_crd.base.render.sources import Sources
from protoc_gen_crd.base.versions import minors_of
from protoc_gen_crd.cli.errors import UsageError
from protoc_gen_crd.cli.findings import end, failed, tell
from protoc_gen_crd.cli.flags import add_flags, settings_of
from protoc_gen_crd.cli.progress import Progress
from protoc_gen_crd.cli.resuming import States
from protoc_gen_crd.cluster.api import Api, ClusterError
from protoc_gen_crd.cluster.calling import Caller
from protoc_gen_crd.cluster.client import connect
from protoc_gen_crd.cluster.crds import Installed, read
from protoc_gen_crd.cluster.losing import lost
from protoc_gen_crd.cluster.migration import Effort, Migrated, Migration
from protoc_gen_crd.cluster.state import GONE, OTHERS, REWRITTEN, UNCHANGED, State
from protoc_gen_crd.cluster.waiting import FAILED, Asked, follow, stale
from protoc_gen_crd.emit.migrations import apis_for, manifest, text
from protoc_gen_crd.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.crd.types import Crd


class _Target(Record):
    """A CRD to be migrated: its name, and itself where it was read from a file."""

    name: str
    crd: Crd | None = None

    @property
    def origin(self) -> Place | None:
        """Where findings about it stand."""
        return self.crd.origin if self.crd else None


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    help_text = (
        "name of an installed CRD, <plural>.<group>, or a path of CRDs in YAML or JSON or of what generate reads"
    )
    parser.add_argument("crds", nargs="*", metavar="CRD", help=help_text)
    add_flags(parser, "migrate")


def run(arguments: argparse.Namespace) -> int:
    """Migrate, wait or print; exit status 1 where something is still stored in an old version, 2 without a cluster."""
    settings = settings_of(arguments, problems := Problems())
    given = arguments.crds or settings.inputs
    if not given:
        raise UsageError('which CRDs are to be migrated? Give a name or a path, or "inputs" in the settings file')
    paths: dict[str, str] = {}
    targets = _targets(given, settings, paths, problems)
    failure = ""
    if not failed(problems, settings):
        try:
            _Job(settings, problems).run(targets)
        except ClusterError as error:
            failure = str(error)
    report = conclude(problems.findings, settings.findings, Sources(paths), packages=())
    status = end(report, settings)
    if failure:
        raise UsageError(failure)
    return status


def _targets(given: Sequence[str], settings: Settings, paths: dict[str, str], problems: Problems) -> Sequence[_Target]:
    """What is a path is read; everything else is a name, which has dots and no slashes."""
    files = [one for one in given if one == "-" or "/" in one or "." not in one or Path(one).exists()]
    found = [_Target(name) for name in given if name not in files]
    if files:
        from protoc_gen_crd.testing.crds import crds_of

        said = Problems()  # whether the CRDs are good is for generate and validate to say
        found += [_Target(crd.name, crd) for crd in crds_of(files, settings, paths, problems, said)]
        problems.findings += [finding for finding in said.findings if finding.severity is Severity.ERROR]
    if not found:
        problems.report("crd-none", "the paths must hold a CRD, found none")
    return found


class _Job:
    """One run."""

    def __init__(self, settings: Settings, problems: Problems) -> None:
        self._settings, self._problems = settings, problems
        self._progress = Progress()
        self._end = time.monotonic() + settings.time if settings.time else None

    def run(self, targets: Sequence[_Target]) -> None:
        """Do it. Raises ClusterError."""
        try:
            if self._settings.emit:
                self._emit(targets)
                return
            self._progress.stage("asking the cluster")
            api = connect(self._settings.kubeconfig, self._settings.context)
            for target in targets:
                crd = self._installed(api, target)
                if crd is not None:
                    (self._wait if self._settings.wait else self._migrate)(api, target, crd)
        finally:
            self._progress.done()

    def _say(self, line: str) -> None:
        self._progress.done()
        tell([line], self._settings, now=True)

    def _emit(self, targets: Sequence[_Target]) -> None:
        asked = self._settings.kubernetes
        apis = apis_for(self._settings.emit, minors_of(asked))
        if len(apis) > 1:
            raise UsageError(f'"kubernetes" must be versions with one API of the kind for --emit, found "{asked}"')
        if not apis:
            message = f'Kubernetes must have an API for StorageVersionMigration objects, found none in "{asked}"'
            self._problems.report("migrate-api", message)
            return
        kinds = [self._kind(target) for target in targets]
        made = [manifest(apis[0], *kind) for kind in kinds if kind is not None]
        if made:
            print(text(apis[0], made), end="")

    def _kind(self, target: _Target) -> tuple[str, str, str] | None:
        """Group, plural and storage version: of the CRD that was read, else of that in the cluster."""
        if target.crd is not None:
            storage = next((version.name for version in target.crd.versions if version.storage), "")
            return target.crd.group, target.crd.names.plural, storage
        crd = self._installed(connect(self._settings.kubeconfig, self._settings.context), target)
        return (crd.group, crd.plural, crd.storage) if crd else None

    def _installed(self, api: Api, target: _Target) -> Installed | None:
        """The CRD in the cluster; reported where it cannot be migrated."""
        crd = read(Caller(api), target.name)
        if crd is not None and crd.storage in self._settings.drop_managed:
            raise UsageError(f'"drop_managed" must be versions that can go, found the storage version of {crd.name}')
        if crd is not None and crd.ready and crd.served:
            return crd
        why = (
            "none" if crd is None else "it without a served version" if crd.ready else "it not established, or deleted"
        )
        message = f"a CRD {target.name} must be in the cluster and serve objects, found {why}"
        self._problems.report("migrate-crd", message, target.origin, path=target.name)
        return None

    def _migrate(self, api: Api, target: _Target, crd: Installed) -> None:
        if crd.stored == (crd.storage,) and not self._settings.drop_managed:
            self._say(f"{crd.name}: nothing to do, all objects are stored in {crd.storage}")
            return
        if self._loses(crd, target):
            return
        states, settings = States(self._settings.state), self._settings
        effort = Effort(settings.rate, settings.parallel, settings.settle, settings.dry_run, settings.drop_managed)
        old = None if effort.dry else states.get(crd.name)
        tell = self._telling(crd, states)
        migrated = Migration(api, crd, effort, tell).run(old)
        if not effort.dry:
            states.forget(crd.name)
        self._tell(migrated, target)

    def _loses(self, crd: Installed, target: _Target) -> bool:
        """Whether something would be lost that nobody has accepted."""
        before = len(self._problems.findings)
        for version, path in lost(crd):
            message = f"objects of {crd.name} must lose nothing, found {path} of {version}, which {crd.storage} lacks"
            hint = "let a webhook convert them first; see protoc-gen-crd explain migrate-loss"
            self._problems.report("migrate-loss", message, target.origin, path=crd.name, hint=hint)
        return fails(self._problems.findings[before:], self._settings.findings, complete=False)

    def _telling(self, crd: Installed, states: States) -> Callable[[State], None]:
        def tell(state: State) -> None:
            if not self._settings.dry_run:
                states.save(crd.name, state)
            failed = f", {state.failed:,} failed" if state.failed else ""
            shown = f"{crd.name}: {state.seen:,} of {state.total:,} objects{failed}"
            self._progress.bar(shown, state.seen, state.total)
            if self._end is not None and time.monotonic() > self._end and state.token:
                raise ClusterError(f"stopped after {self._settings.time} s; run it again to go on")

        self._progress.stage(f"{crd.name}: waiting until all servers know of {crd.storage}")
        return tell

    def _tell(self, migrated: Migrated, target: _Target) -> None:
        state, crd = migrated.state, migrated.crd
        self._say(f"{crd.name}: {counted(state, dry=self._settings.dry_run)}")
        for name, reason in state.failures:
            message = f"{crd.kind} {name} must be written in {crd.storage}, found it refused: {reason}"
            self._problems.report("migrate-object", message, target.origin, path=f"{crd.name}/{name}")
        if more := state.failed - len(state.failures):
            message = f"every {crd.kind} must be written in {crd.storage}, found {more:,} more refused"
            self._problems.report("migrate-object", message, target.origin, path=crd.name)
        if migrated.changed:
            message = f"the CRD {crd.name} must stay as it is meanwhile, found that {migrated.changed}"
            hint = "nothing was trimmed: run the command again"
            self._problems.report("migrate-changed", message, target.origin, path=crd.name, hint=hint)
        if migrated.trimmed:
            self._trimmed(migrated, target)

    def _trimmed(self, migrated: Migrated, target: _Target) -> None:
        crd, gone = migrated.crd, migrated.trimmed
        kept = [version for version in gone if version in crd.versions]
        may = f"; {', '.join(kept)} may be removed from the CRD" if kept else ""
        self._say(f"{crd.name}: stored versions are {', '.join(crd.stored)}{may}")
        for version in gone:
            count = migrated.state.managed.get(version)
            if count and version not in self._settings.drop_managed:
                message = f"objects of {crd.name} should have no managedFields of {version}, found {count:,} that have"
                hint = f"server-side apply fails on them once it is removed: --drop-managed {version} drops them"
                self._problems.report("migrate-managed", message, target.origin, path=crd.name, hint=hint)

    def _wait(self, api: Api, target: _Target, crd: Installed) -> None:
        found: Asked | None = None
        for found in follow(api, crd, self._pause):
            if found is not None:
                self._progress.stage(f"{found.name}: {found.shown}")
        if found is None or not found.done or stale(found, crd):
            self._unfinished(found, target)
            return
        self._say(f"{found.name} ({found.api_version}): {found.shown}")
        if FAILED in found.conditions:
            message = f"{found.name} must succeed, found {found.shown}"
            self._problems.report("migrate-failed", message, target.origin, path=target.name)
            return
        now = read(api, crd.name)
        if now is not None and now.stored != (now.storage,):
            message = f"status.storedVersions should be {now.storage} alone, found {', '.join(now.stored)}"
            hint = f"protoc-gen-crd migrate {crd.name} makes sure and trims it"
            self._problems.report("migrate-trim", message, target.origin, path=target.name, hint=hint)

    def _unfinished(self, found: Asked | None, target: _Target) -> None:
        why = "none"
        if found is not None:
            why = f"{found.name}, which is older than the spec of the CRD" if found.done else f"it {found.shown}"
        message = f"a StorageVersionMigration of {target.name} must be there and done, found {why}"
        self._problems.report("migrate-unfinished", message, target.origin, path=target.name)

    def _pause(self, seconds: float) -> bool:
        time.sleep(seconds)
        return self._end is None or time.monotonic() < self._end


_WORDS = {
    REWRITTEN: "rewritten",
    UNCHANGED: "stored there already",
    OTHERS: "written meanwhile",
    GONE: "deleted meanwhile",
}


def counted(state: State, *, dry: bool) -> str:
    """The outcomes in words."""
    counts = {kind: state.counts.get(kind, 0) for kind in _WORDS}
    earlier = min(state.earlier, counts[UNCHANGED])  # a list that began anew has met what was rewritten before
    counts |= {REWRITTEN: counts[REWRITTEN] + earlier, UNCHANGED: counts[UNCHANGED] - earlier}
    parts = [f"{count:,} {_WORDS[kind]}" for kind, count in counts.items() if count]
    if dry:
        parts = [f"{state.seen - state.failed:,} can be written in {state.storage}"]
    parts += [f"{state.failed:,} failed"] if state.failed else []
    return f"{state.seen:,} object{'s' * (state.seen != 1)}{': ' * bool(parts)}{', '.join(parts)}"
