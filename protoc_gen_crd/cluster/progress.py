"""How far a pass has come: what became of the objects, page after page, in the order in which they were listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api import ClusterError
from protoc_gen_crd.cluster.crds import Installed
from protoc_gen_crd.cluster.pages import Page
from protoc_gen_crd.cluster.state import FAILED, KEPT, State, begun

_HOPELESS = 50  # failures that may be everybody's before the first success


class Outcome(Record):
    """What became of an object, and why if it failed; `common` where the reason may hold for all objects."""

    kind: str
    reason: str = ""
    common: bool = False


class Progress:
    """The state after the last page that is done with, of which somebody is told; one more may be being written."""

    def __init__(self, crd: Installed, state: State, tell: Callable[[State], None]) -> None:
        self.state = state
        self._crd, self._tell = crd, tell
        self._writing: tuple[Page, Iterable[Outcome]] | None = None

    def work_on(self, found: Page, outcomes: Iterable[Outcome]) -> None:
        """Wait for the page before; this one is being written now. Raises ClusterError."""
        self.settle()
        self._writing = found, outcomes
        if not self.state.counts:  # it may be that nothing can be written
            self.settle()

    def settle(self) -> bool:
        """Wait for the page that is being written, if there is one. Raises ClusterError."""
        if self._writing is None:
            return False
        (found, outcomes), self._writing = self._writing, None
        state = begun(self._crd, self.state.dropped, self.state) if found.afresh else self.state
        self.state = _after(state, found, outcomes)
        self._tell(self.state)
        return True


def _after(state: State, found: Page, outcomes: Iterable[Outcome]) -> State:
    """The state after a page."""
    counts, managed, failures = Counter(state.counts), Counter(state.managed), list(state.failures)
    for seen, outcome in zip(found.objects, outcomes, strict=True):
        counts[outcome.kind] += 1
        managed.update(seen.managed)
        if outcome.kind == FAILED and len(failures) < KEPT:
            failures.append((str(seen), outcome.reason))
        if outcome.common and counts.total() == counts[FAILED] >= _HOPELESS:
            raise ClusterError(f"cannot write any object, {seen} neither: {outcome.reason}")
    total = counts.total() + found.left
    return state.replace(
        token=found.token, counts=dict(counts), failures=tuple(failures), managed=dict(managed), total=total
    )
