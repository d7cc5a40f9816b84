"""A storage version migration: passes over the objects, then the update of status.storedVersions.

`status.storedVersions` guarantees that no object is stored in another version. It is trimmed only if all objects were
written while the CRD did not change. With the resourceVersion, the server rejects the update if the CRD changes in
between.
"""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import ApiServer
from protoc_gen_crd.cluster.installed_crds import InstalledCrd, read_crd, set_stored_versions
from protoc_gen_crd.cluster.migration_state import MigrationState, is_resumable, make_state
from protoc_gen_crd.cluster.object_rewriter import ObjectRewriter
from protoc_gen_crd.cluster.rate_limit_and_retry import RequestThrottle, RetryPolicy

MAX_PASSES = 3  # for a CRD that changes meanwhile, for example when the certificate of its webhook is renewed
_MAX_TRIM_ATTEMPTS = 10


class MigrationOptions(Record):
    """Options of a migration: requests per second, concurrency, and minimum age of the CRD in seconds.

    `dropped_versions` are versions whose entries of managedFields are removed.
    """

    rate: int = 0
    workers: int = 1
    min_age: int = 0
    is_dry_run: bool = False
    dropped_versions: tuple[str, ...] = ()
    retry_policy: RetryPolicy = RetryPolicy()


class MigrationResult(Record):
    """The state and the CRD at the end of a migration.

    `trimmed_versions` are the versions that were removed from status.storedVersions. `crd_change` describes a change of
    the CRD that prevented this.
    """

    state: MigrationState
    crd: InstalledCrd
    trimmed_versions: tuple[str, ...] = ()
    crd_change: str = ""


class Migration:
    """The migration of one CRD."""

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
        """Run the migration, from a state if it belongs to the current CRD. Raises ClusterError."""
        dropped = self._options.dropped_versions
        state = (
            state if state is not None and is_resumable(state, self._crd, dropped) else make_state(self._crd, dropped)
        )
        for _ in range(MAX_PASSES):
            self._prepare()
            state = self._make_rewriter().run(state, self._report_progress)
            if self._options.is_dry_run or state.failed_count:
                return MigrationResult(state, self._crd)
            current, change = self._trim()
            if current is None or not change:
                return MigrationResult(state, current or self._crd, self._find_trimmed_versions(current), change)
            if (current.uid, current.storage) != (self._crd.uid, self._crd.storage):
                break
            self._crd, state = current, make_state(current, dropped, state)
        return MigrationResult(state, self._crd, (), change)

    def _make_rewriter(self) -> ObjectRewriter:
        dry, dropped = self._options.is_dry_run, self._options.dropped_versions
        return ObjectRewriter(self._throttle, self._crd, self._options.workers, dry=dry, dropped=dropped)

    def _prepare(self) -> None:
        """Wait until all servers have the current CRD, and check the permission to trim it at the end."""
        self._throttle.wait(self._options.min_age - self._crd.age)
        if not self._options.is_dry_run:
            set_stored_versions(self._throttle, self._crd, self._crd.stored_versions, dry=True)

    def _trim(self) -> tuple[InstalledCrd | None, str]:
        """Trim the CRD unless it has changed. Return the current CRD and a description of the change."""
        for _ in range(_MAX_TRIM_ATTEMPTS):
            current = read_crd(self._throttle, self._crd.name)
            change = describe_crd_change(self._crd, current)
            if current is None or change:
                return current, change
            trimmed = set_stored_versions(self._throttle, current, (current.storage,))
            if trimmed is not None:
                return trimmed, ""
        return None, "its status keeps changing"

    def _find_trimmed_versions(self, current: InstalledCrd | None) -> tuple[str, ...]:
        return tuple(
            [version for version in self._crd.stored_versions if current and version not in current.stored_versions]
        )


def describe_crd_change(before: InstalledCrd, current: InstalledCrd | None) -> str:
    """Describe changes of a CRD after which objects may be stored in another version; empty for none."""
    if current is None or current.uid != before.uid or not current.is_ready:
        return "it was deleted"
    if current.storage != before.storage:
        return f"its storage version changed from {before.storage} to {current.storage}"
    if added := sorted(set(current.stored_versions) - set(before.stored_versions)):
        return f"status.storedVersions now includes {', '.join(added)}"
    if current.generation != before.generation:
        return f"its generation changed from {before.generation} to {current.generation}"
    return ""
