"""A whole migration: whether there is anything to do, the passes, and what the CRD must still be before it is trimmed.

`status.storedVersions` is a promise that nothing is stored in any other version. It is shortened only if every object
was written while the CRD stayed as it was; the resourceVersion lets the server refuse it if the CRD changes just then.
"""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api import Api
from protoc_gen_crd.cluster.calling import Caller, Patience
from protoc_gen_crd.cluster.crds import Installed, read, set_stored
from protoc_gen_crd.cluster.rewriting import Rewriter
from protoc_gen_crd.cluster.state import State, begun, belongs

PASSES = 3  # of a CRD that changes meanwhile, as where somebody renews the certificate of its webhook
_TRIMS = 10


class Effort(Record):
    """How a migration goes about it: requests a second, how many at a time, how many seconds old the CRD must be.

    `dropped` are versions whose entries of managedFields go.
    """

    rate: int = 0
    workers: int = 1
    settle: int = 0
    dry: bool = False
    dropped: tuple[str, ...] = ()
    patience: Patience = Patience()


class Migrated(Record):
    """What came of it: the state and the CRD at the end. `trimmed` are versions that nothing is stored in any more.

    `changed` says what of the CRD has changed meanwhile, so that it could not be trimmed.
    """

    state: State
    crd: Installed
    trimmed: tuple[str, ...] = ()
    changed: str = ""


class Migration:
    """The migration of one CRD, which is as it was when it was read."""

    def __init__(self, api: Api, crd: Installed, effort: Effort, tell: Callable[[State], None]) -> None:
        self._caller = Caller(api, effort.rate, effort.patience)
        self._crd, self._effort, self._tell = crd, effort, tell

    def run(self, state: State | None) -> Migrated:
        """Go on from a state, if it is of this CRD as it is now. Raises ClusterError."""
        dropped = self._effort.dropped
        state = state if state is not None and belongs(state, self._crd, dropped) else begun(self._crd, dropped)
        for _ in range(PASSES):
            self._prepare()
            state = self._rewriter().run(state, self._tell)
            if self._effort.dry or state.failed:
                return Migrated(state, self._crd)
            now, changed = self._trim()
            if now is None or not changed:
                return Migrated(state, now or self._crd, self._gone(now), changed)
            if (now.uid, now.storage) != (self._crd.uid, self._crd.storage):
                break
            self._crd, state = now, begun(now, dropped, state)
        return Migrated(state, self._crd, (), changed)

    def _rewriter(self) -> Rewriter:
        dry, dropped = self._effort.dry, self._effort.dropped
        return Rewriter(self._caller, self._crd, self._effort.workers, dry=dry, dropped=dropped)

    def _prepare(self) -> None:
        """Wait until all servers know of the CRD as it is now, and ask whether it may be trimmed at the end."""
        self._caller.wait(self._effort.settle - self._crd.age)
        if not self._effort.dry:
            set_stored(self._caller, self._crd, self._crd.stored, dry=True)

    def _trim(self) -> tuple[Installed | None, str]:
        """The CRD now, and what has changed of it; trimmed if nothing has."""
        for _ in range(_TRIMS):
            now = read(self._caller, self._crd.name)
            changed = difference(self._crd, now)
            if now is None or changed:
                return now, changed
            trimmed = set_stored(self._caller, now, (now.storage,))
            if trimmed is not None:
                return trimmed, ""
        return None, "its status keeps changing"

    def _gone(self, now: Installed | None) -> tuple[str, ...]:
        return tuple([version for version in self._crd.stored if now and version not in now.stored])


def difference(before: Installed, now: Installed | None) -> str:
    """What has changed of a CRD so that objects may have been stored in another version; empty for nothing."""
    if now is None or now.uid != before.uid or not now.ready:
        return "it was deleted"
    if now.storage != before.storage:
        return f"the storage version is {now.storage} now, it was {before.storage}"
    if added := sorted(set(now.stored) - set(before.stored)):
        return f"{', '.join(added)} came to status.storedVersions"
    if now.generation != before.generation:
        return f"its spec has generation {now.generation}, it had {before.generation}"
    return ""
