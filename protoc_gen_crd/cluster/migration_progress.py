"""Progress of a migration pass, page by page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import ClusterError
from protoc_gen_crd.cluster.installed_crds import InstalledCrd
from protoc_gen_crd.cluster.migration_state import FAILED, MAX_RECORDED_FAILURES, MigrationState, make_state
from protoc_gen_crd.cluster.object_pages import ObjectPage

_MAX_COMMON_FAILURES = 50  # failures that may be everybody's before the first success


class RewriteOutcome(Record):
    """The outcome for an object and the reason of a failure; `may_be_common` if all objects may fail for it."""

    kind: str
    reason: str = ""
    may_be_common: bool = False


class MigrationProgress:
    """The state after the last page that is done with, of which somebody is told; one more may be being written."""

    def __init__(
        self, crd: InstalledCrd, state: MigrationState, report_progress: Callable[[MigrationState], None]
    ) -> None:
        self.state = state
        self._crd, self._report_progress = crd, report_progress
        self._pending: tuple[ObjectPage, Iterable[RewriteOutcome]] | None = None

    def start_page(self, found: ObjectPage, outcomes: Iterable[RewriteOutcome]) -> None:
        """Wait for the page before; this one is being written now. Raises ClusterError."""
        self.finish_page()
        self._pending = found, outcomes
        if not self.state.counts:  # it may be that nothing can be written
            self.finish_page()

    def finish_page(self) -> bool:
        """Wait for the page that is being written, if there is one. Raises ClusterError."""
        if self._pending is None:
            return False
        (found, outcomes), self._pending = self._pending, None
        state = make_state(self._crd, self.state.dropped, self.state) if found.is_restarted else self.state
        self.state = _update_state(state, found, outcomes)
        self._report_progress(self.state)
        return True


def _update_state(state: MigrationState, found: ObjectPage, outcomes: Iterable[RewriteOutcome]) -> MigrationState:
    """The state after a page."""
    counts, managed, failures = Counter(state.counts), Counter(state.managed), list(state.failures)
    for seen, outcome in zip(found.objects, outcomes, strict=True):
        counts[outcome.kind] += 1
        managed.update(seen.managed_versions)
        if outcome.kind == FAILED and len(failures) < MAX_RECORDED_FAILURES:
            failures.append((str(seen), outcome.reason))
        if outcome.may_be_common and counts.total() == counts[FAILED] >= _MAX_COMMON_FAILURES:
            raise ClusterError(f"cannot write any object, for example {seen}: {outcome.reason}")
    total = counts.total() + found.remaining
    return state.replace(
        token=found.token, counts=dict(counts), failures=tuple(failures), managed=dict(managed), total=total
    )
