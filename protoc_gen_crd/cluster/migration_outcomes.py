"""Progress of a migration pass, page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import ClusterError
from protoc_gen_crd.cluster.installed_crds import InstalledCrd
from protoc_gen_crd.cluster.migration_state import FAILED, MAX_RECORDED_FAILURES, MigrationState, make_state
from protoc_gen_crd.cluster.object_pages import ObjectPage

_MAX_COMMON_FAILURES = 50  # possibly common failures before the first success, after which the migration fails


class RewriteOutcome(Record):
    """The outcome for an object, with the reason of a failure; `may_be_common` if all objects may have it."""

    kind: str
    reason: str = ""
    may_be_common: bool = False


class MigrationProgress:
    """The state after the last finished page, which is reported; one more page may be in progress."""

    def __init__(
        self, crd: InstalledCrd, state: MigrationState, report_progress: Callable[[MigrationState], None]
    ) -> None:
        self.state = state
        self._crd, self._report_progress = crd, report_progress
        self._pending: tuple[ObjectPage, Iterable[RewriteOutcome]] | None = None

    def start_page(self, page: ObjectPage, outcomes: Iterable[RewriteOutcome]) -> None:
        """Finish the previous page, and record a page that is in progress. Raises ClusterError."""
        self.finish_page()
        self._pending = page, outcomes
        if not self.state.counts:  # possibly no object can be written
            self.finish_page()

    def finish_page(self) -> bool:
        """Wait for the page in progress. Return whether there was one. Raises ClusterError."""
        if self._pending is None:
            return False
        (page, outcomes), self._pending = self._pending, None
        state = make_state(self._crd, self.state.dropped, self.state) if page.is_restarted else self.state
        self.state = _update_state(state, page, outcomes)
        self._report_progress(self.state)
        return True


def _update_state(state: MigrationState, page: ObjectPage, outcomes: Iterable[RewriteOutcome]) -> MigrationState:
    """Return the state after a page."""
    counts, managed, failures = Counter(state.counts), Counter(state.managed), list(state.failures)
    for stored_object, outcome in zip(page.objects, outcomes, strict=True):
        counts[outcome.kind] += 1
        managed.update(stored_object.managed_versions)
        if outcome.kind == FAILED and len(failures) < MAX_RECORDED_FAILURES:
            failures.append((str(stored_object), outcome.reason))
        if outcome.may_be_common and counts.total() == counts[FAILED] >= _MAX_COMMON_FAILURES:
            raise ClusterError(f"cannot write any object, for example {stored_object}: {outcome.reason}")
    total = counts.total() + page.remaining
    return state.replace(
        token=page.token, counts=dict(counts), failures=tuple(failures), managed=dict(managed), total=total
    )
