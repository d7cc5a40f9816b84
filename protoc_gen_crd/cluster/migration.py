"""A storage version migration: passes over the objects, then the update of status.storedVersions.

`status.storedVersions` is a promise that nothing is stored in any other version. It is shortened only if every object
was written while the CRD stayed as it was; the resourceVersion lets the server refuse it if the CRD changes just then.
"""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import ApiServer
from protoc_gen_crd.cluster.installed_crds import InstalledCrd, read_crd, set_stored_versions
from protoc_gen_crd.cluster.migration_state import MigrationState, is_resumable, make_state
from protoc_gen_crd.cluster.object_rewriter import ObjectRewriter
from protoc_gen_crd.cluster.request_throttle import RequestThrottle, RetryPolicy

MAX_PASSES = 3  # of a CRD that changes meanwhile, as where somebody renews the certificate of its webhook
_MAX_TRIM_ATTEMPTS = 10


class MigrationOptions(Record):
    """Options of a migration: requests per second, concurrency, and minimum age of the CRD in seconds.

    `dropped_versions` are versions whose entries of managedFields go.
    """

    rate: int = 0
    workers: int = 1
    min_age: int = 0
    is_dry_run: bool = False
    dropped_versions: tuple[str, ...] = ()
    retry_policy: RetryPolicy = RetryPolicy()


class MigrationResult(Record):
    """What came of it: the state and the CRD at the end. `trimmed_versions` are versions that nothing is stored in
    any more.

    `crd_change` says what of the CRD has changed meanwhile, so that it could not be trimmed.
    """

    state: MigrationState
    crd: InstalledCrd
    trimmed_versions: tuple[str, ...] = ()
    crd_change: str = ""


class Migration:
    """The migration of one CRD, which is as it was when it was read."""

    def __init__(
        self,
        api: ApiServer,
        crd: InstalledCrd,
        options: MigrationOptions,
        report_progress: Callable[[MigrationState], None],
    ) -> None:
        self._throttle = RequestThrottle(api, options.rate, options.retry_policy)
        self._crd, self._options, self._report_progress = crd, options, report_progress

    def run(self, state: MigrationState | None) -> MigrationResult:
        """Go on from a state, if it is of this CRD as it is now. Raises ClusterError."""
        dropped = self._options.dropped_versions
        state = (
            state if state is not None and is_resumable(state, self._crd, dropped) else make_state(self._crd, dropped)
        )
        for _ in range(MAX_PASSES):
            self._prepare()
            state = self._make_rewriter().run(state, self._report_progress)
            if self._options.is_dry_run or state.failed_count:
                return MigrationResult(state, self._crd)
            now, changed = self._trim()
            if now is None or not changed:
                return MigrationResult(state, now or self._crd, self._find_trimmed_versions(now), changed)
            if (now.uid, now.storage) != (self._crd.uid, self._crd.storage):
                break
            self._crd, state = now, make_state(now, dropped, state)
        return MigrationResult(state, self._crd, (), changed)

    def _make_rewriter(self) -> ObjectRewriter:
        dry, dropped = self._options.is_dry_run, self._options.dropped_versions
        return ObjectRewriter(self._throttle, self._crd, self._options.workers, dry=dry, dropped=dropped)

    def _prepare(self) -> None:
        """Wait until all servers know of the CRD as it is now, and ask whether it may be trimmed at the end."""
        self._throttle.wait(self._options.min_age - self._crd.age)
        if not self._options.is_dry_run:
            set_stored_versions(self._throttle, self._crd, self._crd.stored_versions, dry=True)

    def _trim(self) -> tuple[InstalledCrd | None, str]:
        """The CRD now, and what has changed of it; trimmed if nothing has."""
        for _ in range(_MAX_TRIM_ATTEMPTS):
            now = read_crd(self._throttle, self._crd.name)
            changed = describe_crd_change(self._crd, now)
            if now is None or changed:
                return now, changed
            trimmed = set_stored_versions(self._throttle, now, (now.storage,))
            if trimmed is not None:
                return trimmed, ""
        return None, "its status keeps changing"

    def _find_trimmed_versions(self, now: InstalledCrd | None) -> tuple[str, ...]:
        return tuple([version for version in self._crd.stored_versions if now and version not in now.stored_versions])


def describe_crd_change(before: InstalledCrd, now: InstalledCrd | None) -> str:
    """Describe changes of a CRD after which objects may be stored in another version; empty for none."""
    if now is None or now.uid != before.uid or not now.is_ready:
        return "it was deleted"
    if now.storage != before.storage:
        return f"its storage version changed from {before.storage} to {now.storage}"
    if added := sorted(set(now.stored_versions) - set(before.stored_versions)):
        return f"status.storedVersions now includes {', '.join(added)}"
    if now.generation != before.generation:
        return f"its generation changed from {before.generation} to {now.generation}"
    return ""
